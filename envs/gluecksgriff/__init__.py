"""Glücksgriff, registered as a `Game`.

Its functions are found by their names in the files of this folder: `play` and `deal`, which the
engine calls, `list_legal`, `rule_of`, ... (see `Game.from_folder`).
"""

from ..engine.game import Game

GLUECKSGRIFF = Game.from_folder(__name__, "Glücksgriff", 1)
