"""Scripted agents of Glücksgriff, and the file of its champion."""

from functools import partial

from ...registry import register_agents
from . import styles
from .styles import StylePolicy

register_agents(
    "gluecksgriff",
    {
        "early": (partial(StylePolicy, styles.EARLY), "calls as soon as it may"),
        "late": (partial(StylePolicy, styles.LATE), "calls with one point or none"),
        "runner": (partial(StylePolicy, styles.RUNNER), "collects neighbours, lays long runs"),
        "knocker": (partial(StylePolicy, styles.KNOCKER), "knocks what fits, saves jokers for it"),
        "counter": (
            partial(StylePolicy, styles.COUNTER),
            "counts cards, calls by what the others may hold",
        ),
        "bluffer": (
            partial(StylePolicy, styles.BLUFFER),
            "lays high cards open, challenges the others",
        ),
        "expert": (
            partial(StylePolicy, styles.EXPERT, styles.EXPERT_OF_TWO),
            "values all it could lay, calls when the call is likely right",
        ),
    },
    champion=("gluecksgriff",),
)
