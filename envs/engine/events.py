"""Kinds of events, and the public events of a round: what everybody at the table saw of it.

The rules emit the events of each decision (`emit.py`), `history.py` folds them into a log of public
events, and `project` gives that log as one seat knows it. The log is int32 (size + 1, 7). Its first
row holds what `Header` names; the others hold the newest events, by `Column`, each at the place
that is its number modulo `size`. A seat is kept as its number plus 1 and a card as its type plus 1,
so 0 stands for none.
"""

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compile import device

Log = NDArray[np.int32]  # (size + 1, columns) for one game

EVENT_FIELDS = ("number", "kind", "actor", "other", "card", "count")
NONE = -1  # no seat, or no card type
NOBODY_KNOWS, EVERYBODY = 0, -1  # sets of seats, a bit for each


class Header(IntEnum):
    """Places in the first row of a log."""

    EVENTS = 0  # logged in this round


class Column(IntEnum):
    """Places in the other rows: the fields of an event, and who knows the card."""

    NUMBER = 0
    KIND = 1
    ACTOR = 2
    OTHER = 3
    CARD = 4
    COUNT = 5
    SEATS = 6  # a bit for each seat that knows the card


class EventKind(IntEnum):
    """Kinds of public events, with the meaning of `other` and `count`.

    A game uses those that it needs; docs/envs lists them for each game. The numbers are part of
    information states, so they stay as they are.
    """

    LAY = 1  # lays a card; count: how many of it
    DRAW = 2  # draws count cards from the pile
    STEAL = 3  # takes a card out of the hand of other
    SWAP = 4  # gets the whole hand of other, count cards
    PASS = 5  # passes; count: the cards demanded, which move on
    END = 6  # ends the turn, or a multiple, without laying
    SHUFFLE = 7  # nobody's: count cards of the discard pile become the pile
    TAKE_DEMAND = 8  # takes the cards that 2s demand from the pile
    FIGURE = 9  # gets the figure, from other if somebody had it
    CHOOSE = 10  # says a choice; count: its number
    TAKE = 11  # takes a card off the discard pile
    LAY_RUN = 12  # lays the next higher card of a run
    LAY_LOW = 13  # lays a card at the low end of a run
    LAY_HIGH = 14  # at its high end
    KNOCK = 15  # knocks
    KEEP = 16  # keeps the card just drawn
    PENALTY = 17  # draws count penalty cards from the pile
    GIVE = 18  # lays a card in front of other
    DISCARD = 19  # a card that lies in front of the actor goes on the discard pile
    SIT_OUT = 20  # sits out
    FEND_OFF = 21  # fends off with a card of the own hand
    PLAY_ON = 22  # plays on
    CALL = 23  # calls
    PLAY = 24  # plays a card for its effect, on other if it has a target
    OPEN = 25  # lays a card open
    PICK = 26  # takes the open card of other
    RIGHT_CHALLENGE = 27  # challenges other, rightly
    WRONG_CHALLENGE = 28  # challenges other, wrongly
    LOOK = 29  # sees the hand of other, count cards
    TAKE_BACK = 30  # takes the own open card back
    DECLINE = 31  # declines its turn


NUM_KINDS = len(EventKind)
FIRST_UNRECORDED = 64


class Unrecorded(IntEnum):
    """Kinds of events that no history has, with the meaning of `other`, `card` and `count`."""

    DEAL = FIRST_UNRECORDED  # round `count`, from 1, is dealt; `other` begins, `card` is turned up
    NO_DRAW = 65  # draws nothing, since there is nothing; like DRAW with count 0
    NO_STEAL = 66  # steals nothing, since other has no card
    CROSS = 67  # has passed count times in this round
    DEMAND = 68  # nobody's: other must take count cards
    DEMAND_TAKEN = 69  # takes a demand of count cards, even if there were fewer to draw
    BETTER_SWAP = 70  # gets a hand from other with more of the cards that win; nobody knows
    HAND_EMPTY = 71  # has no card as the round ends
    CALL_RIGHT = 72  # had called rightly, with count points in the hand
    CALL_WRONG = 73  # had called wrongly
    CALL_TOO_HIGH = 74  # calls with too many points
    SCORE = 75  # scores count half points; card: the place of the entry in the score sheet
    ROUND_ENDED = 76  # the round ends, won by the actor; count: the place in `endings`
    GAME_OVER = 77  # nobody's: the game ends


@device
def is_draw(kind: int) -> bool:
    """Return whether events of a kind are draws from the pile.

    The rules emit one for each card, or one with count 0 where there was none to draw.
    """
    return kind == EventKind.DRAW or kind == EventKind.TAKE_DEMAND or kind == EventKind.PENALTY


@device
def log_event(
    log: Log, number: int, kind: int, actor: int, other: int, card: int, count: int, knowers: int
) -> int:
    """Log one public event and return its place in the log; the oldest one makes room.

    Args:
        log: The game's.
        number: Number of the decision in the round.
        kind: An `EventKind`.
        actor: A seat, or NONE.
        other: The other seat that is concerned, or NONE.
        card: A card type, or NONE.
        count: Cards, where the kind has a number of them.
        knowers: A bit for each seat that knows the card.
    """
    place = int(log[0, Header.EVENTS] % (len(log) - 1)) + 1
    log[0, Header.EVENTS] += 1
    log[place, Column.NUMBER] = number
    log[place, Column.KIND] = kind
    log[place, Column.ACTOR] = actor + 1
    log[place, Column.OTHER] = other + 1
    log[place, Column.CARD] = card + 1
    log[place, Column.COUNT] = count
    log[place, Column.SEATS] = knowers
    return place


@device
def project(log: Log, seat: int, num_players: int, events: Any) -> None:
    """Write the newest events as one seat knows them.

    Args:
        log: The game's.
        seat: The observer.
        num_players: Seats at the table.
        events: Written, int32 (events, fields) in the order of EVENT_FIELDS: newest last, zeros
            before. Seats are counted clockwise from the observer, who is 1; a card is its type
            plus 1; 0 is none or unknown.
    """
    total, size = int(log[0, Header.EVENTS]), len(log) - 1
    missing = len(events) - min(total, size, len(events))
    events[:missing] = 0
    source = (total - len(events) + missing) % size
    for place in range(missing, len(events)):
        source = source + 1 if source < size else 1
        events[place, Column.NUMBER] = log[source, Column.NUMBER]
        events[place, Column.KIND] = log[source, Column.KIND]
        events[place, Column.ACTOR] = as_seen(log[source, Column.ACTOR], seat, num_players)
        events[place, Column.OTHER] = as_seen(log[source, Column.OTHER], seat, num_players)
        knows = log[source, Column.SEATS] >> seat & 1
        events[place, Column.CARD] = log[source, Column.CARD] if knows else 0
        events[place, Column.COUNT] = log[source, Column.COUNT]


@device
def as_seen(whom: int, seat: int, num_players: int) -> int:
    """Return a seat of a log, its number plus 1, counted from the observer, who is 1."""
    if whom == 0:
        return 0
    return whom - seat if whom > seat else whom - seat + num_players
