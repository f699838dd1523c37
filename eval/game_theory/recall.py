"""Information states with perfect recall, as numbers: what a seat has observed and done.

A seat observes its whole observation when it decides; after every decision of anybody the public
events as it knows them, and the cards that it knows in other hands where they changed; and where a
round ended the points of all. Its information state is the sequence of all that and of its own
actions, a number for each piece (`Tag` says how it is read). Its hash has 64 bits: two of a million
information states have the same hash once in 10**7 trees.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import device
from ...envs.engine.events import Column, Header, Log, project
from ...envs.engine.game import Game
from ...envs.engine.history import fold
from ...envs.engine.listing import MAX_PUBLIC
from ...envs.engine.protocol import observe
from ...envs.engine.rng import mix
from ...envs.engine.settings import GameSettings
from ...envs.history import new_events, new_logs

BEGIN = -1  # in place of an action: the game begins
_STEP = np.uint64(0x9E3779B97F4A7C15)


class Tag(IntEnum):
    """Kind of a number in an information state; the tag is in its bits from `TAG_BIT` on.

    The other bits hold, from the lowest on, fields of the widths in `FIELDS`.
    """

    OWN = 1  # an own action
    SEEN = 2  # value and place of an entry of the observation
    KNOWN = 3  # copies of a card, its type, and the hand: 0 for that of the next seat
    EVENT = 4  # the columns of a public event, the last one first
    POINTS = 5  # half points of a round, with `NO_POINTS` added, and whose they are


TAG_BIT = 60
NO_POINTS = 1 << 30
FIELDS = {  # widths in bits
    Tag.OWN: (32,),
    Tag.SEEN: (8, 32),
    Tag.KNOWN: (8, 16, 8),
    Tag.EVENT: (12, 8, 4, 4, 6, 24),
    Tag.POINTS: (32, 8),
}
_OWN, _SEEN, _KNOWN, _EVENT, _POINTS = (tag << TAG_BIT for tag in Tag)
# Where the columns of an event, and the fields before them, begin.
_ACTOR, _OTHER, _CARD, _COUNT = 24, 20, 12, 0
_KIND, _NUMBER = 28, 34


class Buffers(NamedTuple):
    """Working space for `encode_transition` and `update_infoset_hash`."""

    raw: NDArray[np.uint8]  # an observation
    log: Log
    events: NDArray[np.int32]  # (rows, fields)
    nothing: NDArray[np.uint8]  # an observation of zeros
    numbers: NDArray[np.int64]  # an information state's numbers of one transition


def new_buffers(game: Game, settings: GameSettings) -> Buffers:
    """Return working space for `encode_transition` and `update_infoset_hash`."""
    size, seats = game.observation_spec.size, settings.num_players
    most = 1 + MAX_PUBLIC + (seats - 1) * len(game.cards) + seats + size
    return Buffers(
        np.zeros(size, np.uint8),
        new_logs(1, MAX_PUBLIC)[0],
        new_events(1, MAX_PUBLIC)[0],
        np.zeros(size, np.uint8),
        np.zeros(most, np.int64),
    )


@device(wraps=True)
def hash_combine(recall: np.uint64, number: int) -> np.uint64:
    """Return the hash of a sequence of numbers with one more number."""
    return mix((recall ^ np.uint64(number)) + _STEP)


@device
def log_transition(after: Any, buffers: Buffers) -> None:
    """Log the public events of the transition that led to a state, for `encode_transition`."""
    buffers.log[0, Header.EVENTS] = 0
    fold(after, buffers.log)


@device
def update_infoset_hash(
    before: Any, action: int, after: Any, seat: int, recall: np.uint64, buffers: Buffers
) -> np.uint64:
    """Return the recall of a seat after a transition.

    Args:
        before: The state before it.
        action: The decision, or BEGIN.
        after: The state after it.
        seat: Who remembers.
        recall: What it was before.
        buffers: See `new_buffers`; `log_transition` has logged the transition in it.
    """
    for place in range(encode_transition(before, action, after, seat, buffers.nothing, buffers)):
        recall = hash_combine(recall, buffers.numbers[place])
    return recall


@device
def encode_transition(
    before: Any, action: int, after: Any, seat: int, seen: NDArray[np.uint8], buffers: Buffers
) -> int:
    """Write what a transition adds to the information state of a seat.

    Args:
        before: The state before it.
        action: The decision, or BEGIN.
        after: The state after it.
        seat: Who observes.
        seen: What it observed when it decided last; only entries that differ are written.
        buffers: As for `update_infoset_hash`; the numbers are written to it.

    Returns:
        How many numbers there are.
    """
    numbers, count = buffers.numbers, 0
    if action != BEGIN and before.current_player == seat:
        numbers[0], count = _OWN + action, 1
    count = encode_events(after, seat, buffers, count)
    count = encode_known_cards(before, after, seat, buffers, count)
    if after.round_ended == 1:
        for other in range(after.num_players):
            points = int(after.round_points[other]) + NO_POINTS
            numbers[count] = _POINTS + (other << 32) + points
            count += 1
    if after.over == 0 and after.current_player == seat:
        raw = buffers.raw
        observe(after, seat, raw)
        for place in range(len(raw)):
            if raw[place] != seen[place]:
                numbers[count] = _SEEN + (place << 8) + int(raw[place])
                count += 1
    return count


@device
def encode_events(after: Any, seat: int, buffers: Buffers, count: int) -> int:
    """Write the events that were logged, as the seat knows them; return the new count."""
    log, events = buffers.log, buffers.events
    if log[0, Header.EVENTS] > 0:
        project(log, seat, after.num_players, events)
        for row in range(len(events) - log[0, Header.EVENTS], len(events)):
            event = events[row]
            who = (event[Column.ACTOR] << _ACTOR) + (event[Column.OTHER] << _OTHER)
            what = (event[Column.CARD] << _CARD) + (event[Column.COUNT] << _COUNT)
            when = (event[Column.NUMBER] << _NUMBER) + (event[Column.KIND] << _KIND)
            buffers.numbers[count] = _EVENT + when + who + what
            count += 1
    return count


@device
def encode_known_cards(before: Any, after: Any, seat: int, buffers: Buffers, count: int) -> int:
    """Write the cards that the seat knows in other hands where they changed; likewise."""
    for row in range(after.num_players - 1):
        for card in range(after.hands.shape[1]):
            known_cards = int(after.known[seat, row, card])
            if before.known[seat, row, card] != known_cards:
                number = (row << 24) + (card << 8) + known_cards
                buffers.numbers[count] = _KNOWN + number
                count += 1
    return count
