"""Auruxxx - Die Goldene 12, registered as a `Game`."""

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

AURUXXX = Game.from_modules(
    "auruxxx",
    "Auruxxx - Die Goldene 12",
    0,
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
