"""Ratings of agents with their intervals, alpha-rank, and cycles."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from ..tournament.statistics import CONFIDENCE, Estimate, Values
from .alpha_rank import alpha_rank, find_cycles
from .plackett_luce import strengths
from .ranked_games import RankedGames

MEAN = 1500.0  # of all ratings
SCALE = 400 / np.log(10)  # a difference of 400: ten times as strong
RESAMPLES = 1000


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
