"""Scripted players of Auruxxx."""
