"""Auruxxx: what tournaments count, and how a round can end.

Rule ids refer to docs/rules/auruxxx.md.
"""

from enum import IntEnum

from ..engine.events import EventKind, Internal
from ..engine.game import Statistic
from .rules import Card

COUNTED = {  # of each seat
    "rounds_won": Statistic("rounds won by laying Golden 12s (A6.2)", Internal.ROUND_ENDED),
    "golden_laid": Statistic(
        "Golden 12s laid, which subtract points (A7.3)", EventKind.LAY, Card.GOLDEN, summed=True
    ),
    "passes": Statistic("passes used, also to pass a demand on (A2.1, A4.2)", EventKind.PASS),
    "swaps": Statistic("Kartentausch cards laid (A5.4)", EventKind.LAY, Card.SWAP),
    "golden_swaps": Statistic(
        "of them, swaps for a hand with more Golden 12s than the one given (A5.4)",
        Internal.BETTER_SWAP,
    ),
    "cards_taken": Statistic(
        "cards that 2s made a player take (A4.1)", Internal.DEMAND_TAKEN, summed=True
    ),
}


class Ending(IntEnum):
    """Why a round ended."""

    GOLDEN = 0
    CAP = 1
    TURNS = 2


ENDINGS = {  # in the order of `Ending`
    "golden_12": "a Golden 12 was laid (A6.2)",
    "cap": "the cap on decisions was reached (A8.1)",
    "turns": "the last turn that max_turns allows was over (A8.1)",
}
