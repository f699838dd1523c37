"""Compare the training algorithms at equal CPU time.

    python -m benchmarks.algorithms --out results/algorithms

Each algorithm trains with four players, and for a tenth of the time on the preset `tiny-a`. Agents
are saved at fixed CPU times, those of all threads of the process, and measured when the training is
over. So measurements do not count. Runs that are finished in the folder are not repeated; a run
that was interrupted starts again.
"""

import argparse
import io
import json
import math
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing, redirect_stderr
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, NamedTuple

import numpy as np
import scipy
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, LogLocator, NullLocator, PercentFormatter
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from goldgriff.agents.checkpoints import load_network, save_network
from goldgriff.agents.network import Network
from goldgriff.cli.console import run as run_command
from goldgriff.cli.options import Options, option
from goldgriff.envs.engine.game import GAMES, get_game
from goldgriff.errors import SettingsError
from goldgriff.eval.game_theory.agents import strategies_of
from goldgriff.eval.game_theory.exploit import exploit_on
from goldgriff.eval.game_theory.tree import build_tree
from goldgriff.eval.report.charts import as_png
from goldgriff.eval.tournament.api import play_tournament
from goldgriff.eval.tournament.statistics import CONFIDENCE, Estimate
from goldgriff.eval.workers.tasks import in_processes, run_tasks
from goldgriff.examples.studies.exploitability_curve import COMMON, VARIANTS
from goldgriff.files import claimed, make_folder, write_together, write_whole
from goldgriff.naming import unknown_name
from goldgriff.train.algorithms import get_algorithm
from goldgriff.train.runner import CHECKPOINTS, OnUpdate, Run, resolve_rules, set_up_torch
from goldgriff.train.settings import RunSettings

from .report import commit, machine

PLAYERS = 4
SMALL = "tiny-a"  # the preset of rules on which NashConv is measured
SMALL_PART = 0.1  # of the CPU time of a training with four players
PARTS = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0)  # of the CPU time, after which an agent is saved
EARLY, LAST = 1, len(PARTS) - 1  # the parts that the tables show
FEW = 0.3  # of the deals, for all agents of a run but the last
DEALS_SEED = 10_000  # added to the seed of a training, so that no training met the deals
TRAINED, MEASURED = "trained.json", "measured.json"  # the files of a run, beside its agents
RESULTS, CHART, TABLES = "algorithms.json", "algorithms.png", "algorithms.md"
MARKERS = "osDv^P"

WITHOUT_END: dict[str, Any] = {
    "total_timesteps": 10**12,  # the CPU time ends a run
    "checkpoint_every_updates": 10**12,
    "eval_every_updates": 0,
}
# In one half of the games all seats learn, in the other all opponents are the `expert`.
HALVES: dict[str, Any] = {"self_play": 0.5, "fixed_opponents": ["expert"], "pool_size": 0}


class Entrant(NamedTuple):
    """An algorithm, and which of its settings differ from those of its preset `quick`."""

    algorithm: str
    settings: Mapping[str, Any]


ENTRANTS = {
    "rollout": Entrant("rollout", HALVES | {"no_advice": 1.0}),
    "rollout-advice": Entrant("rollout", HALVES),
    # Self-play of `maskable` needs a past version: its pool has two members that are equally
    # likely, the `expert` and the newest version.
    "maskable": Entrant(
        "maskable", HALVES | {"self_play": 0.0, "pool_size": 1, "snapshot_every_updates": 1}
    ),
    "ppo": Entrant("ppo", HALVES | {"teacher": "", "teacher_timesteps": 0}),
    "dmc": Entrant("dmc", HALVES),
    "nfsp": Entrant("nfsp", HALVES),
}


@dataclass(frozen=True)
class Job:
    """A training and what is measured of it.

    Attributes:
        game: Name of the game.
        small: Whether it trains on SMALL and is measured by NashConv. Otherwise it trains with four
            players and is measured by its win share among three `expert`s.
        entrant: A name in ENTRANTS.
        seed: Of the training.
        seconds: CPU time of the training.
        deals: Of a measurement of a win share; 0 where there is none.
        folder: Of its files.
    """

    game: str
    small: bool
    entrant: str
    seed: int
    seconds: float
    deals: int
    folder: Path

    def settings(self) -> RunSettings:
        """Return the settings of the training."""
        entrant, game = ENTRANTS[self.entrant], get_game(self.game)
        algorithm = get_algorithm(entrant.algorithm)
        values = {**algorithm.presets["quick"], "players": [PLAYERS]}
        if self.small:
            rules = {"preset": SMALL}
            values = {**COMMON, **VARIANTS[entrant.algorithm].settings, "rules": rules}
            values["players"] = [game.settings.fixed_players(rules)]
        values |= {**WITHOUT_END, **entrant.settings, "seed": self.seed}
        return resolve_rules(game, algorithm.settings.from_dict(values))

    def identity(self) -> dict[str, Any]:
        """Return what a finished run must have in common with this one, as plain data."""
        names = {"game": self.game, "small": self.small, "algorithm": self.entrant}
        settings = json.loads(json.dumps(self.settings().to_dict()))
        return {**names, "seed": self.seed, "seconds": self.seconds, "settings": settings}

    def read(self, name: str) -> list[dict[str, Any]]:
        """Return the points in the file TRAINED or MEASURED; none where there is no such run."""
        path = self.folder / name
        content = json.loads(path.read_text()) if path.exists() else {}
        return content["points"] if content.get("run") == self._run(name) else []

    def write(self, name: str, points: Sequence[Mapping[str, Any]]) -> None:
        """Write the file TRAINED or MEASURED."""
        content = {"run": self._run(name), "points": points}
        write_whole(self.folder / name, f"{json.dumps(content, indent=2)}\n".encode())

    def _run(self, name: str) -> dict[str, Any]:
        return self.identity() | ({"deals": self.deals} if name == MEASURED else {})


class Curve(NamedTuple):
    """Measurements of an entrant: a row for each seed, a column for each of PARTS.

    Attributes:
        samples: float64 (seeds, parts), decisions learnt from.
        seconds: float64 (seeds, parts), CPU time.
        values: float64 (seeds, parts), win shares or NashConv.
    """

    samples: NDArray[np.float64]
    seconds: NDArray[np.float64]
    values: NDArray[np.float64]

    def at(self, part: int) -> Estimate:
        """Return the mean of a part over seeds, with Student's 95 % interval; NaN for one seed.

        The interval ends at 0, since nothing that is measured can be less.
        """
        values, half = self.values[:, part], math.nan
        if len(values) > 1:
            quantile = scipy.stats.t.ppf((1 + CONFIDENCE) / 2, len(values) - 1)
            half = float(quantile * values.std(ddof=1) / math.sqrt(len(values)))
        mean = float(values.mean())
        return Estimate(mean, float(np.maximum(mean - half, 0)), mean + half)


Curves = dict[str, dict[str, Curve]]  # by game, then by entrant


@dataclass(kw_only=True)
class AlgorithmOptions(Options):
    """The options of `python -m benchmarks.algorithms`.

    Attributes:
        games: Names of games (default: all).
        algorithms: Only these lines of the chart (default: all).
        seeds: Of the trainings.
        minutes: CPU time of a training with four players; on tiny-a it has a tenth.
        deals: In how many deals the last agent of a run plays, in every seat; earlier ones play in
            three tenths of them.
        processes: Trainings side by side.
        out: Folder of the results and of all runs. Finished ones are not repeated.
    """

    games: list[str] = option((), positional=True, nargs="*", action="store", metavar="GAME")
    algorithms: list[str] = option((), metavar="NAME")
    seeds: list[int] = option((1, 2, 3), action="store", metavar="N")
    minutes: float = 10.0
    deals: int = 1000
    processes: int = 2
    out: Path = option(required=True)

    def jobs(self) -> list[Job]:
        """Return all runs, those of the first seed first. Raises SettingsError."""
        for name, least in (("deals", 2), ("processes", 1)):
            if getattr(self, name) < least:
                raise SettingsError(f"{name} must be at least {least}, not {getattr(self, name)}")
        if not (math.isfinite(self.minutes) and self.minutes > 0):
            raise SettingsError(f"minutes must be a number above 0, not {self.minutes}")
        for name in self.algorithms:
            if name not in ENTRANTS:
                raise unknown_name(SettingsError, "algorithm", name, ENTRANTS)
        return [
            Job(
                game,
                small,
                entrant,
                seed,
                seconds=60 * self.minutes * (SMALL_PART if small else 1),
                deals=0 if small else self.deals,
                folder=self.out / f"{game}-{SMALL if small else 'full'}-{entrant}-{seed}",
            )
            for seed in dict.fromkeys(self.seeds)
            for game in dict.fromkeys(get_game(name).name for name in self.games or GAMES)
            for entrant in dict.fromkeys(self.algorithms or ENTRANTS)
            for small in (False, True)
        ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; the exit status is 0, or 1 for bad input."""
    words = sys.argv[1:] if arguments is None else arguments
    options = AlgorithmOptions.read(parser().parse_args(words))
    return run_command("benchmarks", lambda: compare(options), words)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.algorithms",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    AlgorithmOptions.add_to(parser)
    return parser


def compare(options: AlgorithmOptions) -> None:
    """Make all runs that are not finished, write the results and print the tables."""
    jobs, out = options.jobs(), options.out
    make_folder(out)
    with claimed(out):
        missing = [(job,) for job in jobs if not job.read(MEASURED)]
        executor = in_processes(finish, options.processes)
        with closing(run_tasks(executor, missing)) as finished:
            for _, line in finished:
                print(line, flush=True)
        runs = [{**job.identity(), "points": job.read(MEASURED)} for job in jobs]
        results = {"machine": machine(), "commit": commit(), "deals": options.deals, "runs": runs}
        full, small = curves_of(runs, small=False), curves_of(runs, small=True)
        text = describe(full, small, results, options.minutes)
        contents = {
            RESULTS: f"{json.dumps(results, indent=2)}\n".encode(),
            CHART: as_png(chart(full, small, 60 * options.minutes)),
            TABLES: text.encode(),
        }
        write_together({out / name: content for name, content in contents.items()})
    print(text, end="")


# --- One run ------------------------------------------------------------------------------------


def finish(job: Job) -> str:
    """Train and measure, unless that is done, and return a line about the last agent."""
    make_folder(job.folder)
    set_up_torch(1)
    with threadpool_limits(1):
        points = job.read(TRAINED)
        if not points:
            points = train(job)
            (job.folder / MEASURED).unlink(missing_ok=True)
            job.write(TRAINED, points)
        agents = [load_network(job.folder / point["agent"], job.game) for point in points]
        values = nash_convs(job, agents) if job.small else win_shares(job, agents)
    job.write(MEASURED, [{**point, **value} for point, value in zip(points, values, strict=True)])
    (last,) = values[-1].items()
    return f"{job.folder.name}, {points[-1]['samples']:,} samples: {last[0]} {last[1]:.3f}"


def train(job: Job) -> list[dict[str, Any]]:
    """Train for the CPU time of a job, and save an agent after each of PARTS.

    Code is compiled in a short training before the clock starts.

    Returns:
        Of each agent its file in the folder, the CPU seconds and the decisions learnt from.
    """
    settings, points, began = job.settings(), list[dict[str, Any]](), 0.0
    due = [part * job.seconds for part in PARTS]

    def look(figures: Mapping[str, float]) -> bool:
        nonlocal began
        spent, samples = process_time() - began, int(figures["timesteps"])
        while len(points) < len(due) and spent >= due[len(points)]:
            name = f"{due[len(points)]:g}.safetensors"
            notes = {"algorithm": run.algorithm, "timesteps": str(samples)}
            save_network(job.folder / name, run.learner.export(), run.game, notes)
            points.append({"agent": name, "seconds": spent, "samples": samples})
        began = process_time() - spent  # the time of saving does not count
        return len(points) < len(due)

    with TemporaryDirectory() as folder, redirect_stderr(io.StringIO()):  # without progress bars
        smoke = get_algorithm(ENTRANTS[job.entrant].algorithm).presets["smoke"]
        new_run(job, replace(settings, **smoke), Path(folder, "smoke")).learn()
        run = new_run(job, settings, Path(folder, "run"), look)
        began = process_time()
        run.learn()
    return points


def new_run(
    job: Job, settings: RunSettings, folder: Path, on_update: OnUpdate | None = None
) -> Run:
    """Return a run that has begun."""
    algorithm = ENTRANTS[job.entrant].algorithm
    run = Run(get_game(job.game), algorithm, settings, folder, on_update)
    make_folder(folder / CHECKPOINTS)
    run.begin()
    return run


def nash_convs(job: Job, agents: Sequence[Network]) -> list[dict[str, float]]:
    """Return NashConv of agents, each in all seats of the preset SMALL."""
    game = get_game(job.game)
    tree = build_tree(game, game.read_settings({"preset": SMALL}))
    exploited = [exploit_on(tree, strategies_of(tree, agent)) for agent in agents]
    return [{"nash_conv": result.nash_conv} for result in exploited]


def win_shares(job: Job, agents: Sequence[Network]) -> list[dict[str, float]]:
    """Return the win share of each agent among three `expert`s; the last one plays more deals."""
    shares, few = [], max(2, int(job.deals * FEW))
    for agent in agents:
        results = play_tournament(
            job.game,
            {"agent": agent, "expert": "expert"},
            format="field",
            num_players=PLAYERS,
            deals=job.deals if agent is agents[-1] else few,
            seed=DEALS_SEED + job.seed,
        ).results
        means = {standing.name: standing.win_share.mean for standing in results.standings}
        shares.append({"win_share": means["agent"]})
    return shares


# --- All runs -----------------------------------------------------------------------------------


def curves_of(runs: Sequence[Mapping[str, Any]], *, small: bool) -> Curves:
    """Return the measurements of all games and entrants, in the order of the runs."""
    value = "nash_conv" if small else "win_share"
    rows: dict[str, dict[str, list[Any]]] = {}
    for run in runs:
        if run["small"] == small:
            names = "samples", "seconds", value
            columns = [[point[name] for point in run["points"]] for name in names]
            rows.setdefault(run["game"], {}).setdefault(run["algorithm"], []).append(columns)
    return {
        game: {name: Curve(*np.stack(seeds, axis=1)) for name, seeds in by_name.items()}
        for game, by_name in rows.items()
    }


def chart(full: Curves, small: Curves, seconds: float) -> Figure:
    """Draw win shares against samples and against CPU time, and NashConv, a column for each game.

    Args:
        full: Win shares.
        small: NashConv.
        seconds: CPU time of a training with four players.
    """
    figure = Figure(figsize=(0.6 + 4.4 * len(full), 11), layout="constrained")
    panels = figure.subplots(3, len(full), sharey="row", squeeze=False)
    for place, game in enumerate(full):
        by_samples, by_time, exploitability = panels[:, place]
        by_samples.set_title(get_game(game).title)
        draw(by_samples, full[game], "samples", "samples (decisions)")
        draw(by_time, full[game], "seconds", "CPU minutes", unit=60)
        draw(exploitability, small[game], "seconds", f"CPU seconds on {SMALL}")
        for axes, end in ((by_time, seconds / 60), (exploitability, SMALL_PART * seconds)):
            axes.set_xticks([part * end for part in PARTS], [f"{part * end:.3g}" for part in PARTS])
            axes.xaxis.set_minor_locator(NullLocator())
        by_samples.xaxis.set_minor_locator(LogLocator(subs=(2, 5)))
        by_samples.xaxis.set_major_formatter(EngFormatter())
        by_samples.xaxis.set_minor_formatter(EngFormatter())
        for axes in (by_samples, by_time):
            axes.axhline(1 / PLAYERS, color="black", lw=0.8, ls=":", label="even share")
            axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    for row, label in zip(panels, (*2 * ["wins among three experts"], "NashConv"), strict=True):
        row[0].set_ylabel(label)
        row[0].set_ylim(bottom=0)
    handles, labels = panels[0, 0].get_legend_handles_labels()
    columns = 2 * len(full)
    figure.legend(handles, labels, loc="outside upper center", ncols=columns, frameon=False)
    return figure


def draw(axes: Axes, curves: Mapping[str, Curve], across: str, label: str, unit: float = 1) -> None:
    """Draw the mean of each entrant over seeds, and its interval as a band.

    Args:
        axes: Drawn on.
        curves: By entrant.
        across: What the horizontal axis shows, `samples` or `seconds`.
        label: Of that axis.
        unit: What its numbers are divided by.
    """
    for name, curve in curves.items():
        place = list(ENTRANTS).index(name)
        along = getattr(curve, across).mean(axis=0) / unit
        estimates = [curve.at(part) for part in range(len(PARTS))]
        means, low, high = np.array([(each.mean, each.low, each.high) for each in estimates]).T
        style: dict[str, Any] = {"color": f"C{place}", "marker": MARKERS[place], "ms": 4, "lw": 1.5}
        axes.plot(along, means, label=name, **style)
        axes.fill_between(along, low, high, color=f"C{place}", alpha=0.15, lw=0)
    axes.set(xscale="log", xlabel=label)
    axes.spines[["top", "right"]].set_visible(False)


def describe(full: Curves, small: Curves, results: Mapping[str, Any], minutes: float) -> str:
    """Return the chart and the tables in Markdown, and what they were made with.

    Args:
        full: Win shares.
        small: NashConv.
        results: The content of RESULTS.
        minutes: CPU time of a training with four players.
    """
    about = results["machine"]
    early, small_seconds = PARTS[EARLY] * minutes, 60 * SMALL_PART * minutes
    seeds = ", ".join(map(str, dict.fromkeys(run["seed"] for run in results["runs"])))
    lines = [
        f"![Win shares and NashConv of the algorithms]({CHART})",
        "",
        f"{about['processor']}, {about['cores']} cores, Python {about['python']}, torch "
        f"{about['packages']['torch']}, commit {results['commit']}; seeds {seeds}; "
        f"{results['deals']:,} deals.",
    ]
    for game, curves in full.items():
        lines += [
            "",
            f"| {get_game(game).title} | samples | wins after {early:g} CPU minutes | "
            f"wins after {minutes:g} CPU minutes | NashConv on `{SMALL}` after {small_seconds:g} "
            "CPU seconds |",
            "|---|---|---|---|---|",
        ]
        for name, curve in curves.items():
            cells = [
                f"`{name}`",
                f"{curve.samples[:, LAST].mean():,.0f}",
                *(shown(curve.at(part), "{:.1%}") for part in (EARLY, LAST)),
                shown(small[game][name].at(LAST), "{:.3f}"),
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def shown(estimate: Estimate, form: str) -> str:
    """Return a mean with its interval, if it has one, by a format such as `{:.3f}`."""
    mean, low, high = (
        form.format(value).replace("%", " %")
        for value in (estimate.mean, estimate.low, estimate.high)
    )
    if math.isnan(estimate.low):
        return mean
    return f"{mean} ({low.removesuffix(' %')} - {high.removesuffix(' %')})"


if __name__ == "__main__":
    sys.exit(main())
