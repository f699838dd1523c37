"""Glücksgriff, registered as a `Game`."""

from ..engine.game import Game

GLUECKSGRIFF = Game.from_folder(__name__, "Glücksgriff", 1)
