"""Glücksgriff, version 0 of its behaviour: importing it says what replaced it."""

from .engine.game import REPLACED

raise ImportError(REPLACED["gluecksgriff_v0"])
