"""Measure modes in turns, so that whatever disturbs one of them disturbs all.

Modes of one thread are compared by the CPU time of the process: it is what "on one core" means,
charges a library for every thread that it starts by itself, and stays the same when others use the
machine. Where threads are compared, only wall time tells. Every sample has both.
"""

import gc
import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import numpy as np
from rich.console import Console
from rich.progress import track

T = TypeVar("T")
Play = Callable[[int], Any]

_WARM_UP = 0.05  # seconds that a mode must run for its speed to be known


@dataclass(frozen=True)
class Mode:
    """One way of making decisions.

    Attributes:
        key: Name in `--only` and in results, unique in a run.
        title: What is played and, at each decision, read; what is counted, if not decisions.
        start: Prepares everything and returns `play(units)`, which plays some units of work (steps
            of all games, games, updates) and returns what `count` takes. Not timed.
        threads: How many it uses.
        library: Whose code it is.
        count: Makes the number of decisions of what `play` returns. Not timed.
    """

    key: str
    title: str
    start: Callable[[], Play]
    threads: int = 1
    library: str = "Goldgriff"
    count: Callable[[Any], int] = int


class Sample(NamedTuple):
    """The decisions that a mode made in one turn, and the seconds they took."""

    decisions: int
    wall: float
    cpu: float


class Quartiles(NamedTuple):
    """The quartiles of some values."""

    low: float
    median: float
    high: float

    def __str__(self) -> str:
        return f"{short(self.low)} to {short(self.high)}"


@dataclass
class Measurement:
    """A mode with its samples, one for each round."""

    mode: Mode
    samples: list[Sample] = field(default_factory=list)

    @property
    def clock(self) -> str:
        """Which seconds count: `cpu`, or `wall` with several threads."""
        return "cpu" if self.mode.threads == 1 else "wall"

    def rates(self, clock: str) -> list[float]:
        """Return the decisions a second of a clock in each round."""
        return [sample.decisions / getattr(sample, clock) for sample in self.samples]

    @property
    def rate(self) -> Quartiles:
        """Decisions a second."""
        return quartiles(self.rates(self.clock))


def quartiles(values: Sequence[float]) -> Quartiles:
    """Return the quartiles of one value or more."""
    return Quartiles(*np.percentile(values, (25, 50, 75)).tolist())


def ratio(mine: Measurement, other: Measurement) -> Quartiles:
    """Return how many times as fast a mode is as another; each round is compared with itself."""
    clock = "cpu" if mine.clock == other.clock == "cpu" else "wall"
    pairs = zip(mine.rates(clock), other.rates(clock), strict=True)
    return quartiles([first / second for first, second in pairs])


def short(value: float) -> str:
    """Format a number with three digits, or without a fraction from 100 on."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def measure(
    modes: Sequence[Mode], *, repeats: int, seconds: float, seed: int = 1
) -> list[Measurement]:
    """Let every mode play for about `seconds` in each of `repeats` rounds.

    All modes are started, warmed up and timed roughly before the first round. In a round each has
    one turn, in an order that is shuffled anew from the seed. On a terminal a bar shows progress.
    """
    measured, plays = [Measurement(mode) for mode in modes], {}
    for mode in _progress(modes, "warming up"):
        play = mode.start()
        plays[mode.key] = play, _units(mode, play, seconds)
    rng = random.Random(seed)
    turns = [each for _ in range(repeats) for each in rng.sample(measured, len(measured))]
    gc.collect()
    gc.freeze()  # what the libraries hold is no garbage: no turn need look through it
    for turn in _progress(turns, "measuring"):
        turn.samples.append(_play(turn.mode, *plays[turn.mode.key]))
        gc.collect()  # or the next mode would have to
    gc.unfreeze()
    return measured


def _progress(items: Sequence[T], what: str) -> Iterable[T]:
    """Show a progress bar on a terminal; no thread of its own draws it."""
    console = Console(stderr=True)
    off = not console.is_terminal
    return track(items, what, console=console, auto_refresh=False, disable=off)


def _play(mode: Mode, play: Play, units: int) -> Sample:
    """Time one turn."""
    cpu, wall = time.process_time(), time.perf_counter()
    played = play(units)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Sample(mode.count(played), wall, cpu)


def _units(mode: Mode, play: Play, seconds: float) -> int:
    """Return the units of work that take about `seconds`; finding that out is the warm-up."""
    units = 1
    while True:
        # The shortest of three turns: in the others, something may have been compiled.
        taken = min(_play(mode, play, units).cpu for _ in range(3))
        if taken >= min(_WARM_UP, seconds):
            return max(1, round(units * seconds / taken))
        units *= 2
