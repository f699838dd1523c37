"""The state of a game of Glücksgriff as one fixed-size record."""

from enum import IntEnum
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ..engine.state import CardGameState
from .rules import MAX_BLANKS, MAX_DECK, MAX_PLAYERS, NUM_ACTIONS, NUM_CARDS

Bytes = NDArray[np.uint8]
Small = NDArray[np.int8]
Shorts = NDArray[np.int16]
Numbers = NDArray[np.int32]
Short = Annotated[int, "i2"]
Number = Annotated[int, "i4"]


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


class State(CardGameState):
    """One game. Seats are 0 .. num_players - 1; points are kept in halves, as in every game."""

    # Settings (rules.Settings), the same through the whole game.
    num_players: Short
    point_limit: Number
    hand_size: Short
    bluffing: Short
    penalties: Short
    late_knock: Short
    last_turn: Short
    fend_off: Short
    challenge_prize: Short
    joker_knock: Short
    max_rounds: Number
    max_turns: Number
    max_decisions: Number
    points: Annotated[Bytes, "u1", NUM_CARDS]  # G8.1, G9.1
    num_blanks: Short  # types of blank cards in the deck
    effects: Annotated[Bytes, "u1", MAX_BLANKS]
    amounts: Annotated[Bytes, "u1", MAX_BLANKS]
    deck_size: Short

    # Chance.
    seed: Annotated[np.uint64, "u8"]
    streams: Annotated[NDArray[np.uint64], "u8", NUM_STREAMS]

    # The game so far.
    over: Short  # 1 when the game has ended (G8.8)
    round_index: Number  # 0 in the first round
    scores: Annotated[Numbers, "i4", MAX_PLAYERS]  # half points of the rounds that are over
    capped_rounds: Number  # rounds ended by the cap (G8.9)

    # The round that ended with the last decision, if one did.
    round_ended: Short  # 1 or 0
    round_winner: Short  # seat whose total rose least, or NOBODY
    round_points: Annotated[Numbers, "i4", MAX_PLAYERS]  # half points the totals rose by
    score_sheet: Annotated[Numbers, "i4", (MAX_PLAYERS, len(SCORE_SHEET))]  # G8: half points

    # The round: cards (see envs/engine/deck.py for the slots and the pile).
    slots: Annotated[Bytes, "u1", MAX_DECK]
    pile_size: Short
    hands: Annotated[Bytes, "u1", (MAX_PLAYERS, NUM_CARDS)]  # copies of each card type
    hand_sizes: Annotated[Shorts, "i2", MAX_PLAYERS]
    discards: Annotated[Bytes, "u1", MAX_DECK]  # the discard pile from the bottom up
    layers: Annotated[Small, "i1", MAX_DECK]  # G4.4: who laid each card of it, or NOBODY
    discard_size: Short
    discarded: Annotated[Bytes, "u1", NUM_CARDS]  # the discard pile by card type

    # The play that lay on top when the turn began, below what was laid since.
    play_size: Short  # its cards; 0 when the discard pile was empty
    play_run: Short  # 1 if it is a run
    play_low: Short  # a run's lowest value

    # The turn.
    current_player: Number  # seat to decide
    phase: Short
    laid: Short  # cards laid in this turn
    laid_kind: Short
    laid_low: Short  # LOW_END, HIGH_END: cards laid at the low end
    value: Short  # SET: the value, or NO_CARD for a lone joker. RUN: the lowest value
    drawn: Short  # DRAWN: the card
    open: Annotated[Small, "i1", MAX_PLAYERS]  # G7: each player's open card, or NO_CARD
    magician: Short  # G7: who played the Magic Hand, or NOBODY
    challenged: Short  # G7.5: who was rightly challenged, or NOBODY

    # The table.
    front: Annotated[Small, "i1", MAX_PLAYERS]  # G6.1: card lying in front of a player
    sat_out: Annotated[Bytes, "u1", MAX_PLAYERS]  # G6.2: in its previous turn of this round
    must_sit_out: Annotated[Bytes, "u1", MAX_PLAYERS]  # G6.6: it played on
    caller: Short  # G8.2: seat, or NOBODY
    turns_left: Short  # G8.2: last turns that are due after a call, this one included
    turns: Number  # turns of this round that are over (G8.9)
    decisions: Number  # decisions made in this round (G8.9)

    legal: Annotated[Bytes, "u1", NUM_ACTIONS]  # 1 for each legal action of the current player

    # The round: who knows which cards of whose hand (see envs/engine/knowledge.py).
    aware: Annotated[Bytes, "u1", MAX_PLAYERS]
    known_sizes: Annotated[Bytes, "u1", (MAX_PLAYERS, MAX_PLAYERS)]
    known: Annotated[Bytes, "u1", (MAX_PLAYERS, MAX_PLAYERS - 1, NUM_CARDS)]
