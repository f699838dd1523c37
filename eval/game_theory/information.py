"""Information states with perfect recall, as text and as arrays for networks; see `recall.py`."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import kernel
from ...envs.engine.events import NUM_KINDS, Column, EventKind
from ...envs.engine.game import Game
from ...envs.engine.settings import GameSettings
from ...errors import SettingsError
from .recall import FIELDS, NO_POINTS, TAG_BIT, Tag

MOST_FIELDS = max(len(widths) for widths in FIELDS.values())
COLUMNS = len(Tag) + MOST_FIELDS  # of a row of the history of an array
_LATE = 64.0  # decisions in a round: what their number is divided by
_POINTS_SCALE = 200.0  # half points


@dataclass(slots=True, eq=False)
class InformationState:
    """The information state of one seat: the one before, and what came last.

    Information states are never changed, so histories share them.

    Attributes:
        parent: The information state before; None at the start.
        numbers: What came last, int64 as bytes; see `recall.Tag`.
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
        self._entries = [
            f"{field.name}.{game.cards[place] if field.size == len(game.cards) else place}"
            if field.size > 1
            else field.name
            for field in game.observation_spec
            for place in range(field.size)
        ]
        self._word = lru_cache(maxsize=1 << 16)(self._describe)
        self._tag_widths = np.zeros((len(Tag) + 1, MOST_FIELDS), np.int64)
        for tag, widths in FIELDS.items():
            self._tag_widths[tag, : len(widths)] = widths
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
            if tag == _POINTS and column == 0:
                value -= NO_POINTS
            rows[place, len(widths) - 1 + column] = value / scales[tag, column]
            left >>= width


_POINTS = int(Tag.POINTS)
