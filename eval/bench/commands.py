"""The command `bench`: its options, and what they ask for; `cli.py` puts all commands together."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from ...envs.engine.game import GAMES, get_game
from ...errors import GoldgriffError, SettingsError
from ...files import make_folder


def add_bench_options(added: argparse.ArgumentParser) -> None:
    """The options of `goldgriff bench`."""
    added.add_argument(
        "games", nargs="*", metavar="GAME", help=f"of {', '.join(GAMES)} (default: all)"
    )
    added.add_argument(
        "--repeats", type=int, metavar="N", help="rounds in which every mode has a turn"
    )
    added.add_argument("--seconds", type=float, metavar="S", help="length of a turn, about")
    added.add_argument(
        "--only",
        nargs="+",
        action="extend",
        default=[],
        metavar="TEXT",
        help="only modes that have one of these in their name, such as step-float32 or openspiel",
    )
    added.add_argument(
        "--training",
        action="store_true",
        help="measure training instead, beside PettingZoo's tutorial loop",
    )
    added.add_argument(
        "--quick", action="store_true", help="see that everything runs; the figures mean little"
    )
    added.add_argument(
        "--out", type=Path, metavar="DIR", help="folder of the report (default: results/bench)"
    )


def bench_command(options: argparse.Namespace, training: Callable[[str], Any]) -> None:
    """Measure, print the tables and the targets, and write the report.

    training: gives a module of `train`; it raises GoldgriffError without the extra.
    """
    from .report import tables, write_report  # noqa: PLC0415
    from .run import check_request, run_bench  # noqa: PLC0415

    games = [get_game(name) for name in options.games or GAMES]
    if options.training and options.only:
        raise SettingsError("--only chooses among modes of play: it does not go with --training")
    usual = (1, 0.02) if options.quick else (3, 5.0) if options.training else (7, 0.5)
    repeats = usual[0] if options.repeats is None else options.repeats
    seconds = usual[1] if options.seconds is None else options.seconds
    check_request(repeats, seconds)
    out = options.out or Path("results/bench")
    make_folder(out)
    with _bar_of_turns() as watch:
        if options.training:
            preset = "smoke" if options.quick else "quick"
            measured = training("bench").bench_training(
                games, preset, repeats=repeats, seconds=seconds, **watch
            )
        else:
            try:
                more = [training("bench").vec_env_mode(game) for game in games]
            except GoldgriffError:
                more = []  # without the extra `train`
            measured = run_bench(
                games, repeats=repeats, seconds=seconds, only=options.only, more=more, **watch
            )
    files = write_report(measured, out, "training" if options.training else "bench")
    shown = Console() if sys.stdout.isatty() else Console(width=140)
    for each in tables(measured):
        shown.print(each)
    for fact in measured.facts:
        shown.print(str(fact), highlight=False, soft_wrap=True)
    print("report:", *files)


@contextmanager
def _bar_of_turns() -> Iterator[dict[str, Any]]:
    """A progress bar, on a terminal; yields what the benchmarks are to call."""
    console = Console(stderr=True)
    with Progress(
        TextColumn("measuring"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        console=console,
        disable=not console.is_terminal,
    ) as progress:
        bar = progress.add_task("", total=None)
        yield {
            "on_start": lambda turns: progress.update(bar, total=turns),
            "on_turn": lambda mode: progress.update(bar, advance=1, description=mode.key),
        }
