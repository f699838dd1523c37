"""Environments by their ids, with agents by their names.

Importing `goldgriff` registers every game with PettingZoo (`goldgriff/auruxxx_v0`) and, as one
learner among opponents, with gymnasium (`goldgriff/Auruxxx-v0`). A game itself is imported at its
first use.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, overload

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
    from .envs.gluecksgriff.rules import Blank
    from .envs.single_agent import Opponents, SingleAgentEnv
    from .envs.vector import SingleAgentVectorEnv


# The options of `make`, `make_vec` and `sb3_vec_env` by game, for type checkers and for completion
# in editors. A setting has its range and its meaning in `envs/GAME/rules.py`.

AuruxxxName = Literal["auruxxx", "auruxxx_v0", "Auruxxx"]
GluecksgriffName = Literal["gluecksgriff", "gluecksgriff_v1", "Glücksgriff"]


class EnvOptions(TypedDict, total=False):
    """The options that all environments have."""

    reward: "Reward"
    illegal: Literal["lose", "raise"]
    illegal_reward: float | None
    history: int


class AecOptions(EnvOptions, total=False):
    """Those of an AEC environment."""

    render_mode: Literal["ansi", "human", "rgb_array"] | None
    knowledge: bool


class LearnerOptions(EnvOptions, total=False):
    """Those of many games with a learner in each."""

    num_players: int | None
    opponents: "Opponents"
    player: int | Literal["all"] | None
    threads: int


class VectorOptions(LearnerOptions, total=False):
    """Those of gymnasium's vector environment."""

    autoreset_mode: "AutoresetMode | Literal['SameStep', 'NextStep']"


class SB3Options(LearnerOptions, total=False):
    """Those of games for Stable-Baselines3."""

    seed: int | None


class AuruxxxSettings(TypedDict, total=False):
    """The settings of Auruxxx."""

    preset: Literal["german", "english", "web", "italian", "tiny-a", "tiny-b", "tiny-c", "small-a"]
    rounds: int
    hand_size: int
    colours: int
    highest_number: int
    number_copies: int
    fifties: int
    happy_men: int
    golden_twelves: int
    blessings: int
    steals: int
    swaps: int
    edition: Literal["german", "italian", "web"]
    after_action: Literal["free", "lay"]
    blessing_draws: Literal["others", "all"]
    golden_value: int
    deck: Mapping[str, int] | Sequence[tuple[str, int]]
    max_passes: int
    max_draws: int
    cards_per_two: int
    max_turns: int
    max_decisions: int


class GluecksgriffSettings(TypedDict, total=False):
    """The settings of Glücksgriff."""

    preset: Literal["book", "experts", "tiny-a", "tiny-b", "tiny-c", "small-a"]
    point_limit: int
    hand_size: int
    copies: int
    highest_value: int
    jokers: int
    hourglasses: int
    magic_hands: int
    bluffing: bool
    penalties: bool
    late_knock: int
    last_turn: Literal["optional", "forced"]
    fend_off: Literal["free", "turn"]
    challenge_prize: Literal["one", "both"]
    joker_knock: Literal["strict", "run_end", "wide"]
    blanks: "Sequence[Blank | dict[str, Any]]"
    deck: Mapping[str, int] | Sequence[tuple[str, int]]
    max_rounds: int
    max_turns: int
    max_decisions: int


class AuruxxxAec(AecOptions, AuruxxxSettings, total=False):
    """All that `make` takes for Auruxxx."""


class AuruxxxVector(VectorOptions, AuruxxxSettings, total=False):
    """All that `make_vec` takes for Auruxxx."""


class AuruxxxSB3(SB3Options, AuruxxxSettings, total=False):
    """All that `sb3_vec_env` takes for Auruxxx."""


class GluecksgriffAec(AecOptions, GluecksgriffSettings, total=False):
    """All that `make` takes for Glücksgriff."""


class GluecksgriffVector(VectorOptions, GluecksgriffSettings, total=False):
    """All that `make_vec` takes for Glücksgriff."""


class GluecksgriffSB3(SB3Options, GluecksgriffSettings, total=False):
    """All that `sb3_vec_env` takes for Glücksgriff."""


# At runtime every name of a game will do.
@overload
def make(
    env_id: AuruxxxName, num_players: int | None = None, **options: Unpack[AuruxxxAec]
) -> "CardGameEnv": ...
@overload
def make(
    env_id: GluecksgriffName, num_players: int | None = None, **options: Unpack[GluecksgriffAec]
) -> "CardGameEnv": ...
@overload
def make(env_id: "Game", num_players: int | None = None, **options: Any) -> "CardGameEnv": ...


def make(env_id: "Game | str", num_players: int | None = None, **options: Any) -> "CardGameEnv":
    """Make the PettingZoo AEC environment of a game.

    Args:
        env_id: The game's name, `auruxxx`, or its id with the version, `auruxxx_v0`.
        num_players: Seats at the table; None for the game's default.
        **options: Those of the environment and the settings of the game by name:

            - `reward`: `points`, `win`, `rank`, a function of the final points, or its name as
              `module:function`.
            - `illegal`: what an illegal action does: `lose` (the game ends) or `raise` MoveError.
            - `illegal_reward`: the reward of an agent that loses so; needed with a reward function
              of your own, else the library has one.
            - `render_mode`: None, `ansi`, `human` or `rgb_array`.
            - `knowledge`: whether observations have the cards known in the others' hands.
            - `history`: how many past events an observation holds; 0 for none.
            - `preset`, or any setting of the game.

    Raises:
        GoldgriffError: There is no such environment.
        UnknownSettingError: There is no such setting; it is a `TypeError`, too.
        SettingsError: An option does not fit.
    """
    env: CardGameEnv = _module(env_id).env(num_players=num_players, **options)
    return env


@overload
def make_vec(
    env_id: AuruxxxName, num_envs: int = 1, **options: Unpack[AuruxxxVector]
) -> "SingleAgentVectorEnv": ...
@overload
def make_vec(
    env_id: GluecksgriffName, num_envs: int = 1, **options: Unpack[GluecksgriffVector]
) -> "SingleAgentVectorEnv": ...
@overload
def make_vec(env_id: "Game", num_envs: int = 1, **options: Any) -> "SingleAgentVectorEnv": ...


def make_vec(env_id: "Game | str", num_envs: int = 1, **options: Any) -> "SingleAgentVectorEnv":
    """Make the gymnasium vector environment of a game, with one learner in each.

    Args:
        env_id: The game's name, `auruxxx`, or its id with the version, `auruxxx_v0`.
        num_envs: Games that are played side by side, from 1.
        **options: Those of the environment and the settings of the game by name:

            - `num_players`: seats at each table; None for the game's default.
            - `opponents`: agents or their names: one for all other seats or one for each, clockwise
              from the learner; None plays at random.
            - `player`: the learner's seat, None for a random one in each game, `all` for every
              seat.
            - `reward`, `illegal`, `illegal_reward` and `history`: as for `make`.
            - `threads`: from 1; results are the same for every number.
            - `autoreset_mode`: `SameStep` or `NextStep`, also as gymnasium's `AutoresetMode`.
            - `preset`, or any setting of the game.

    Raises:
        GoldgriffError: There is no such environment.
        UnknownSettingError: There is no such setting; it is a `TypeError`, too.
        SettingsError: An option does not fit.
    """
    envs: SingleAgentVectorEnv = _module(env_id).single_agent_vector_env(num_envs, **options)
    return envs


@overload
def sb3_vec_env(
    env_id: AuruxxxName, num_envs: int = 1, **options: Unpack[AuruxxxSB3]
) -> "VecEnv": ...
@overload
def sb3_vec_env(
    env_id: GluecksgriffName, num_envs: int = 1, **options: Unpack[GluecksgriffSB3]
) -> "VecEnv": ...
@overload
def sb3_vec_env(env_id: "Game", num_envs: int = 1, **options: Any) -> "VecEnv": ...


def sb3_vec_env(env_id: "Game | str", num_envs: int = 1, **options: Any) -> "VecEnv":
    """Make games with one learner each, stepped together, for Stable-Baselines3.

    It is a `VecMonitor`, as SB3's own `make_vec_env` returns; sb3-contrib finds the masks:
    `MaskablePPO("MlpPolicy", sb3_vec_env("auruxxx", 64)).learn(100_000)`.

    Args:
        env_id: The game's name, `auruxxx`, or its id with the version, `auruxxx_v0`.
        num_envs: Games that are played side by side, from 1.
        **options: Those of `make_vec` but `autoreset_mode`, and the settings of the game by name.
            With `history`, policies are `MultiInputPolicy`. With a `seed` the first reset starts
            with the games of this seed, of this seed + 1, ...; None for random ones.

    Raises:
        GoldgriffError: There is no such game, or the extra `train` is missing.
        UnknownSettingError: There is no such setting; it is a `TypeError`, too.
        SettingsError: An option does not fit.
    """
    vec_env = import_extra("goldgriff.train.vec_env", "train", "sb3_vec_env")
    env: VecEnv = vec_env.make_vec_env(env_id, num_envs, options.pop("seed", None), options)
    return env


def single_agent_env(env_id: "Game | str", **options: Any) -> "SingleAgentEnv":
    """Make the gymnasium environment of one learner; for the options see `SingleAgentEnv.make`."""
    env: SingleAgentEnv = _module(env_id).single_agent_env(**options)
    return env


def register(name: str, version: int) -> None:
    """Register a version of a game with PettingZoo and gymnasium."""
    env_id = f"{name}_v{version}"
    if hasattr(pettingzoo, "register"):  # since 1.27
        pettingzoo.register("aec", f"goldgriff/{env_id}", f"goldgriff.envs.{env_id}:env")
    gymnasium.register(
        f"goldgriff/{name.capitalize()}-v{version}",
        entry_point="goldgriff.registration:single_agent_env",
        vector_entry_point="goldgriff.registration:make_vec",
        kwargs={"env_id": name},
    )


def _module(game: "Game | str") -> Any:
    """Import the module that makes the environments of a game. Raises GoldgriffError."""
    from .envs.engine.game import get_game

    return import_module(f"goldgriff.envs.{get_game(game).id}")


def _load_agent(agent: Any, game: Any) -> Any:
    from .agents.registry import load_agent

    return load_agent(agent, game)


AGENT_LOADER[:] = [_load_agent]
for _name, _version in VERSIONS.items():
    register(_name, _version)
