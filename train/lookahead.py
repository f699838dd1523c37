"""Rollout policy iteration with a base policy: every legal action is tried in a copy of the game.

Wherever the learner decides, each of its actions is played in a copy of the true game, and a
scripted base policy plays on for everybody until the learner has decided some times more (see
train/truncated_rollouts.py). The value of the action is the sum of its rewards and the value that
a critic, which sees all hands, gives the state reached. The policy sees what its player sees and
no more, so over many states that look alike it learns the expected value of an action. It is
given the base policy's action one-hot, first imitates it, and learns where to deviate.

Logits move in proportion to advantages, at full speed unless an action is less likely than
FULL_SPEED_PROBABILITY: Hennes et al., "Neural replicator dynamics", AAMAS 2020 (arXiv 1906.00190).
Entropy regularisation: Sokota et al., "A unified approach to reinforcement learning, quantal
response equilibria, and two-player zero-sum games", ICLR 2023 (arXiv 2206.05825).
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ..agents.ensemble import PlayerCountEnsemble
from ..agents.heuristics.catalog import find_base_policy
from ..agents.network import ActionValueNetwork, Network
from ..agents.registry import load_agent
from ..envs.engine.protocol import Masks
from ..envs.engine.settings import fraction, whole
from ..envs.policy import Policy
from ..errors import SettingsError, quoted
from .buffers import TrajectoryBuffer
from .figures import explained_variance
from .networks import (
    ActionNet,
    ActorSettings,
    TorchLearner,
    ValueNet,
    ema_model,
    gradient_step,
    masked_entropy,
    masked_log_softmax,
    minibatches,
    multiply_logits,
    take_rows,
)
from .self_play import SelfPlayEnvs
from .settings import MAX_ENVS, MAX_ROWS, SMOKE, check_agent, read_widths
from .truncated_rollouts import play_base_policy, roll_out

FULL_SPEED_PROBABILITY = 0.02  # from here on an action's logit moves at full speed

PRESETS: dict[str, dict[str, Any]] = {
    "smoke": SMOKE | {"imitation_timesteps": 1_024, "critic_hidden": [32]},
    "quick": {"total_timesteps": 5_000_000, "lr_half_life_timesteps": 2_000_000},
    "long": {
        "total_timesteps": 50_000_000,
        "lr_half_life_timesteps": 12_000_000,
        "ema_decay": 0.99,
        "eval_every_updates": 60,
        "checkpoint_every_updates": 30,
    },
    # An approximate best response to the champion, from its own policy: how exploitable it is.
    # Short rollouts, since in them the base policy plays the opponents' actions.
    "exploit": {
        "total_timesteps": 5_000_000,
        "lr_half_life_timesteps": 2_000_000,
        "initial_policy": "champion",
        "rollout_decisions": 2,
        "fixed_opponents": ["champion"],
        "self_play": 0.0,
        "eval_opponent": "champion",
        "eval_every_updates": 20,
    },
}


@dataclass(frozen=True, kw_only=True)
class LookaheadSettings(ActorSettings):
    """Settings of `lookahead` beside those of every run.

    Attributes:
        critic_hidden: Widths of the critic's hidden layers.
        base_policy: Scripted agent that plays rollouts and whose action the policy is given.
        rollout_decisions: Decisions of the learner after the tried action until the critic values
            the state.
        ent_coef: Weight of the entropy, in units of value.
        log_ratio_clip: How far an action's log-probability may move in an update.
        imitation_timesteps: For how long the policy imitates the base policy first.
        imitation_probability: Probability of the base policy's action in imitation; the rest is
            shared by all legal actions.
        initial_policy: Agent of an earlier run with the same base policy, layers and inverse
            temperature, from whose weights the policy starts; during `imitation_timesteps` then
            only the critic learns. Empty: none.
        learning_rate: Adam's.
        lr_half_life_timesteps: Timesteps in which the learning rate halves, smoothly; 0: never.
        batch_size: Decisions in a gradient step.
        n_epochs: Passes over the decisions of an update.
        gamma: Discount of the critic, from a player's decision to its next.
        gae_lambda: Of the critic's returns.
        vf_coef: Weight of the value loss.
        max_grad_norm: Norm at which gradients are clipped.
        ema_decay: See `PPOSettings`.
        inverse_temperature: See `PPOSettings`.
    """

    n_envs: int = whole(1024, most=MAX_ENVS)
    fixed_opponents: list[str] = field(default_factory=lambda: ["expert"])
    pool_size: int = whole(0, least=0, most=1000)
    self_play: float = fraction(0.2)
    hidden: list[int] = field(default_factory=lambda: [256, 256])
    critic_hidden: list[int] = field(default_factory=lambda: [256, 128])
    base_policy: str = "expert"
    rollout_decisions: int = whole(6, most=1000)
    ent_coef: float = fraction(5e-4)
    log_ratio_clip: float = fraction(0.3)
    imitation_timesteps: int = whole(1_000_000, least=0)
    imitation_probability: float = fraction(0.9)
    initial_policy: str = ""
    learning_rate: float = fraction(5e-4)
    lr_half_life_timesteps: int = whole(0, least=0)
    batch_size: int = whole(4096, least=2, most=MAX_ROWS)
    n_epochs: int = whole(2)
    gamma: float = fraction(0.995)
    gae_lambda: float = fraction(0.7)
    vf_coef: float = fraction(0.5)
    max_grad_norm: float = fraction(0.5)
    ema_decay: float = fraction(0.98)
    inverse_temperature: int = whole(20, most=1000)

    def __post_init__(self) -> None:
        super().__post_init__()
        widths = read_widths("critic_hidden", self.critic_hidden)
        object.__setattr__(self, "critic_hidden", widths)
        check_agent("base_policy", self.base_policy)
        check_agent("initial_policy", self.initial_policy)


def logit_directions(values: Tensor, probabilities: Tensor) -> Tensor:
    """Return how logits are to move, (rows, actions): up where values exceed their expectation.

    Advantages of actions less likely than FULL_SPEED_PROBABILITY are scaled down in proportion, so
    that bad actions, whose logits could fall forever, do not dominate what is learnt. Directions of
    a row sum to 0, as only differences of logits matter.

    Args:
        values: (rows, actions).
        probabilities: (rows, actions), 0 where an action was not tried.
    """
    weights = (probabilities / FULL_SPEED_PROBABILITY).clamp(max=1)
    expected = (values * probabilities).sum(dim=1, keepdim=True)
    advantages = weights * (values - expected)
    sums = weights.sum(dim=1, keepdim=True).clamp(min=1e-6)
    return advantages - weights * (advantages.sum(dim=1, keepdim=True) / sums)


class Samples(NamedTuple):
    """The decisions of an update, (samples, ...).

    Attributes:
        raw, masks, hands: Inputs of policy and critic.
        base_actions: The base policy's actions, one-hot.
        directions: How the logits of all actions are to move.
        logs: Log-probabilities of all actions when they were tried.
        advantages: Returns minus the critic's values.
        returns: Targets of the critic.
    """

    raw: Tensor
    base_actions: Tensor
    masks: Tensor
    hands: Tensor
    directions: Tensor
    logs: Tensor
    advantages: Tensor
    returns: Tensor


class Lookahead(TorchLearner):
    """Policy and critic, their optimiser, and the moving average that becomes the agent."""

    STATEFUL = ("nets", "optimizer", "average")

    def __init__(self, envs: SelfPlayEnvs, settings: LookaheadSettings) -> None:
        super().__init__(envs, settings)
        self.settings = settings
        game = envs.game
        self.base_policy = find_base_policy(settings.base_policy, game)
        self.play = play_base_policy(self.base_policy.policy.policy_function)
        self.policy = ActionNet(game, settings.hidden, torch.ones(len(game.actions)))
        self.policy.to(self.device)
        if settings.initial_policy:
            initial = multiply_logits(self._load_initial(), 1 / settings.inverse_temperature)
            self.policy.load_layers(initial.layers)
        spec = game.observation_spec
        hand_scale = torch.from_numpy(spec.scale[spec.range("hand")]).repeat(envs.max_players - 1)
        self.critic = ValueNet(spec, settings.critic_hidden, hand_scale).to(self.device)
        self.nets = nn.ModuleList([self.policy, self.critic])
        self.optimizer = torch.optim.Adam(
            self.nets.parameters(), lr=settings.learning_rate, eps=1e-5
        )
        self.average = ema_model(self.policy, settings.ema_decay, self.device)

    def export(self) -> Network:
        """Return the averaged policy with its logits multiplied."""
        policy: Any = self.average.module
        network: Network = policy.export(self.base_policy)
        return multiply_logits(network, self.settings.inverse_temperature)

    def _load_initial(self) -> Network:
        name, base = self.settings.initial_policy, self.base_policy.name
        policy: Policy | None = load_agent(name, self.envs.game)
        if isinstance(policy, PlayerCountEnsemble):
            sizes = {batch.settings.num_players for batch in self.envs.batches}
            networks = {policy.for_num_players(size) for size in sizes}
            policy = networks.pop() if len(networks) == 1 else None
        if isinstance(policy, ActionValueNetwork):
            raise SettingsError(
                f"initial_policy must be a network with an output for each action; here "
                f"{quoted(name)} is one that values actions one by one"
            )
        if isinstance(policy, Network) and policy.base_policy and policy.base_policy.name == base:
            return policy
        raise SettingsError(
            "initial_policy must be one trained network for all numbers of players with base "
            f"policy {quoted(base)}, not {quoted(name)}"
        )

    def update(self) -> dict[str, float]:
        """Play on in all games, and learn from that."""
        return self.learn(self.collect())

    @property
    def _imitates(self) -> bool:
        return self.num_timesteps < self.settings.imitation_timesteps

    def learn(self, samples: Samples) -> dict[str, float]:
        """Learn from what the newest policy has played and tried."""
        imitates = self._imitates
        self.num_timesteps += len(samples.returns)
        settings = self.settings
        self.decay(self.optimizer, settings.learning_rate, settings.lr_half_life_timesteps)
        figures = self._learn(samples, imitates)
        if imitates:
            self.average.n_averaged.zero_()  # then it copies: untrained weights leave no trace
        self.average.update_parameters(self.policy)
        return figures | explained_variance(samples.advantages, samples.returns)

    def collect(self) -> Samples:
        """Play on in all games, and try actions."""
        return self._collect(self._imitates)

    @torch.no_grad()
    def _collect(self, imitates: bool) -> Samples:
        envs, settings, columns = self.envs, self.settings, []
        trajectories = TrajectoryBuffer(settings.n_steps, envs.num_games, envs.max_players)
        for step in range(settings.n_steps):
            seen, legal = envs.observe()
            advice = self.base_policy.one_hot_actions(self.observations(seen, legal, step))
            raw, base_actions = self.to_device(seen), self.to_device(advice)
            masks, hands = self.to_device(legal).bool(), self.to_device(envs.hidden_hands())
            logs, values = self._logs(raw, base_actions, masks), self._values(raw, hands)
            directions = torch.zeros_like(logs) if imitates else self._try(legal, logs)
            columns.append((raw, base_actions, masks, hands, directions, logs))
            trajectories.add_decisions(step, envs.current_players, values.cpu().numpy())
            trajectories.add_rewards(step, *envs.step(self._sample(logs).cpu().numpy()))
        computed = trajectories.compute(self._values_of, settings.gamma, settings.gae_lambda)
        decisions = [torch.stack(parts).flatten(0, 1) for parts in zip(*columns, strict=True)]
        return Samples._make([*decisions, *map(self.to_device, computed)])

    def _logs(self, raw: Tensor, base_actions: Tensor, masks: Tensor) -> Tensor:
        """Return log-probabilities of all actions, (rows, actions)."""
        return masked_log_softmax(self.policy(torch.cat([raw, base_actions], dim=1)), masks)

    def _values(self, raw: Tensor, hands: Tensor) -> Tensor:
        """Return the critic's values, (rows,); hands: uint8 (rows, others, size)."""
        values: Tensor = self.critic(torch.cat([raw, hands.flatten(1)], dim=1))
        return values

    def _values_of(self, seat: int) -> NDArray[Any]:
        return self._values(*map(self.to_device, self.envs.seats_seen(seat))).cpu().numpy()

    def _sample(self, logs: Tensor) -> Tensor:
        """Sample an action for each row, in the way that the champions were trained with."""
        noise = torch.empty_like(logs).exponential_(generator=self.rng)
        return (logs.exp() / noise).argmax(dim=1)

    def _try(self, legal: Masks, logs: Tensor) -> Tensor:
        """Return how logits are to move, (envs, actions), after trying all actions."""
        choices = (legal == 1) & (legal.sum(axis=1, keepdims=True) > 1)
        if not choices.any():
            return torch.zeros_like(logs)
        settings = self.settings
        results = roll_out(self.envs, choices, settings.rollout_decisions, self.play)
        bootstrap = self._values(self.to_device(results.raw), self.to_device(results.hands))
        bootstrap = settings.gamma * bootstrap.masked_fill(~self.to_device(results.running), 0)
        mask, values = self.to_device(choices), torch.zeros_like(logs)
        values[mask] = self.to_device(results.rewards) + bootstrap
        values -= settings.ent_coef * logs.masked_fill(~mask, 0)
        return logit_directions(values, logs.exp().masked_fill(~mask, 0))

    def _learn(self, samples: Samples, imitates: bool) -> dict[str, float]:
        """Learn from the samples in random order; return means over all gradient steps."""
        settings, figures = self.settings, []
        moved = samples.directions[samples.directions != 0]
        size = float(moved.square().mean().nan_to_num()) ** 0.5
        for _ in range(settings.n_epochs):
            for rows in minibatches(len(samples.returns), settings.batch_size, self.rng):
                batch = take_rows(samples, rows)
                logs = self._logs(batch.raw, batch.base_actions, batch.masks)
                policy_loss = (
                    self._imitation_loss(batch, logs)
                    if imitates
                    else self._policy_loss(batch, logs, size)
                )
                value_loss = (self._values(batch.raw, batch.hands) - batch.returns).square().mean()
                loss = policy_loss + settings.vf_coef * value_loss
                gradient_step(loss, self.nets, self.optimizer, settings.max_grad_norm)
                entropy = masked_entropy(logs, batch.masks)
                figures.append(torch.stack([loss, policy_loss, value_loss, -entropy]).detach())
        policy = "imitation_loss" if imitates else "policy_loss"
        names = [f"train/{name}" for name in ("loss", policy, "value_loss", "entropy_loss")]
        means = torch.stack(figures).mean(dim=0).tolist()
        return {**dict(zip(names, means, strict=True)), "train/logit_directions": size}

    def _imitation_loss(self, samples: Samples, logs: Tensor) -> Tensor:
        """Return the cross-entropy to the base policy's action with label smoothing.

        A policy that started from an agent's weights does not learn yet.
        """
        if self.settings.initial_policy:
            return logs.new_zeros(())
        legal, probability = samples.masks.float(), self.settings.imitation_probability
        rest = (1 - probability) * legal / legal.sum(dim=1, keepdim=True)
        targets = probability * samples.base_actions + rest
        return -(targets * logs.masked_fill(~samples.masks, 0)).sum(dim=1).mean()

    def _policy_loss(self, samples: Samples, logs: Tensor, size: float) -> Tensor:
        """Return the loss whose gradient moves logits as directed, within `log_ratio_clip`."""
        ratios = (logs - samples.logs).masked_fill(~samples.masks, 0)
        clipped = ratios * samples.directions.sign() > self.settings.log_ratio_clip
        directions = samples.directions.masked_fill(clipped, 0) / (size + 1e-8)
        return -(directions * logs.masked_fill(~samples.masks, 0)).sum(dim=1).mean()
