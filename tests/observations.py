"""Observations as the pages of the environments describe them."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.match import Match

PAGES = Path(__file__).resolve().parents[1] / "docs" / "envs"
ROW = re.compile(r"^\| (\w+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| .+ \|$", re.MULTILINE)
Expect = Callable[[dict[str, Any], Any, int], dict[str, list[int]]]


@dataclass(frozen=True)
class Row:
    """A row of the table of fields."""

    name: str
    start: int
    size: int
    high: int
    scale: float


@cache
def table_of(game: str) -> tuple[Row, ...]:
    """The fields on the page of a game."""
    rows = ROW.findall((PAGES / f"{game}.md").read_text())
    return tuple(Row(name, *map(int, numbers)) for name, *numbers in rows)


def divided(game: str, raw: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Raw observations, (..., size), divided as the page says."""
    scales = [row.scale for row in table_of(game) for _ in range(row.size)]
    quotients: NDArray[np.float64] = raw / np.array(scales)
    return quotients


def compare(match: Match, expect: Expect) -> set[int]:
    """Compare what every seat observes with what it should; the features that are not zero."""
    position, set_here = match.position(), set[int]()
    for seat in range(match.settings.num_players):
        (raw,), _ = match.observe(seat)
        expected = expect(position, match.settings, seat)
        assert expected.keys() == {row.name for row in table_of(match.game.name)}
        for row in table_of(match.game.name):
            values = expected[row.name] + [0] * (row.size - len(expected[row.name]))
            seen = raw[row.start : row.start + row.size].tolist()
            assert seen == values, f"{row.name} of seat {seat} in {position}"
            assert max(seen) <= row.high
        set_here |= set(np.flatnonzero(raw).tolist())
    return set_here


def counts(cards: Sequence[str], types: Sequence[str]) -> list[int]:
    """Copies of each card type."""
    counted = Counter(cards)
    return [counted[name] for name in types]


def one_hot(place: int | None, size: int) -> list[int]:
    """1 at one place and 0 elsewhere; zeros for None."""
    return [int(place == k) for k in range(size)]


def cut(number: float, high: int) -> int:
    """A whole number from 0 to `high`."""
    return int(min(max(number // 1, 0), high))
