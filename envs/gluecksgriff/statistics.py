"""Glücksgriff: what tournaments count, from each decision and what it changed.

Rule ids refer to docs/rules/gluecksgriff.md.
"""

from ..engine.compile import device
from ..engine.deck import next_seat
from .magic import challenge_is_right
from .plays import hand_points
from .rules import FEW_POINTS, Action
from .state import NOBODY, Numbers, State

(
    ROUNDS_WON,
    CALLS_RIGHT,
    CALLS_WRONG,
    KNOCKS,
    FENDED_OFF,
    SAT_OUT,
    MAGIC_HANDS,
    BLUFFS_CAUGHT,
    CHALLENGES_WRONG,
    DECLINED,
) = range(10)
STATISTICS = {  # of each seat, in this order
    "rounds_won": "rounds in which nobody else's total rose as little (G8)",
    "calls_right": "calls judged right at the end of the round (G8.3)",
    "calls_wrong": "calls judged wrong (G8.4), or made with too many points (G8.5)",
    "knocks": "knocks, also with a drawn card (G5.1, G5.2, G5.4)",
    "fended_off": "hourglasses fended off (G6.4)",
    "sat_out": "turns sat out (G6.3)",
    "magic_hands": "Magic Hands played for their effect (G7.1)",
    "bluffs_caught": "challenges that were right (G7.5)",
    "challenges_wrong": "challenges that were wrong (G7.6)",
    "declined": "last turns declined (G8.2)",
}

BY_EMPTY_HAND, BY_CALL, BY_HIGH_CALL, BY_CAP, BY_TURNS = range(5)
ENDINGS = {  # of a round, in this order
    "empty_hand": "a hand was emptied, before the last turn due (G5.6, G8.6)",
    "call": "the last turn after a call was over (G8.2)",
    "high_call": "somebody called with too many points (G8.5)",
    "cap": "the cap on decisions was reached (G8.9)",
    "turns": "the last turn that max_turns allows was over (G8.9)",
}


@device
def tally(before: State, action: int, after: State, counts: Numbers, endings: Numbers) -> None:
    """Count what one decision did; see `engine/rollouts.py`."""
    player = before.current_player
    if action >= Action.KNOCK and action < Action.KEEP:
        counts[player, KNOCKS] += 1
    elif action == Action.FEND_OFF:
        counts[player, FENDED_OFF] += 1
    elif action == Action.SIT_OUT:
        counts[player, SAT_OUT] += 1
    elif action == Action.PLAY_MAGIC_HAND:
        counts[player, MAGIC_HANDS] += 1
    elif action >= Action.CHALLENGE and action < Action.OPEN:
        target = next_seat(before, player, action - Action.CHALLENGE + 1)
        right = challenge_is_right(before, target)
        counts[player, BLUFFS_CAUGHT if right else CHALLENGES_WRONG] += 1
    elif action == Action.DECLINE:
        counts[player, DECLINED] += 1
    if after.round_ended == 1:
        count_ending(before, action, after, counts, endings)


@device
def count_ending(
    before: State, action: int, after: State, counts: Numbers, endings: Numbers
) -> None:
    """Count how a round ended, who won it and how its call was judged."""
    if after.round_winner != NOBODY:
        counts[after.round_winner, ROUNDS_WON] += 1
    high = action == Action.CALL and hand_points(before, before.current_player) >= FEW_POINTS
    if after.capped_rounds > before.capped_rounds:
        endings[BY_CAP] += 1
    elif high:
        endings[BY_HIGH_CALL] += 1
    elif before.caller != NOBODY and before.turns_left == 1:
        endings[BY_CALL] += 1
    elif before.caller == NOBODY and before.turns + 1 == before.max_turns:
        endings[BY_TURNS] += 1
    else:
        endings[BY_EMPTY_HAND] += 1
    caller = before.current_player if action == Action.CALL else before.caller
    if caller == NOBODY:
        return
    # Whoever calls rightly writes 0 (G8.3); 30 never leave a total as it was (G8.4, G8.7).
    if after.round_points[caller] == 0 and not high:
        counts[caller, CALLS_RIGHT] += 1
    else:
        counts[caller, CALLS_WRONG] += 1
