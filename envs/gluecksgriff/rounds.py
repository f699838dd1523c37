"""Glücksgriff: how rounds and turns begin and end, what is scored and what is counted.

Rule ids refer to docs/rules/gluecksgriff.md.
"""

from enum import IntEnum

import numpy as np

from ..engine.chance import deal_hands, take_from_pile
from ..engine.compile import device
from ..engine.deck import gather, next_seat
from ..engine.emit import announce, emit, emit_deal, emit_score, is_logged
from ..engine.events import NOBODY_KNOWS, NONE, EventKind, Unrecorded
from ..engine.game import Statistic
from ..engine.knowledge import know_nothing
from .piles import discard, hand_points, set_play
from .rules import HALVED_AT, WRONG_CALL, Card
from .state import NO_CARD, NOBODY, Entry, Laid, Phase, State, Stream

# --- What tournaments count, and how a round can end ---

COUNTED = {  # of each seat
    "rounds_won": Statistic(
        "rounds in which nobody else's total rose as little (G8)", Unrecorded.ROUND_ENDED
    ),
    "calls_right": Statistic(
        "calls judged right at the end of the round (G8.3)", Unrecorded.CALL_RIGHT
    ),
    "calls_wrong": Statistic(
        "calls judged wrong (G8.4), or made with too many points (G8.5)",
        (Unrecorded.CALL_WRONG, Unrecorded.CALL_TOO_HIGH),
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

ROUND_RISE = 32  # half points by which the highest total rises in a round, about

# --- G1: setting up a round ----------------------------------------------------------------------


@device
def deal(state: State) -> None:
    """Deal a round and start its first turn (G1.1 to G1.3)."""
    if state.round_index == 0:
        state.score_sheet[:] = 0
    gather(state)
    know_nothing(state)
    deal_hands(state, Stream.DEAL, state.hand_size)  # G1.1
    # G1.3: whatever it is, it does nothing
    discard(state, take_from_pile(state, Stream.DEAL), NOBODY)
    set_play(state, 1)
    state.open[:] = NO_CARD
    state.magician = NOBODY
    state.challenged = NOBODY
    state.front[:] = NO_CARD
    state.sat_out[:] = 0
    state.must_sit_out[:] = 0
    state.caller = NOBODY
    state.turns_left = 0
    state.turns = 0
    state.decisions = 0
    start_turn(state, state.round_index % state.num_players)  # G1.2: the last seat deals first
    emit_deal(state, 101)


# --- Turns ---------------------------------------------------------------------------------------


@device
def start_turn(state: State, player: int) -> None:
    """Make it a player's turn; an hourglass in front of it comes first (G2.5)."""
    state.current_player = player
    clear_turn(state)
    if state.front[player] != NO_CARD:
        state.phase = Phase.SERVED


@device
def clear_turn(state: State) -> None:
    """Forget what was laid and drawn in the turn before."""
    state.laid = 0
    state.laid_kind = Laid.NOTHING
    state.laid_low = 0
    state.value = NO_CARD
    state.drawn = NO_CARD
    state.phase = Phase.PLAY


@device
def end_turn(state: State) -> None:
    """Make what was laid the new play; go on to the next player, or end the round.

    It ends when a hand is empty (G5.6, G1.4, G8.6), the last turn after a call is over (G8.2) or,
    before a call, the cap on turns is reached (G8.9).
    """
    ending = ending_now(state)
    state.turns += 1
    if state.laid_kind == Laid.LOW_END or state.laid_kind == Laid.HIGH_END:
        state.play_size += state.laid
        state.play_low -= state.laid_low
    elif state.laid > 0:
        set_play(state, state.laid)
        if state.laid_kind == Laid.RUN:
            state.play_run = 1
            state.play_low = state.value
    for seat in range(state.num_players):
        if state.hand_sizes[seat] == 0:  # G5.6, G1.4, G8.6
            end_round(state, ending)
            return
    if state.caller != NOBODY:
        state.turns_left -= 1
    if ending != Ending.EMPTY_HAND:  # G8.2, G8.9
        end_round(state, ending)
        return
    start_turn(state, next_seat(state, state.current_player, 1))


@device
def ending_now(state: State) -> int:
    """Return why the round ends if it ends with the current turn.

    Unless it is the last one after a call (G8.2) or before the cap on turns (G8.9; 0 is no cap), it
    ends only if a hand is empty (G5.6, G8.6).
    """
    if state.caller != NOBODY:
        return Ending.CALL if state.turns_left == 1 else Ending.EMPTY_HAND
    return Ending.TURNS if state.turns + 1 == state.max_turns else Ending.EMPTY_HAND


@device
def begins_turn(state: State) -> bool:
    """Return whether a turn begins, or the answer to an hourglass (G2.5)."""
    return state.phase == Phase.PLAY or state.phase == Phase.SERVED


@device
def finish_turn(state: State) -> None:
    """End an ordinary turn: whoever takes one does not sit out (G6.2)."""
    state.sat_out[state.current_player] = 0
    end_turn(state)


# --- G8: ending a round, scoring -----------------------------------------------------------------


@device
def end_round(state: State, ending: int) -> None:
    """Write everybody's points, a caller's by its call (G8.3, G8.4, G8.6); close the round.

    Args:
        state: One game, changed in place.
        ending: Why the round ends.
    """
    emit_empty_hands(state)
    for seat in range(state.num_players):
        hand, wrong_call = hand_points(state, seat), 0  # G8.1
        if seat == state.caller:
            right = call_is_right(state)
            event_kind, rule = (
                Unrecorded.CALL_RIGHT if right else Unrecorded.CALL_WRONG,
                803 if right else 804,
            )
            emit(state, event_kind, seat, NONE, NONE, hand, NOBODY_KNOWS, rule)
            hand, wrong_call = 0, 0 if right else WRONG_CALL
        write_points(state, seat, hand, wrong_call, 804)
    close_round(state, ending)


@device
def emit_empty_hands(state: State) -> None:
    """Say whose hands are empty as the round ends (G5.6)."""
    if is_logged(state):
        for seat in range(state.num_players):
            if state.hand_sizes[seat] == 0:
                announce(state, Unrecorded.HAND_EMPTY, seat, 506)


@device
def close_round(state: State, ending: int) -> None:
    """End the round, and perhaps the game (G8.8), once all points are written.

    Args:
        state: One game, changed in place.
        ending: Why the round ends.
    """
    state.round_ended = 1
    state.round_winner = NOBODY
    if ending != Ending.CAP:
        name_winner(state)
    winner, rule = state.round_winner, int(ENDING_RULES[ending])
    emit(state, Unrecorded.ROUND_ENDED, winner, NONE, NONE, ending, NOBODY_KNOWS, rule)
    state.round_index += 1
    for seat in range(state.num_players):
        if state.scores[seat] > 2 * state.point_limit:  # after halving
            state.over = 1
    if state.round_index == state.max_rounds:  # 0 is no cap
        state.over = 1
    if state.over == 1:
        clear_turn(state)
        announce(state, Unrecorded.GAME_OVER, NONE, 808)


@device
def call_is_right(state: State) -> bool:
    """Return whether everybody else has more points than the caller (G8.3)."""
    called = hand_points(state, state.caller)
    for seat in range(state.num_players):
        if seat != state.caller and hand_points(state, seat) <= called:
            return False
    return True


@device
def write_points(state: State, seat: int, hand: int, wrong_call: int, rule: int) -> None:
    """Write a seat's points and add them to its total.

    A total that reaches a multiple of 50 is halved, once (G8.7).

    Args:
        state: One game, changed in place.
        seat: Whose points.
        hand: Those for its hand.
        wrong_call: Those for a wrong call.
        rule: The rule of the latter.
    """
    before, points = int(state.scores[seat]), hand + wrong_call
    total = before + 2 * points
    if points > 0 and total % (2 * HALVED_AT) == 0:
        total //= 2
    sheet = state.score_sheet[seat]  # in half points
    sheet[Entry.HAND] = 2 * hand
    sheet[Entry.WRONG_CALL] = 2 * wrong_call
    sheet[Entry.HALVING] = total - before - 2 * points
    emit_score(state, seat, Entry.HAND, 801)
    emit_score(state, seat, Entry.WRONG_CALL, rule)
    emit_score(state, seat, Entry.HALVING, 807)
    state.scores[seat] = total
    state.round_points[seat] = total - before


@device
def rounds_left(state: State) -> int:
    """Estimate how many rounds are to play, the current one included, by the highest total (G8.8).

    It is not more than the cap on rounds allows.
    """
    if state.over == 1:
        return 0
    highest = 0
    for seat in range(state.num_players):
        highest = max(highest, int(state.scores[seat]))
    rounds = (2 * (state.point_limit + 1) - highest - 1) // ROUND_RISE + 1
    return min(rounds, state.max_rounds - state.round_index) if state.max_rounds > 0 else rounds


@device
def name_winner(state: State) -> None:
    """Write down whose total rose least; nobody's if several rose as little."""
    least = 1 << 30
    for seat in range(state.num_players):
        rise = int(state.round_points[seat])
        if rise < least:
            state.round_winner = seat
            least = rise
        elif rise == least:
            state.round_winner = NOBODY
