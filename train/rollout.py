"""Rollout policy iteration with the learner's own policy: a network is fitted to action values.

In some decisions of the learner, actions are played in copies of the true game. Everybody plays on
there as in the game itself, the learner by its newest policy, until it has decided a few times
more; then a critic that sees all hands, and who plays, values the rest of the round (see
train/truncated_rollouts.py). A network that values one action at a time, by its features, is
fitted to the differences between the actions of a decision: they were tried in the same deal, so
much of the noise drops out. The learner takes the best action by that network, so rollouts get
better as it does.

Rollouts with the policy itself, again and again: Tesauro and Galperin, "On-line policy improvement
using Monte-Carlo search", NeurIPS 1996 (arXiv 2501.05407); Lagoudakis and Parr, "Reinforcement
learning as classification: leveraging modern classifiers", ICML 2003. Truncated rollouts and a
critic: Scherrer et al., "Approximate modified policy iteration", ICML 2012 (arXiv 1205.3054).
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..agents.features.spec import find_feature_spec
from ..agents.heuristics.catalog import find_base_policy
from ..agents.network import GREEDY_SCALE, ActionValueNetwork
from ..agents.value import MAX_BONUS, MIN_BONUS, ValueTarget
from ..envs.batch import derive_seeds
from ..envs.engine.protocol import Masks, RawObservations, Rows
from ..envs.engine.reading import number_or_none
from ..envs.engine.settings import fraction, whole
from ..envs.policy import ObservationBatch
from ..errors import SettingsError, quoted
from .buffers import ActionValueBuffer, TrajectoryBuffer
from .figures import explained_variance
from .networks import (
    ActionValueNet,
    ActorSettings,
    TorchLearner,
    ValueNet,
    ema_model,
    gradient_step,
    minibatches,
    multiply_logits,
)
from .self_play import SelfPlayEnvs
from .settings import MAX_ENVS, MAX_ROWS, MAX_STEPS, check_agent, read_widths
from .truncated_rollouts import RoundValues, play_as_seated, roll_out

PRESETS: dict[str, dict[str, Any]] = {
    "smoke": {
        "total_timesteps": 2_048,
        "n_envs": 64,
        "n_steps": 8,
        "base_policy_timesteps": 512,
        "batch_size": 128,
        "buffer_size": 1_024,
        "hidden": [16],
        "critic_hidden": [16],
    },
    "quick": {
        "total_timesteps": 4_000_000,
        "lr_half_life_timesteps": 1_500_000,
        "base_policy_timesteps": 1_000_000,
    },
    # Mostly against the best scripted agent; the others show what else may happen.
    "long": {
        "total_timesteps": 41_250_000,  # later agents win more, at the cost of points
        "fixed_opponents": 24 * ["expert"]
        + ["random", "hoarder", "thief", "bluffer", "builder", "saver", "dealer"],
        "eval_every_updates": 0,  # the champion is the newest policy
        "self_play": 0.01,
        "lr_half_life_timesteps": 14_000_000,
        "checkpoint_every_updates": 60,
        "base_policy_timesteps": 5_000_000,
        "rollout_fraction": 0.3,
        "win_bonus": 500.0,
        "hidden": [256, 128],
        "ema_decay": 0.95,
        "critic_ema_decay": 0.95,
    },
}


@dataclass(frozen=True, kw_only=True)
class RolloutSettings(ActorSettings):
    """Settings of `rollout` beside those of every run.

    Attributes:
        critic_hidden: Widths of the critic's hidden layers.
        rollout_fraction: Fraction of the decisions in which actions are tried.
        rollout_actions: Actions tried in a decision: the base policy's, a random one, and the best
            by the newest policy.
        rollout_decisions: Decisions of the learner with a choice, after the tried action, until
            the critic values the state.
        base_policy: Scripted agent whose action is marked in the features.
        base_policy_timesteps: For how long it decides for the learner, while only the critic
            learns.
        win_bonus: Value of winning the game, in points. The value of a round is that times the
            probability of winning by the scores, less the points of the round.
        score_temperature: Points of a lead that make a player e times as likely to win (see
            `win_probabilities` in agents/value.py).
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
    fixed_opponents: list[str] = field(default_factory=lambda: ["expert"])
    pool_size: int = whole(0, least=0, most=1000)
    self_play: float = fraction(0.02)
    hidden: list[int] = field(default_factory=lambda: [96, 64])
    critic_hidden: list[int] = field(default_factory=lambda: [256, 128])
    rollout_fraction: float = fraction(0.5)
    rollout_actions: int = whole(5, least=2, most=1000)
    rollout_decisions: int = whole(1, most=1000)
    base_policy: str = "expert"
    base_policy_timesteps: int = whole(3_000_000, least=0)
    win_bonus: float = 200.0
    score_temperature: float = 11.0
    epsilon: float = fraction(0.05)
    learning_rate: float = fraction(1e-3)
    critic_learning_rate: float = fraction(1e-3)
    lr_half_life_timesteps: int = whole(0, least=0)
    buffer_size: int = whole(1_000_000, most=MAX_ROWS)
    replay_ratio: int = whole(4, most=1000)
    batch_size: int = whole(2048, least=2, most=MAX_ROWS)
    max_grad_norm: float = fraction(0.5)
    gae_lambda: float = fraction(0.95)
    ema_decay: float = fraction(0.9)
    critic_ema_decay: float = fraction(0.7)

    def __post_init__(self) -> None:
        super().__post_init__()
        widths = read_widths("critic_hidden", self.critic_hidden)
        object.__setattr__(self, "critic_hidden", widths)
        check_agent("base_policy", self.base_policy)
        for name in ("win_bonus", "score_temperature"):
            number = number_or_none(getattr(self, name))
            if number is None or not MIN_BONUS <= number <= MAX_BONUS:
                raise SettingsError(
                    f"{name} must be from {MIN_BONUS} to {MAX_BONUS}, "
                    f"not {quoted(getattr(self, name))}"
                )
            object.__setattr__(self, name, number)
        if self.buffer_size < self.n_envs:
            raise SettingsError(f"buffer_size must be at least {self.n_envs}, which is n_envs")


class ActionValueSamples(NamedTuple):
    """Values of the actions that were tried in some decisions; see `ActionValueBuffer.add`."""

    rows: Tensor
    features: Tensor
    values: Tensor


class Samples(NamedTuple):
    """What is learnt from in an update.

    Attributes:
        inputs: The critic's inputs, (samples, inputs).
        advantages: Returns minus its values, (samples,).
        returns: Its targets, (samples,).
        tried: Values of actions.
    """

    inputs: Tensor
    advantages: Tensor
    returns: Tensor
    tried: tuple[ActionValueSamples, ...]


class Rollout(TorchLearner):
    """Network and critic, their optimisers and moving averages, and the newest action values."""

    STATEFUL = ("net", "optimizer", "average", "critic", "critic_optimizer", "critic_average")

    def __init__(self, envs: SelfPlayEnvs, settings: RolloutSettings) -> None:
        super().__init__(envs, settings)
        # Differences between actions are small beside what they share: bfloat16 would hide them.
        torch.set_float32_matmul_precision("highest")
        self.settings = settings
        self.base_policy = find_base_policy(settings.base_policy, envs.game)
        self.features = find_feature_spec(envs.game)
        self.net = ActionValueNet(self.features, settings.hidden).to(self.device)
        kinds = torch.ones(envs.pool.kinds)  # of opponents, one-hot
        state_spec = self.features.state_spec
        self.critic = ValueNet(state_spec, settings.critic_hidden, kinds).to(self.device)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=settings.learning_rate)
        self.critic_optimizer = torch.optim.Adam(
            self.critic.parameters(), lr=settings.critic_learning_rate
        )
        self.average = ema_model(self.net, settings.ema_decay, self.device)
        self.critic_average = ema_model(self.critic, settings.critic_ema_decay, self.device)
        target = ValueTarget(settings.win_bonus, settings.score_temperature)
        critic = cast(ValueNet, self.critic_average.module)
        self.rounds = RoundValues(envs, self.features, critic, target)
        self.play = play_as_seated(self._greedy, target, self.features)
        self.buffer = ActionValueBuffer(
            settings.buffer_size,
            settings.rollout_actions,
            self.features.action_spec.size,
            self.device,
        )
        self._tried: list[ActionValueSamples] = []  # since `collect` began
        self._base_decisions = 0  # decisions of the base policy, for its random bits

    def export(self) -> ActionValueNetwork:
        """Return the averaged policy, whose logits are values times `GREEDY_SCALE`."""
        network = cast(ActionValueNet, self.average.module)
        exported = network.export(self.base_policy, self.rounds.export_critic())
        return multiply_logits(exported, GREEDY_SCALE)

    def update(self) -> dict[str, float]:
        """Play on in all games, try actions, and learn from the newest action values."""
        return self.learn(self.collect())

    def learn(self, samples: Samples) -> dict[str, float]:
        """Learn from what was played and tried."""
        inputs, advantages, returns, tried = samples
        before, settings = self.buffer.added, self.settings
        for samples_of_step in tried:
            rows, features, values = samples_of_step
            self.buffer.add(rows.cpu().numpy(), features, values)
        self.num_timesteps += len(returns)
        half_life = settings.lr_half_life_timesteps
        self.decay(self.optimizer, settings.learning_rate, half_life)
        self.decay(self.critic_optimizer, settings.critic_learning_rate, half_life)
        action_value_loss = self._learn(settings.replay_ratio * (self.buffer.added - before))
        value_loss = self._learn_critic(inputs, returns)
        self.average.update_parameters(self.net)
        self.critic_average.update_parameters(self.critic)
        return {
            "train/loss": action_value_loss + value_loss,
            "train/action_value_loss": action_value_loss,
            "train/value_loss": value_loss,
            **explained_variance(advantages, returns),
        }

    def collect(self) -> Samples:
        """Play `n_steps` decisions in every game, and try actions."""
        self._tried.clear()
        envs, steps, columns = self.envs, self.settings.n_steps, []
        trajectories = TrajectoryBuffer(steps, envs.num_games, envs.max_players)
        for step in range(steps):
            raw, legal = envs.observe()
            columns.append(self.rounds.encode(raw, envs.hidden_hands(), envs.single_opponents))
            values = self.rounds.values(columns[-1])
            trajectories.add_decisions(step, envs.current_players, values)
            _, over = envs.step(self._act(raw, legal))
            trajectories.add_rewards(step, *self.rounds.last_rewards(over))
        computed = trajectories.compute(self.rounds.values_of, 1.0, self.settings.gae_lambda)
        advantages, returns = map(self.to_device, computed)
        return Samples(torch.cat(columns), advantages, returns, tuple(self._tried))

    def _act(self, raw: RawObservations, legal: Masks) -> Rows:
        """Return the base policy's actions at first, later the best ones; some are random."""
        if self.num_timesteps >= self.settings.base_policy_timesteps:
            values, base_actions = self._values(raw, legal)
            self._try(raw, legal, values, base_actions)
            actions: Rows = values.argmax(axis=1)
        else:
            actions = self._base_actions(raw, legal)
        explores = self._random(len(actions)) < self.settings.epsilon
        return np.where(explores, self._noise(legal).argmax(axis=1), actions)

    def _try(
        self, raw: RawObservations, legal: Masks, values: NDArray[np.float32], base_actions: Rows
    ) -> None:
        """Try actions of some decisions with a choice, and store their values."""
        drawn = self._random(len(legal)) < self.settings.rollout_fraction
        rows = np.flatnonzero((legal.sum(axis=1) > 1) & drawn)
        if not len(rows):
            return
        choices = np.zeros(legal.shape, np.bool_)
        choices[rows] = self._choose(values[rows], base_actions[rows], legal[rows])
        results = roll_out(self.envs, choices, self.settings.rollout_decisions, self.play)
        targets = self.to_device(self.rounds.rollout_values(results))
        tried = self.features.action_features(
            raw[rows], choices[rows].astype(np.int8), base_actions[rows]
        )
        rows_tried = torch.from_numpy(tried.rows)
        self._tried.append(ActionValueSamples(rows_tried, self.to_device(tried.numbers), targets))

    def _choose(
        self, values: NDArray[np.float32], base_actions: Rows, legal: Masks
    ) -> NDArray[np.bool_]:
        """Return which actions are tried: the base policy's, a random one, and the best others."""
        rows, preference = np.arange(len(legal)), values.copy()
        preference[rows, self._noise(legal).argmax(axis=1)] = np.inf
        preference[rows, base_actions] = np.inf
        best = np.argsort(-preference, axis=1)[:, : self.settings.rollout_actions]
        chosen = np.zeros(legal.shape, np.bool_)
        chosen[rows[:, None], best] = True
        chosen &= legal == 1
        return chosen

    def _random(self, count: int) -> NDArray[np.float32]:
        """Return random numbers from 0 to below 1."""
        numbers = torch.rand(count, generator=self.rng, device=self.device).cpu().numpy()
        return cast(NDArray[np.float32], numbers)

    def _noise(self, legal: Masks) -> NDArray[np.float32]:
        """Return random numbers above 0, at most 1, for legal actions, 0 for others."""
        return (1 - self._random(legal.size)).reshape(legal.shape) * legal

    def _base_actions(self, raw: RawObservations, legal: Masks) -> Rows:
        """Return the base policy's actions, int64 (rows,)."""
        random_bits = derive_seeds(self.settings.seed, len(raw), self._base_decisions)
        self._base_decisions += len(raw)
        batch = ObservationBatch(self.envs.game, raw, legal, random_bits)
        return self.base_policy.policy.act(batch)

    @torch.no_grad()
    def _values(self, raw: RawObservations, legal: Masks) -> tuple[NDArray[np.float32], Rows]:
        """Return action values, (rows, actions), -inf where illegal, and the base actions."""
        base_actions = self._base_actions(raw, legal)
        actions = self.features.action_features(raw, legal, base_actions)
        values = np.full(legal.shape, -np.inf, np.float32)
        features = self.to_device(actions.numbers)
        values[actions.rows, actions.actions] = self.average.module(features).cpu().numpy()
        return values, base_actions

    def _greedy(self, raw: RawObservations, legal: Masks) -> Rows:
        """Return the best actions by the averaged network, int64 (rows,)."""
        actions: Rows = self._values(raw, legal)[0].argmax(axis=1)
        return actions

    def _learn(self, count: int) -> float:
        """Learn from `count` of the tried decisions, in batches; return the mean loss."""
        losses, settings, buffer = [], self.settings, self.buffer
        for _ in range(count // settings.batch_size):
            rows = buffer.sample(settings.batch_size, self.rng)
            loss = self._loss(buffer.features[rows], buffer.tried[rows], buffer.values[rows])
            gradient_step(loss, self.net, self.optimizer, settings.max_grad_norm)
            losses.append(float(loss.detach()))
        return float(np.mean(losses)) if losses else 0.0

    def _loss(self, features: Tensor, tried: Tensor, values: Tensor) -> Tensor:
        """Return the mean squared error of differences between the actions of a decision.

        Errors e_a are centred within the decision: E[(e_a - mean_b e_b)^2].
        """
        errors = (self.net(features) - values) * tried
        shared = errors.sum(dim=1, keepdim=True) / tried.sum(dim=1, keepdim=True)
        loss: Tensor = ((errors - shared) * tried).square().sum() / tried.sum()
        return loss

    def _learn_critic(self, inputs: Tensor, returns: Tensor) -> float:
        """Fit the critic to the returns once; return the mean loss."""
        losses = []
        for rows in minibatches(len(returns), self.settings.batch_size, self.rng):
            loss = (self.critic(inputs[rows]) - returns[rows]).square().mean()
            gradient_step(loss, self.critic, self.critic_optimizer, self.settings.max_grad_norm)
            losses.append(float(loss.detach()))
        return float(np.mean(losses))

    def state(self) -> dict[str, Any]:
        """Return what `restore` needs."""
        return super().state() | {"buffer": self.buffer.state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue exactly where `state` was called."""
        super().restore(state)
        self.buffer.restore(state["buffer"])

    def games_state(self) -> dict[str, Any]:
        """Return the part of `state` that playing changes."""
        return super().games_state() | {"base_decisions": self._base_decisions}

    def restore_games(self, state: dict[str, Any]) -> None:
        """Play on exactly where `games_state` was called."""
        super().restore_games(state)
        self._base_decisions = state["base_decisions"]
