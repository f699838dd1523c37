"""The clock of the benchmark: modes take turns, so that whatever disturbs one disturbs all.

Both sides of a ratio go by the same clock. Modes of one thread are compared by the CPU time of
the process: it is what "on one core" means, charges a library for every thread that it starts by
itself, and stays the same when others use the machine. Where threads are what is compared, only
wall time tells. Every sample has both.
"""

import gc
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

Play = Callable[[int], Any]
Clock = Literal["cpu", "wall"]

_WARM_UP = 0.05  # seconds that a mode must run for its speed to be known


@dataclass(frozen=True)
class Mode:
    """One way of making decisions.

    key: its name in ratios, in `--only` and in the JSON; unique in a run.
    title: what is done, in a few words. library: whose code it is.
    reads: what is read at each decision.
    start: makes everything ready and returns `play`, which plays some units of work (steps of all
        games, games, ...) and returns what `count` makes the number of decisions of. Starting
        and counting are not timed.
    """

    key: str
    title: str
    library: str
    reads: str
    start: Callable[[], Play]
    count: Callable[[Any], int] = int
    threads: int = 1
    unit: str = "decisions"


@dataclass(frozen=True)
class Sample:
    """What a mode did in its turn of one round: decisions, and the seconds they took."""

    decisions: int
    wall: float
    cpu: float


@dataclass
class Track:
    """A mode and its samples, one a round."""

    mode: Mode
    samples: list[Sample] = field(default_factory=list)

    @property
    def clock(self) -> Clock:
        """The clock that tells how fast the mode is."""
        return "cpu" if self.mode.threads == 1 else "wall"

    def rates(self, clock: Clock) -> list[float]:
        """Decisions a second of a clock in each round."""
        return [sample.decisions / getattr(sample, clock) for sample in self.samples]

    @property
    def cores(self) -> float:
        """CPU seconds for each second of wall time."""
        return sum(sample.cpu for sample in self.samples) / sum(s.wall for s in self.samples)


@dataclass(frozen=True)
class Spread:
    """A median with its quartiles."""

    median: float
    low: float
    high: float


def spread(values: Sequence[float]) -> Spread:
    """The median and the quartiles of some values, of one or more."""
    low, median, high = np.percentile(np.array(values, np.float64), (25, 50, 75))
    return Spread(float(median), float(low), float(high))


def ratio(track: Track, other: Track) -> Spread:
    """How many times as fast as another mode; each round is compared with itself."""
    clock: Clock = "cpu" if track.clock == other.clock == "cpu" else "wall"
    pairs = zip(track.rates(clock), other.rates(clock), strict=True)
    return spread([mine / theirs for mine, theirs in pairs])


def measure(
    modes: Sequence[Mode],
    *,
    repeats: int,
    seconds: float,
    seed: int = 1,
    on_turn: Callable[[Mode], None] = lambda _: None,
) -> list[Track]:
    """Let every mode play for about `seconds` in each of `repeats` rounds.

    All modes are started, warmed up and timed roughly before the first round. In a round each has
    one turn; the order is shuffled anew for each round, from the seed. on_turn: called when a
    mode has had its turn, the warm-up being the first.
    """
    players = []
    for mode in modes:
        play = mode.start()
        players.append((mode, play, _units(mode, play, seconds)))
        on_turn(mode)
    tracks = {mode.key: Track(mode) for mode in modes}
    shuffle = random.Random(seed).shuffle
    gc.collect()
    gc.freeze()  # what the libraries hold is no garbage: no turn need look through it
    try:
        for _ in range(repeats):
            shuffle(players)
            for mode, play, units in players:
                tracks[mode.key].samples.append(_turn(mode, play, units))
                gc.collect()  # or the next mode would have to
                on_turn(mode)
    finally:
        gc.unfreeze()
    return list(tracks.values())


def _turn(mode: Mode, play: Play, units: int) -> Sample:
    """One timed turn."""
    cpu, wall = time.process_time(), time.perf_counter()
    played = play(units)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Sample(mode.count(played), wall, cpu)


def _units(mode: Mode, play: Play, seconds: float) -> int:
    """The units of work that take about `seconds`; finding that out is the warm-up."""
    units = 1
    while True:
        # The shorter of two turns: in the other, something may have been compiled.
        taken = min(_turn(mode, play, units).cpu for _ in range(2))
        if taken >= min(_WARM_UP, seconds):
            break
        units *= 2
    return max(1, round(units * seconds / taken))
