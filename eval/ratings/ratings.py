"""Ratings of agents with their intervals, alpha-rank, and cycles."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from ..tournament.statistics import CONFIDENCE, Estimate, Values
from .plackett_luce import strengths
from .ranked_games import RankedGames

MEAN = 1500.0  # of all ratings
SCALE = 400 / np.log(10)  # a difference of 400: ten times as strong
RESAMPLES = 1000
_RARE = 0.01  # chance of a change to the weaker of two agents


@dataclass(frozen=True)
class Rating:
    """The rating of an agent.

    Attributes:
        name: The agent.
        rating: Its strength on Elo's scale, relative to the mean of all agents, which is 1500: of
            two agents with a difference of 400 the better one is ten times as likely to be first.
        alpha_rank: Its share of the time in a population that changes to stronger agents.
        games: Games that it was in.
    """

    name: str
    rating: Estimate
    alpha_rank: float
    games: int


@dataclass(frozen=True)
class Ratings:
    """The ratings of all agents.

    Attributes:
        agents: The best first; agents that never met another one are left out.
        cycles: Agents of which each is ahead of the next one, and the last of the first, by more
            than the interval of their head-to-head share; one cycle of each group.
    """

    agents: list[Rating]
    cycles: list[tuple[str, ...]]


def rate(
    names: Sequence[str], games: RankedGames, shares: NDArray[np.float64], seed: int
) -> Ratings:
    """Rate agents by all their games at once, with 95 % intervals by bootstrap over deals.

    Args:
        names: Names of the agents.
        games: Their games.
        shares: Their `head_to_head`, float64 (agents, agents, 3).
        seed: Seed of the bootstrap.
    """
    played = games.games
    rated = np.flatnonzero(np.isfinite(shares[..., 0]).any(axis=1)).tolist()  # met another
    if not rated:
        return Ratings([], [])
    with threadpool_limits(1):  # more threads round differently
        best, resampled = strengths(games, RESAMPLES, seed)
        ahead = shares[..., 1] > 0.5
        times = alpha_rank(ahead[np.ix_(rated, rated)])
    means, samples = _on_elo_scale(best[rated]), _on_elo_scale(resampled[:, rated])
    tails = (1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2
    intervals = np.quantile(samples, tails, axis=0).T
    ratings = [
        Rating(names[agent], Estimate(*map(float, (mean, *ends))), float(time), int(played[agent]))
        for agent, mean, ends, time in zip(rated, means, intervals, times, strict=True)
    ]
    cycles = [tuple(names[agent] for agent in cycle) for cycle in find_cycles(ahead)]
    return Ratings(sorted(ratings, key=lambda rating: -rating.rating.mean), cycles)


def _on_elo_scale(strength: Values) -> Values:
    """Return logarithms of strengths, (..., agents), on Elo's scale."""
    ratings: Values = MEAN + SCALE * (strength - strength.mean(axis=-1, keepdims=True))
    return ratings


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
    order, before = scipy.sparse.csgraph.breadth_first_order(ahead, agent)
    cycle = [next(other for other in order.tolist() if ahead[other, agent])]
    while cycle[-1] != agent:
        cycle.append(int(before[cycle[-1]]))
    return tuple(cycle[::-1])
