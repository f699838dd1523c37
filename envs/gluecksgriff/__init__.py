"""Glücksgriff, registered as a `Game`."""

from ..engine import knowledge
from ..engine.game import Game
from . import (
    legal,
    observation,
    render,
    rounds,
    rules,
    serialization,
    state,
    statistics,
    transitions,
)

GLUECKSGRIFF = Game.from_modules(
    "gluecksgriff",
    "Glücksgriff",
    1,
    rules,
    state,
    legal,
    rounds,
    transitions,
    knowledge,
    observation,
    serialization,
    render,
    statistics,
)
