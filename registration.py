"""Environments by their ids, with agents by their names.

Importing `goldgriff` registers every game with PettingZoo (`goldgriff/auruxxx_v0`) and, as one
learner among opponents, with gymnasium (`goldgriff/Auruxxx-v0`). A game itself is imported at its
first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

from .envs.engine.catalog import VERSIONS
from .naming import AGENT_LOADER

if TYPE_CHECKING:
    from .envs.aec import CardGameEnv
    from .envs.single_agent import SingleAgentEnv
    from .envs.vector import SingleAgentVectorEnv


def make(env_id: str, num_players: int | None = None, **options: Any) -> "CardGameEnv":
    """Make the PettingZoo AEC environment of a game.

    Args:
        env_id: The game's name, `auruxxx`, or its id with the version, `auruxxx_v0`.
        num_players: Seats at the table; None for the game's default.
        **options: `reward`, `render_mode`, `knowledge`, `history` (see `CardGameEnv`), and the
            settings of the game by name.

    Raises:
        GoldgriffError: There is no such environment.
        SettingsError: An option does not fit.
    """
    env: CardGameEnv = _module(env_id).env(num_players=num_players, **options)
    return env


def make_vec(
    env_id: str, num_envs: int = 1, *, num_players: int | None = None, **options: Any
) -> "SingleAgentVectorEnv":
    """Make the gymnasium vector environment of a game, with one learner in each.

    Args:
        env_id: The game's name, `auruxxx`, or its id with the version, `auruxxx_v0`.
        num_envs: Games that are played side by side, from 1.
        num_players: Seats at each table; None for the game's default.
        **options: `opponents` (agents or their names), `player` (the learner's seat; `"all"` for
            every seat), `reward`, `threads`, `history` (see `SingleAgentVectorEnv`), and the
            settings of the game by name.

    Raises:
        GoldgriffError: There is no such environment.
        SettingsError: An option does not fit.
    """
    if num_players is not None:
        options["num_players"] = num_players
    return single_agent_vector_env(env_id, num_envs, **options)


def single_agent_env(game: str, **options: Any) -> "SingleAgentEnv":
    """Make the gymnasium environment of one learner; for the options see `SingleAgentEnv.make`."""
    env: SingleAgentEnv = _module(game).single_agent_env(**options)
    return env


def single_agent_vector_env(game: str, num_envs: int = 1, **options: Any) -> "SingleAgentVectorEnv":
    """Make the gymnasium vector environment of one learner in each game."""
    envs: SingleAgentVectorEnv = _module(game).single_agent_vector_env(num_envs, **options)
    return envs


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


def _load_agent(given: Any, game: Any) -> Any:
    from .agents.registry import load_agent

    return load_agent(given, game)


AGENT_LOADER[:] = [_load_agent]
for _name, _version in VERSIONS.items():
    register(_name, _version)
