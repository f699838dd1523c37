"""Training from Python: `goldgriff.train_agent`, and what it returns.

The module can be imported without the extra `train`, which has torch.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ..agents.ensemble import TrainedPolicy
from ..agents.model_card import push_to_hub, write_model_folder
from ..agents.model_folder import load_model_folder
from ..agents.registry import is_code, load_agent
from ..cli.options import import_extra
from ..envs.engine.game import Game, get_game
from ..envs.policy import Agent
from ..errors import AgentError, SettingsError, quoted
from ..eval.workers.ray import connect
from ..files import as_path, write_whole
from ..naming import import_attribute

AlgorithmName = Literal["rollout", "maskable", "ppo", "dmc", "nfsp"]
PresetName = Literal["smoke", "quick", "long", "plain", "exploit"]  # not all have the last two
ALGORITHM = "rollout"  # the default
PRESET: PresetName = "quick"  # the default
_OBJECT = re.compile(r"[\w.<>]+ \d+")  # as `_name_of` calls an agent that is an object


@dataclass(frozen=True, repr=False)
class TrainingRun:
    """A training run: what it did, and where its files are.

    Attributes:
        game: The game.
        algorithm: Its name in ALGORITHMS.
        path: The folder of the run.
        figures: A dict for each update, with `timesteps` and the figures of the algorithm by name;
            after an evaluation also `eval/win_share`, the ends of its interval and what it compares
            to. Those from before a resume come first.
        stopped: Whether `on_update` ended it.
    """

    game: Game
    algorithm: str
    path: Path
    figures: list[dict[str, float]]
    stopped: bool

    def __repr__(self) -> str:
        done = self.figures[-1]["timesteps"] if self.figures else 0
        stopped = ", stopped" if self.stopped else ""
        return (
            f"TrainingRun({self.game.name}, {self.algorithm}, {done} timesteps, "
            f"{quoted(str(self.path))}{stopped})"
        )

    @cached_property
    def best(self) -> TrainedPolicy:
        """The run's agent: the newest policy, unless an earlier one was clearly better."""
        return load_model_folder(self.path, self.game)

    def load_agent(self, timesteps: int | None = None) -> Agent:
        """Return an agent of the run.

        Args:
            timesteps: One as saved after so many timesteps; None for `best`.

        Raises:
            AgentError: None was saved then; the message names those that were.
        """
        if timesteps is None:
            return self.best
        paths = (self.path / "checkpoints").glob("*.safetensors")
        saved = {int(path.stem): path for path in paths}
        if timesteps not in saved:
            numbers = ", ".join(map(str, sorted(saved)))
            raise AgentError(f"{self.path} has agents of {numbers} timesteps, not of {timesteps}")
        return load_agent(saved[timesteps], self.game)

    def save_pretrained(self, save_directory: str | Path) -> None:
        """Write the agent as a model repository, with the curve of the run.

        Args:
            save_directory: Its folder, made if it does not exist.

        Raises:
            FileError: It cannot be written to.
        """
        folder = as_path(save_directory)
        write_model_folder(self.best, folder)
        for path in self._curve():
            write_whole(folder / path.name, path.read_bytes())

    def push_to_hub(self, repo_id: str, **options: Any) -> str:
        """Upload the same files to the Hugging Face Hub, and return the address of the commit.

        Args:
            repo_id: `user/name`; made if it does not exist.
            **options: `commit_message`, `private`, `token`, `branch`, `create_pr`; see `upload` in
                agents/hub.py.

        Raises:
            GoldgriffError: The extra `hub` is missing, or the Hub refuses or cannot be reached.
        """
        return push_to_hub(self.best, repo_id, also=self._curve(), **options)

    def _curve(self) -> list[Path]:
        return [path for path in self.path.glob("curve.*") if path.suffix in (".csv", ".png")]

    def to_pandas(self) -> Any:
        """Return the figures as a DataFrame, a row for each update.

        Raises:
            GoldgriffError: The extra `pandas` is missing.
        """
        return import_extra("pandas", "pandas", "to_pandas").DataFrame(self.figures)


def training(name: str) -> Any:
    """Import a module of `train`. Raises GoldgriffError where the extra `train` is missing."""
    return import_extra(f"goldgriff.train.{name}", "train", "training")


def train_agent(
    game: Game | str,
    algorithm: AlgorithmName,
    *,
    total_timesteps: int | None = None,
    num_players: int | Sequence[int] | None = None,
    preset: PresetName = PRESET,
    on_update: Callable[[dict[str, float]], object] | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    trust: bool = False,
    ray: bool | str = False,
    **settings: Any,
) -> TrainingRun:
    """Train an agent, and return the run: its figures, its agents, its folder.

    Args:
        game: The game, or its name.
        algorithm: `rollout`, `maskable`, `ppo`, `dmc` or `nfsp`.
        total_timesteps: Decisions to learn from in all; None for the preset's.
        num_players: A number of players, or several, which get equal parts of the games.
        preset: The settings to begin with: `smoke`, `quick`, `long`; also `plain` of `ppo` and
            `exploit` of `rollout`.
        on_update: Called after every update with its figures by name, among them `timesteps`,
            `updates` and, where the agent was evaluated, `eval/win_share`. Where it returns False,
            as callbacks of Stable-Baselines3 do, the run stops; it is saved and can be resumed.
        out: Folder of the run; None for `runs/GAME-ALGORITHM-PRESET`. The run that is there already
            with the same settings is continued, or returned if it is finished.
        resume: Whether to go on with the run in `out`, with its settings; only `total_timesteps`
            may be another. Agents that were objects are given again.
        trust: Whether to import and run what the run in `out` names as `module:Class`.
        ray: Where `actors=N` play, in place of processes of this machine (docs/guides/ray.md).
        **settings: Other settings of the algorithm (docs/guides/training.md). `eval_opponent` and
            `fixed_opponents` take agents as `load_agent` does.

    Raises:
        SettingsError: A setting is unknown or not allowed.
        ResumeError: `out` holds a run with other settings, or there is none to resume.
        AgentError: The run to resume names code that nobody trusts, or an agent cannot be loaded.
        FileError: `out` cannot be written to.
        GoldgriffError: There is no such game, or the extra `train` is missing.
    """
    runner, run_folder = training("runner"), training("run_folder")
    game = get_game(game)
    if on_update is not None and not callable(on_update):
        raise SettingsError(f"on_update must be a function of the figures, not {quoted(on_update)}")
    path = as_path(f"runs/{game.name}-{algorithm}-{preset}" if out is None else out)
    objects: dict[str, Any] = {}
    if num_players is not None:
        if "players" in settings:
            raise SettingsError("players and num_players are the same setting: give one of them")
        settings["players"] = np.atleast_1d(num_players).tolist()
    _name_agents(settings, objects)
    if resume:
        begun_with, values = run_folder.read_settings(game, path, trust=trust)
        if begun_with != algorithm:
            raise run_folder.ResumeError(f"the run in {path} is of algorithm {quoted(begun_with)}")
        _check_objects(run_folder.agents_of(values.to_dict()), objects)
    else:
        values = training("algorithms").get_algorithm(algorithm).preset(preset)
    values = training("settings").with_values(values, game, settings)
    if total_timesteps is not None:
        values = replace(values, total_timesteps=total_timesteps)
    code = bool(objects) or any(map(is_code, run_folder.agents_of(values.to_dict())))
    with connect(ray, code=code) if ray else nullcontext() as cluster:
        run = runner.run_training(
            game,
            algorithm,
            values,
            path,
            resume=resume,
            on_update=on_update,
            objects=objects,
            cluster=cluster,
        )
    return TrainingRun(game, algorithm, path, run.log.rows, run.stopped)


def _name_agents(settings: dict[str, Any], objects: dict[str, Any]) -> None:
    """Replace agents and a reward by the names that settings hold; see `_name_of`."""
    if "eval_opponent" in settings:
        settings["eval_opponent"] = _name_of(settings["eval_opponent"], objects)
    opponents = settings.get("fixed_opponents")
    if isinstance(opponents, list | tuple):
        settings["fixed_opponents"] = [_name_of(agent, objects) for agent in opponents]
    if callable(settings.get("reward")):
        settings["reward"] = _reference_to(settings["reward"])


def _check_objects(names: Sequence[str], objects: Mapping[str, Any]) -> None:
    """Raise ResumeError where an agent of a run was an object, which is not given again."""
    for name in names:
        if _OBJECT.fullmatch(name) and name not in objects and not Path(name).exists():
            raise training("run_folder").ResumeError(
                f"{quoted(name)} of the run was an object: give the same fixed_opponents and "
                "eval_opponent again"
            )


def _name_of(agent: Any, objects: dict[str, Any]) -> str:
    """Return the name by which settings hold an agent; what has none goes into `objects`."""
    if isinstance(agent, str | Path):
        return str(agent)
    try:
        return _reference_to(agent)
    except SettingsError:
        labelled = agent if hasattr(agent, "__qualname__") else type(agent)
        new_name = f"{labelled.__qualname__} {len(objects) + 1}"
        name = next((name for name, other in objects.items() if other is agent), new_name)
        objects[name] = agent
        return name


def _reference_to(function: Any) -> str:
    """Return a function or class as `module:name`; raise SettingsError where that is another."""
    name = f"{getattr(function, '__module__', '')}:{getattr(function, '__qualname__', '')}"
    try:
        named = import_attribute(name)
    except Exception:
        named = None
    if named is not function:
        raise SettingsError(f"{quoted(function)} cannot be named: put it at the top of a module")
    return name
