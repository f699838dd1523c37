"""Glücksgriff: what tournaments count, and how a round can end.

Rule ids refer to docs/rules/gluecksgriff.md.
"""

from enum import IntEnum

import numpy as np

from ..engine.events import EventKind, Internal
from ..engine.game import Statistic
from .rules import Card

COUNTED = {  # of each seat
    "rounds_won": Statistic(
        "rounds in which nobody else's total rose as little (G8)", Internal.ROUND_ENDED
    ),
    "calls_right": Statistic(
        "calls judged right at the end of the round (G8.3)", Internal.CALL_RIGHT
    ),
    "calls_wrong": Statistic(
        "calls judged wrong (G8.4), or made with too many points (G8.5)",
        (Internal.CALL_WRONG, Internal.CALL_TOO_HIGH),
    ),
    "knocks": Statistic("knocks, also with a drawn card (G5.1, G5.2, G5.4)", EventKind.KNOCK),
    "fended_off": Statistic("hourglasses fended off (G6.4)", EventKind.FEND_OFF),
    "sat_out": Statistic("turns sat out (G6.3)", EventKind.SIT_OUT),
    "magic_hands": Statistic(
        "Magic Hands played for their effect (G7.1)", EventKind.PLAY, Card.MAGIC_HAND
    ),
    "bluffs_caught": Statistic("challenges that were right (G7.5)", EventKind.RIGHT_CHALLENGE),
    "challenges_wrong": Statistic("challenges that were wrong (G7.6)", EventKind.WRONG_CHALLENGE),
    "declined": Statistic("last turns declined (G8.2)", EventKind.DECLINE),
}


class Ending(IntEnum):
    """Why a round ended."""

    EMPTY_HAND = 0
    CALL = 1
    HIGH_CALL = 2
    CAP = 3
    TURNS = 4


ENDING_RULES = np.array([506, 802, 805, 809, 809], np.int32)
ENDINGS = {  # in the order of `Ending`
    "empty_hand": "a hand was emptied, before the last turn due (G5.6, G8.6)",
    "call": "the last turn after a call was over (G8.2)",
    "high_call": "somebody called with too many points (G8.5)",
    "cap": "the cap on decisions was reached (G8.9)",
    "turns": "the last turn that max_turns allows was over (G8.9)",
}
