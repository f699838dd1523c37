"""Information states with perfect recall: what a seat has observed and done.

A seat observes its whole observation when it decides; after every decision of anybody the public
events as it knows them, and the cards that it knows in other hands where they changed; and where a
round ended the points of all. Its information state is the sequence of all that and of its own
actions, a number for each piece (`Tag` says how it is read). Its hash has 64 bits: two of a million
information states have the same hash once in 10**7 trees. `Describer` writes it as text, and as an
array for networks.
"""

from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import device, kernel
from ...envs.engine.events import NUM_KINDS, Column, EventKind, Header, Log, project
from ...envs.engine.game import Game
from ...envs.engine.history import fold
from ...envs.engine.listing import MAX_EVENTS, MAX_OUTCOMES, MAX_PUBLIC
from ...envs.engine.protocol import observe
from ...envs.engine.rng import mix
from ...envs.engine.settings import GameSettings
from ...envs.history import new_events, new_logs
from ...errors import SettingsError

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
MOST_FIELDS = max(len(widths) for widths in FIELDS.values())
COLUMNS = len(Tag) + MOST_FIELDS  # of a row of the history of an array
_LATE = 64.0  # decisions in a round: what their number is divided by
_POINTS_SCALE = 200.0  # half points
_OWN, _SEEN, _KNOWN, _EVENT, _POINTS = (tag << TAG_BIT for tag in Tag)
# Where the columns of an event, and the fields before them, begin.
_ACTOR, _OTHER, _CARD, _COUNT = 24, 20, 12, 0
_KIND, _NUMBER = 28, 34


class Buffers(NamedTuple):
    """Working space for one transition."""

    raw: NDArray[np.uint8]  # an observation
    log: Log
    events: NDArray[np.int32]  # (rows, fields)
    nothing: NDArray[np.uint8]  # an observation of zeros
    numbers: NDArray[np.int64]  # an information state's numbers
    outcomes: NDArray[np.uint8]  # of the event of chance that is open
    chances: NDArray[np.float64]  # their probabilities
    rewards: NDArray[np.float64]  # (seats,)
    script: NDArray[np.uint8]  # outcomes of the events of chance


def new_buffers(game: Game, settings: GameSettings) -> Buffers:
    """Return working space for the transitions of a game."""
    size, seats = game.observation_spec.size, settings.num_players
    most = 1 + MAX_PUBLIC + (seats - 1) * len(game.cards) + seats + size
    raw, nothing = np.zeros((2, size), np.uint8)
    log, events = new_logs(1, MAX_PUBLIC)[0], new_events(1, MAX_PUBLIC)[0]
    numbers, rewards = np.zeros(most, np.int64), np.zeros(seats)
    outcomes, chances = np.zeros(MAX_OUTCOMES, np.uint8), np.zeros(MAX_OUTCOMES)
    script = np.zeros(MAX_EVENTS, np.uint8)
    return Buffers(raw, log, events, nothing, numbers, outcomes, chances, rewards, script)


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
            who = (int(event[Column.ACTOR]) << _ACTOR) + (int(event[Column.OTHER]) << _OTHER)
            what = (int(event[Column.CARD]) << _CARD) + (int(event[Column.COUNT]) << _COUNT)
            when = (int(event[Column.NUMBER]) << _NUMBER) + (int(event[Column.KIND]) << _KIND)
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


# --- Text and arrays ------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class InformationState:
    """The information state of one seat: the one before, and what came last.

    Information states are never changed, so histories share them.

    Attributes:
        parent: The information state before; None at the start.
        numbers: What came last, int64 as bytes; see `Tag`.
        recall: The hash of all numbers, as trees have it.
        seen: uint8 (observation_spec.size,), what the seat observed when it decided last.
        written: It as text, once `Describer.text` was asked for it.
    """

    parent: "InformationState | None"
    numbers: bytes
    recall: int
    seen: NDArray[np.uint8]
    written: str | None = field(default=None, init=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return InformationState, (None, self.all_numbers().tobytes(), self.recall, self.seen)

    def extended(self, numbers: NDArray[np.int64], seen: NDArray[np.uint8]) -> "InformationState":
        """Return the information state after some numbers, and what the seat observed last."""
        recall = hash_numbers(np.uint64(self.recall), numbers)
        return InformationState(self, numbers.tobytes(), recall, seen)

    def all_numbers(self) -> NDArray[np.int64]:
        """Return all numbers from the start, int64 (numbers,)."""
        pieces, state = [self.numbers], self.parent
        while state is not None:
            pieces.append(state.numbers)
            state = state.parent
        return np.frombuffer(b"".join(reversed(pieces)), np.int64)


class Describer:
    """Meaning of the numbers in the information states of a game.

    Args:
        game: The game.
        settings: Its settings.
    """

    def __init__(self, game: Game, settings: GameSettings) -> None:
        self._game = game
        self._entries = list[str]()
        for entry in game.observation_spec:
            names = game.cards if entry.size == len(game.cards) else range(entry.size)
            several = [f"{entry.name}.{name}" for name in names]
            self._entries += several if entry.size > 1 else [entry.name]
        self._word = lru_cache(maxsize=1 << 16)(self._describe)
        self._tag_widths = np.zeros((len(Tag) + 1, MOST_FIELDS), np.int64)
        seats, cards = settings.num_players, len(game.cards)
        self._scales = np.ones((len(Tag) + 1, MOST_FIELDS))
        for tag, scales in {
            Tag.OWN: (len(game.actions),),
            Tag.SEEN: (float(game.observation_spec.high.max()), game.observation_spec.size),
            Tag.KNOWN: (float(game.observation_spec.high.max()), cards, seats),
            Tag.EVENT: (cards, cards, seats, seats, NUM_KINDS, _LATE),
            Tag.POINTS: (_POINTS_SCALE, seats),
        }.items():
            self._scales[tag, : len(scales)] = scales
            self._tag_widths[tag, : len(scales)] = FIELDS[tag]

    def write_rows(self, state: InformationState, rows: NDArray[np.float32]) -> None:
        """Write an information state as rows, one for each number, zeros after them.

        Args:
            state: The information state.
            rows: float32 (rows, COLUMNS), written: which tag the number has, (tags,), and its
                fields, scaled.

        Raises:
            SettingsError: There are too few rows.
        """
        numbers = state.all_numbers()
        if len(numbers) > len(rows):
            raise SettingsError(
                f"an information state has {len(numbers)} numbers, more than the {len(rows)} rows "
                "of its tensor: give more tensor_rows"
            )
        rows[:] = 0
        unpack(numbers, self._tag_widths, self._scales, rows)

    def observation(self, raw: NDArray[np.uint8]) -> str:
        """Return the entries of an observation that are not 0 as text, each after a space."""
        return "".join(f" {self._entries[place]}={raw[place]}" for place in raw.nonzero()[0])

    def text(self, state: InformationState) -> str:
        """Return an information state as text: equal for equal sequences of numbers only."""
        missing, earlier = [], state
        while earlier.written is None and earlier.parent:
            missing.append(earlier)
            earlier = earlier.parent
        text = earlier.written or self._words(earlier)
        for later in reversed(missing):
            text = later.written = text + self._words(later)
        return text

    def _words(self, state: InformationState) -> str:
        """Return what came last as text."""
        return "".join(map(self._word, np.frombuffer(state.numbers, np.int64).tolist()))

    def _describe(self, number: int) -> str:
        """Return a number as text, after a space."""
        left, fields, game = number, [], self._game
        tag = Tag(left >> TAG_BIT)
        for width in FIELDS[tag]:
            fields.append(left & (1 << width) - 1)
            left >>= width
        if tag == Tag.OWN:
            return f" <{game.actions[fields[0]]}>"
        if tag == Tag.SEEN:
            return f" {self._entries[fields[1]]}={fields[0]}"
        if tag == Tag.KNOWN:
            return f" known+{fields[2] + 1}.{game.cards[fields[1]]}={fields[0]}"
        if tag == Tag.POINTS:
            return f" points.{fields[1]}={(fields[0] - NO_POINTS) / 2:g}"
        event = fields[::-1]
        card = game.cards[event[Column.CARD] - 1] if event[Column.CARD] else "-"
        event_kind = EventKind(event[Column.KIND]).name.lower()
        who = f"{event[Column.ACTOR]},{event[Column.OTHER]}"
        return f" {event[Column.NUMBER]}:{event_kind}({who},{card},{event[Column.COUNT]})"


@kernel
def unpack(numbers: Any, widths: Any, scales: Any, rows: Any) -> None:
    """Write numbers as rows; see `Describer.write_rows`.

    Args:
        numbers: int64 (numbers,).
        widths: int64 (tags + 1, fields), in bits.
        scales: float64 likewise.
        rows: float32 (at least numbers, COLUMNS), zeros; written.
    """
    for place in range(len(numbers)):
        left = numbers[place]
        tag = left >> TAG_BIT
        rows[place, tag - 1] = 1.0
        for column in range(widths.shape[1]):
            width = widths[tag, column]
            value = float(left & ((1 << width) - 1))
            if tag == _POINTS >> TAG_BIT and column == 0:
                value -= NO_POINTS
            rows[place, len(widths) - 1 + column] = value / scales[tag, column]
            left >>= width


@kernel
def hash_numbers(recall: Any, numbers: Any) -> Any:
    """Return a recall with more numbers in it."""
    for place in range(len(numbers)):
        recall = hash_combine(recall, numbers[place])
    return recall
