"""The state of a game of Auruxxx as one fixed-size record."""

from enum import IntEnum
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ..engine.state import CardGameState
from .rules import MAX_DECK, MAX_PLAYERS, NUM_ACTIONS, NUM_CARDS

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Shorts = NDArray[np.int16]
Number = Annotated[int, "i4"]
Short = Annotated[int, "i2"]  # the deck of most points counts 16500 half points


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


class State(CardGameState):
    """One game. Seats are 0 .. num_players - 1; points are kept in halves (A7.4: exactly)."""

    # Settings (rules.Settings), the same through the whole game.
    num_players: Short
    rounds: Short
    hand_size: Short
    edition: Short
    after_action: Short
    blessing_draws: Short
    golden_value: Short
    max_passes: Short
    max_draws: Short
    cards_per_two: Short
    max_turns: Number
    max_decisions: Number
    deck_size: Short  # cards in the deck

    # Chance.
    seed: Annotated[np.uint64, "u8"]
    streams: Annotated[NDArray[np.uint64], "u8", NUM_STREAMS]

    # The game so far.
    over: Short  # 1 when the last round has been scored
    round_index: Short  # 0 in the first round
    scores: Annotated[Numbers, "i4", MAX_PLAYERS]  # half points of the rounds that are over
    figure: Short  # A0.6: seat that owns the Happy-Man figure, or NOBODY
    capped_rounds: Short  # rounds ended by the cap (A8.1)

    # The round that ended with the last decision, if one did.
    round_ended: Short  # 1 or 0
    round_winner: Short  # seat, or NOBODY
    round_points: Annotated[Shorts, "i2", MAX_PLAYERS]  # half points
    score_sheet: Annotated[Numbers, "i4", (MAX_PLAYERS, len(SCORE_SHEET))]  # A7: half points

    # The round: cards (see envs/engine/deck.py for the slots and the pile).
    slots: Annotated[Bytes, "u1", MAX_DECK]
    pile_size: Short
    hands: Annotated[Bytes, "u1", (MAX_PLAYERS, NUM_CARDS)]  # copies of each card type
    hand_sizes: Annotated[Shorts, "i2", MAX_PLAYERS]
    discards: Annotated[Bytes, "u1", MAX_DECK]  # the discard pile from the bottom up
    discard_size: Short
    discarded: Annotated[Bytes, "u1", NUM_CARDS]  # the discard pile by card type

    # The round: turns.
    current_player: Number  # seat to decide
    phase: Short
    drawn: Short  # draws made in this turn (A2.2)
    acted: Short  # 1 when an action card was laid in this turn (A5.2)
    demand: Short  # cards the current player must take before its turn (A4.1)
    crosses: Annotated[Shorts, "i2", MAX_PLAYERS]  # passes in this round (A2.1)
    turns: Number  # turns of this round that are over (A8.1)
    decisions: Number  # decisions made in this round (A8.1)

    legal: Annotated[Bytes, "u1", NUM_ACTIONS]  # 1 for each legal action of the current player

    # The round: who knows which cards of whose hand (see envs/engine/knowledge.py).
    aware: Annotated[Bytes, "u1", MAX_PLAYERS]
    known_sizes: Annotated[Bytes, "u1", (MAX_PLAYERS, MAX_PLAYERS)]
    known: Annotated[Bytes, "u1", (MAX_PLAYERS, MAX_PLAYERS - 1, NUM_CARDS)]
