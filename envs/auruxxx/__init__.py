"""Auruxxx - Die Goldene 12, registered as a `Game`."""

from ..engine.game import Game

AURUXXX = Game.from_folder(__name__, "Auruxxx - Die Goldene 12", 0)
