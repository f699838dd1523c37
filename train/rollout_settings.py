"""Settings and presets of `rollout`, see train/rollout.py."""

from dataclasses import dataclass, field
from typing import Any

from ..agents.value import MAX_BONUS, MIN_BONUS
from ..envs.engine.reading import number_or_none
from ..envs.engine.settings import fraction, whole
from ..errors import SettingsError, quoted
from .networks import ActorSettings
from .settings import MAX_ENVS, MAX_ROWS, MAX_STEPS, check_agent, read_widths

PRESETS: dict[str, dict[str, Any]] = {
    "smoke": {
        "total_timesteps": 2_048,
        "n_envs": 64,
        "n_steps": 8,
        "critic_timesteps": 512,
        "base_policy_timesteps": 1_024,
        "base_rollout_timesteps": 1_536,
        "batch_size": 128,
        "buffer_size": 1_024,
        "hidden": [16],
        "critic_hidden": [16],
    },
    "quick": {
        "total_timesteps": 5_500_000,
        "base_rollout_timesteps": 10_000_000,
        "eval_every_updates": 18,
    },
    # The settings of the champion of Glücksgriff, which had other scripts as opponents, too.
    "long": {
        "total_timesteps": 40_000_000,
        "fixed_opponents": 5 * ["expert"] + ["random"],
        "mixed_tables": 0.5,
        "base_policy_timesteps": 800_000,
        "base_rollout_timesteps": 800_000,
        "rollout_actions": 5,
        "margin": 0.0,
        "no_advice": 0.2,
        "win_bonus": 300.0,
        "learning_rate": 2e-3,
        "lr_half_life_timesteps": 8_000_000,
        "replay_ratio": 4,
        "batch_size": 1024,
        "gae_lambda": 0.95,
        "ema_decay": 0.99,
        "critic_ema_decay": 0.98,
        "hidden": [192, 64],
        "eval_every_updates": 60,
        "eval_deals": 500,
    },
    # An approximate best response to an agent from its own weights: how exploitable it is. Give
    # fixed_opponents, initial_policy and eval_opponent.
    "exploit": {
        "total_timesteps": 5_000_000,
        "critic_timesteps": 1_000_000,
        "base_policy_timesteps": 0,
        "base_rollout_timesteps": 0,
        "self_play": 0.0,
        "rollout_actions": 5,
        "margin": 0.0,
        "no_advice": 0.2,
        "win_bonus": 300.0,
        "learning_rate": 3e-4,
        "batch_size": 1024,
        "gae_lambda": 0.95,
        "ema_decay": 0.98,
        "eval_every_updates": 20,
        "eval_deals": 500,
    },
}


@dataclass(frozen=True, kw_only=True)
class RolloutSettings(ActorSettings):
    """Settings of `rollout` beside those of every run.

    Attributes:
        critic_hidden: Widths of the critic's hidden layers.
        mixed_tables: Probability that the opponents of a single learner are drawn one by one.
        priority: How much more often a learner meets opponents that it loses to (see
            train/opponent_pool.py); 0: all alike.
        rollout_fraction: Fraction of the decisions in which actions are tried although the network
            values none above the base policy's. Where it values one above it, it always tries.
        rollout_actions: Actions tried in a decision: the base policy's, a random one, and the best
            by the newest policy.
        rollout_turns: At which later turn of the learner the critic takes over.
        base_policy: Scripted agent whose action is marked in the features.
        critic_timesteps: For how long only the critic learns.
        base_policy_timesteps: For how long the base policy decides for the learner.
        base_rollout_timesteps: For how long it does so in rollouts; it is faster.
        no_advice: Fraction of the tried decisions in which the base policy's action is not marked.
            With 1 the agent never asks the base policy.
        margin: Added to the value of the base policy's action at first. From then on it follows
            from what is tried (see train/margin.py); 0: there is none throughout.
        initial_policy: Agent of an earlier run with the same layers, from whose weights and margin
            policy and critic start; empty: none.
        win_bonus: Value of winning the game, in points. The value of a round is that times what it
            adds to the probability of winning by the scores, less the points of the round.
        score_temperature: Points of a lead that make a player e times as likely to win (see
            `win_probabilities` in envs/engine/win_chances.py).
        epsilon: Probability of a random action.
        learning_rate: Adam's, of the policy.
        critic_learning_rate: Adam's, of the critic.
        lr_half_life_timesteps: Timesteps in which both learning rates halve, smoothly; 0: never.
        buffer_size: Newest tried decisions that are learnt from.
        replay_ratio: How often each is learnt from on average.
        batch_size: Tried decisions in a gradient step.
        max_grad_norm: Norm at which gradients are clipped.
        gae_lambda: Of the critic's returns.
        ema_decay: Of the agent, an exponential moving average of the policy over updates.
        critic_ema_decay: Of the critic that values rollouts, a moving average as well. The noise
            of the newest steps would exceed the differences between actions.
    """

    n_envs: int = whole(4096, most=MAX_ENVS)
    n_steps: int = whole(12, most=MAX_STEPS)
    fixed_opponents: list[str] = field(default_factory=lambda: ["expert", "expert", "random"])
    pool_size: int = whole(0, least=0, most=1000)
    self_play: float = fraction(0.02)
    checkpoint_every_updates: int = whole(60)
    mixed_tables: float = fraction(0.6)
    priority: float = fraction(0.25)
    hidden: list[int] = field(default_factory=lambda: [128, 64])
    critic_hidden: list[int] = field(default_factory=lambda: [256, 128])
    rollout_fraction: float = fraction(0.1)
    rollout_actions: int = whole(3, least=2, most=1000)
    rollout_turns: int = whole(1, most=1000)
    base_policy: str = "expert"
    critic_timesteps: int = whole(200_000, least=0)
    base_policy_timesteps: int = whole(400_000, least=0)
    base_rollout_timesteps: int = whole(400_000, least=0)
    no_advice: float = fraction(0.5)
    margin: float = fraction(0.2)
    initial_policy: str = ""
    win_bonus: float = 200.0
    score_temperature: float = 11.0
    epsilon: float = fraction(0.05)
    learning_rate: float = fraction(3e-3)
    critic_learning_rate: float = fraction(2e-3)
    lr_half_life_timesteps: int = whole(2_000_000, least=0)
    buffer_size: int = whole(1_000_000, most=MAX_ROWS)
    replay_ratio: int = whole(3, most=1000)
    batch_size: int = whole(512, least=2, most=MAX_ROWS)
    max_grad_norm: float = fraction(0.5)
    gae_lambda: float = fraction(0.8)
    ema_decay: float = fraction(0.95)
    critic_ema_decay: float = fraction(0.95)

    def __post_init__(self) -> None:
        super().__post_init__()
        widths = read_widths("critic_hidden", self.critic_hidden)
        object.__setattr__(self, "critic_hidden", widths)
        check_agent("base_policy", self.base_policy)
        check_agent("initial_policy", self.initial_policy)
        for name in ("win_bonus", "score_temperature"):
            number = number_or_none(getattr(self, name))
            if number is None or not MIN_BONUS <= number <= MAX_BONUS:
                raise SettingsError(
                    f"{name} must be from {MIN_BONUS} to {MAX_BONUS}, "
                    f"not {quoted(getattr(self, name))}"
                )
            object.__setattr__(self, name, float(number))
        if self.buffer_size < self.n_envs:
            raise SettingsError(f"buffer_size must be at least {self.n_envs}, which is n_envs")
