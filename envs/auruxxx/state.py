"""The state of a game of Auruxxx as one fixed-size record."""

from enum import IntEnum
from typing import Annotated

from ..engine.state import CardGameState, Number, Shorts
from .rules import MAX_DECK, MAX_PLAYERS, NUM_ACTIONS, NUM_CARDS


class Phase(IntEnum):
    """What the current player decides."""

    PLAY = 0
    DEMAND = 1
    MULTIPLE = 2


PHASES = ("play", "demand", "multiple")

# Random streams: the deal, then for each seat its draws from the pile and from other hands.


class Stream(IntEnum):
    """First random stream of each purpose; a player's own is that many seats on."""

    DEAL = 0
    DRAWS = 1
    THEFTS = DRAWS + MAX_PLAYERS


NUM_STREAMS = Stream.THEFTS + MAX_PLAYERS

NOBODY = -1


class Entry(IntEnum):
    """Entries of the score sheet."""

    HAND = 0
    CROSSES = 1
    GOLDEN_TWELVES = 2
    FIGURE = 3


SCORE_SHEET = {  # of each seat in a round, in the order of `Entry`
    "hand": "the cards left in the hand (A7.1)",
    "crosses": "5 for each cross (A7.2)",
    "golden_twelves": "-5 for each Golden 12 that the winner laid (A7.3)",
    "figure": "what halving takes off for the owner of the figure (A7.4)",
}


class State(
    CardGameState,
    seats=MAX_PLAYERS,
    cards=NUM_CARDS,
    deck=MAX_DECK,
    actions=NUM_ACTIONS,
    streams=NUM_STREAMS,
    entries=len(SCORE_SHEET),
):
    """One game. Seats are 0 .. num_players - 1; points are kept in halves (A7.4: exactly)."""

    # Settings (rules.Settings), the same through the whole game; `num_players` and the deck beside.
    rounds: Number
    hand_size: Number
    edition: Number
    after_action: Number
    blessing_draws: Number
    golden_value: Number
    max_passes: Number
    max_draws: Number
    cards_per_two: Number
    max_turns: Number
    max_decisions: Number

    # The game so far.
    figure: Number  # A0.6: seat that owns the Happy-Man figure, or NOBODY

    # The round: turns.
    drawn: Number  # draws made in this turn (A2.2)
    acted: Number  # 1 when an action card was laid in this turn (A5.2)
    demand: Number  # cards the current player must take before its turn (A4.1)
    crosses: Annotated[Shorts, "i2", MAX_PLAYERS]  # passes in this round (A2.1)
    turns: Number  # turns of this round that are over (A8.1)
