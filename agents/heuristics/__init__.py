"""Scripted agents, a folder for each game."""
