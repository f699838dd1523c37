"""Training from Python: what `goldgriff.train_agent` does and returns."""

import re
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ..agents.ensemble import TrainedPolicy
from ..agents.model_card import push_to_hub, write_model_folder
from ..agents.model_folder import load_model_folder
from ..agents.registry import is_code, load_agent
from ..cli.options import import_extra
from ..envs.engine.game import Game, get_game
from ..envs.policy import Agent
from ..errors import SettingsError, quoted
from ..eval.workers.ray import connect
from ..files import write_whole
from ..naming import import_attribute
from .algorithms import get_algorithm
from .logging import CHART, TABLE
from .run_folder import ResumeError, agents_of, read_settings
from .runner import CHECKPOINTS, OnUpdate, resolve_rules, run_training
from .settings import RunSettings

_OBJECT = re.compile(r"[\w.<>]+ \d+")  # as `_name_of` calls an agent that is an object


@dataclass(frozen=True, repr=False)
class TrainingRun:
    """A training run: what it did, and where its files are.

    Attributes:
        game: The game.
        algorithm: Its name in ALGORITHMS.
        path: The folder of the run.
        figures: A dict for each update, with `timesteps` and the figures of the algorithm by name;
            after an evaluation also `eval/win_share` and the ends of its interval. Those from
            before a resume come first.
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
    def best(self) -> Agent:
        """The best agent by the evaluations, or the newest where there were none."""
        return self.load_agent()

    def load_agent(self, timesteps: int | None = None) -> Agent:
        """Return an agent of the run.

        Args:
            timesteps: One as saved after so many timesteps; None for `best`.

        Raises:
            ResumeError: None was saved then; the message names those that were.
        """
        if timesteps is None:
            return self._trained()
        saved = {int(path.stem): path for path in (self.path / CHECKPOINTS).glob("*.safetensors")}
        if timesteps not in saved:
            known = ", ".join(map(str, sorted(saved)))
            raise ResumeError(f"{self.path} has agents of {known} timesteps, not of {timesteps}")
        return load_agent(saved[timesteps], self.game)

    def save_pretrained(self, save_directory: str | Path) -> None:
        """Write the best agent as a model repository, with the curve of the run.

        Args:
            save_directory: Its folder, made if it does not exist.

        Raises:
            FileError: It cannot be written to.
        """
        write_model_folder(self._trained(), Path(save_directory))
        for path in self._curve():
            write_whole(Path(save_directory) / path.name, path.read_bytes())

    def push_to_hub(self, repo_id: str, **options: Any) -> str:
        """Upload the same files to the Hugging Face Hub, and return the address of the commit.

        Args:
            repo_id: `user/name`; made if it does not exist.
            **options: `commit_message`, `private`, `token`, `branch`, `create_pr`; see `upload` in
                agents/hub.py.

        Raises:
            GoldgriffError: The extra `hub` is missing, or the Hub refuses or cannot be reached.
        """
        return push_to_hub(self._trained(), repo_id, also=self._curve(), **options)

    def _trained(self) -> TrainedPolicy:
        return load_model_folder(self.path, self.game)

    def _curve(self) -> list[Path]:
        return [path for path in (self.path / TABLE, self.path / CHART) if path.exists()]

    def to_pandas(self) -> Any:
        """Return the figures as a DataFrame, a row for each update.

        Raises:
            GoldgriffError: The extra `pandas` is missing.
        """
        return import_extra("pandas", "pandas", "to_pandas").DataFrame(self.figures)


def train_agent(
    game: Game | str,
    algorithm: str,
    preset: str,
    out: str | Path | None,
    on_update: OnUpdate | None,
    given: Mapping[str, Any],
    *,
    total_timesteps: int | None,
    num_players: int | Sequence[int] | None,
    resume: bool,
    trust: bool,
    ray: bool | str,
) -> TrainingRun:
    """Train as `goldgriff.train_agent` says, which documents the arguments."""
    game = get_game(game)
    if on_update is not None and not callable(on_update):
        raise SettingsError(f"on_update must be a function of the figures, not {quoted(on_update)}")
    path = Path(f"runs/{game.name}-{algorithm}-{preset}" if out is None else out)
    values, objects = dict(given), dict[str, Any]()
    if num_players is not None:
        if "players" in values:
            raise SettingsError("players and num_players are the same setting: give one of them")
        values["players"] = [num_players] if isinstance(num_players, int) else list(num_players)
    rules = values.get("rules")
    fixed = game.settings.fixed_players(rules) if isinstance(rules, Mapping) else None
    if fixed is not None:
        values.setdefault("players", [fixed])
    _name_agents(values, objects)
    if resume:
        begun_with, settings = read_settings(game, path, trust=trust)
        if begun_with != algorithm:
            raise ResumeError(f"the run in {path} is of algorithm {quoted(begun_with)}")
        _check_as_begun(game, settings, values, objects)
    else:
        defaults = get_algorithm(algorithm).preset(preset)
        settings = type(defaults).from_dict(defaults.to_dict() | values)
    if total_timesteps is not None:
        settings = replace(settings, total_timesteps=total_timesteps)
    code = bool(objects) or any(map(is_code, agents_of(settings.to_dict())))
    with connect(ray, code=code) if ray else nullcontext() as cluster:
        run = run_training(
            *(game, algorithm, settings, path),
            resume=resume,
            on_update=on_update,
            objects=objects,
            cluster=cluster,
        )
    return TrainingRun(game, algorithm, path, run.log.rows, run.stopped)


def _name_agents(values: dict[str, Any], objects: dict[str, Any]) -> None:
    """Replace agents and a reward by the names that settings hold; see `_name_of`."""
    if "eval_opponent" in values:
        values["eval_opponent"] = _name_of(values["eval_opponent"], objects)
    opponents = values.get("fixed_opponents")
    if isinstance(opponents, list | tuple):
        values["fixed_opponents"] = [_name_of(one, objects) for one in opponents]
    if callable(values.get("reward")):
        values["reward"] = _reference_to(values["reward"])


def _check_as_begun(
    game: Game, settings: RunSettings, given: Mapping[str, Any], objects: Mapping[str, Any]
) -> None:
    """Refuse settings that are not those of the run to resume, and a run without its objects.

    Raises:
        SettingsError: A setting is another.
        ResumeError: An agent of the run was an object, which is not given.
    """
    kind, begun = type(settings), settings.to_dict()
    changed = [
        name
        for name, value in given.items()
        if resolve_rules(game, kind.from_dict({**begun, name: value})) != settings
    ]
    if changed:
        raise SettingsError(f"a run is resumed as begun, not with another {' or '.join(changed)}")
    for name in agents_of(begun):
        if _OBJECT.fullmatch(name) and name not in objects and not Path(name).exists():
            raise ResumeError(
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
        kind = agent if hasattr(agent, "__qualname__") else type(agent)
        name = f"{kind.__qualname__} {len(objects) + 1}"
        known = next((name for name, one in objects.items() if one is agent), name)
        objects[known] = agent
        return known


def _reference_to(given: Any) -> str:
    """Return a function or class as `module:name`; raise SettingsError where that is another."""
    name = f"{getattr(given, '__module__', '')}:{getattr(given, '__qualname__', '')}"
    try:
        found = import_attribute(name)
    except Exception:
        found = None
    if found is not given:
        raise SettingsError(f"{quoted(given)} cannot be named: put it at the top of a module")
    return name
