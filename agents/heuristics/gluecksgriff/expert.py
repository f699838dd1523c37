"""The combined player of Glücksgriff: every tip at once, in numbers found by duplicate play."""

from .hands import StyleSettings
from .styles import PLAIN, Stylist

# Chosen against variants of itself with 2 and 4 players. A point more or less of `card`, `run` or
# `draw` loses; on `pair`, `joker`, `hourglass` and `magic_hand` little depends.
EXPERT = PLAIN._replace(card=6, run=4, magic_hand=10)
ODDS_IN_A_DUEL = 78  # least chance of a right call, in percent, with two players
ODDS_AT_A_TABLE = 76  # and with more
DOUBT = 2  # percent: an honest card is less likely than that


class Expert(Stylist):
    """Weighs all it could lay, and calls when the call is likely enough to be right.

    "Set a threshold for the call" by the sizes of the others' hands, "Knock early", "Keep runs
    together", "Save the hourglass for a low hand" and "Do not sit on jokers" as far as each is
    worth points; "Watch what is taken openly" to see through a bluff.
    """

    def __init__(self) -> None:
        table = StyleSettings(EXPERT, call_at=6, call_odds=ODDS_AT_A_TABLE, doubt=DOUBT)
        super().__init__(table, duel=table._replace(call_odds=ODDS_IN_A_DUEL))
