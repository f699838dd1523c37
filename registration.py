"""Environments by their ids, with agents by their names.

Importing `goldgriff` registers every game with PettingZoo (`goldgriff/auruxxx_v0`) and, as one
learner among opponents, with gymnasium (`goldgriff/Auruxxx-v0`). A game itself is imported at its
first use.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

import gymnasium
import pettingzoo

from .envs.engine.catalog import VERSIONS
from .errors import GoldgriffError

if TYPE_CHECKING:
    from .envs.policy import Policy

Opponents: TypeAlias = "Policy | str | Sequence[Policy | str] | None"


def make(env_id: str, **options: Any) -> Any:
    """Make the PettingZoo AEC environment of an id such as `auruxxx_v0`.

    Args:
        env_id: A game's name with its version.
        **options: Those of the game's `raw_env`.

    Raises:
        GoldgriffError: There is no such environment.
        SettingsError: An option does not fit.
    """
    ids = {f"{name}_v{version}": name for name, version in VERSIONS.items()}
    if env_id in ids:
        return _module(ids[env_id]).env(**options)
    from .envs.engine.game import GAMES, REPLACED

    if env_id.rpartition("_v")[0] in GAMES and env_id in REPLACED:
        raise GoldgriffError(REPLACED[env_id])
    raise GoldgriffError(f"unknown environment {env_id!r}; there are {', '.join(ids)}")


def single_agent_env(game: str, opponents: Opponents = None, **options: Any) -> Any:
    """Make the gymnasium environment of one learner.

    Args:
        game: The name of the game.
        opponents: An agent or its name for all other seats, or one for each.
        **options: See `SingleAgentEnv`, and the settings of the game by name.
    """
    return _module(game).single_agent_env(opponents=_agents(opponents, game), **options)


def single_agent_vector_env(
    game: str,
    num_envs: int = 1,
    opponents: Opponents = None,
    **options: Any,
) -> Any:
    """Make the gymnasium vector environment of one learner in each game."""
    opponents = _agents(opponents, game)
    return _module(game).single_agent_vector_env(num_envs, opponents=opponents, **options)


def register(name: str, version: int) -> None:
    """Register a version of a game with PettingZoo and gymnasium."""
    pettingzoo.register("aec", f"goldgriff/{name}_v{version}", f"goldgriff.envs.{name}.env:env")
    gymnasium.register(
        f"goldgriff/{name.capitalize()}-v{version}",
        entry_point="goldgriff.registration:single_agent_env",
        vector_entry_point="goldgriff.registration:single_agent_vector_env",
        kwargs={"game": name},
    )


def _module(game: str) -> Any:
    """Import the module that makes the environments of a game. Raises GoldgriffError."""
    from .envs.engine.game import get_game

    return import_module(f"goldgriff.envs.{get_game(game).name}.env")


def _agents(given: Any, game: str) -> Any:
    """Return opponents with every name replaced by its agent."""
    if isinstance(given, str):
        from .agents.registry import load_agent
        from .envs.engine.game import get_game

        return load_agent(given, get_game(game))
    if isinstance(given, Sequence):
        return [_agents(one, game) for one in given]
    return given


for _name, _version in VERSIONS.items():
    register(_name, _version)
