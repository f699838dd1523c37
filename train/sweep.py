"""Sweeps: independent training runs over seeds and settings, here or on a Ray cluster."""

import itertools
import json
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from ..agents.registry import load_agent
from ..agents.trust import check_trust
from ..cli.options import write_value
from ..envs.engine.game import get_game
from ..envs.engine.settings import GameSettings
from ..errors import GoldgriffError, SettingsError, quoted
from ..eval.game_theory.beliefs import exploit_by_beliefs, probabilities_of
from ..eval.game_theory.states import check_size
from ..eval.workers.ray import RayCluster
from ..eval.workers.tasks import in_processes, run_tasks
from ..files import MAX_JSON, is_filled, make_folder, read_limited, write_together, write_whole
from .algorithms import get_algorithm
from .api import PRESET
from .evaluator import Evaluator
from .logging import write_curves
from .run_folder import agents_of
from .runner import CHECKPOINTS, run_training
from .settings import RunSettings, with_values

SWEEP, RESULT = "sweep.json", "result.json"
TABLE, CHART = "sweep.csv", "sweep.png"
_MAX_NAME = 150  # characters of a folder's
_BLUE = "#4a6a8a"


@dataclass(frozen=True)
class Sweep:
    """Training runs, for each seed and each choice of the values to vary.

    Attributes:
        game: Name of the game.
        algorithm: Name of the algorithm, unless `vary` has it.
        settings: Those that all runs share, as plain data; the preset has the others.
        vary: Values by setting; `algorithm` is one, too.
        seeds: Seeds.
        exploit: Whether the policy of each run is measured by what best responses win against it.
        preset: Name of the preset that the runs begin with.
    """

    game: str
    algorithm: str
    settings: dict[str, Any]
    vary: dict[str, list[Any]]
    seeds: list[int]
    exploit: bool = False
    preset: str = PRESET

    @property
    def algorithms(self) -> str:
        """The names of the algorithms, as titles have them."""
        return ", ".join(self.vary.get("algorithm", [self.algorithm]))

    def runs(self) -> list["SweepRun"]:
        """Return the runs: all seeds of the first choice, then those of the next.

        Raises:
            SettingsError: A value is not allowed, or two runs would be the same.
        """
        game, runs = get_game(self.game), dict[str, SweepRun]()
        for choice in itertools.product(*self.vary.values()):
            varied = dict(zip(self.vary, choice, strict=True))
            algorithm = varied.get("algorithm", self.algorithm)
            preset = get_algorithm(algorithm).preset(self.preset)
            own = {name: value for name, value in varied.items() if name != "algorithm"}
            for seed in self.seeds:
                settings = with_values(preset, game, {**self.settings, **own, "seed": seed})
                words = [f"{name}={json.dumps(value)}" for name, value in varied.items()]
                name = ",".join([*words, f"seed={seed}"]).replace('"', "").replace(" ", "")
                name = name.replace("/", "_")[:_MAX_NAME]
                if name in runs:
                    raise SettingsError(f"two runs of the sweep would be {quoted(name)}")
                runs[name] = SweepRun(name, self.game, algorithm, settings, varied, self.exploit)
        return list(runs.values())

    def agents(self) -> list[str]:
        """Return the names of agents and rewards that the settings have; nothing is imported."""
        varied = [{name: value} for name, values in self.vary.items() for value in values]
        return [name for values in (self.settings, *varied) for name in agents_of(values)]


@dataclass(frozen=True)
class SweepRun:
    """One run of a sweep: its folder's name, what it trains, the values that vary, `exploit`."""

    name: str
    game: str
    algorithm: str
    settings: RunSettings
    varied: dict[str, Any]
    exploit: bool


@dataclass(frozen=True)
class SweepResult:
    """Result of a run: its policy's win share in an evaluation, timesteps, seconds, NashConv."""

    timesteps: int
    seconds: float
    win_share: float
    low: float
    high: float
    nash_conv: float | None = None


def begin_sweep(sweep: Sweep, out: Path) -> None:
    """Note in a folder which sweep is in it.

    Raises:
        GoldgriffError: It holds another one.
        SettingsError: As `Sweep.runs`, or a game is too large for its policies to be exploited.
    """
    runs = sweep.runs()
    if sweep.exploit:
        for settings in {_game_settings(run) for run in runs}:
            check_size(get_game(sweep.game), settings)
    if is_filled(out / SWEEP) and read_sweep(out, trust=True) != sweep:
        raise GoldgriffError(f"{out} holds another sweep; choose another folder")
    make_folder(out)
    write_whole(out / SWEEP, (json.dumps(asdict(sweep), indent=2) + "\n").encode())


def read_sweep(out: Path, *, trust: bool = False) -> Sweep:
    """Return the sweep of a folder; nothing that it names is imported.

    Args:
        out: The folder.
        trust: Whether what it names may be code.

    Raises:
        GoldgriffError: There is none.
        AgentError: It names code that nobody trusts.
    """
    if not is_filled(out / SWEEP):
        raise GoldgriffError(f"no sweep to resume in {out}: it holds no {SWEEP}")
    data: Any = None
    with suppress(OSError, ValueError, RecursionError):
        data = json.loads(read_limited(out / SWEEP, MAX_JSON))
    check_trust(data, f"the sweep in {out}", trust=trust)
    with suppress(TypeError):
        return Sweep(**data)
    raise GoldgriffError(f"no sweep to resume in {out}: {SWEEP} is damaged")


def read_result(folder: Path, *, exploit: bool = False) -> SweepResult | None:
    """Return what came of the run in a folder; None where it has not ended, or is damaged."""
    with suppress(OSError, TypeError, ValueError, RecursionError):
        result = SweepResult(**json.loads(read_limited(folder / RESULT, MAX_JSON)))
        if result.nash_conv is not None or not exploit:
            return result
    return None


def run_sweep(
    sweep: Sweep,
    out: Path,
    *,
    workers: int = 1,
    cluster: RayCluster | None = None,
    on_progress: Callable[[int], object] = lambda _: None,
) -> dict[str, SweepResult]:
    """Train what is missing of a sweep, and return the results by the name of the run.

    Writes a folder for each run, the table `sweep.csv` and the figure `sweep.png`. The runs do not
    depend on who trains them.

    Args:
        sweep: The sweep, which `begin_sweep` has noted in the folder.
        out: Its folder.
        workers: Number of processes, each with a run.
        cluster: Trains in place of the processes; what it has not finished begins anew when the
            sweep is resumed.
        on_progress: Called with the number of runs that have ended.

    Raises:
        GoldgriffError: A run fails; the others that have ended are kept.
    """
    runs = sweep.runs()
    results = {run.name: read_result(out / run.name, exploit=run.exploit) for run in runs}
    missing = [run for run in runs if results[run.name] is None]
    on_progress(len(runs) - len(missing))
    executor = cluster.tasks(train_on_node) if cluster else in_processes(train_run, workers)
    tasks = [(run,) if cluster else (run, out / run.name) for run in missing]
    with closing(run_tasks(executor, tasks)) as ended_runs:
        for number, answer in ended_runs:
            run = missing[number]
            results[run.name] = _write_run(answer, out / run.name) if cluster else answer
            on_progress(len(runs) - list(results.values()).count(None))
    ended = {name: result for name, result in results.items() if result}
    draw = partial(_draw, sweep, runs, ended)
    write_curves(out / TABLE, rows(runs, ended), out / CHART, draw)
    return ended


def _game_settings(run: SweepRun) -> GameSettings:
    """Return the settings of the one game that a run trains for.

    Raises:
        SettingsError: The run trains for several numbers of players.
    """
    tables = run.settings.tables(get_game(run.game))
    if len(tables) != 1:
        raise SettingsError(
            f"exploiting a policy takes one number of players, not {quoted(run.settings.players)}"
        )
    return tables[0]


def train_run(run: SweepRun, folder: Path) -> SweepResult:
    """Train and evaluate a run in its folder, or go on with it there, and write its result.

    Raises:
        GoldgriffError: The run fails, which the message names, or the folder holds another run.
    """
    begun, game, nash_conv = time.monotonic(), get_game(run.game), None
    try:
        run_training(game, run.algorithm, run.settings, folder)
        agent = load_agent(folder, game)
        share = Evaluator(game, run.settings).evaluate(agent)
        if run.exploit:
            policy = probabilities_of(agent)
            nash_conv = exploit_by_beliefs(game, _game_settings(run), policy).nash_conv
    except GoldgriffError as error:
        raise type(error)(f"run {run.name}: {error}") from None
    steps = (path.stem for path in (folder / CHECKPOINTS).glob("*.safetensors"))
    seconds = round(time.monotonic() - begun, 1)
    result = SweepResult(
        max(map(int, steps)), seconds, share.mean, share.low, share.high, nash_conv
    )
    write_whole(folder / RESULT, (json.dumps(asdict(result), indent=2) + "\n").encode())
    return result


def train_on_node(run: SweepRun) -> dict[str, bytes]:
    """Train and evaluate a run; return its files by name: a task of a Ray cluster.

    Raises:
        GoldgriffError: As `train_run`.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "run"
        train_run(run, folder)
        files = (path for path in folder.rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def _write_run(files: dict[str, bytes], folder: Path) -> SweepResult:
    """Write the files of a run that a node has trained; return its result."""
    result = files.pop(RESULT)  # last: by it a run counts as ended
    for name in files:
        make_folder((folder / name).parent)
    write_together({folder / name: content for name, content in files.items()})
    write_whole(folder / RESULT, result)
    return SweepResult(**json.loads(result))


def rows(runs: Sequence[SweepRun], results: Mapping[str, SweepResult]) -> list[dict[str, Any]]:
    """Return a row for each run that has ended, by name: what varies, the seed, and the result."""
    table = []
    for run in runs:
        if run.name in results:
            varied = {name: write_value(value) for name, value in run.varied.items()}
            measured = asdict(results[run.name])
            if not run.exploit:
                del measured["nash_conv"]
            table.append({**varied, "seed": run.settings.seed, **measured})
    return table


def _draw(sweep: Sweep, runs: Sequence[SweepRun], results: Mapping[str, SweepResult]) -> Figure:
    """Draw the results of each run, a group for each choice of values."""
    groups: dict[str, list[SweepResult]] = {}
    for run in runs:
        if run.name in results:
            label = ", ".join(f"{name} = {write_value(it)}" for name, it in run.varied.items())
            groups.setdefault(label or sweep.algorithm, []).append(results[run.name])
    panels = 1 + sweep.exploit
    figure = Figure(figsize=(8, 1.5 + 0.5 * len(groups) * panels), layout="constrained")
    plots = figure.subplots(panels, squeeze=False)[:, 0]
    for axes in plots:
        axes.set_yticks(range(len(groups)), list(groups))
        axes.invert_yaxis()
    for place, group in enumerate(groups.values()):
        for number, result in enumerate(group):
            height = place + 0.5 * ((number + 1) / (len(group) + 1) - 0.5)
            plots[0].plot([result.low, result.high], [height, height], color=_BLUE, lw=1)
            plots[0].plot([result.win_share], [height], "o", color=_BLUE, ms=4)
            if result.nash_conv is not None:
                plots[-1].plot([result.nash_conv], [height], "o", color=_BLUE, ms=4)
    if sweep.exploit:
        plots[-1].set_xlim(left=0)
        plots[-1].set_xlabel("NashConv; a mark for each seed")
    plots[0].set_xlabel("win share in the evaluation, 95% intervals; a mark for each seed")
    plots[0].set_title(f"{get_game(sweep.game).title}: {sweep.algorithms}", fontsize=10)
    return figure
