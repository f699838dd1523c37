"""Deep Monte Carlo: action values are regressed on Monte Carlo returns.

All seats learn. They play epsilon-greedily. The value of each decision is regressed on its return,
the sum of its player's rewards from there to the end of the game. Nothing is bootstrapped; a
decision is learnt from once, when its game is over.

Zha et al., "DouZero: mastering DouDizhu with self-play deep reinforcement learning", ICML 2021
(arXiv 2106.06135). Their network values one of tens of thousands of actions at a time; here the
few actions are fixed, and the network values all of them at once.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy  # its parts load when they are first used, which matters at the command line
import torch
from numpy.typing import NDArray

from ..agents.network import GREEDY_SCALE, Network
from ..envs.engine.protocol import RawObservations, Rows
from ..envs.engine.settings import fraction, whole
from .networks import ActionNet, epsilon_greedy, gradient_step, minibatches, multiply_logits
from .relabelling import RelabellingLearner, RelabellingSettings
from .self_play import SelfPlayEnvs
from .settings import MAX_ENVS, MAX_ROWS, SMOKE

PRESETS: dict[str, dict[str, Any]] = {
    "smoke": SMOKE,
    "quick": {"total_timesteps": 10_000_000},
    "long": {"total_timesteps": 150_000_000, "learning_rate": 3e-4},
}


@dataclass(frozen=True, kw_only=True)
class DMCSettings(RelabellingSettings):
    """Settings of Deep Monte Carlo beside those of every run.

    Attributes:
        learning_rate: Adam's.
        batch_size: Decisions in a gradient step.
        gamma: Discount from a player's decision to its next; 1 gives the plain return.
        epsilon: Probability of a random action.
        max_grad_norm: Norm at which gradients are clipped.
    """

    n_envs: int = whole(256, most=MAX_ENVS)
    self_play: float = fraction(1.0)
    eval_every_updates: int = whole(100, least=0)  # updates are short
    hidden: list[int] = field(default_factory=lambda: [256, 256])
    learning_rate: float = fraction(1e-3)
    batch_size: int = whole(1024, least=2, most=MAX_ROWS)
    gamma: float = fraction(0.99)
    epsilon: float = fraction(0.05)
    max_grad_norm: float = fraction(0.5)


def compute_returns(
    rewards: NDArray[np.float32], players: NDArray[np.int64], gamma: float
) -> NDArray[np.float32]:
    """Return the Monte Carlo returns of the decisions of one whole game, (decisions,).

    Rewards of a seat until its next decision are undiscounted.

    Args:
        rewards: (decisions, seats), rewards of every seat after each decision.
        players: (decisions,), who decided.
        gamma: Discount from a seat's decision to its next.
    """
    returns = np.empty(len(players), np.float32)
    for seat in range(rewards.shape[1]):
        own = np.flatnonzero(players == seat)
        if len(own):
            sums = np.add.reduceat(rewards[:, seat].astype(np.float64), own)
            returns[own] = scipy.signal.lfilter([1.0], [1.0, -gamma], sums[::-1])[::-1]
    return returns


class EpisodeBuffer:
    """The decisions of the running games, each from its first one.

    Attributes:
        raw: uint8 (envs, room, inputs).
        actions: int64 (envs, room).
        players: int64 (envs, room), who decided.
        rewards: float32 (envs, room, seats), rewards of every seat after each decision.
        counts: int64 (envs,), decisions of each game; the room doubles when one is full.
    """

    def __init__(self, envs: int, seats: int, inputs: int) -> None:
        self.counts = np.zeros(envs, np.int64)
        self.raw = np.empty((envs, 64, inputs), np.uint8)
        self.actions = np.empty((envs, 64), np.int64)
        self.players = np.empty((envs, 64), np.int64)
        self.rewards = np.empty((envs, 64, seats), np.float32)

    def add(
        self, raw: RawObservations, actions: Rows, players: Rows, rewards: NDArray[np.float32]
    ) -> None:
        """Add a decision of every game."""
        self._make_room(int(self.counts.max()) + 1)
        here = np.arange(len(self.counts)), self.counts
        self.raw[here], self.actions[here] = raw, actions
        self.players[here], self.rewards[here] = players, rewards
        self.counts += 1

    def pop(self, env: int, gamma: float) -> tuple[RawObservations, Rows, NDArray[np.float32]]:
        """Return observations, actions and returns of a game that is over, and clear it."""
        game = slice(self.counts[env])
        self.counts[env] = 0
        returns = compute_returns(self.rewards[env, game], self.players[env, game], gamma)
        return self.raw[env, game].copy(), self.actions[env, game].copy(), returns

    def state(self) -> dict[str, torch.Tensor]:
        """Return what is filled."""
        filled = np.arange(self.actions.shape[1]) < self.counts[:, None]
        columns = {name: torch.from_numpy(getattr(self, name)[filled]) for name in _COLUMNS}
        return columns | {"counts": torch.from_numpy(self.counts.copy())}

    def restore(self, state: dict[str, torch.Tensor]) -> None:
        """Continue from a `state`."""
        self.counts[:] = state["counts"].numpy()
        self._make_room(int(self.counts.max()))
        filled = np.arange(self.actions.shape[1]) < self.counts[:, None]
        for name in _COLUMNS:
            getattr(self, name)[filled] = state[name].numpy()

    def _make_room(self, decisions: int) -> None:
        while decisions > self.actions.shape[1]:
            for name in _COLUMNS:
                column = getattr(self, name)
                envs, room, *rest = column.shape
                wider = np.empty((envs, 2 * room, *rest), column.dtype)  # no memory until written
                wider[:, :room] = column
                setattr(self, name, wider)


_COLUMNS = ("raw", "actions", "players", "rewards")


class DMC(RelabellingLearner):
    """The network of action values, its optimiser, and the running episodes."""

    STATEFUL = ("net", "optimizer")

    def __init__(self, envs: SelfPlayEnvs, settings: DMCSettings) -> None:
        super().__init__(envs, settings)
        self.settings = settings
        self.net = ActionNet(envs.game, settings.hidden).to(self.device)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=settings.learning_rate)
        self.episodes = EpisodeBuffer(
            envs.num_games, envs.max_players, envs.game.observation_spec.size
        )

    def export(self) -> Network:
        """Return the greedy policy, whose logits are values times `GREEDY_SCALE`."""
        return multiply_logits(self.net.export(), GREEDY_SCALE)

    def update(self) -> dict[str, float]:
        """Play on in all games, and learn from those that ended."""
        games = self._play()
        if not games:
            return {}
        loss = self._learn(*map(np.concatenate, zip(*games, strict=True)))
        return {"train/loss": loss, "train/action_value_loss": loss}

    @torch.no_grad()
    def _play(self) -> list[tuple[RawObservations, Rows, NDArray[np.float32]]]:
        """Return observations, actions and returns of each game that ended."""
        envs, settings, games = self.envs, self.settings, []
        for _ in range(settings.n_steps):
            raw, legal = envs.observe()
            values, masks = self.net(self.to_device(raw)), self.to_device(legal).bool()
            actions = epsilon_greedy(values, masks, settings.epsilon, self.rng).cpu().numpy()
            players = envs.current_players
            rewards, over = envs.step(actions)
            self.episodes.add(raw, actions, players, rewards)
            games += [self.episodes.pop(int(env), settings.gamma) for env in np.flatnonzero(over)]
        self.num_timesteps += settings.n_steps * envs.num_games
        return games

    def _learn(self, raw: RawObservations, actions: Rows, returns: NDArray[np.float32]) -> float:
        """Fit the values of all decisions once, in random order; return the mean loss."""
        losses, inputs = [], self.to_device(raw)
        chosen, targets = self.to_device(actions), self.to_device(returns)
        for rows in minibatches(len(actions), self.settings.batch_size, self.rng):
            shown, played = inputs[rows], chosen[rows]
            if names := self.draw_relabelling():
                shown, played = names.observations(shown), names.actions[played]
            values = self.net(shown).gather(1, played[:, None]).squeeze(1)
            loss = (values - targets[rows]).square().mean()
            gradient_step(loss, self.net, self.optimizer, self.settings.max_grad_norm)
            losses.append(float(loss.detach()))
        return sum(losses) / len(losses)

    def state(self) -> dict[str, Any]:
        """Return what `restore` needs."""
        return super().state() | {"episodes": self.episodes.state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue exactly where `state` was called."""
        super().restore(state)
        self.episodes.restore(state["episodes"])
