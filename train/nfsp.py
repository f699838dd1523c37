"""Neural Fictitious Self-Play: a best response to the others' average play, and one's own average.

Two networks learn from the games that all seats play. One values actions, by Q-learning from a
replay buffer: a best response to how the others play. The other imitates, from a reservoir, what
best responses did over the whole of training: the average policy, which is the player in the end.
With a chance of `anticipation` a seat follows its best response for a whole game, and else the
average policy; so best responses learn against what averages are about to become.

Heinrich and Silver, "Deep reinforcement learning from self-play in imperfect-information games",
2016 (arXiv 1603.01121); targets by van Hasselt et al., "Deep reinforcement learning with double
Q-learning", 2016 (arXiv 1509.06461); the reservoir is Vitter's algorithm R, 1985.
"""

from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from ..agents.network import Network
from ..envs.engine.settings import fraction, whole
from ..errors import SettingsError
from .buffers import ReplayBuffer, Reservoir
from .networks import (
    ActionNet,
    DeviceSettings,
    TorchLearner,
    best_legal,
    descend,
    explore,
    legal_logs,
    sample,
)
from .tables import Tables

PRESETS: dict[str, dict[str, Any]] = {
    "smoke": {
        "total_steps": 4_096,
        "tables": 16,
        "steps_per_table": 32,
        "replay_size": 2_048,
        "reservoir_size": 2_048,
        "batch_size": 128,
        "hidden": [32],
    },
    "quick": {"total_steps": 6_000_000},
    "long": {"total_steps": 100_000_000, "replay_size": 200_000, "reservoir_size": 500_000},
}


@dataclass(frozen=True, kw_only=True)
class NFSPSettings(DeviceSettings):
    """Settings of Neural Fictitious Self-Play beside those of every run.

    anticipation: eta, the chance that a seat plays a game by its best response.
    epsilon: the chance that a best response is any legal action in the first update; it falls with
        the square root of their number.
    replay_size, reservoir_size: decisions kept for the two networks.
    batch_size, gradient_steps: samples of a gradient step, and how many of those each network
        makes in an update.
    learning_rate, policy_rate: Adam's, of the values and of the average policy.
    target_every: updates between two copies of the network of values for its targets.
    discount: from one's decision to one's next. max_grad_norm: where gradients are cut.
    """

    tables: int = whole(128)
    self_play: float = fraction(1.0)
    checkpoint_every: int = whole(100)  # the buffers go into state.pt
    hidden: list[int] = field(default_factory=lambda: [256, 256])
    anticipation: float = fraction(0.1)
    epsilon: float = fraction(0.3)
    replay_size: int = whole(100_000)
    reservoir_size: int = whole(200_000)
    batch_size: int = whole(512)
    gradient_steps: int = whole(32)
    learning_rate: float = fraction(5e-4)
    policy_rate: float = fraction(1e-3)
    target_every: int = whole(5)
    discount: float = fraction(0.99)
    max_grad_norm: float = fraction(0.5)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.replay_size < self.tables:
            raise SettingsError(
                f"replay_size must be at least {self.tables}, a decision of each table"
            )


def targets_of(
    rewards: Tensor, over: Tensor, online: Tensor, target: Tensor, masks: Tensor, discount: float
) -> Tensor:
    """What Q-learning wants decisions to be worth, (rows,), by double Q-learning.

    rewards, over: what came until one's next decision, and whether the game ended before it.
    online, target: what both networks say of that next one, (rows, actions); masks: what is legal
    there. The one network chooses, the other says what the choice is worth.
    """
    chosen = best_legal(online, masks)
    worth = target.gather(1, chosen[:, None]).squeeze(1)
    return rewards + discount * torch.where(over, 0.0, worth)


class NFSP(TorchLearner):
    """The two networks, the target's, their optimisers and buffers; who plays by which."""

    PARTS = ("values", "target", "average", "value_optimizer", "average_optimizer")

    def __init__(self, tables: Tables, settings: NFSPSettings) -> None:
        super().__init__(tables, settings)
        self.settings = settings
        game, shape = tables.game, (tables.count, tables.seats)
        self.values, self.target, self.average = (
            ActionNet(game, settings.hidden).to(self.device) for _ in range(3)
        )
        self.target.load_state_dict(self.values.state_dict())
        self.value_optimizer = torch.optim.Adam(self.values.parameters(), settings.learning_rate)
        self.average_optimizer = torch.optim.Adam(self.average.parameters(), settings.policy_rate)
        widths = game.observation_spec.size, len(game.actions)
        self.replay = ReplayBuffer(settings.replay_size, *widths, shape, self.device)
        self.reservoir = Reservoir(settings.reservoir_size, *widths, self.device)
        self.responding = torch.zeros(shape, dtype=torch.bool, device=self.device)
        self.updates = 0

    def begin(self) -> None:
        """Deal the first games, and draw who plays them by his best response."""
        super().begin()
        self._draw(torch.ones(self.tables.count, dtype=torch.bool, device=self.device))

    def player(self) -> Network:
        """The average policy as it stands."""
        return self.average.player()

    def update(self) -> dict[str, float]:
        """Play on at all tables, and let both networks learn from their buffers."""
        self._play()
        sums: dict[str, float] = {}
        for _ in range(self.settings.gradient_steps):
            figures = {"loss/value": self._learn_values(), "loss/policy": self._learn_average()}
            for name, loss in figures.items():
                sums[name] = sums.get(name, 0.0) + loss
        self.updates += 1
        if self.updates % self.settings.target_every == 0:
            self.target.load_state_dict(self.values.state_dict())
        return {name: total / self.settings.gradient_steps for name, total in sums.items()}

    @torch.no_grad()
    def _play(self) -> None:
        tables, everywhere = self.tables, torch.arange(self.tables.count, device=self.device)
        epsilon = self.settings.epsilon / (1 + self.updates) ** 0.5
        for _ in range(self.settings.steps_per_table):
            seen, legal = tables.observe()
            raw, masks = self.to_device(seen), self.to_device(legal).bool()
            current_players = self.to_device(tables.current_players.copy())
            responding = self.responding[everywhere, current_players]
            best = explore(self.values(raw), masks, epsilon, self.rng)
            usual = sample(legal_logs(self.average(raw), masks), self.rng)
            actions = torch.where(responding, best, usual)
            self.replay.decide(raw, masks, actions, current_players)
            rows = responding.nonzero().squeeze(1)
            self.reservoir.add(raw[rows], masks[rows], actions[rows], self.rng)
            rewards, over = (self.to_device(part) for part in tables.step(actions.cpu().numpy()))
            self.replay.earn(rewards, over)
            self._draw(over)
        self._steps += self.settings.steps_per_table * tables.count

    def _draw(self, begun: Tensor) -> None:
        """Draw who plays games that begin by his best response; begun: bool (tables,)."""
        drawn = torch.rand(self.responding.shape, generator=self.rng, device=self.device)
        anew = drawn < self.settings.anticipation
        self.responding = torch.where(begun[:, None], anew, self.responding)

    def _learn_values(self) -> float:
        rows = self.replay.draw(self.settings.batch_size, self.rng)
        if not len(rows):
            return 0.0
        replay, following = self.replay, self.replay.following[rows].clamp(min=0)
        with torch.no_grad():
            ahead = replay.raw[following]
            targets = targets_of(
                replay.rewards[rows],
                replay.over(rows),
                self.values(ahead),
                self.target(ahead),
                replay.masks[following],
                self.settings.discount,
            )
        values = self.values(replay.raw[rows])
        worth = values.gather(1, replay.actions[rows, None]).squeeze(1)
        loss = (worth - targets).square().mean()
        descend(loss, self.values, self.value_optimizer, self.settings.max_grad_norm)
        return float(loss.detach())

    def _learn_average(self) -> float:
        rows = self.reservoir.draw(self.settings.batch_size, self.rng)
        if not len(rows):
            return 0.0
        kept = self.reservoir
        logs = legal_logs(self.average(kept.raw[rows]), kept.masks[rows])
        loss = -logs.gather(1, kept.actions[rows, None]).mean()
        descend(loss, self.average, self.average_optimizer, self.settings.max_grad_norm)
        return float(loss.detach())

    def state(self) -> dict[str, Any]:
        """All that `restore` needs, the buffers among it."""
        buffers = {"replay": self.replay.state(), "reservoir": self.reservoir.state()}
        drawn = {"responding": self.responding.cpu(), "updates": self.updates}
        return super().state() | buffers | drawn

    def restore(self, state: dict[str, Any]) -> None:
        """Go on exactly where `state` was asked for."""
        super().restore(state)
        self.replay.restore(state["replay"])
        self.reservoir.restore(state["reservoir"])
        self.responding = state["responding"].to(self.device)
        self.updates = state["updates"]
