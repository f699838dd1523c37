"""Auruxxx - Die Goldene 12, registered as a `Game`.

Its functions are found by their names in the files of this folder: `play` and `deal`, which the
engine calls, `list_legal`, `rule_of`, ... (see `Game.from_folder`).
"""

from ..engine.game import Game

AURUXXX = Game.from_folder(__name__, "Auruxxx - Die Goldene 12", 0)
