"""Glücksgriff, registered as a `Game`."""

from ..engine import knowledge
from ..engine.game import REPLACED, Game
from . import (
    determinization,
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
    determinization,
    serialization,
    render,
    statistics,
)

REPLACED["gluecksgriff_v0"] = (
    "gluecksgriff_v0 was replaced by gluecksgriff_v1, in which the last turn after a call may be "
    "declined (G8.2); last_turn='forced' plays as before"
)
