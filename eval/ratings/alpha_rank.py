"""Alpha-rank and cycles of agents, from their head-to-head results."""

from collections import deque

import numpy as np
import scipy
from numpy.typing import NDArray

_RARE = 0.01  # chance of a change to the weaker of two agents


def alpha_rank(ahead: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the share of time that a population plays each agent if it changes to stronger ones.

    Alpha-rank (Omidshafiei et al., 2019) for one population and an infinite ranking intensity: the
    population plays one agent, tries another one with equal chance, and changes to it if it is
    ahead; with a chance of one half if neither is, and of 1 % if it is behind.

    Args:
        ahead: Whether the first of two agents is ahead of the second, bool (agents, agents).

    Returns:
        float64 (agents,), which sum to 1.
    """
    agents = len(ahead)
    changes = np.where(ahead.T, 1 - _RARE, np.where(ahead, _RARE, 0.5)) / max(agents - 1, 1)
    np.fill_diagonal(changes, 0)
    balance = changes.T - np.diag(changes.sum(axis=1))
    equations = np.vstack([balance, np.ones(agents)])
    shares: NDArray[np.float64] = np.linalg.lstsq(equations, np.eye(agents + 1)[-1], rcond=None)[0]
    return np.clip(shares, 0, 1)


def find_cycles(ahead: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """Return a shortest cycle of each group of agents in which everyone is behind someone.

    In a cycle each agent is ahead of the next one, and the last of the first.

    Args:
        ahead: As in `alpha_rank`; of two agents at most one is ahead.
    """
    number, groups = scipy.sparse.csgraph.connected_components(ahead, connection="strong")
    cycles = []
    for group in range(number):
        members = np.flatnonzero(groups == group).tolist()
        if len(members) > 1:
            cycles.append(min((_cycle_from(agent, ahead) for agent in members), key=len))
    return cycles


def _cycle_from(agent: int, ahead: NDArray[np.bool_]) -> tuple[int, ...]:
    """Return a shortest cycle through an agent that is in one."""
    paths = deque[tuple[int, ...]]([(agent,)])
    seen = {agent}
    while True:
        path = paths.popleft()
        for other in np.flatnonzero(ahead[path[-1]]).tolist():
            if other == agent:
                return path
            if other not in seen:
                seen.add(other)
                paths.append((*path, other))
