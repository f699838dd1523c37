"""The state of a game of Glücksgriff as one fixed-size record."""

from enum import IntEnum
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ..engine.state import Bytes, CardGameState, Number
from .rules import MAX_BLANKS, MAX_DECK, MAX_PLAYERS, NUM_ACTIONS, NUM_CARDS

Small = NDArray[np.int8]


class Phase(IntEnum):
    """What the current player decides."""

    PLAY = 0  # the turn begins
    LAYING = 1  # a single card, a set or a run lies; more of it, or how the turn ends
    EXTENDING = 2  # the run on the pile is being extended
    DRAWN = 3  # whether to knock with the card just drawn
    SERVED = 4  # an hourglass lies in front of the player
    GIVING = 5  # an hourglass or a blank's effect was played; which card to take
    OPENING = 6  # which card to lay open before the Magic Hand
    MAGIC = 7  # the Magic Hand's player chooses
    PRIZE = 8  # the same after a right challenge
    GRABBING = 9  # with challenge_prize=both, after an open card: which card of the challenged hand


PHASES = ("play", "lay", "extend", "drawn", "hourglass", "giving", "open", "magic", "prize", "grab")


class Laid(IntEnum):
    """What has been laid in this turn."""

    NOTHING = 0
    SET = 1
    RUN = 2
    LOW_END = 3
    HIGH_END = 4
    SPECIAL = 5


KINDS = (None, "set", "run", "low", "high", "special")

# Random streams: the deal, then for each seat its draws and whether its knocks come too late.


class Stream(IntEnum):
    """First random stream of each purpose; a player's own is that many seats on."""

    DEAL = 0
    DRAWS = 1
    KNOCKS = DRAWS + MAX_PLAYERS


NUM_STREAMS = Stream.KNOCKS + MAX_PLAYERS

NOBODY = -1
NO_CARD = -1


class Entry(IntEnum):
    """Entries of the score sheet."""

    HAND = 0
    WRONG_CALL = 1
    HALVING = 2


SCORE_SHEET = {  # of each seat in a round, in the order of `Entry`
    "hand": "the points in the hand, where they are written (G8.1)",
    "wrong_call": "30 for a wrong call (G8.4), 50 for one with too many points (G8.5)",
    "halving": "what halving takes off a total that reaches a multiple of 50 (G8.7)",
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
    """One game. Seats are 0 .. num_players - 1; points are kept in halves, as in every game."""

    # Settings (rules.Settings), the same through the whole game.
    point_limit: Number
    hand_size: Number
    bluffing: Number
    penalties: Number
    late_knock: Number
    last_turn: Number
    fend_off: Number
    challenge_prize: Number
    joker_knock: Number
    max_rounds: Number
    max_turns: Number
    max_decisions: Number
    points: Annotated[Bytes, "u1", NUM_CARDS]  # G8.1, G9.1
    num_blanks: Number  # types of blank cards in the deck
    effects: Annotated[Bytes, "u1", MAX_BLANKS]
    amounts: Annotated[Bytes, "u1", MAX_BLANKS]

    # The round.
    layers: Annotated[Small, "i1", MAX_DECK]  # G4.4: who laid each card of it, or NOBODY

    # The play that lay on top when the turn began, below what was laid since.
    play_size: Number  # its cards; 0 when the discard pile was empty
    play_run: Number  # 1 if it is a run
    play_low: Number  # a run's lowest value

    # The turn.
    laid: Number  # cards laid in this turn
    laid_kind: Number
    laid_low: Number  # LOW_END, HIGH_END: cards laid at the low end
    value: Number  # SET: the value, or NO_CARD for a lone joker. RUN: the lowest value
    drawn: Number  # DRAWN: the card
    open: Annotated[Small, "i1", MAX_PLAYERS]  # G7: each player's open card, or NO_CARD
    magician: Number  # G7: who played the Magic Hand, or NOBODY
    challenged: Number  # G7.5: who was rightly challenged, or NOBODY

    # The table.
    front: Annotated[Small, "i1", MAX_PLAYERS]  # G6.1: card lying in front of a player
    sat_out: Annotated[Bytes, "u1", MAX_PLAYERS]  # G6.2: in its previous turn of this round
    must_sit_out: Annotated[Bytes, "u1", MAX_PLAYERS]  # G6.6: it played on
    caller: Number  # G8.2: seat, or NOBODY
    turns_left: Number  # G8.2: last turns that are due after a call, this one included
    turns: Number  # turns of this round that are over (G8.9)
