"""What the library asks of itself: each target is one figure of a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .measure import Spread, Track, ratio, spread

MILLION = 1e6


@dataclass(frozen=True)
class Fact:
    """A target beside what was measured.

    unit: `times` another mode, `decisions/s`, or `bytes`, of which fewer are better.
    """

    what: str
    unit: str
    target: float
    stretch: float | None
    measured: Spread

    def __str__(self) -> str:
        """The fact in one line: `target 10, measured 14.2 (13.0 - 15.1)`."""
        stretch = f" (stretch {_short(self.stretch)})" if self.stretch else ""
        limit = "at most " if self.unit == "bytes" else ""
        low, high = _short(self.measured.low), _short(self.measured.high)
        quartiles = "" if low == high else f" ({low} - {high})"
        return (
            f"{self.what}: target {limit}{_short(self.target)}{stretch}, "
            f"measured {_short(self.measured.median)}{quartiles}"
        )


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


# A mode of each game, what it is beside, how many times as fast it is to be, and the stretch.
TIMES: tuple[tuple[str, str, float, float | None], ...] = (
    ("step-float32-1024", "openspiel-python", 10, None),
    ("step-float32-1024", "pufferlib-triads", 2, None),
    ("rollout-random", "openspiel-bots", 6, 12),
    ("aec", "pettingzoo-texas", 25, 40),
)
STEPS = ("step-float32-1024", 4 * MILLION, 8 * MILLION)
THREADS = ("step-float32-8192-x2", "step-float32-8192", 1.5)
BYTES = 1536


def facts(
    games: Sequence[str], tracks: Sequence[Track], bytes_a_game: Mapping[str, float]
) -> list[Fact]:
    """The targets that this run says something about; those of modes that did not run are left."""
    ran = {track.mode.key: track for track in tracks}
    found = []
    for game in games:
        for mode, peer, target, stretch in TIMES:
            mine, theirs = ran.get(f"{game}-{mode}"), ran.get(peer)
            if mine and theirs:
                what = f"{mine.mode.key} / {peer}"
                found.append(Fact(what, "times", target, stretch, ratio(mine, theirs)))
        mode, target, stretch = STEPS
        if steps := ran.get(f"{game}-{mode}"):
            rates = spread(steps.rates(steps.clock))
            found.append(Fact(steps.mode.key, "decisions/s", target, stretch, rates))
        mode, single, target = THREADS
        two, one = ran.get(f"{game}-{mode}"), ran.get(f"{game}-{single}")
        if two and one:
            what = f"{two.mode.key} / {one.mode.key}"
            found.append(Fact(what, "times", target, None, ratio(two, one)))
        if game in bytes_a_game:
            size = spread([bytes_a_game[game]])
            found.append(Fact(f"{game}, bytes a game", "bytes", BYTES, None, size))
    return found
