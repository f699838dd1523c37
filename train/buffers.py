"""Buffers of decisions: trajectories, replay, a reservoir, action values of tried actions.

All but `TrajectoryBuffer` have a fixed number of rows, allocated at once, and are sampled by row.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..envs.engine.compile import kernel
from ..envs.engine.preview import ActionFeatures
from ..envs.engine.protocol import RawObservations, Rows

_UNKNOWN, _TERMINAL = -1, -2  # in `next_rows`: not decided yet; the game ended before


class TrajectoryBuffer:
    """Values and rewards of `steps` decisions in each of some games, step by step.

    Attributes:
        values: float32 (steps, envs), estimates of the critic.
    """

    def __init__(self, steps: int, envs: int, seats: int) -> None:
        self.values = np.empty((steps, envs), np.float32)
        self._players = np.empty((steps, envs), np.int64)
        self._rewards = np.empty((steps, envs, seats), np.float32)
        self._over = np.empty((steps, envs), np.bool_)

    def add_decisions(self, step: int, players: Rows, values: NDArray[np.float32]) -> None:
        """Store who decides in each game, and its value."""
        self._players[step], self.values[step] = players, values

    def add_rewards(self, step: int, rewards: NDArray[np.float32], over: NDArray[np.bool_]) -> None:
        """Store the rewards of all seats, (envs, seats), and which games (or rounds) ended."""
        self._rewards[step], self._over[step] = rewards, over

    def compute(
        self, values_of: Callable[[int], NDArray[np.float32]], gamma: float, gae_lambda: float
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return generalised advantages of decisions, and returns, each (steps * envs,).

        Each seat's decisions form a trajectory of their own: decision k of a seat is followed by
        its next one, r_k is the sum of its rewards in between (undiscounted), and
        A_k = r_k + gamma V_{k+1} - V_k + gamma lambda A_{k+1}.

        Schulman et al., "High-dimensional continuous control using generalized advantage
        estimation", 2015 (arXiv 1506.02438).

        Args:
            values_of: Returns the values of one seat after the last step, (envs,).
            gamma: Discount from a seat's decision to its next.
            gae_lambda: Weight of longer returns.
        """
        steps, envs, seats = self._rewards.shape
        rows, values = np.arange(envs), self.values
        next_values = np.stack([values_of(seat) for seat in range(seats)], axis=1)
        next_advantages = np.zeros((envs, seats), np.float32)
        pending = np.zeros((envs, seats), np.float32)  # rewards until the seat's next decision
        advantages = np.empty((steps, envs), np.float32)
        for step in range(steps - 1, -1, -1):
            for array in (next_values, next_advantages, pending):
                array[self._over[step]] = 0
            pending += self._rewards[step]
            own = rows, self._players[step]
            delta = pending[own] + gamma * next_values[own] - values[step]
            next_advantages[own] = delta + gamma * gae_lambda * next_advantages[own]
            next_values[own] = values[step]
            pending[own] = 0
            advantages[step] = next_advantages[own]
        return advantages.ravel(), (advantages + values).ravel()


class _DecisionBuffer:
    """Rows of decisions in columns: tensors (size, ...).

    Raw observations, uint8 (size, inputs), masks, bool (size, actions), and actions.

    Attributes:
        columns: The names of the tensors.
        added: How many rows were offered so far.
    """

    columns: tuple[str, ...] = ("raw", "masks", "actions")

    def __init__(self, size: int, inputs: int, actions: int, device: torch.device) -> None:
        self.size, self.device, self.added = size, device, 0
        self.raw = torch.zeros(size, inputs, dtype=torch.uint8, device=device)
        self.masks = torch.zeros(size, actions, dtype=torch.bool, device=device)
        self.actions = torch.zeros(size, dtype=torch.int64, device=device)

    @property
    def filled(self) -> int:
        """Rows in use; they are the first ones."""
        return min(self.added, self.size)

    def sample(self, count: int, rng: torch.Generator) -> Tensor:
        """Return `count` random rows in use, int64, or none while the buffer is empty."""
        if not self.added:
            return torch.empty(0, dtype=torch.int64, device=self.device)
        return torch.randint(self.filled, (count,), generator=rng, device=self.device)

    def state(self) -> dict[str, Any]:
        """Return what `restore` needs: copies of the rows in use."""
        rows = {name: getattr(self, name)[: self.filled].cpu().clone() for name in self.columns}
        return {"added": self.added, **rows}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a `state`."""
        self.added = state["added"]
        for name in self.columns:
            getattr(self, name)[: self.filled] = state[name].to(self.device)

    def put(self, rows: Tensor, raw: Tensor, masks: Tensor, actions: Tensor) -> None:
        """Write decisions into rows, none of which is given twice."""
        self.raw[rows], self.masks[rows], self.actions[rows] = raw, masks, actions


class TriedActions(NamedTuple):
    """Actions that were tried in some decisions; those of a decision stand together.

    Attributes:
        seen: Features of the states, uint8 (decisions, inputs).
        rows: The decision of each action, int64 (actions,), ascending from 0 without gaps.
        values: Their values by rollouts, float32 (actions,).
        sizes: How many features of each are not zero, int64 (actions,).
        places: Which these are, int16 (numbers,), with the bits of uint16.
        numbers: int16 (numbers,).
    """

    seen: Tensor
    rows: Tensor
    values: Tensor
    sizes: Tensor
    places: Tensor
    numbers: Tensor


class ActionValueBuffer:
    """The newest decisions whose actions were tried.

    Features of actions that are not zero follow each other in a ring; a decision is kept as long as
    all of its own are there.

    Args:
        size: Decisions, at most.
        actions: Actions of a decision, at most.
        inputs: Features of a state.

    Attributes:
        added: How many decisions were added so far.
    """

    NUMBERS = 16  # features of an action that are not zero, for which there is room on average

    def __init__(self, size: int, actions: int, inputs: int) -> None:
        self.size, self.added, self._written = size, 0, 0
        self._columns: dict[str, NDArray[Any]] = {
            "seen": np.zeros((size, inputs), np.uint8),
            "counts": np.zeros(size, np.int64),
            "values": np.zeros((size, actions), np.float32),
            "starts": np.zeros((size, actions), np.int64),
            "sizes": np.zeros((size, actions), np.int64),
        }
        room = max(size * actions * self.NUMBERS, 2**16)  # more than any decision has
        self._ring: dict[str, NDArray[Any]] = {
            name: np.zeros(room, np.int16) for name in ("places", "numbers")
        }

    def add(self, tried: TriedActions) -> None:
        """Add decisions."""
        seen, decisions, values, sizes, places, numbers = (column.numpy() for column in tried)
        counts, columns = np.bincount(decisions), self._columns
        rows = (self.added + np.arange(len(seen))) % self.size
        columns["seen"][rows], columns["counts"][rows] = seen, counts
        first = counts.cumsum() - counts
        cells = rows[decisions], np.arange(len(decisions)) - first[decisions]
        columns["values"][cells], columns["sizes"][cells] = values, sizes
        columns["starts"][cells] = self._written + sizes.cumsum() - sizes
        ring = (self._written + np.arange(len(places))) % len(self._ring["places"])
        self._ring["places"][ring], self._ring["numbers"][ring] = places, numbers
        self._written += len(places)
        self.added += len(seen)

    def sample(
        self, count: int, rng: torch.Generator
    ) -> tuple[RawObservations, ActionFeatures, NDArray[np.float32]]:
        """Return about `count` random decisions: states, tried actions and their values."""
        return self.take(torch.randint(min(self.added, self.size), (count,), generator=rng).numpy())

    def take(self, rows: Rows) -> tuple[RawObservations, ActionFeatures, NDArray[np.float32]]:
        """Return the decisions in some rows, less those whose features are no longer there."""
        columns, room = self._columns, len(self._ring["places"])
        rows = rows[columns["starts"][rows, 0] >= self._written - room]
        counts = columns["counts"][rows]
        decisions = np.repeat(np.arange(len(rows)), counts)
        cells = rows[decisions], np.arange(len(decisions)) - (counts.cumsum() - counts)[decisions]
        sizes = columns["sizes"][cells]
        starts = np.concatenate([[0], sizes.cumsum()])
        places, numbers = (np.empty(starts[-1], np.int16) for _ in range(2))
        ring = self._ring["places"], self._ring["numbers"]
        _read(columns["starts"][cells], starts, ring[0], ring[1], places, numbers)
        actions = ActionFeatures(decisions, decisions, starts, places.view(np.uint16), numbers)
        return columns["seen"][rows], actions, columns["values"][cells]

    def state(self) -> dict[str, Any]:
        """Return what `restore` needs: copies of the rows in use."""
        used = {name: array[: self.added] for name, array in self._columns.items()}
        used |= {name: array[: self._written] for name, array in self._ring.items()}
        copies = {name: torch.from_numpy(array.copy()) for name, array in used.items()}
        return copies | {"added": self.added, "written": self._written}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a `state`."""
        self.added, self._written = state["added"], state["written"]
        for name, array in (self._columns | self._ring).items():
            array[: len(state[name])] = state[name].numpy()


@kernel
def _read(
    begins: Rows,
    starts: Rows,
    ring_places: NDArray[np.int16],
    ring_numbers: NDArray[np.int16],
    places: NDArray[np.int16],
    numbers: NDArray[np.int16],
) -> None:
    """Copy the features of some actions from a ring, where each begins at `begins[k]`."""
    room = len(ring_places)
    for k in range(len(begins)):
        for n in range(starts[k], starts[k + 1]):
            place = (begins[k] + n - starts[k]) % room
            places[n], numbers[n] = ring_places[place], ring_numbers[place]


class ReplayBuffer(_DecisionBuffer):
    """The newest decisions of all seats, each linked to the next decision of its seat.

    Decisions are numbered as they come; number n is in row n modulo `size`, and `size` is at least
    the number of games.

    Args:
        shape: (envs, seats).

    Attributes:
        rewards: float32 (size,), rewards of the decision's seat until its next decision.
        next_rows: int64 (size,), the row of that next decision, or below 0.
        last_decisions: int64 (envs, seats), the number of each seat's last decision in its running
            game, -1 before there is one.
    """

    columns = (*_DecisionBuffer.columns, "rewards", "next_rows")

    def __init__(
        self, size: int, inputs: int, actions: int, shape: tuple[int, int], device: torch.device
    ) -> None:
        super().__init__(size, inputs, actions, device)
        self.rewards = torch.zeros(size, device=device)
        self.next_rows = torch.full((size,), _UNKNOWN, device=device)
        self.last_decisions = torch.full(shape, -1, device=device)

    def add(self, raw: Tensor, masks: Tensor, actions: Tensor, players: Tensor) -> None:
        """Add a decision of every game; players: int64 (envs,), who decides."""
        envs = torch.arange(len(players), device=self.device)
        numbers = self.added + envs
        self.added += len(players)
        rows, before = numbers % self.size, self.last_decisions[envs, players]
        present = self._present(before)
        self.next_rows[before[present] % self.size] = rows[present]
        self.put(rows, raw, masks, actions)
        self.rewards[rows], self.next_rows[rows] = 0.0, _UNKNOWN
        self.last_decisions[envs, players] = numbers

    def add_rewards(self, rewards: Tensor, over: Tensor) -> None:
        """Add the rewards of all seats, float32 (envs, seats); over: which games ended."""
        present = self._present(self.last_decisions)
        self.rewards[self.last_decisions[present] % self.size] += rewards[present]
        ended = present & over[:, None]
        self.next_rows[self.last_decisions[ended] % self.size] = _TERMINAL
        self.last_decisions[over] = -1

    def sample(self, count: int, rng: torch.Generator) -> Tensor:
        """Return `count` random rows, int64, less those whose next decision is not known yet."""
        rows = super().sample(count, rng)
        return rows[self.next_rows[rows] != _UNKNOWN]

    def terminal(self, rows: Tensor) -> Tensor:
        """Return whether the game ended before the seat's next decision, bool (rows,)."""
        return self.next_rows[rows] == _TERMINAL

    def state(self) -> dict[str, Any]:
        """Return what `restore` needs."""
        return super().state() | {"last_decisions": self.last_decisions.cpu().clone()}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a `state`."""
        super().restore(state)
        self.last_decisions = state["last_decisions"].to(self.device)

    def _present(self, numbers: Tensor) -> Tensor:
        """Return which decisions, by number, exist and are not overwritten."""
        return numbers >= max(0, self.added - self.size)


class ReservoirBuffer(_DecisionBuffer):
    """A uniform sample of all decisions ever offered (Vitter's algorithm R, 1985)."""

    def add(self, raw: Tensor, masks: Tensor, actions: Tensor, rng: torch.Generator) -> None:
        """Offer decisions: the n-th draws one of n rows, and is stored if that is below `size`."""
        numbers = self.added + np.arange(len(actions))
        draws = torch.rand(len(actions), generator=rng, device=self.device, dtype=torch.float64)
        drawn = (draws.cpu().numpy() * (numbers + 1)).astype(np.int64)
        rows = np.where(numbers < self.size, numbers, drawn)
        last, places = np.unique(rows[::-1], return_index=True)  # the last to draw a row keeps it
        places = len(rows) - 1 - places[last < self.size]
        kept, targets = (
            torch.from_numpy(array).to(self.device) for array in (places, rows[places])
        )
        self.added += len(actions)
        self.put(targets, raw[kept], masks[kept], actions[kept])
