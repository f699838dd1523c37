"""PPO for self-play with imperfect information: all seats learn, the critic sees all hands.

The actor sees what its player sees. The critic, which exists in training only, sees the other
hands as well, on top of the actor's trunk; so what nobody could know adds no noise to the
advantages (perfect-information distillation: Guan et al., "PerfectDou", NeurIPS 2022).

PPO: Schulman et al., 2017 (arXiv 1707.06347). Policy gradients with enough entropy keep up with
methods made for imperfect information: Rudolph et al., 2025 (arXiv 2502.08938). Learning first
from a teacher's actions in the learner's own games: Schmitt et al., "Kickstarting deep
reinforcement learning", 2018 (arXiv 1803.03835). A pull to a magnet, an earlier policy that is
refreshed now and then, makes the newest policy come to an equilibrium, where self-play alone may
cycle: Sokota et al., "A unified approach to reinforcement learning, quantal response equilibria,
and two-player zero-sum games" (magnetic mirror descent), 2023 (arXiv 2206.05825).
"""

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from ..agents.network import Network
from ..agents.registry import load_agent
from ..envs.engine.game import Game
from ..envs.engine.settings import fraction, whole
from ..errors import SettingsError
from .buffers import TrajectoryBuffer
from .figures import explained_variance, mean_figures, ratio_figures
from .networks import (
    ActorSettings,
    DeviceSettings,
    TorchLearner,
    Trunk,
    copy_layers,
    forward_hidden,
    gradient_step,
    halved,
    masked_divergence,
    masked_entropy,
    masked_log_softmax,
    minibatches,
    multiply_logits,
    sample_actions,
    take_rows,
    to_float,
)
from .self_play import SelfPlayEnvs
from .settings import MAX_ENVS, MAX_ROWS, SMOKE, PolicyGradientSettings

HANDS_WIDTH = 64  # width of the critic's layers

PRESETS: dict[str, dict[str, Any]] = {
    "smoke": SMOKE,
    "quick": {
        "total_timesteps": 8_000_000,
        "fixed_opponents": ["expert"],
        "pool_size": 0,
        "teacher": "expert",
        "teacher_timesteps": 2_000_000,
    },
    "long": {
        "total_timesteps": 100_000_000,
        "fixed_opponents": ["expert"],
        "pool_size": 0,
        "self_play": 0.3,
        "teacher": "expert",
        "teacher_timesteps": 6_000_000,
        "lr_half_life_timesteps": 40_000_000,
        "gae_lambda": 0.7,
        "ent_coef": 0.001,
        "ema_decay": 0.99,
        "inverse_temperature": 20,
        "eval_every_updates": 60,
        "eval_deals": 200,
        "checkpoint_every_updates": 30,
    },
    # From scratch and by self-play alone: what a champion is compared with.
    "plain": {
        "total_timesteps": 100_000_000,
        "eval_every_updates": 0,  # no opponent has a say in which policy is the agent
        "self_play": 1.0,
        "lr_half_life_timesteps": 40_000_000,
    },
}


@dataclass(frozen=True, kw_only=True)
class PPOSettings(PolicyGradientSettings, DeviceSettings, ActorSettings):
    """Settings of PPO beside those of every run.

    Attributes:
        lr_half_life_timesteps: Timesteps in which the learning rate halves, smoothly; 0: never.
        ent_half_life_timesteps: Timesteps in which `ent_coef` halves, smoothly; 0: never.
        magnet_coef: Weight in the loss of the Kullback-Leibler divergence of the policy from the
            magnet, an earlier policy of the run; 0: there is none.
        magnet_every_updates: Updates after which the magnet becomes the newest policy.
        ema_decay: The agent is an exponential moving average of the network over updates; 0: the
            newest network. Averages play better and more evenly.
        inverse_temperature: Factor of the agent's logits; a higher one is greedier.
        teacher: Agent whose actions are imitated first, in the learner's own games; empty: none.
        teacher_timesteps: For how long.
    """

    n_envs: int = whole(1024, most=MAX_ENVS)
    hidden: list[int] = field(default_factory=lambda: [256, 256])
    lr_half_life_timesteps: int = whole(0, least=0)
    batch_size: int = whole(4096, least=2, most=MAX_ROWS)
    n_epochs: int = whole(1)
    ent_half_life_timesteps: int = whole(0, least=0)
    magnet_coef: float = fraction(0.0)
    magnet_every_updates: int = whole(50)
    ema_decay: float = fraction(0.0)
    inverse_temperature: int = whole(1, most=1000)
    teacher: str = ""
    teacher_timesteps: int = whole(0, least=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.teacher, str) or bool(self.teacher) != bool(self.teacher_timesteps):
            raise SettingsError(
                "teacher and teacher_timesteps go together: an agent and its timesteps"
            )


class ActorCritic(Trunk):
    """An actor on the trunk's last hidden layer, and a critic on that and all other hands."""

    hand_scale: Tensor

    def __init__(self, game: Game, hidden: list[int], others: int) -> None:
        super().__init__(game.observation_spec, hidden)
        self.actor = nn.Linear(hidden[-1], len(game.actions))
        hand = game.observation_spec.range("hand")
        self.hands = nn.Linear(others * (hand.stop - hand.start), HANDS_WIDTH)
        self.mixer = nn.Linear(hidden[-1] + HANDS_WIDTH, HANDS_WIDTH)
        self.critic = nn.Linear(HANDS_WIDTH, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)
        scale = torch.from_numpy(game.observation_spec.scale[hand]).repeat(others)
        self.register_buffer("hand_scale", scale, persistent=False)

    def forward(self, raw: Tensor, masks: Tensor, hands: Tensor) -> tuple[Tensor, Tensor]:
        """Return log-probabilities of all actions, (rows, actions), and values, (rows,)."""
        features = self.features(raw)
        return masked_log_softmax(self.actor(features), masks), self.values(features, hands)

    def log_probabilities(self, raw: Tensor, masks: Tensor) -> Tensor:
        """Return log-probabilities of all actions, (rows, actions)."""
        return masked_log_softmax(self.actor(self.features(raw)), masks)

    def values(self, features: Tensor, hands: Tensor) -> Tensor:
        """Return values, (rows,); hands: uint8 (rows, others, size)."""
        held = forward_hidden([self.hands], to_float(hands.flatten(1), self.hand_scale))
        mixed = forward_hidden([self.mixer], torch.cat([features, held], dim=1))
        values: Tensor = self.critic(mixed)
        return values.squeeze(1)


class Samples(NamedTuple):
    """The decisions of an update, (samples, ...).

    Attributes:
        raw, masks, hands: Inputs of actor and critic.
        actions: The player's or, in imitation, the teacher's.
        logs: Their log-probabilities when they were chosen.
        advantages: Generalised advantages.
        returns: Targets of the critic.
    """

    raw: Tensor
    masks: Tensor
    hands: Tensor
    actions: Tensor
    logs: Tensor
    advantages: Tensor
    returns: Tensor


class PPO(TorchLearner):
    """Actor, critic, their optimiser, the magnet, and the moving average that becomes the agent."""

    STATEFUL: tuple[str, ...] = ("net", "optimizer", "average")

    def __init__(self, envs: SelfPlayEnvs, settings: PPOSettings) -> None:
        super().__init__(envs, settings)
        self.settings = settings
        self.teacher = load_agent(settings.teacher, envs.game) if settings.teacher else None
        self.net = ActorCritic(envs.game, settings.hidden, envs.max_players - 1).to(self.device)
        self.optimizer = torch.optim.Adam(
            self.net.parameters(), lr=settings.learning_rate, eps=1e-5
        )
        ema = get_ema_multi_avg_fn(settings.ema_decay)  # type: ignore[no-untyped-call]
        self.average = AveragedModel(self.net, self.device, multi_avg_fn=ema)
        if settings.magnet_coef:
            self.magnet = deepcopy(self.net)
            self.STATEFUL = (*self.STATEFUL, "magnet")

    def export(self) -> Network:
        """Return the averaged actor with its logits multiplied."""
        actor: Any = self.average.module
        network = Network(copy_layers([*actor.trunk, actor.actor]))
        return multiply_logits(network, self.settings.inverse_temperature)

    def update(self) -> dict[str, float]:
        """Play on in all games, and learn from that."""
        return self.learn(self.collect())

    @property
    def _imitates(self) -> bool:
        return self.num_timesteps < self.settings.teacher_timesteps

    def learn(self, samples: Samples) -> dict[str, float]:
        """Learn from what the newest policy has played."""
        imitates, settings = self._imitates, self.settings
        updates = self.num_timesteps // len(samples.actions)
        if settings.magnet_coef and updates % settings.magnet_every_updates == 0:
            self.magnet.load_state_dict(self.net.state_dict())
        self.num_timesteps += len(samples.actions)
        self.decay(self.optimizer, settings.learning_rate, settings.lr_half_life_timesteps)
        figures = self._learn(samples, imitates)
        self.average.update_parameters(self.net)
        return figures | explained_variance(samples.advantages, samples.returns)

    @torch.no_grad()
    def collect(self) -> Samples:
        """Play on in all games."""
        imitates, columns = self._imitates, []
        envs, settings = self.envs, self.settings
        trajectories = TrajectoryBuffer(settings.n_steps, envs.num_games, envs.max_players)
        for step in range(settings.n_steps):
            raw, legal = envs.observe()
            masks = self.to_device(legal).bool()
            inputs = self.to_device(raw), masks, self.to_device(envs.hidden_hands())
            logs, values = self.net(*inputs)
            actions = played = sample_actions(logs, self.rng)
            trajectories.add_decisions(step, envs.current_players, values.cpu().numpy())
            trajectories.add_rewards(step, *envs.step(played.cpu().numpy()))
            if imitates and self.teacher:
                actions = self.to_device(self.teacher.act(self.observations(raw, legal, step)))
            columns.append((*inputs, actions, logs.gather(1, actions[:, None]).squeeze(1)))
        computed = trajectories.compute(self._values_of, settings.gamma, settings.gae_lambda)
        decisions = [torch.stack(parts).flatten(0, 1) for parts in zip(*columns, strict=True)]
        return Samples._make([*decisions, *map(self.to_device, computed)])

    def _values_of(self, seat: int) -> NDArray[Any]:
        raw, hands = map(self.to_device, self.envs.seats_seen(seat))
        return self.net.values(self.net.features(raw), hands).cpu().numpy()

    @property
    def ent_coef(self) -> float:
        """The weight of the entropy, as it is now."""
        return halved(
            self.settings.ent_coef, self.num_timesteps, self.settings.ent_half_life_timesteps
        )

    def _learn(self, samples: Samples, imitates: bool) -> dict[str, float]:
        """Learn from the samples in random order; return means over all gradient steps."""
        count, steps = len(samples.actions), []
        for _ in range(self.settings.n_epochs):
            for rows in minibatches(count, self.settings.batch_size, self.rng):
                loss, figures = self._loss(take_rows(samples, rows), imitates)
                gradient_step(loss, self.net, self.optimizer, self.settings.max_grad_norm)
                steps.append({name: float(value.detach()) for name, value in figures.items()})
        return mean_figures(steps)

    def _loss(self, samples: Samples, imitates: bool) -> tuple[Tensor, dict[str, Tensor]]:
        """Return the loss and its parts.

        It is -E[min(r A, clip(r) A)] - ent_coef H + magnet_coef KL + vf_coef E[(V - R)^2].
        """
        settings, figures = self.settings, dict[str, Tensor]()
        logs, values = self.net(samples.raw, samples.masks, samples.hands)
        chosen = logs.gather(1, samples.actions[:, None]).squeeze(1)
        entropy = masked_entropy(logs, samples.masks)
        value_loss = (values - samples.returns).square().mean()
        if imitates:
            policy_loss = figures["train/imitation_loss"] = -chosen.mean()
        else:
            advantages = samples.advantages
            if len(advantages) > 1:  # a single one has no standard deviation
                advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
            log_ratio = chosen - samples.logs
            ratio = log_ratio.exp()
            clipped = ratio.clamp(1 - settings.clip_range, 1 + settings.clip_range)
            policy_loss = -torch.min(ratio * advantages, clipped * advantages).mean()
            figures["train/policy_gradient_loss"] = policy_loss
            figures |= ratio_figures(log_ratio, settings.clip_range)
            policy_loss = policy_loss - self.ent_coef * entropy
            if settings.magnet_coef:
                with torch.no_grad():
                    pulling = self.magnet.log_probabilities(samples.raw, samples.masks)
                divergence = masked_divergence(logs, pulling, samples.masks)
                figures["train/magnet_kl"] = divergence
                policy_loss = policy_loss + settings.magnet_coef * divergence
        loss = policy_loss + settings.vf_coef * value_loss
        named = {"loss": loss, "value_loss": value_loss, "entropy_loss": -entropy}
        return loss, figures | {f"train/{name}": value for name, value in named.items()}
