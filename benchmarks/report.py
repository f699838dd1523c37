"""The options of the benchmarks, and how their results are printed and written."""

import json
import math
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from itertools import combinations
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from goldgriff.cli.console import print_json
from goldgriff.cli.options import option
from goldgriff.cli.shared_options import JsonOptions
from goldgriff.envs.engine.game import GAMES, Game, get_game
from goldgriff.envs.engine.threads import cores
from goldgriff.errors import SettingsError, quoted
from goldgriff.files import make_folder, write_whole
from goldgriff.naming import did_you_mean

from .measure import Measurement, Mode, measure


@dataclass(kw_only=True)
class BenchmarkOptions(JsonOptions):
    """The options of `python -m benchmarks`.

    Attributes:
        games: Names of games (default: all).
        training: Measure training instead: samples a second.
        only: Only modes that have one of these in their name, such as step-1024 or aec.
        repeats: Rounds in which every mode has a turn.
        seconds: Length of a turn; with --training at least an update.
        out: Also write all samples to this JSON file.
        json: Print what --out writes as JSON, nothing else.
    """

    games: list[str] = option((), positional=True, nargs="*", action="store", metavar="GAME")
    training: bool = False
    only: list[str] = option((), metavar="TEXT")
    repeats: int = 7
    seconds: float = 0.5
    out: Path | None = option(None, metavar="FILE")


def chosen_games(options: BenchmarkOptions) -> list[Game]:
    """Return the games that the options name. Raises SettingsError for a game there is not."""
    return [get_game(name) for name in options.games or GAMES]


def measure_modes(options: BenchmarkOptions, modes: Sequence[Mode]) -> list[Measurement]:
    """Measure the modes that `--only` leaves; without `--json` print a table of their speeds.

    Raises:
        SettingsError: An option has a value that cannot be used.
        FileError: Nothing can be written beside the file of `--out`.
    """
    if options.repeats < 1:
        raise SettingsError(f"repeats must be at least 1, not {options.repeats}")
    if not (math.isfinite(options.seconds) and options.seconds > 0):
        raise SettingsError(f"seconds must be a number above 0, not {options.seconds}")
    for text in options.only:
        if not any(text in mode.key for mode in modes):
            keys = ", ".join(mode.key for mode in modes)
            meant = did_you_mean(text, {part for mode in modes for part in _parts(mode.key)})
            raise SettingsError(f"no mode has {quoted(text)} in its name; there are {keys}{meant}")
    if options.only:
        modes = [mode for mode in modes if any(text in mode.key for text in options.only)]
    if options.out:
        make_folder(options.out.parent)
    measured = measure(modes, repeats=options.repeats, seconds=options.seconds)
    if options.json:
        return measured
    rows = []
    for each in measured:
        title = f"{each.mode.library}: {each.mode.title}"
        cores_used = sum(s.cpu for s in each.samples) / sum(s.wall for s in each.samples)
        speed = (f"{each.rate.median:,.0f}", str(each.rate), f"{cores_used:.2f}")
        rows.append((each.mode.key, title, *speed))
    print_table(("mode", "decisions in", "a second", "quartiles", "cores"), rows)
    return measured


def _parts(key: str) -> Iterator[str]:
    """Yield all that can name a mode: neighbouring words of its key."""
    words = key.split("-")
    for first, last in combinations(range(len(words) + 1), 2):
        yield "-".join(words[first:last])


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table whose first two columns are text and all others numbers."""
    table = Table()
    for place, column in enumerate(columns):
        table.add_column(column, justify="right" if place > 1 else "left", no_wrap=place != 1)
    for row in rows:
        table.add_row(*row)
    (Console() if sys.stdout.isatty() else Console(width=140)).print(table)


def write_results(
    options: BenchmarkOptions, measured: Sequence[Measurement], **more: object
) -> None:
    """Write the machine, the samples of all modes and `more` to `--out`, print them by `--json`."""
    modes = {
        each.mode.key: {
            "title": each.mode.title,
            "library": each.mode.library,
            "threads": each.mode.threads,
            "clock": each.clock,
            "rate": each.rate._asdict(),
            "samples": [sample._asdict() for sample in each.samples],
        }
        for each in measured
    }
    results = {"machine": machine(), "modes": modes, **more}
    if options.out:
        write_whole(options.out, f"{json.dumps(results, indent=2)}\n".encode())
    if options.json:
        print_json(results)


def machine() -> dict[str, Any]:
    """Return what speeds depend on: processor, load, system and the versions of all packages."""
    file = Path("/proc/cpuinfo")  # only Linux has it
    found = re.search(r"^model name\s*: (.+)$", file.read_text(), re.M) if file.exists() else None
    return {
        "processor": found[1] if found else platform.processor() or platform.machine(),
        "cores": cores(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "system": platform.platform(),
        "python": platform.python_version(),
        "packages": {each.name: each.version for each in metadata.distributions()},
    }


def commit() -> str:
    """Return the commit that is checked out, marked when files differ from it."""
    git = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"]
    return subprocess.run(git, capture_output=True, text=True, check=False).stdout.strip()
