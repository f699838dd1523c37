"""PPO for self-play in games of imperfect information: all seats learn, the critic sees all hands.

The actor sees what its player sees. The critic, which is only there while training, sees the
others' hands as well, on top of the actor's trunk: so luck that nobody could know of is no noise
in the advantages (perfect-information distillation: Guan et al., "PerfectDou", NeurIPS 2022).

PPO: Schulman et al., 2017 (arXiv 1707.06347). That policy gradients with enough entropy keep up
with methods made for such games: Rudolph et al., 2025 (arXiv 2502.08938). Learning first from a
teacher's moves in the learner's own games: Schmitt et al., "Kickstarting deep reinforcement
learning", 2018 (arXiv 1803.03835).
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ..agents.network import Network
from ..agents.registry import load_agent
from ..envs.engine.game import Game
from ..envs.engine.settings import fraction, whole
from ..errors import SettingsError
from .advantages import TrajectoryBuffer
from .export import sharpened, to_network
from .networks import (
    DeviceSettings,
    TorchLearner,
    Trunk,
    batches,
    descend,
    forward_hidden,
    legal_logs,
    moving_average,
    sample,
    scaled,
    some_of,
)
from .tables import Tables

HANDS_WIDTH = 64  # of what the critic makes of the others' hands

PRESETS: dict[str, dict[str, Any]] = {
    "smoke": {
        "total_steps": 4_096,
        "tables": 16,
        "steps_per_table": 32,
        "batch_size": 256,
        "hidden": [32],
    },
    "quick": {
        "total_steps": 8_000_000,
        "rivals": ["expert"],
        "pool_size": 0,
        "teacher": "expert",
        "teacher_steps": 2_000_000,
    },
    "long": {
        "total_steps": 100_000_000,
        "rivals": ["expert"],
        "pool_size": 0,
        "self_play": 0.3,
        "teacher": "expert",
        "teacher_steps": 6_000_000,
        "halve_every": 40_000_000,
        "gae_lambda": 0.7,
        "entropy_weight": 0.001,
        "memory": 0.99,
        "sharpness": 20,
        "evaluate_every": 60,
        "evaluation_deals": 200,
        "checkpoint_every": 30,
    },
    # From scratch and against itself alone: what a champion is compared with.
    "plain": {"total_steps": 100_000_000, "self_play": 1.0, "halve_every": 40_000_000},
}


@dataclass(frozen=True, kw_only=True)
class PPOSettings(DeviceSettings):
    """Settings of PPO beside those of every run.

    learning_rate, halve_every: Adam's; it halves, smoothly, with so many steps (0: never).
    batch_size, epochs: samples of a gradient step; how often a rollout is gone through.
    discount, gae_lambda: of generalised advantage estimation, from one's decision to one's next.
    clip_range: how far a decision's probability may move in an update.
    entropy_weight, value_weight, max_grad_norm: of the loss; norm at which gradients are cut.
    memory: the player is a moving average of the network over updates, in which the past weighs so
        much each time; 0 is the newest network. Averages play better and more evenly.
    sharpness: how many times as large the player's logits are as the network's; more is greedier.
    teacher, teacher_steps: for so many steps the moves that this agent would have made are learnt
        by heart instead, in the learner's own games; empty and 0 for none.
    """

    tables: int = whole(1024)
    hidden: list[int] = field(default_factory=lambda: [256, 256])
    learning_rate: float = fraction(5e-4)
    halve_every: int = whole(0, least=0)
    batch_size: int = whole(4096)
    epochs: int = whole(1)
    discount: float = fraction(0.995)
    gae_lambda: float = fraction(0.95)
    clip_range: float = fraction(0.2)
    entropy_weight: float = fraction(0.01)
    value_weight: float = fraction(0.5)
    max_grad_norm: float = fraction(0.5)
    memory: float = fraction(0.0)
    sharpness: int = whole(1)
    teacher: str = ""
    teacher_steps: int = whole(0, least=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.teacher, str) or bool(self.teacher) != bool(self.teacher_steps):
            raise SettingsError("teacher and teacher_steps go together: an agent and its steps")


class ActorCritic(Trunk):
    """The actor on the trunk's last hidden layer; on that and all hands, the critic."""

    hand_scale: Tensor

    def __init__(self, game: Game, hidden: list[int], others: int) -> None:
        super().__init__(game.observation_spec, hidden)
        self.actor = nn.Linear(hidden[-1], len(game.actions))
        part = game.observation_spec.range("hand")
        self.hands = nn.Linear(others * (part.stop - part.start), HANDS_WIDTH)
        self.mixer = nn.Linear(hidden[-1] + HANDS_WIDTH, HANDS_WIDTH)
        self.critic = nn.Linear(HANDS_WIDTH, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)
        scale = torch.from_numpy(game.observation_spec.scale[part]).repeat(others)
        self.register_buffer("hand_scale", scale, persistent=False)

    def forward(self, raw: Tensor, masks: Tensor, hands: Tensor) -> tuple[Tensor, Tensor]:
        """Log-probabilities of all actions, (rows, actions), and values, (rows,)."""
        seen = self.see(raw)
        return legal_logs(self.actor(seen), masks), self.judge(seen, hands)

    def judge(self, seen: Tensor, hands: Tensor) -> Tensor:
        """Values, (rows,); hands: uint8 (rows, others, size)."""
        held = forward_hidden([self.hands], scaled(hands.flatten(1), self.hand_scale))
        mixed = forward_hidden([self.mixer], torch.cat([seen, held], dim=1))
        values: Tensor = self.critic(mixed)
        return values.squeeze(1)


class Samples(NamedTuple):
    """Decisions and what came of them, (samples, ...).

    raw, masks, hands: what actor and critic saw. actions: learnt from; the player's, or the
    teacher's. logs: their log-probabilities when they were chosen.
    """

    raw: Tensor
    masks: Tensor
    hands: Tensor
    actions: Tensor
    logs: Tensor
    advantages: Tensor
    returns: Tensor


class PPO(TorchLearner):
    """The network, its optimiser, and the tables it learns at."""

    PARTS = ("net", "optimizer", "average")

    def __init__(self, tables: Tables, settings: PPOSettings) -> None:
        super().__init__(tables, settings)
        self.settings = settings
        self.teacher = load_agent(settings.teacher, tables.game) if settings.teacher else None
        self.net = ActorCritic(tables.game, settings.hidden, tables.seats - 1).to(self.device)
        self.optimizer = torch.optim.Adam(
            self.net.parameters(), lr=settings.learning_rate, eps=1e-5
        )
        self.average = moving_average(self.net, settings.memory, self.device)

    def player(self) -> Network:
        """The average actor, sharpened."""
        actor: Any = self.average.module
        return sharpened(to_network([*actor.trunk, actor.actor]), self.settings.sharpness)

    def update(self) -> dict[str, float]:
        """Play on at all tables and learn from that."""
        taught = self.steps < self.settings.teacher_steps
        samples = self._roll_out(taught)
        self._steps += len(samples.actions)
        self.set_rate(self.optimizer, self.settings.learning_rate, self.settings.halve_every)
        figures = self._learn(samples, taught)
        self.average.update_parameters(self.net)
        return figures

    @torch.no_grad()
    def _roll_out(self, taught: bool) -> Samples:
        tables, steps = self.tables, self.settings.steps_per_table
        seen: list[tuple[Tensor, ...]] = []
        track = TrajectoryBuffer(steps, tables.count, tables.seats)
        for step in range(steps):
            raw, legal = tables.observe()
            observations = (
                self.to_device(raw),
                self.to_device(legal).bool(),
                self.to_device(tables.hidden_hands()),
            )
            played, logs, value = self._choose(*observations)
            track.decide(step, tables.current_players, value.cpu().numpy())
            track.earn(step, *tables.step(played.cpu().numpy()))
            right = played
            if taught and self.teacher:
                right = self.to_device(self.teacher.act(self.observations(raw, legal, step)))
            seen.append((*observations, right, logs.gather(1, right[:, None]).squeeze(1)))
        last = np.stack([self._values_of(seat) for seat in range(tables.seats)], axis=1)
        advantages = track.advantages(last, self.settings.discount, self.settings.gae_lambda)
        earned = [self.to_device(part.ravel()) for part in (advantages, advantages + track.values)]
        decisions = [torch.stack(parts).flatten(0, 1) for parts in zip(*seen, strict=True)]
        return Samples._make([*decisions, *earned])

    def _choose(self, raw: Tensor, masks: Tensor, hands: Tensor) -> tuple[Tensor, ...]:
        """Actions, each with its probability; log-probabilities of all; values."""
        logs, values = self.net(raw, masks, hands)
        return sample(logs, self.rng), logs, values

    def _values_of(self, seat: int) -> NDArray[np.float32]:
        seen = self.net.see(self.to_device(self.tables.observe_player(seat)))
        values = self.net.judge(seen, self.to_device(self.tables.hidden_hands(seat)))
        numbers: NDArray[np.float32] = values.cpu().numpy()
        return numbers

    def _learn(self, samples: Samples, taught: bool) -> dict[str, float]:
        """Go through the samples in random order; returns means over all gradient steps."""
        sums: dict[str, float] = {}
        count, parts = len(samples.actions), 0
        for _ in range(self.settings.epochs):
            for rows in batches(count, self.settings.batch_size, self.rng):
                loss, figures = self._loss(some_of(samples, rows), taught)
                descend(loss, self.net, self.optimizer, self.settings.max_grad_norm)
                parts += 1
                for name, value in figures.items():
                    sums[name] = sums.get(name, 0.0) + float(value.detach())
        return {name: total / parts for name, total in sums.items()}

    def _loss(self, samples: Samples, taught: bool) -> tuple[Tensor, dict[str, Tensor]]:
        settings = self.settings
        logs, values = self.net(samples.raw, samples.masks, samples.hands)
        chosen = logs.gather(1, samples.actions[:, None]).squeeze(1)
        legal = logs.masked_fill(~samples.masks, 0)  # adds nothing to the entropy
        entropy = -(legal.exp() * legal).sum(dim=1).mean()
        value_loss = (values - samples.returns).square().mean()
        if taught:
            policy_loss = -chosen.mean()
        else:
            gain = samples.advantages
            if len(gain) > 1:  # a single one has no spread
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            ratio = (chosen - samples.logs).exp()
            within = ratio.clamp(1 - settings.clip_range, 1 + settings.clip_range)
            policy_loss = -torch.min(ratio * gain, within * gain).mean()
            policy_loss = policy_loss - settings.entropy_weight * entropy
        loss = policy_loss + settings.value_weight * value_loss
        figures = {"loss/policy": policy_loss, "loss/value": value_loss, "entropy": entropy}
        return loss, figures
