"""Public events: what everybody at the table saw in a round, and who knows which card it was.

A game's `write_events` logs each decision; `project` gives the log as one seat knows it. A log is
int32 (size + 1, 7). Its first row holds what `Header` names; the others hold the newest events, by
`Column`, each at the place that is its number modulo `size`. In a log a seat is kept as its number
plus 1 and a card as its type plus 1, so 0 stands for none.
"""

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compile import device

Log = NDArray[np.int32]  # (size + 1, columns) for one game

EVENT_FIELDS = ("number", "kind", "actor", "other", "card", "count")
NONE = -1  # no seat, or no card type that could be told
NOBODY_KNOWS, EVERYBODY = 0, -1  # sets of seats, a bit for each


class Header(IntEnum):
    """Places in the first row of a log."""

    EVENTS = 0  # logged in this round
    DECISION = 1  # number of the decision that is being logged
    PILE = 2  # cards left in the pile; below 0 after it was made anew
    SHUFFLED = 3  # place of the event SHUFFLE of this decision, or 0


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
    """Kinds of events; `other` and `count` as told here, the rest by their names.

    A game uses those that it needs; docs/envs lists them for each game.
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


@device
def log_event(
    log: Log, kind: int, actor: int, other: int, card: int, count: int, seats: int
) -> None:
    """Log one event of the decision; the oldest one makes room.

    Args:
        log: The game's.
        kind: An `EventKind`.
        actor: A seat, or NONE.
        other: The other seat that is concerned, or NONE.
        card: A card type, or NONE.
        count: Cards, where the kind has a number of them.
        seats: A bit for each seat that knows the card.
    """
    place = log[0, Header.EVENTS] % (len(log) - 1) + 1
    log[0, Header.EVENTS] += 1
    log[place, Column.NUMBER] = log[0, Header.DECISION]
    log[place, Column.KIND] = kind
    log[place, Column.ACTOR] = actor + 1
    log[place, Column.OTHER] = other + 1
    log[place, Column.CARD] = card + 1
    log[place, Column.COUNT] = count
    log[place, Column.SEATS] = seats


@device
def log_announcement(log: Log, kind: int, actor: int) -> None:
    """Log what somebody says or does without a card."""
    log_event(log, kind, actor, NONE, NONE, 0, NOBODY_KNOWS)


@device
def log_card(log: Log, kind: int, actor: int, other: int, card: int) -> None:
    """Log one card that everybody sees."""
    log_event(log, kind, actor, other, card, 1, EVERYBODY)


@device
def log_draws(
    log: Log, before: Any, after: Any, kind: int, seat: int, lost: int, others: int
) -> None:
    """Log the cards that a hand got from the pile, and that it was made anew (A1.5, G1.4).

    A single card is known to its owner. Of several only the number is told.

    Args:
        log: The game's.
        before: The state before the decision.
        after: The state after it.
        kind: `DRAW` or what else the draw is.
        seat: Whose hand it is.
        lost: The card that the hand lost in the same decision, or NONE.
        others: A bit for each other seat that knows a single card.
    """
    drawn = size_change(before, after, seat) + int(lost != NONE)
    card = gained_card(before, after, seat, lost) if drawn == 1 else NONE
    left = int(log[0, Header.PILE])
    log[0, Header.PILE] = left - drawn
    if 0 <= left < drawn:
        if left > 0:
            log_event(log, kind, seat, NONE, NONE, left, NOBODY_KNOWS)
        log_event(log, EventKind.SHUFFLE, NONE, NONE, NONE, 0, NOBODY_KNOWS)
        log[0, Header.SHUFFLED] = (log[0, Header.EVENTS] - 1) % (len(log) - 1) + 1
        drawn -= left
    log_event(log, kind, seat, NONE, card, drawn, 1 << seat | others)


@device
def log_theft(log: Log, before: Any, thief: int, victim: int, card: int) -> None:
    """Log a card that goes from hand to hand; thief and victim know it.

    So does who knew it as the last one of the hand (see `learn_by_last_card`).
    """
    seats = 1 << thief | 1 << victim
    if before.hand_sizes[victim] == 1:
        for observer in range(before.num_players):
            if before.known_sizes[victim, observer] > 0:
                seats |= 1 << observer
    log_event(log, EventKind.STEAL, thief, victim, card, 1, seats)


@device
def log_swap(log: Log, after: Any, seat: int, other: int) -> None:
    """Log two hands that were swapped: each player knows what it gave, and no single card."""
    log_event(log, EventKind.SWAP, seat, other, NONE, int(after.hand_sizes[seat]), NOBODY_KNOWS)
    log_event(log, EventKind.SWAP, other, seat, NONE, int(after.hand_sizes[other]), NOBODY_KNOWS)


@device
def size_change(before: Any, after: Any, seat: int) -> int:
    """Return how many cards more a hand holds."""
    return int(after.hand_sizes[seat]) - int(before.hand_sizes[seat])


@device
def gained_card(before: Any, after: Any, seat: int, lost: int) -> int:
    """Return the type of a card that a hand got, beside losing `lost` (or NONE); NONE for none."""
    for card in range(before.hands.shape[1]):
        if int(after.hands[seat, card]) > int(before.hands[seat, card]) - int(card == lost):
            return card
    return NONE


@device
def lost_card(before: Any, after: Any, seat: int) -> int:
    """Return the type of a card that a hand lost; NONE for none."""
    return gained_card(after, before, seat, NONE)


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
        known = log[source, Column.SEATS] >> seat & 1
        events[place, Column.CARD] = log[source, Column.CARD] if known else 0
        events[place, Column.COUNT] = log[source, Column.COUNT]


@device
def as_seen(whom: int, seat: int, num_players: int) -> int:
    """Return a seat of a log, its number plus 1, counted from the observer, who is 1."""
    if whom == 0:
        return 0
    return whom - seat if whom > seat else whom - seat + num_players
