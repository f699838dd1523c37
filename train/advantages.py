"""Generalised advantages in games whose players take turns.

Schulman et al., "High-dimensional continuous control using generalized advantage estimation", 2015
(arXiv 1506.02438), along the decisions of each seat by itself.
"""

import numpy as np
from numpy.typing import NDArray


def advantages_of(
    rewards: NDArray[np.float32],
    over: NDArray[np.bool_],
    movers: NDArray[np.int64],
    values: NDArray[np.float32],
    last: NDArray[np.float32],
    discount: float,
    gae_lambda: float,
) -> NDArray[np.float32]:
    """Generalised advantages of the decisions of many seats that take turns, (steps, tables).

    rewards: what each step brought every seat, (steps, tables, seats). over: whether it ended the
    game. movers, values: who decided and what the critic said, (steps, tables). last: values after
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
        mine = rows, movers[step]
        surprise = waiting[mine] + discount * following[mine] - values[step]
        ahead[mine] = surprise + discount * gae_lambda * ahead[mine]
        following[mine] = values[step]
        waiting[mine] = 0
        advantages[step] = ahead[mine]
    return advantages
