"""The command `sweep` and its options."""

import argparse
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import Progress

from ..agents.registry import is_code
from ..agents.trust import add_trust, check_trust, needs_trust
from ..cli.console import command_line, print_json
from ..cli.options import add_json, named_values, varied_values
from ..cli.stopping import resumable
from ..envs.engine.game import get_game
from ..envs.engine.threads import cores
from ..errors import SettingsError
from ..eval.report.report import terminal_table
from ..eval.report.tables import ReportTable
from ..eval.workers.ray import add_ray_option, connect
from ..eval.workers.workers import check_workers
from .commands import ALGORITHM, PRESET, read_options, training

if TYPE_CHECKING:
    from .sweep import Sweep, SweepResult


def add_sweep_options(added: argparse.ArgumentParser) -> None:
    """Add the options of `goldgriff sweep` beside the game and its rules."""
    add = added.add_argument
    add("--algorithm", metavar="NAME", help=f"as in `goldgriff train` (default: {ALGORITHM})")
    add("--preset", metavar="NAME", help=f"as in `goldgriff train` (default: {PRESET})")
    about = "seeds, each of which is a run (default: 1)"
    add("--seeds", type=int, nargs="+", metavar="S", help=about)
    about = (
        "settings and the values that each takes, as in JSON: learning_rate=0.0003,0.001 "
        "hidden=[64],[128,64]; every choice of them is a run for each seed"
    )
    vary: dict[str, Any] = {"nargs": "+", "action": "extend", "default": []}
    add("--vary", metavar="NAME=VALUES", help=about, **vary)
    about = (
        "also measure what best responses win against each policy; for small games (preset=tiny-a)"
    )
    add("--exploit", action="store_true", help=about)
    add("--steps", type=int, metavar="N", help="decisions of each run (default: the preset's)")
    add("--set", metavar="NAME=VALUE", help="other settings, the same in all runs", **vary)
    about = "runs at a time, each in a process (default: the number of available cores)"
    add("--workers", type=int, metavar="N", help=about)
    add_ray_option(added, "train")
    about = "folder of the sweep, with one for each run (default: runs/GAME-ALGORITHM-PRESET-sweep)"
    add("--out", type=Path, metavar="DIR", help=about)
    add("--resume", action="store_true", help="go on with the sweep in DIR")
    add_trust(added, "the sweep in DIR")
    add_json(added, "the runs and their results")


def sweep_command(options: argparse.Namespace, rules: dict[str, Any]) -> None:
    """Train all runs of a sweep, or those that are missing; print the table."""
    work, folder = training("sweep"), training("run_folder")
    game = get_game(options.game)
    algorithm, preset = options.algorithm or ALGORITHM, options.preset or PRESET
    out = options.out or Path("runs") / f"{options.game}-{algorithm}-{preset}-sweep"
    if options.ray and options.workers is not None:
        raise SettingsError("give --workers or --ray: on Ray the cluster's processors train")
    workers = cores() if options.workers is None else options.workers
    check_workers(workers)
    if options.resume:
        given = (options.algorithm, options.preset) if options.out else ()
        given += (options.seeds, options.players, options.steps, options.exploit or None)
        if any(value is not None for value in given) or rules or options.set or options.vary:
            raise SettingsError(
                "--resume goes on as begun: it takes --out, --workers, --ray and --trust only"
            )
        sweep = work.read_sweep(out)
        if sweep.game != game.name:
            raise SettingsError(f"the sweep in {out} is of {sweep.game}, not {game.name}")
    else:
        defaults = training("algorithms").get_algorithm(algorithm).preset(preset)
        options.seed = None
        settings = read_options(options, game, rules, defaults).to_dict()
        vary, seeds = varied_values(options.vary), options.seeds or [1]
        for name in vary:
            if name == "seed" or name in named_values("--set", options.set):
                raise SettingsError(f"{name} is given twice")
        sweep = work.Sweep(game.name, algorithm, settings, vary, seeds, options.exploit)
    agents = [name for run in sweep.runs() for name in folder.agents_of(run.settings.to_dict())]
    if options.resume:
        check_trust(agents, f"the sweep in {out}", trust=options.trust)
    work.begin_sweep(sweep, out)
    go_on = command_line("sweep", game.name, "--out", out, "--resume")
    code = any(map(is_code, agents))
    go_on += " --trust" if any(map(needs_trust, agents)) else ""
    with (
        resumable(go_on),
        connect(options.ray, code=code) if options.ray else nullcontext() as cluster,
    ):
        first = sweep.runs()[0].settings
        training("warm_up").compile_for_run(game, sweep.algorithm, first)
        console = Console(stderr=True)
        with Progress(console=console, disable=not console.is_terminal) as progress:
            runs = sweep.runs()
            task = progress.add_task("runs", total=len(runs))
            ended = sum(work.read_result(out / run.name) is not None for run in runs)
            progress.update(task, completed=ended)
            results = work.run_sweep(
                *(sweep, out),
                workers=workers,
                cluster=cluster,
                on_result=lambda *_: progress.advance(task),
            )
    if options.json:
        print_json(
            {
                **{"game": game.id, "algorithm": sweep.algorithm},
                "runs": [
                    {
                        **{"name": run.name, "varied": run.varied, "seed": run.settings.seed},
                        **asdict(results[run.name]),
                    }
                    for run in runs
                    if run.name in results
                ],
            }
        )
        return
    Console().print(terminal_table(_table(sweep, results)))
    print("sweep:", out / work.TABLE, out / work.CHART)


def _table(sweep: "Sweep", results: Mapping[str, "SweepResult"]) -> ReportTable:
    """Return the results of a sweep as a table."""
    work, runs = training("sweep"), sweep.runs()
    shown, width = [], len(sweep.vary) + 1
    for row in work.rows(sweep, runs, results):
        steps, time, share, low, high, *found = row[width:]
        interval = f"{low:.1%} to {high:.1%}"
        numbers = [f"{share:.1%}", interval, *(f"{each:.6f}" for each in found)]
        shown.append([*map(str, row[:width]), *numbers, f"{steps:,}", str(time)])
    measured = ["win share", "95%", *(["NashConv"] if sweep.exploit else [])]
    headings = [*sweep.vary, "seed", *measured, "timesteps", "seconds"]
    opponents = sorted({run.settings.eval_opponent for run in runs})
    note = f"Win share against {', '.join(opponents)} in all other seats."
    return ReportTable(f"{get_game(sweep.game).title}: {sweep.algorithm}", note, headings, shown)
