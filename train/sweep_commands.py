"""The command `sweep` and its options."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..cli.console import print_json, progress_bar
from ..cli.options import named_values, option, read_values
from ..cli.shared_options import WorkersOptions
from ..envs.engine.game import get_game
from ..errors import SettingsError
from ..eval.report.report_table import Column, ReportTable, print_table
from ..eval.tournament.statistics import Estimate
from ..eval.workers.tasks import check_workers
from .api import ALGORITHM, PRESET, training
from .commands import LearningOptions, given_values, learning

if TYPE_CHECKING:
    from .sweep import Sweep, SweepResult


@dataclass(kw_only=True)
class SweepOptions(LearningOptions, WorkersOptions):
    """The options of `goldgriff sweep`.

    Attributes:
        seeds: Seeds, each of which is a run (default: 1).
        vary: Settings and the values that each takes, as in JSON: learning_rate=0.0003,0.001
            hidden=[64],[128,64]; every choice of them is a run for each seed.
        exploit: Also measure what best responses win against each policy; for small games
            (preset=tiny-a).
        workers: Runs at a time, each in a process (default: the number of available cores).
        out: Folder of the sweep, with one for each run (default:
            runs/GAME-ALGORITHM-PRESET-sweep).
        json: Print the runs and their results as JSON, nothing else.
    """

    seeds: list[int] | None = None
    vary: list[str] = option((), metavar="NAME=VALUES")
    exploit: bool = False


def sweep_command(options: SweepOptions) -> None:
    """Train all runs of a sweep, or those that are missing; print the table."""
    rules = options.rule_values()
    work = training("sweep")
    game = get_game(options.game)
    algorithm, preset = options.algorithm or ALGORITHM, options.preset or PRESET
    out = options.out or Path("runs") / f"{options.game}-{algorithm}-{preset}-sweep"
    workers = options.num_workers()
    check_workers(workers)
    if options.resume:
        named = () if options.out else ("algorithm", "preset")  # which only name the folder
        options.check_resumed(*named, "out", "workers", "ray", "trust")
        sweep = work.read_sweep(out, trust=options.trust)
        if sweep.game != game.name:
            raise SettingsError(f"the sweep in {out} is of {sweep.game}, not {game.name}")
    else:
        values = given_values(options, rules)
        vary = named_values("--vary", options.vary, read_values, "NAME=VALUE,VALUE,...")
        if "seed" in (*values, *vary):
            raise SettingsError("the seeds of a sweep are given by --seeds, as in --seeds 1 2 3")
        for name in vary:
            if name in values or (name == "algorithm" and options.algorithm):
                raise SettingsError(code="given-twice", name=name)
        seeds = options.seeds or [1]
        sweep = work.Sweep(game.name, algorithm, values, vary, seeds, options.exploit, preset)
    work.begin_sweep(sweep, out)
    with learning("sweep", game, out, sweep.agents(), options.ray) as cluster:
        runs = sweep.runs()
        with progress_bar("runs", len(runs)) as advance:
            results = work.run_sweep(
                sweep, out, workers=workers, cluster=cluster, on_progress=advance
            )
    if options.json:
        print_json(
            {
                "game": game.id,
                "algorithm": sweep.algorithms,
                "runs": [
                    {
                        "name": run.name,
                        "algorithm": run.algorithm,
                        "varied": run.varied,
                        "seed": run.settings.seed,
                        **asdict(results[run.name]),
                    }
                    for run in runs
                    if run.name in results
                ],
            }
        )
        return
    print_table(_table(sweep, results))
    print("sweep:", out / work.TABLE, out / work.CHART)


def _table(sweep: "Sweep", results: Mapping[str, "SweepResult"]) -> ReportTable:
    """Return the results of a sweep as a table."""
    runs = sweep.runs()
    names = [*sweep.vary, "seed"]
    columns = [Column(name, name, itemgetter(name)) for name in names]
    columns.append(Column("win_share", "win share", _win_share, ".1%", is_estimate=True))
    if sweep.exploit:
        columns.append(Column("nash_conv", "NashConv", itemgetter("nash_conv"), ".6f"))
    columns.append(Column("timesteps", "timesteps", itemgetter("timesteps"), ","))
    columns.append(Column("seconds", "seconds", itemgetter("seconds")))
    opponents = sorted({run.settings.eval_opponent for run in runs})
    return ReportTable.of(
        f"{get_game(sweep.game).title}: {sweep.algorithms}",
        f"Win share against {', '.join(opponents)} in all other seats.",
        columns,
        training("sweep").rows(runs, results),
    )


def _win_share(row: Mapping[str, Any]) -> Estimate:
    return Estimate(row["win_share"], row["low"], row["high"])
