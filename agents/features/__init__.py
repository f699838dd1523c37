"""Inputs of networks that score single actions and whole states."""
