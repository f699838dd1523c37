"""Goldgriff: two card games as reinforcement-learning environments, with agents and training.

Everything that is not needed to name an environment is imported at its first use.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

# Absolute, since pytest also imports this file under the name of the checkout.
from goldgriff.cli.options import import_extra
from goldgriff.errors import (
    AgentError,
    GoldgriffError,
    MoveError,
    PositionError,
    RecordError,
    ResetError,
    SettingsError,
    UnknownSettingError,
)
from goldgriff.registration import make, make_vec, sb3_vec_env

if TYPE_CHECKING:
    from goldgriff.agents.hub import from_pretrained
    from goldgriff.agents.onnx_export import export_onnx
    from goldgriff.agents.registry import load_agent
    from goldgriff.envs.batch import Batch
    from goldgriff.envs.engine.game import Game, get_game
    from goldgriff.envs.match import Match
    from goldgriff.envs.policy import Agent, ObservationBatch, Policy
    from goldgriff.eval.tournament.api import play_tournament
    from goldgriff.train.api import TrainingRun

__version__ = "0.1.0"

_MODULES = {  # what is imported at its first use, and from where
    "Agent": "envs.policy",
    "Batch": "envs.batch",
    "Game": "envs.engine.game",
    "Match": "envs.match",
    "ObservationBatch": "envs.policy",
    "Policy": "envs.policy",
    "export_onnx": "agents.onnx_export",
    "from_pretrained": "agents.hub",
    "get_game": "envs.engine.game",
    "load_agent": "agents.registry",
    "play_tournament": "eval.tournament.api",
}

__all__ = [
    "Agent",
    "AgentError",
    "Batch",
    "Game",
    "GoldgriffError",
    "Match",
    "MoveError",
    "ObservationBatch",
    "Policy",
    "PositionError",
    "RecordError",
    "ResetError",
    "SettingsError",
    "UnknownSettingError",
    "export_onnx",
    "from_pretrained",
    "get_game",
    "load_agent",
    "make",
    "make_vec",
    "play_tournament",
    "register_open_spiel",
    "sb3_vec_env",
    "train_agent",
]


if not TYPE_CHECKING:  # for type checkers every name would be there

    def __getattr__(name: str) -> Any:
        """Import what is asked for first; Python asks here for missing names."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f"goldgriff.{_MODULES[name]}"), name)
        return value


def __dir__() -> list[str]:
    """Return the public names, also those that are not imported yet."""
    return sorted(__all__)


def register_open_spiel() -> None:
    """Register the games with OpenSpiel, as `goldgriff_auruxxx` and `goldgriff_gluecksgriff`.

    Afterwards `pyspiel.load_game` loads them; docs/guides/open-spiel.md has their parameters.

    Raises:
        GoldgriffError: The extra `openspiel` is missing.
    """
    import_extra("goldgriff.eval.game_theory.open_spiel.game", "openspiel", "OpenSpiel").register()


def train_agent(
    game: "Game | str",
    algorithm: str,
    *,
    total_timesteps: int | None = None,
    num_players: int | Sequence[int] | None = None,
    preset: str = "quick",
    on_update: "Callable[[dict[str, float]], object] | None" = None,
    out: str | Path | None = None,
    resume: bool = False,
    trust: bool = False,
    ray: bool | str = False,
    **settings: Any,
) -> "TrainingRun":
    """Train an agent by self-play, and return the run: its figures, its agents, its folder.

    Args:
        game: The game, or its name.
        algorithm: `ppo`, `maskable`, `lookahead`, `rollout`, `dmc` or `nfsp`.
        total_timesteps: Decisions to learn from in all; None for the preset's.
        num_players: A number of players, or several, which get equal parts of the games.
        preset: The settings to begin with: `smoke`, `quick`, `long` or another of the algorithm's.
        on_update: Called after every update with its figures by name, among them `timesteps`,
            `updates` and, where the agent was evaluated, `eval/win_share`. Where it returns False,
            as callbacks of Stable-Baselines3 do, the run stops; it is saved and can be resumed.
        out: Folder of the run; None for `runs/GAME-ALGORITHM-PRESET`.
        resume: Whether to go on with the run in `out`, with its settings; only `total_timesteps`
            may be another. Agents that were objects are given again.
        trust: Whether to import and run what the run in `out` names as `module:Class`.
        ray: Where `actors=N` play, in place of processes of this machine (docs/guides/ray.md).
        **settings: Other settings of the algorithm (docs/guides/training.md). `eval_opponent` and
            `fixed_opponents` take agents as `load_agent` does.

    Raises:
        SettingsError: A setting is unknown or not allowed.
        ResumeError: `out` holds a run already, or there is none to resume.
        AgentError: The run to resume names code that nobody trusts, or an agent cannot be loaded.
        FileError: `out` cannot be written to.
        GoldgriffError: There is no such game, or the extra `train` is missing.
    """
    api = import_extra("goldgriff.train.api", "train", "training")
    run: TrainingRun = api.train_agent(
        *(game, algorithm, preset, out, on_update, settings),
        total_timesteps=total_timesteps,
        num_players=num_players,
        resume=resume,
        trust=trust,
        ray=ray,
    )
    return run
