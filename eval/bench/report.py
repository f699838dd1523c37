"""What a benchmark leaves behind: tables, its data as JSON, and a chart."""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from rich.table import Table

from ...files import write_together
from .measure import Spread, Track, ratio, spread
from .targets import Fact

OWN = "Goldgriff"


@dataclass(frozen=True)
class Bench:
    """A whole run.

    missing: the libraries that are not installed. machine, versions: see `machine`. profiles:
    the share of time that each part of training takes, by the key of the mode.
    """

    tracks: Sequence[Track]
    facts: Sequence[Fact]
    missing: Sequence[str]
    machine: dict[str, Any]
    versions: dict[str, str | None]
    repeats: int
    seconds: float
    profiles: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @property
    def own(self) -> list[Track]:
        """Our modes."""
        return [track for track in self.tracks if track.mode.library == OWN]

    @property
    def peers(self) -> list[Track]:
        """Other libraries' modes."""
        return [track for track in self.tracks if track.mode.library != OWN]


def results(bench: Bench) -> dict[str, Any]:
    """The results as plain data, as the JSON holds them."""
    return {
        "machine": bench.machine,
        "versions": bench.versions,
        "not_installed": list(bench.missing),
        "repeats": bench.repeats,
        "seconds": bench.seconds,
        "modes": {track.mode.key: _mode(track, bench.peers) for track in bench.tracks},
        "targets": [asdict(fact) for fact in bench.facts],
        "profiles": {key: dict(parts) for key, parts in bench.profiles.items()},
    }


def _mode(track: Track, peers: Sequence[Track]) -> dict[str, Any]:
    """A mode's samples and, for our own, its ratios."""
    mode = track.mode
    told: dict[str, Any] = {
        "library": mode.library,
        "title": mode.title,
        "reads": mode.reads,
        "unit": mode.unit,
        "threads": mode.threads,
        "clock": track.clock,
        "rate": asdict(spread(track.rates(track.clock))),
        "samples": [asdict(sample) for sample in track.samples],
    }
    if mode.library == OWN:
        told["times"] = {peer.mode.key: asdict(ratio(track, peer)) for peer in peers}
    return told


def write_report(bench: Bench, folder: Path, name: str) -> list[Path]:
    """Write `name`.json and `name`.png into a folder that is there; returns the files.

    Raises FileError; both are new and whole, or as they were.
    """
    contents = {
        folder / f"{name}.json": (json.dumps(results(bench), indent=2) + "\n").encode(),
        folder / f"{name}.png": _chart_png(bench),
    }
    write_together(contents)
    return list(contents)


def tables(bench: Bench) -> list[Table]:
    """What there is to show in the terminal."""
    shown = [_speeds(bench)]
    if bench.own and bench.peers:
        shown.append(_ratios(bench))
    if bench.profiles:
        shown.append(_shares(bench))
    return shown


def _speeds(bench: Bench) -> Table:
    """How fast each mode is."""
    shown = Table(
        title=f"{bench.repeats} rounds, about {bench.seconds:g} s for each mode in each",
        caption="Medians and quartiles over rounds; a second of CPU time, with several threads of "
        "wall time. Cores: CPU time / wall time.",
    )
    shown.add_column("mode", no_wrap=True)
    for column in ("plays", "reads"):
        shown.add_column(column, overflow="fold")
    for column in ("a second", "quartiles", "cores"):
        shown.add_column(column, justify="right", no_wrap=True)
    for track in bench.tracks:
        rate = spread(track.rates(track.clock))
        shown.add_row(
            track.mode.key,
            f"{track.mode.library}: {track.mode.title}",
            track.mode.reads,
            f"{rate.median:,.0f}",
            f"{rate.low:,.0f} - {rate.high:,.0f}",
            f"{track.cores:.2f}",
        )
    for library in bench.missing:
        shown.add_row(library, "not installed", "", "", "", "")
    return shown


def _ratios(bench: Bench) -> Table:
    """How many times as fast each of our modes is as each peer."""
    shown = Table(title="times as fast", caption="Medians over rounds; quartiles are in the JSON.")
    shown.add_column("mode", no_wrap=True)
    for peer in bench.peers:
        shown.add_column(peer.mode.key.replace("-", "\n"), justify="right", no_wrap=True)
    for track in bench.own:
        shown.add_row(track.mode.key, *(_times(ratio(track, peer)) for peer in bench.peers))
    return shown


def _shares(bench: Bench) -> Table:
    """What training spends its time on."""
    shown = Table(title="where goldgriff train spends its CPU time")
    shown.add_column("part")
    for key in bench.profiles:
        shown.add_column(key.replace("-", "\n"), justify="right")
    profiles = list(bench.profiles.values())
    for part in profiles[0]:
        shown.add_row(part, *(f"{parts[part]:.1%}" for parts in profiles))
    return shown


def _times(times: Spread) -> str:
    return f"{times.median:,.0f}" if times.median >= 100 else f"{times.median:.3g}"


def _chart_png(bench: Bench) -> bytes:
    """The speed of each mode on a logarithmic scale, with quartiles."""
    tracks = list(bench.tracks)[::-1]
    rates = [spread(track.rates(track.clock)) for track in tracks]
    errors = [
        [rate.median - rate.low for rate in rates],
        [rate.high - rate.median for rate in rates],
    ]
    figure = Figure(figsize=(10, 1.8 + 0.26 * len(tracks)), layout="constrained")
    axes = figure.subplots()
    axes.barh(
        [track.mode.key for track in tracks],
        [rate.median for rate in rates],
        xerr=errors,
        color=["#c8962d" if track.mode.library == OWN else "#4a6a8a" for track in tracks],
        height=0.7,
        capsize=2,
    )
    axes.set_xscale("log")
    axes.set_xlabel("a second of CPU time, with several threads of wall time; median, quartiles")
    axes.tick_params(axis="y", labelsize=8)
    axes.margins(y=0.01)
    axes.grid(axis="x", lw=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title(f"gold: {OWN}, blue: other libraries", fontsize=9)
    figure.suptitle(
        f"{bench.tracks[0].mode.unit.capitalize()} a second, {bench.machine['processor']}"
    )
    image = io.BytesIO()
    figure.savefig(image, dpi=150, format="png")
    return image.getvalue()
