"""Neural Fictitious Self-Play (NFSP).

Two networks learn from games in which all seats learn. One values actions by double Q-learning
from a replay buffer: an approximate best response to how the others play. The other imitates, from
a reservoir, the best responses of the whole training: the average policy, which is the agent in
the end. With probability eta (`anticipatory_param`) a seat follows its best response for a whole
game, else the average policy; so best responses learn against what the averages move towards.

Heinrich and Silver, "Deep reinforcement learning from self-play in imperfect-information games",
2016 (arXiv 1603.01121); targets: van Hasselt et al., "Deep reinforcement learning with double
Q-learning", 2016 (arXiv 1509.06461); reservoir: Vitter's algorithm R, 1985.
"""

from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from ..agents.network import Network
from ..envs.engine.settings import fraction, whole
from ..errors import SettingsError
from .buffers import ReplayBuffer, ReservoirBuffer
from .figures import mean_figures
from .networks import (
    ActionNet,
    epsilon_greedy,
    gradient_step,
    masked_argmax,
    masked_log_softmax,
    sample_actions,
)
from .relabelling import RelabellingLearner, RelabellingSettings
from .self_play import SelfPlayEnvs
from .settings import MAX_ENVS, MAX_ROWS, SMOKE

PRESETS: dict[str, dict[str, Any]] = {
    "smoke": SMOKE | {"batch_size": 128, "buffer_size": 2_048, "reservoir_size": 2_048},
    "quick": {"total_timesteps": 6_000_000},
    "long": {"total_timesteps": 100_000_000, "buffer_size": 200_000, "reservoir_size": 500_000},
}


@dataclass(frozen=True, kw_only=True)
class NFSPSettings(RelabellingSettings):
    """Settings of Neural Fictitious Self-Play beside those of every run.

    Attributes:
        anticipatory_param: eta, the probability that a seat plays a game by its best response.
        epsilon: Probability of a random action of a best response in the first update; it falls
            with the square root of the number of updates.
        buffer_size: Decisions in the replay buffer.
        reservoir_size: Decisions in the reservoir.
        batch_size: Decisions in a gradient step.
        gradient_steps: Gradient steps of each network in an update.
        learning_rate: Adam's, of the action values.
        policy_learning_rate: Adam's, of the average policy.
        target_every_updates: Updates between two copies of the action values to the target network.
        gamma: Discount from a player's decision to its next.
        max_grad_norm: Norm at which gradients are clipped.
    """

    n_envs: int = whole(128, most=MAX_ENVS)
    self_play: float = fraction(1.0)
    eval_every_updates: int = whole(50, least=0)  # updates are short
    checkpoint_every_updates: int = whole(100)  # state.pt holds the buffers
    hidden: list[int] = field(default_factory=lambda: [256, 256])
    anticipatory_param: float = fraction(0.1)
    epsilon: float = fraction(0.3)
    buffer_size: int = whole(100_000, most=MAX_ROWS)
    reservoir_size: int = whole(200_000, most=MAX_ROWS)
    batch_size: int = whole(512, least=2, most=MAX_ROWS)
    gradient_steps: int = whole(32)
    learning_rate: float = fraction(5e-4)
    policy_learning_rate: float = fraction(1e-3)
    target_every_updates: int = whole(5)
    gamma: float = fraction(0.99)
    max_grad_norm: float = fraction(0.5)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.buffer_size < self.n_envs:
            raise SettingsError(f"buffer_size must be at least {self.n_envs}, which is n_envs")


def double_q_targets(
    rewards: Tensor, over: Tensor, online: Tensor, target: Tensor, masks: Tensor, gamma: float
) -> Tensor:
    """Return r + gamma Q_target(s', argmax_a Q_online(s', a)), (rows,).

    Args:
        rewards: (rows,), until the player's next decision.
        over: (rows,), whether the game ended before it.
        online: (rows, actions), action values of the online network there.
        target: (rows, actions), those of the target network.
        masks: (rows, actions), what is legal there.
        gamma: Discount.
    """
    chosen = masked_argmax(online, masks)
    values = target.gather(1, chosen[:, None]).squeeze(1)
    return rewards + gamma * torch.where(over, 0.0, values)


class NFSP(RelabellingLearner):
    """Networks, optimisers and buffers, and which seats play by their best response."""

    STATEFUL = ("values", "target", "average", "value_optimizer", "average_optimizer")

    def __init__(self, envs: SelfPlayEnvs, settings: NFSPSettings) -> None:
        super().__init__(envs, settings)
        self.settings = settings
        game, shape = envs.game, (envs.num_games, envs.max_players)
        self.values, self.target, self.average = (
            ActionNet(game, settings.hidden).to(self.device) for _ in range(3)
        )
        self.target.load_state_dict(self.values.state_dict())
        self.value_optimizer = torch.optim.Adam(self.values.parameters(), settings.learning_rate)
        self.average_optimizer = torch.optim.Adam(
            self.average.parameters(), settings.policy_learning_rate
        )
        widths = game.observation_spec.size, len(game.actions)
        self.replay = ReplayBuffer(settings.buffer_size, *widths, shape, self.device)
        self.reservoir = ReservoirBuffer(settings.reservoir_size, *widths, self.device)
        self.responding = torch.zeros(shape, dtype=torch.bool, device=self.device)
        self.updates = 0

    def begin(self) -> None:
        """Start the first games, and draw who plays them by a best response."""
        super().begin()
        self._draw(torch.ones(self.envs.num_games, dtype=torch.bool, device=self.device))

    def export(self) -> Network:
        """Return the average policy."""
        return self.average.export()

    def update(self) -> dict[str, float]:
        """Play on in all games, and let both networks learn from their buffers."""
        self._play()
        steps = []
        for _ in range(self.settings.gradient_steps):
            action_value_loss, imitation_loss = self._learn_values(), self._learn_average()
            figures = {
                "train/loss": action_value_loss + imitation_loss,
                "train/action_value_loss": action_value_loss,
                "train/imitation_loss": imitation_loss,
            }
            steps.append(figures)
        self.updates += 1
        if self.updates % self.settings.target_every_updates == 0:
            self.target.load_state_dict(self.values.state_dict())
        return mean_figures(steps)

    @torch.no_grad()
    def _play(self) -> None:
        envs, rows = self.envs, torch.arange(self.envs.num_games, device=self.device)
        epsilon = self.settings.epsilon / (1 + self.updates) ** 0.5
        for _ in range(self.settings.n_steps):
            raw, masks = map(self.to_device, envs.observe())
            masks = masks.bool()
            players = self.to_device(envs.current_players)
            responding = self.responding[rows, players]
            best = epsilon_greedy(self.values(raw), masks, epsilon, self.rng)
            average = sample_actions(masked_log_softmax(self.average(raw), masks), self.rng)
            actions = torch.where(responding, best, average)
            self.replay.add(raw, masks, actions, players)
            imitated = responding.nonzero().squeeze(1)
            self.reservoir.add(raw[imitated], masks[imitated], actions[imitated], self.rng)
            rewards, over = map(self.to_device, envs.step(actions.cpu().numpy()))
            self.replay.add_rewards(rewards, over)
            self._draw(over)
        self.num_timesteps += self.settings.n_steps * envs.num_games

    def _draw(self, begun: Tensor) -> None:
        """Draw who plays by a best response in games that begin; begun: bool (envs,)."""
        drawn = torch.rand(self.responding.shape, generator=self.rng, device=self.device)
        responding = drawn < self.settings.anticipatory_param
        self.responding = torch.where(begun[:, None], responding, self.responding)

    def _learn_values(self) -> float:
        replay, settings = self.replay, self.settings
        rows = replay.sample(settings.batch_size, self.rng)
        if not len(rows):
            return 0.0
        following = replay.next_rows[rows].clamp(min=0)
        shown = replay.raw[rows], replay.masks[rows], replay.actions[rows]
        later = replay.raw[following], replay.masks[following], replay.actions[following]
        if names := self.draw_relabelling():
            shown, later = names.samples(shown), names.samples(later)
        (own, _, actions), (raw, masks, _) = shown, later
        with torch.no_grad():
            targets = double_q_targets(
                replay.rewards[rows],
                replay.terminal(rows),
                self.values(raw),
                self.target(raw),
                masks,
                settings.gamma,
            )
        values = self.values(own).gather(1, actions[:, None]).squeeze(1)
        loss = (values - targets).square().mean()
        gradient_step(loss, self.values, self.value_optimizer, settings.max_grad_norm)
        return float(loss.detach())

    def _learn_average(self) -> float:
        kept, settings = self.reservoir, self.settings
        rows = kept.sample(settings.batch_size, self.rng)
        if not len(rows):
            return 0.0
        shown = kept.raw[rows], kept.masks[rows], kept.actions[rows]
        if names := self.draw_relabelling():
            shown = names.samples(shown)
        raw, masks, actions = shown
        logs = masked_log_softmax(self.average(raw), masks)
        loss = -logs.gather(1, actions[:, None]).mean()
        gradient_step(loss, self.average, self.average_optimizer, settings.max_grad_norm)
        return float(loss.detach())

    def state(self) -> dict[str, Any]:
        """Return what `restore` needs."""
        buffers = {"replay": self.replay.state(), "reservoir": self.reservoir.state()}
        drawn = {"responding": self.responding.cpu(), "updates": self.updates}
        return super().state() | buffers | drawn

    def restore(self, state: dict[str, Any]) -> None:
        """Continue exactly where `state` was called."""
        super().restore(state)
        self.replay.restore(state["replay"])
        self.reservoir.restore(state["reservoir"])
        self.responding = state["responding"].to(self.device)
        self.updates = state["updates"]
