"""Measure Goldgriff and other libraries in turns, and compare them."""

import argparse
import importlib.util
import sys
from collections.abc import Mapping, Sequence

from goldgriff.cli.options import import_extra
from goldgriff.errors import GoldgriffError

from .measure import Measurement, Quartiles, quartiles, ratio, short
from .modes import bytes_per_game, own_modes
from .peers import PEERS
from .report import (
    BenchmarkOptions,
    chosen_games,
    commit,
    measure_modes,
    print_table,
    write_results,
)

# A mode of each game, what it is compared with, and how many times as fast it has to be.
RATIOS: tuple[tuple[str, str, float | None], ...] = (
    ("step-1024", "openspiel-python", 10),
    ("step-1024", "pufferlib-triads", None),
    ("step-1024", "pgx-mahjong", None),
    ("step-8192-x2", "step-8192", 1.5),
    ("rollout-random", "openspiel-bots", 6),
    ("aec", "pettingzoo-texas", 50),
    ("aec", "rlcard-uno", None),
    ("train-maskable", "tutorial", 20),
    ("train-maskable", "tutorial-batches", None),
    ("train-ppo", "train-maskable", 3),
    ("train-ppo", "tutorial", None),
)
RATE = ("step-1024", 4e6)  # decisions a second, at least
BYTES = 4096  # a game, at most

Row = tuple[str, Quartiles, str]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; the exit status is 0, or 1 for bad input."""
    options = BenchmarkOptions.read(parser().parse_args(arguments))
    try:
        run(options)
    except GoldgriffError as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 1
    return 0


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    BenchmarkOptions.add_to(parser)
    return parser


def run(options: BenchmarkOptions) -> None:
    """Measure what the options ask for, print the comparison and write the results."""
    games, missing, memory = chosen_games(options), list[str](), dict[str, float]()
    if options.training:
        training = import_extra(f"{__package__}.training", "train", "training")
        tutorial = import_extra(f"{__package__}.tutorial", "train", "training")
        modes = [
            mode
            for game in games
            for mode in (*training.training_modes(game), *tutorial.tutorial_modes(game))
        ]
    else:
        modes = [mode for game in games for mode in own_modes(game)]
        modes += [mode for needed, mode in PEERS if installed(needed)]
        missing = [mode.library for needed, mode in PEERS if not installed(needed)]
        memory = {game.name: bytes_per_game(game) for game in games}
    measured = measure_modes(options, modes)
    rows = compare([game.name for game in games], measured, memory)
    if not options.json:
        print_table(
            ("target", "needed", "measured", "quartiles"),
            [(what, target, short(rate.median), str(rate)) for what, rate, target in rows],
        )
    if missing and not options.json:
        print("not installed:", ", ".join(sorted(set(missing))))
    comparison = {what: {**rate._asdict(), "target": target} for what, rate, target in rows}
    write_results(options, measured, commit=commit(), comparison=comparison)


def installed(needed: Sequence[str]) -> bool:
    """Return whether all that a mode needs is installed."""
    return all(importlib.util.find_spec(module) for module in needed)


def compare(
    games: Sequence[str], measured: Sequence[Measurement], memory: Mapping[str, float]
) -> list[Row]:
    """Return all that is said of the games: what, its quartiles over rounds, the target if any."""
    by_key = {each.mode.key: each for each in measured}
    rows: list[Row] = []
    for game in games:
        for key, other, least in RATIOS:
            mine = by_key.get(f"{game}-{key}")
            theirs = by_key.get(f"{game}-{other}", by_key.get(other))
            if mine and theirs:
                what = f"{mine.mode.key} / {theirs.mode.key}"
                rows.append((what, ratio(mine, theirs), f"{least:g} times" if least else ""))
        if mine := by_key.get(f"{game}-{RATE[0]}"):
            rows.append((f"{mine.mode.key}, a second", mine.rate, f"{RATE[1]:,.0f}"))
        if game in memory:
            size = quartiles([memory[game]])
            rows.append((f"{game}, bytes a game", size, f"at most {BYTES:,}"))
    return rows


if __name__ == "__main__":
    sys.exit(main())
