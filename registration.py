"""Environments by their ids, with agents by their names.

Importing `goldgriff` registers every game with PettingZoo (`goldgriff/auruxxx_v0`) and, as one
learner among opponents, with gymnasium (`goldgriff/Auruxxx-v0`). A game itself is imported at its
first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import gymnasium
import pettingzoo

from .cli.options import import_extra
from .envs.engine.catalog import VERSIONS
from .naming import AGENT_LOADER

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode
    from stable_baselines3.common.vec_env import VecEnv

    from .envs.aec import CardGameEnv
    from .envs.engine.game import Game
    from .envs.engine.rewards import Reward
    from .envs.single_agent import Opponents, SingleAgentEnv
    from .envs.vector import SingleAgentVectorEnv
    from .setting_types import (
        AuruxxxName,
        AuruxxxOptions,
        Autoreset,
        GluecksgriffName,
        GluecksgriffOptions,
        Illegal,
        RenderMode,
    )


@overload
def make(
    env_id: "AuruxxxName",
    num_players: int | None = None,
    **options: "Unpack[AuruxxxOptions]",
) -> "CardGameEnv": ...
@overload
def make(
    env_id: "GluecksgriffName",
    num_players: int | None = None,
    **options: "Unpack[GluecksgriffOptions]",
) -> "CardGameEnv": ...
@overload
def make(
    env_id: "Game | str",
    num_players: int | None = None,
    *,
    reward: "Reward" = "points",
    illegal: "Illegal" = "lose",
    illegal_reward: float | None = None,
    render_mode: "RenderMode | None" = None,
    knowledge: bool = False,
    history: int = 0,
    **settings: Any,
) -> "CardGameEnv": ...


def make(
    env_id: "Game | str",
    num_players: int | None = None,
    *,
    reward: "Reward" = "points",
    illegal: "Illegal" = "lose",
    illegal_reward: float | None = None,
    render_mode: "RenderMode | None" = None,
    knowledge: bool = False,
    history: int = 0,
    **settings: Any,
) -> "CardGameEnv":
    """Make the PettingZoo AEC environment of a game.

    Args:
        env_id: The game's name, `auruxxx`, or its id with the version, `auruxxx_v0`.
        num_players: Seats at the table; None for the game's default.
        reward: `points`, `win`, `rank`, a function of the final points, or its name as
            `module:function`.
        illegal: What an illegal action does: `lose` (the game ends) or `raise` MoveError.
        illegal_reward: The reward of an agent that loses so; None for the library's, which only a
            reward function of your own does not have.
        render_mode: None, `ansi`, `human` or `rgb_array`.
        knowledge: Whether observations have the cards known in the others' hands.
        history: How many past events an observation holds; 0 for none.
        **settings: The settings of the game by name, or a `preset` of them.

    Raises:
        GoldgriffError: There is no such environment.
        UnknownSettingError: There is no such setting; it is a `TypeError`, too.
        SettingsError: An option does not fit.
    """
    env: CardGameEnv = _module(env_id).env(
        num_players=num_players,
        reward=reward,
        illegal=illegal,
        illegal_reward=illegal_reward,
        render_mode=render_mode,
        knowledge=knowledge,
        history=history,
        **settings,
    )
    return env


def make_vec(
    env_id: "Game | str",
    num_envs: int = 1,
    *,
    num_players: int | None = None,
    opponents: "Opponents" = None,
    player: int | Literal["all"] | None = 0,
    reward: "Reward" = "points",
    illegal: "Illegal" = "lose",
    illegal_reward: float | None = None,
    threads: int = 1,
    history: int = 0,
    autoreset_mode: "AutoresetMode | Autoreset" = "SameStep",
    **settings: Any,
) -> "SingleAgentVectorEnv":
    """Make the gymnasium vector environment of a game, with one learner in each.

    Args:
        env_id: The game's name, `auruxxx`, or its id with the version, `auruxxx_v0`.
        num_envs: Games that are played side by side, from 1.
        num_players: Seats at each table; None for the game's default.
        opponents: Agents or their names: one for all other seats or one for each, clockwise from
            the learner; None plays at random.
        player: The learner's seat, None for a random one in each game, `all` for every seat.
        reward: As for `make`; `illegal`, `illegal_reward` and `history`, too.
        illegal: See `reward`.
        illegal_reward: See `reward`.
        threads: From 1; results are the same for every number.
        history: See `reward`.
        autoreset_mode: `SameStep` or `NextStep`, also as gymnasium's `AutoresetMode`.
        **settings: The settings of the game by name, or a `preset` of them.

    Raises:
        GoldgriffError: There is no such environment.
        UnknownSettingError: There is no such setting; it is a `TypeError`, too.
        SettingsError: An option does not fit.
    """
    if num_players is not None:
        settings["num_players"] = num_players
    return single_agent_vector_env(
        env_id,
        num_envs,
        opponents=opponents,
        player=player,
        reward=reward,
        illegal=illegal,
        illegal_reward=illegal_reward,
        threads=threads,
        history=history,
        autoreset_mode=autoreset_mode,
        **settings,
    )


def sb3_vec_env(
    env_id: "Game | str",
    num_envs: int = 1,
    *,
    num_players: int | None = None,
    seed: int | None = None,
    opponents: "Opponents" = None,
    player: int | Literal["all"] | None = 0,
    reward: "Reward" = "points",
    illegal: "Illegal" = "lose",
    illegal_reward: float | None = None,
    threads: int = 1,
    history: int = 0,
    **settings: Any,
) -> "VecEnv":
    """Make games with one learner each, stepped together, for Stable-Baselines3.

    It is a `VecMonitor`, as what SB3's own `make_vec_env` returns is monitored; sb3-contrib finds
    the masks by itself: `MaskablePPO("MlpPolicy", sb3_vec_env("auruxxx", 64)).learn(100_000)`.

    Args:
        env_id: The game's name, `auruxxx`, or its id with the version, `auruxxx_v0`.
        num_envs: Games that are played side by side, from 1.
        num_players: Seats at each table; None for the game's default.
        seed: The first reset starts with the games of this seed, of this seed + 1, ...; None for
            random ones.
        opponents: As for `make_vec`, like all that follow.
        player: See `opponents`.
        reward: See `opponents`.
        illegal: See `opponents`.
        illegal_reward: See `opponents`.
        threads: See `opponents`.
        history: See `opponents`; with it, policies are `MultiInputPolicy`.
        **settings: The settings of the game by name, or a `preset` of them.

    Raises:
        GoldgriffError: There is no such game, or the extra `train` is missing.
        UnknownSettingError: There is no such setting; it is a `TypeError`, too.
        SettingsError: An option does not fit.
    """
    if num_players is not None:
        settings["num_players"] = num_players
    settings |= {"opponents": opponents, "player": player, "reward": reward, "illegal": illegal}
    settings |= {"illegal_reward": illegal_reward, "threads": threads, "history": history}
    vec_env = import_extra("goldgriff.train.vec_env", "train", "sb3_vec_env")
    env: VecEnv = vec_env.make_vec_env(env_id, num_envs, seed, settings)
    return env


def single_agent_env(game: "Game | str", **options: Any) -> "SingleAgentEnv":
    """Make the gymnasium environment of one learner; for the options see `SingleAgentEnv.make`."""
    env: SingleAgentEnv = _module(game).single_agent_env(**options)
    return env


def single_agent_vector_env(
    game: "Game | str", num_envs: int = 1, **options: Any
) -> "SingleAgentVectorEnv":
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


def _module(game: "Game | str") -> Any:
    """Import the module that makes the environments of a game. Raises GoldgriffError."""
    from .envs.engine.game import get_game

    return import_module(f"goldgriff.envs.{get_game(game).name}.env")


def _load_agent(given: Any, game: Any) -> Any:
    from .agents.registry import load_agent

    return load_agent(given, game)


AGENT_LOADER[:] = [_load_agent]
for _name, _version in VERSIONS.items():
    register(_name, _version)
