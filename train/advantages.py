"""Generalised advantages in games whose players take turns.

Schulman et al., "High-dimensional continuous control using generalized advantage estimation", 2015
(arXiv 1506.02438), along the decisions of each seat by itself.
"""

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.protocol import Rows


class TrajectoryBuffer:
    """What came of the decisions at some tables, noted step by step.

    values: float32 (steps, tables), what the critic said of them.
    """

    def __init__(self, steps: int, tables: int, seats: int) -> None:
        self.values = np.empty((steps, tables), np.float32)
        self._movers = np.empty((steps, tables), np.int64)
        self._rewards = np.empty((steps, tables, seats), np.float32)
        self._over = np.empty((steps, tables), np.bool_)

    def decide(self, step: int, current_players: Rows, values: NDArray[np.float32]) -> None:
        """Note who decides at each table, and what the critic says."""
        self._movers[step], self.values[step] = current_players, values

    def earn(self, step: int, rewards: NDArray[np.float32], over: NDArray[np.bool_]) -> None:
        """Note what that brought every seat, (tables, seats), and which games it ended."""
        self._rewards[step], self._over[step] = rewards, over

    def advantages(
        self, last: NDArray[np.float32], discount: float, gae_lambda: float
    ) -> NDArray[np.float32]:
        """See `advantages_of`."""
        noted = self._rewards, self._over, self._movers, self.values
        return advantages_of(*noted, last, discount, gae_lambda)


def advantages_of(
    rewards: NDArray[np.float32],
    over: NDArray[np.bool_],
    current_players: NDArray[np.int64],
    values: NDArray[np.float32],
    last: NDArray[np.float32],
    discount: float,
    gae_lambda: float,
) -> NDArray[np.float32]:
    """Generalised advantages of the decisions of many seats that take turns, (steps, tables).

    rewards: what each step brought every seat, (steps, tables, seats). over: whether it ended the
    game. current_players, values: who decided and what the critic said, (steps, tables). last: values after
    the last step for every seat, (tables, seats). A seat's decision is followed by its own next
    one: what comes in between is its reward, and no discount falls on it.
    """
    steps, tables, seats = rewards.shape
    rows = np.arange(tables)
    following, ahead = last.copy(), np.zeros((tables, seats), np.float32)
    waiting = np.zeros((tables, seats), np.float32)  # rewards since the seat's next decision
    advantages = np.empty((steps, tables), np.float32)
    for step in range(steps - 1, -1, -1):
        for array in (following, ahead, waiting):
            array[over[step]] = 0
        waiting += rewards[step]
        mine = rows, current_players[step]
        surprise = waiting[mine] + discount * following[mine] - values[step]
        ahead[mine] = surprise + discount * gae_lambda * ahead[mine]
        following[mine] = values[step]
        waiting[mine] = 0
        advantages[step] = ahead[mine]
    return advantages
