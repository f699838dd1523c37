"""Deep Monte Carlo: what an action is worth is what the games in which it was chosen came to.

All seats learn. They play the legal action of the highest value and sometimes, to explore, any.
Each decision's value is regressed on its Monte Carlo return: all that came to its player from
there to the end of the game. Nothing is bootstrapped, so no error feeds on itself; a decision is
learnt from, once, when its game is over.

Zha et al., "DouZero: mastering DouDizhu with self-play deep reinforcement learning", ICML 2021
(arXiv 2106.06135). There the network is given an action among tens of thousands and answers with
its value; the few actions here are fixed, and the network answers for all of them at once.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.signal import lfilter

from ..agents.network import GREEDY_SCALE, Network
from ..envs.engine.protocol import RawObservations, Rows
from ..envs.engine.settings import fraction, whole
from .export import sharpened
from .networks import (
    ActionNet,
    DeviceSettings,
    TorchLearner,
    batches,
    descend,
    explore,
)
from .tables import Tables

PRESETS: dict[str, dict[str, Any]] = {
    "smoke": {
        "total_steps": 4_096,
        "tables": 16,
        "steps_per_table": 32,
        "batch_size": 256,
        "hidden": [32],
    },
    "quick": {"total_steps": 10_000_000},
    "long": {"total_steps": 150_000_000, "learning_rate": 3e-4},
}


@dataclass(frozen=True, kw_only=True)
class DMCSettings(DeviceSettings):
    """Settings of Deep Monte Carlo beside those of every run.

    learning_rate: Adam's. batch_size: samples of a gradient step.
    discount: of what comes one decision of one's own later; 1 for a game's plain return.
    epsilon: the chance that a decision is any legal action. max_grad_norm: where gradients are cut.
    """

    tables: int = whole(256)
    self_play: float = fraction(1.0)
    hidden: list[int] = field(default_factory=lambda: [256, 256])
    learning_rate: float = fraction(1e-3)
    batch_size: int = whole(1024)
    discount: float = fraction(0.99)
    epsilon: float = fraction(0.05)
    max_grad_norm: float = fraction(0.5)


def returns_of(
    rewards: NDArray[np.float32], current_players: NDArray[np.int64], discount: float
) -> NDArray[np.float32]:
    """Monte Carlo returns of the decisions of one whole game, (decisions,).

    rewards: what each brought every seat, (decisions, seats). current_players: who decided, (decisions,).
    What comes to a seat until its own next decision is undiscounted.
    """
    returns = np.empty(len(current_players), np.float32)
    for seat in range(rewards.shape[1]):
        own = np.flatnonzero(current_players == seat)
        if len(own):
            brought = np.add.reduceat(rewards[:, seat].astype(np.float64), own)
            returns[own] = lfilter([1.0], [1.0, -discount], brought[::-1])[::-1]
    return returns


class EpisodeBuffer:
    """The decisions of games that go on, table by table, from each game's first one.

    raw: uint8 (tables, room, slices.size). actions, current_players: int64 (tables, room). rewards:
    float32 (tables, room, seats), what each brought every seat. counts: int64 (tables,), how many
    of a table's places are written; there is more room when they are all.
    """

    def __init__(self, tables: int, seats: int, size: int) -> None:
        self.counts = np.zeros(tables, np.int64)
        self.raw = np.empty((tables, 64, size), np.uint8)
        self.actions = np.empty((tables, 64), np.int64)
        self.current_players = np.empty((tables, 64), np.int64)
        self.rewards = np.empty((tables, 64, seats), np.float32)

    def write(
        self,
        raw: RawObservations,
        actions: Rows,
        current_players: Rows,
        rewards: NDArray[np.float32],
    ) -> None:
        """Note a decision at every table."""
        self._make_room(int(self.counts.max()) + 1)
        here = np.arange(len(self.counts)), self.counts
        self.raw[here], self.actions[here] = raw, actions
        self.current_players[here], self.rewards[here] = current_players, rewards
        self.counts += 1

    def close(
        self, table: int, discount: float
    ) -> tuple[RawObservations, Rows, NDArray[np.float32]]:
        """Features, actions and returns of a table whose game is over, which begins anew."""
        game = slice(self.counts[table])
        self.counts[table] = 0
        returns = returns_of(self.rewards[table, game], self.current_players[table, game], discount)
        return self.raw[table, game].copy(), self.actions[table, game].copy(), returns

    def state(self) -> dict[str, torch.Tensor]:
        """What is written, without the room."""
        written = np.arange(self.actions.shape[1]) < self.counts[:, None]
        parts = {name: torch.from_numpy(getattr(self, name)[written]) for name in _COLUMNS}
        return parts | {"counts": torch.from_numpy(self.counts.copy())}

    def restore(self, state: dict[str, torch.Tensor]) -> None:
        """Go on from a `state`."""
        self.counts[:] = state["counts"].numpy()
        self._make_room(int(self.counts.max()))
        written = np.arange(self.actions.shape[1]) < self.counts[:, None]
        for name in _COLUMNS:
            getattr(self, name)[written] = state[name].numpy()

    def _make_room(self, wanted: int) -> None:
        while wanted > self.actions.shape[1]:
            for name in _COLUMNS:
                column = getattr(self, name)
                tables, room, *rest = column.shape
                wider = np.empty((tables, 2 * room, *rest), column.dtype)  # no memory till written
                wider[:, :room] = column
                setattr(self, name, wider)


_COLUMNS = ("raw", "actions", "current_players", "rewards")


class DMC(TorchLearner):
    """The network of values, its optimiser, and the diary of games that go on."""

    PARTS = ("net", "optimizer")

    def __init__(self, tables: Tables, settings: DMCSettings) -> None:
        super().__init__(tables, settings)
        self.settings = settings
        self.net = ActionNet(tables.game, settings.hidden).to(self.device)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=settings.learning_rate)
        self.diary = EpisodeBuffer(tables.count, tables.seats, tables.game.observation_spec.size)

    def player(self) -> Network:
        """The greedy policy.

        A player draws from a softmax (agents/network.py); values `GREEDY_SCALE` times as large leave it
        a choice only between actions that are worth the same but for next to nothing.
        """
        return sharpened(self.net.player(), GREEDY_SCALE)

    def update(self) -> dict[str, float]:
        """Play on at all tables and learn from the games that ended."""
        games = self._play()
        figures = {"games": float(len(games))}
        if games:
            figures["loss/value"] = self._learn(*map(np.concatenate, zip(*games, strict=True)))
        return figures

    @torch.no_grad()
    def _play(self) -> list[tuple[RawObservations, Rows, NDArray[np.float32]]]:
        """Decisions and returns of each game that ended."""
        tables, games = self.tables, []
        for _ in range(self.settings.steps_per_table):
            raw, legal = tables.observe()
            values, masks = self.net(self.to_device(raw)), self.to_device(legal).bool()
            actions = explore(values, masks, self.settings.epsilon, self.rng).cpu().numpy()
            current_players = tables.current_players.copy()
            rewards, over = tables.step(actions)
            self.diary.write(raw, actions, current_players, rewards)
            for table in np.flatnonzero(over):
                games.append(self.diary.close(int(table), self.settings.discount))
        self._steps += self.settings.steps_per_table * tables.count
        return games

    def _learn(self, seen: RawObservations, done: Rows, brought: NDArray[np.float32]) -> float:
        """Go through all decisions once, in random order; returns the mean loss."""
        settings, losses = self.settings, []
        raw, actions = self.to_device(seen), self.to_device(done)
        returns = self.to_device(brought)
        for rows in batches(len(actions), settings.batch_size, self.rng):
            values = self.net(raw[rows]).gather(1, actions[rows, None]).squeeze(1)
            loss = (values - returns[rows]).square().mean()
            descend(loss, self.net, self.optimizer, settings.max_grad_norm)
            losses.append(float(loss.detach()))
        return sum(losses) / len(losses)

    def state(self) -> dict[str, Any]:
        """All that `restore` needs, the diary among it."""
        return super().state() | {"diary": self.diary.state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on exactly where `state` was asked for."""
        super().restore(state)
        self.diary.restore(state["diary"])
