"""Settings of every training run; each algorithm adds its own in its own file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

import numpy as np

from ..envs.engine.game import GAMES, Game
from ..envs.engine.reading import whole_or_none
from ..envs.engine.rewards import read_reward
from ..envs.engine.settings import CheckedSettings, GameSettings, fraction, whole
from ..errors import SettingsError, UnknownSettingError, quoted
from ..eval.tournament.config import MAX_DEALS

MAX_SEED = 2**32 - 1
MAX_ENVS, MAX_STEPS = 2**17, 2**16
MAX_ROWS = 2**24  # decisions of an update or in a buffer
MAX_WIDTH, MAX_LAYERS = 2**13, 16  # of hidden layers

Settings = TypeVar("Settings", bound="RunSettings")

SMOKE: dict[str, Any] = {  # what the presets `smoke` of most algorithms share
    "total_timesteps": 4_096,
    "n_envs": 16,
    "n_steps": 32,
    "batch_size": 256,
    "hidden": [32],
}


@dataclass(frozen=True, kw_only=True)
class RunSettings(CheckedSettings):
    """Settings that all algorithms share. A timestep is one decision that is learnt from.

    Attributes:
        rules: Settings of the game by name (`Settings` in its rules.py), or a `preset` of them,
            except `num_players`; what is left out keeps its default.
        players: Numbers of players. With several, each gets an equal part of the games; a number
            given twice gets two parts.
        reward: `points`, `win`, `rank` or `module:function`, see docs/envs.
        seed: Of the run, 0 to 2**32 - 1.
        total_timesteps: Decisions in all.
        n_envs: Games played side by side.
        n_steps: Decisions in each game between two updates.
        fixed_opponents: Agents that stay in the opponent pool, such as `expert`; one given twice
            is met twice as often.
        pool_size: Past versions of the agent in the pool.
        snapshot_every_updates: Updates between two past versions.
        self_play: Probability that a game is played among newest versions only (see
            train/opponent_pool.py).
        checkpoint_every_updates: Updates between two checkpoints.
        eval_opponent: Agent that the learner is evaluated against.
        eval_every_updates: Updates between two evaluations; 0: none.
        eval_deals: Deals of an evaluation, always the same ones.
        max_no_improvement_evals: Training stops after so many evaluations without a new best
            policy; 0: never.
        hidden: Widths of the hidden layers.
        threads: Threads for games and networks; on two cores one is often as fast as two.

    Raises:
        SettingsError: A value is not allowed; the message names what is.
    """

    rules: dict[str, Any] = field(default_factory=dict)
    players: list[int] = field(default_factory=lambda: [4])
    reward: str = "points"
    seed: int = whole(1, least=0, most=MAX_SEED)
    total_timesteps: int = whole(4_000_000)
    n_envs: int = whole(512, most=MAX_ENVS)
    n_steps: int = whole(64, most=MAX_STEPS)
    fixed_opponents: list[str] = field(default_factory=list)
    pool_size: int = whole(4, least=0, most=1000)
    snapshot_every_updates: int = whole(5)
    self_play: float = fraction(0.5)
    checkpoint_every_updates: int = whole(10)
    eval_opponent: str = "expert"
    eval_every_updates: int = whole(10, least=0)
    eval_deals: int = whole(200, least=2, most=MAX_DEALS)
    max_no_improvement_evals: int = whole(0, least=0)
    hidden: list[int] = field(default_factory=lambda: [256, 128])
    threads: int = whole(1, most=1024)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "rules", read_rules(self.rules))
        if "num_players" in self.rules:
            raise SettingsError("rules must leave out num_players, for which there is players")
        read_reward(self.reward)
        players = read_list("players", self.players, "numbers of players")
        object.__setattr__(self, "players", players)
        object.__setattr__(self, "hidden", read_widths("hidden", self.hidden))
        check_agent("eval_opponent", self.eval_opponent)
        opponents = self.fixed_opponents
        if not isinstance(opponents, list) or not all(isinstance(x, str) for x in opponents):
            raise SettingsError(
                f"fixed_opponents must be a list of agents, not {quoted(opponents)}"
            )
        if self.n_envs * self.n_steps > MAX_ROWS:
            raise SettingsError(
                f"n_envs times n_steps, the decisions of an update, must be at most {MAX_ROWS}"
            )
        least = len(self.players) * max(1, getattr(self, "actors", 0))
        if self.n_envs < least:
            raise SettingsError(
                f"n_envs must be at least {least}: a game for each number of players and actor"
            )

    def tables(self, game: Game) -> list[GameSettings]:
        """Return the game's settings for each number of players. Raises SettingsError."""
        return [
            game.settings.from_dict(self.rules | {"num_players": count}) for count in self.players
        ]

    @classmethod
    def from_dict(cls, values: Any) -> Self:
        """Read settings from plain data, as `CheckedSettings.from_dict` does.

        Raises:
            SettingsError: A name is unknown, or a value is not allowed.
        """
        for name in values if isinstance(values, dict) else ():
            is_rule = any(name in game.settings.__dataclass_fields__ for game in GAMES.values())
            if is_rule and name not in cls.__dataclass_fields__:
                raise UnknownSettingError(
                    f"{name} is a setting of the game, not of training: give it in rules "
                    f"(--rules {name}=...)"
                )
        return super().from_dict(values)


@dataclass(frozen=True, kw_only=True)
class PolicyGradientSettings(RunSettings):
    """Settings of the algorithms with PPO's loss, under Stable-Baselines3's names.

    Attributes:
        learning_rate: Adam's.
        batch_size: Decisions in a gradient step.
        n_epochs: Passes over the decisions of an update.
        gamma: Discount from a player's decision to its next.
        gae_lambda: Of generalised advantage estimation.
        clip_range: How far the ratio of probabilities may move in an update.
        ent_coef: Weight of the entropy in the loss.
        vf_coef: Weight of the value loss.
        max_grad_norm: Norm at which gradients are clipped.
    """

    learning_rate: float = fraction(5e-4)
    batch_size: int = whole(2048, least=2, most=MAX_ROWS)
    n_epochs: int = whole(3)
    gamma: float = fraction(0.995)
    gae_lambda: float = fraction(0.95)
    clip_range: float = fraction(0.2)
    ent_coef: float = fraction(0.01)
    vf_coef: float = fraction(0.5)
    max_grad_norm: float = fraction(0.5)


def with_values(preset: Settings, game: Game, values: Mapping[str, Any]) -> Settings:
    """Return a preset with other values; a preset of rules may fix the number of players.

    Raises:
        SettingsError: A name is unknown, or a value is not allowed.
    """
    rules = values.get("rules")
    fixed = game.settings.fixed_players(rules) if isinstance(rules, Mapping) else None
    players = {} if fixed is None else {"players": [fixed]}
    return type(preset).from_dict({**preset.to_dict(), **players, **values})


def read_rules(rules: Any) -> dict[str, Any]:
    """Return settings of a game as plain data, NumPy's numbers as Python's.

    Raises:
        SettingsError: They are no object, or hold something else.
    """
    try:
        plain = json.loads(json.dumps(rules, default=np.generic.item))
    except (TypeError, ValueError, RecursionError):
        plain = None
    if not isinstance(plain, dict):
        raise SettingsError(f"rules must be an object of names and values, not {quoted(rules)}")
    return plain


def read_list(name: str, value: Any, what: str) -> list[int]:
    """Return a list of numbers from 1. Raises SettingsError for anything else."""
    numbers = [whole_or_none(entry) for entry in value] if isinstance(value, list | tuple) else []
    read = [number for number in numbers if number is not None and number > 0]
    if not read or len(read) < len(numbers):
        raise SettingsError(f"{name} must be a list of {what}, not {quoted(value)}")
    return read


def read_widths(name: str, value: Any) -> list[int]:
    """Return a list of widths of hidden layers. Raises SettingsError for anything else."""
    widths = read_list(name, value, "widths")
    if len(widths) > MAX_LAYERS or max(widths) > MAX_WIDTH:
        raise SettingsError(
            f"{name} must be a list of at most {MAX_LAYERS} widths, none above {MAX_WIDTH}, "
            f"not {quoted(value)}"
        )
    return widths


def check_agent(name: str, value: object) -> None:
    """Raise SettingsError if a setting is not a name."""
    if not isinstance(value, str):
        raise SettingsError(f"{name} must be the name of an agent, not {quoted(value)}")
