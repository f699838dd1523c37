"""Scripted agents of Glücksgriff, and the file of its champion."""

from functools import partial

from ...registry import register_agents
from .styles import STYLES, StylePolicy

register_agents(
    "gluecksgriff",
    {name: (partial(StylePolicy, style), text) for name, (style, text) in STYLES.items()},
    champion=("gluecksgriff",),
)
