"""Glücksgriff, version 0 of its behaviour: importing it says what replaced it."""

from . import gluecksgriff as _newer  # noqa: F401  (says what it replaced)
from .engine.game import REPLACED

raise ImportError(REPLACED["gluecksgriff_v0"])
