"""Narrators of single games, found by the name of the game; see `narrator.py`."""
