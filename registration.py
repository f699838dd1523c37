"""Environments by their ids, with agents by their names.

Importing `goldgriff` registers every game with PettingZoo (`goldgriff/auruxxx_v0`) and, as one
learner among opponents, with gymnasium (`goldgriff/Auruxxx-v0`).
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import gymnasium
import pettingzoo

from . import envs as _envs  # noqa: F401  (brings the games)
from .envs.engine.game import GAMES, REPLACED, Game, get_game
from .envs.policy import Policy
from .errors import GoldgriffError

Opponent = Policy | str


def make(env_id: str, **options: Any) -> Any:
    """Make the PettingZoo AEC environment of an id such as `auruxxx_v0`.

    Args:
        env_id: A game's name with its version.
        **options: Those of the game's `raw_env`.

    Raises:
        GoldgriffError: There is no such environment.
        SettingsError: An option does not fit.
    """
    ids = {game.id: game for game in GAMES.values()}
    if env_id not in ids:
        unknown = f"unknown environment {env_id!r}; there are {', '.join(ids)}"
        raise GoldgriffError(REPLACED.get(env_id, unknown))
    return _module(ids[env_id]).env(**options)


def single_agent_env(
    game: str, opponents: Opponent | Sequence[Opponent] | None = None, **options: Any
) -> Any:
    """Make the gymnasium environment of one learner.

    Args:
        game: The name of the game.
        opponents: An agent or its name for all other seats, or one for each.
        **options: See `SingleAgentEnv`, and the settings of the game by name.
    """
    found = get_game(game)
    return _module(found).single_agent_env(opponents=_agents(opponents, found), **options)


def single_agent_vector_env(
    game: str,
    num_envs: int = 1,
    opponents: Opponent | Sequence[Opponent] | None = None,
    **options: Any,
) -> Any:
    """Make the gymnasium vector environment of one learner in each game."""
    found = get_game(game)
    opponents = _agents(opponents, found)
    return _module(found).single_agent_vector_env(num_envs, opponents=opponents, **options)


def register(game: Game) -> None:
    """Register a game with PettingZoo and gymnasium."""
    pettingzoo.register("aec", f"goldgriff/{game.id}", f"goldgriff.envs.{game.name}.env:env")
    gymnasium.register(
        f"goldgriff/{game.name.capitalize()}-v{game.version}",
        entry_point="goldgriff.registration:single_agent_env",
        vector_entry_point="goldgriff.registration:single_agent_vector_env",
        kwargs={"game": game.name},
    )


def _module(game: Game) -> Any:
    return import_module(f"goldgriff.envs.{game.name}.env")


def _agents(given: Any, game: Game) -> Any:
    """Return opponents with every name replaced by its agent."""
    if isinstance(given, str):
        from .agents.registry import load_agent

        return load_agent(given, game)
    if isinstance(given, Sequence):
        return [_agents(one, game) for one in given]
    return given


for _game in GAMES.values():
    register(_game)
