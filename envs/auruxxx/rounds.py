"""Auruxxx: how rounds and turns begin and end, what is scored and what is counted.

Rule ids refer to docs/rules/auruxxx.md.
"""

from enum import IntEnum

from ..engine.chance import deal_hands
from ..engine.compile import device
from ..engine.deck import gather, next_seat
from ..engine.emit import announce, emit, emit_deal, emit_score
from ..engine.events import NOBODY_KNOWS, NONE, EventKind, Unrecorded
from ..engine.game import Statistic
from ..engine.knowledge import know_nothing
from .piles import turn_up
from .rules import NUM_CARDS, POINTS, Card
from .state import NOBODY, Entry, Phase, State, Stream

# --- What tournaments count, and how a round can end ---

COUNTED = {  # of each seat
    "rounds_won": Statistic("rounds won by laying Golden 12s (A6.2)", Unrecorded.ROUND_ENDED),
    "golden_laid": Statistic(
        "Golden 12s laid, which subtract points (A7.3)", EventKind.LAY, Card.GOLDEN, summed=True
    ),
    "passes": Statistic("passes used, also to pass a demand on (A2.1, A4.2)", EventKind.PASS),
    "swaps": Statistic("Kartentausch cards laid (A5.4)", EventKind.LAY, Card.SWAP),
    "golden_swaps": Statistic(
        "of them, swaps for a hand with more Golden 12s than the one given (A5.4)",
        Unrecorded.BETTER_SWAP,
    ),
    "cards_taken": Statistic(
        "cards that 2s made a player take (A4.1)", Unrecorded.DEMAND_TAKEN, summed=True
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

# --- A1: setting up a round ---------------------------------------------------------------------


@device
def deal(state: State) -> None:
    """Deal a round and start its first turn; the figure stays where it is (A1.4)."""
    if state.round_index == 0:
        state.figure = NOBODY
        state.score_sheet[:] = 0
    gather(state)
    know_nothing(state)
    state.crosses[:] = 0
    deal_hands(state, Stream.DEAL, state.hand_size)  # A1.1
    turn_up(state)
    state.demand = 0  # A4.4
    state.turns = 0
    state.decisions = 0
    start_turn(state, state.round_index % state.num_players)  # A1.3: seat 0 starts the first round
    emit_deal(state, 101)


@device
def start_turn(state: State, player: int) -> None:
    """Make it a player's turn; a demand comes first (A4.3)."""
    state.current_player = player
    state.drawn = 0
    state.acted = 0
    state.phase = Phase.DEMAND if state.demand > 0 else Phase.PLAY


@device
def end_turn(state: State) -> None:
    """Go on to the next player, or end the round that has no more turns (A8.1)."""
    state.turns += 1
    if state.turns == state.max_turns:  # A8.1: 0 is no cap
        end_round(state, NOBODY, 0, Ending.TURNS)
    else:
        start_turn(state, next_seat(state, state.current_player, 1))


@device
def begins_turn(state: State) -> bool:
    """Return whether a turn begins, or the answer to a demand, after which it follows (A4.1)."""
    return state.phase != Phase.MULTIPLE and state.drawn == 0 and state.acted == 0


# --- A7: scoring --------------------------------------------------------------------------------


@device
def end_round(state: State, winner: int, golden_laid: int, ending: int) -> None:
    """Score the round, and end the game after the last one (A7.5).

    Args:
        state: One game, changed in place.
        winner: The seat that laid Golden 12s, or NOBODY.
        golden_laid: How many it laid.
        ending: Why the round ends.
    """
    state.round_ended = 1
    state.round_winner = winner
    for seat in range(state.num_players):
        sheet = state.score_sheet[seat]  # in half points
        sheet[Entry.HAND] = 2 * hand_points(state, seat)  # A7.1
        sheet[Entry.CROSSES] = 2 * 5 * state.crosses[seat]  # A7.2
        sheet[Entry.GOLDEN_TWELVES] = -2 * 5 * golden_laid if seat == winner else 0  # A7.3
        halves = sheet[Entry.HAND] + sheet[Entry.CROSSES] + sheet[Entry.GOLDEN_TWELVES]
        sheet[Entry.FIGURE] = -(halves // 2) if seat == state.figure and halves > 0 else 0  # A7.4
        state.round_points[seat] = halves + sheet[Entry.FIGURE]
        state.scores[seat] += state.round_points[seat]
        emit_score(state, seat, Entry.HAND, 701)
        emit_score(state, seat, Entry.CROSSES, 702)
        emit_score(state, seat, Entry.GOLDEN_TWELVES, 703)
        emit_score(state, seat, Entry.FIGURE, 704)
    rule = 602 if ending == Ending.GOLDEN else 801
    emit(state, Unrecorded.ROUND_ENDED, winner, NONE, NONE, ending, NOBODY_KNOWS, rule)
    state.round_index += 1
    if state.round_index == state.rounds:  # A7.5
        state.over = 1
        state.demand = 0  # A4.4
        announce(state, Unrecorded.GAME_OVER, NONE, 705)


@device
def rounds_left(state: State) -> int:
    """Return how many rounds are to play, the current one included (A7.5)."""
    return max(state.rounds - state.round_index, 0)


@device
def hand_points(state: State, seat: int) -> int:
    """Return the points of the cards left in a hand (A7.1)."""
    points = 0
    for card in range(NUM_CARDS):
        value = state.golden_value if card == Card.GOLDEN else POINTS[card]
        points += int(state.hands[seat, card]) * int(value)
    return points
