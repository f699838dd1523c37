"""Ratings and their uncertainty, by OpenSkill's Plackett-Luce model (Weng and Lin, 2011)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from openskill.models import PlackettLuce


@dataclass(frozen=True)
class Rating:
    """The rating of an agent: its strength is within 2 sigma of mu with about 95 % probability."""

    name: str
    mu: float
    sigma: float
    games: int

    @property
    def ordinal(self) -> float:
        """Mu - 3 sigma, a lower limit of the strength; the order of the leaderboard."""
        return self.mu - 3 * self.sigma


def ranks(points: ArrayLike, win_shares: ArrayLike) -> NDArray[np.float64]:
    """Return numbers that order the seats of each game, low is good; who forfeits is last.

    Args:
        points: Points, (..., seats); NaN in a forfeited game, where all others rank equal.
        win_shares: Shares of the win, (..., seats).

    Returns:
        float64 (..., seats).
    """
    scored = np.asarray(points, np.float64)
    return np.where(np.isnan(scored), np.asarray(win_shares) == 0, scored)


def rate(
    names: Sequence[str], games: Iterable[tuple[Sequence[int], Sequence[float]]]
) -> list[Rating]:
    """Rate agents by their games and return the ratings, the best first.

    Agents do not change while they are rated, so the model adds no uncertainty between games
    (tau = 0). An agent with several seats in a game takes part once, with its mean rank; a game of
    one agent against itself does not count.

    Args:
        names: Names of the agents.
        games: Agents and `ranks` of the seats of each game, in order.
    """
    model = PlackettLuce(tau=0.0)
    ratings = [model.rating() for _ in names]
    played = [0] * len(names)
    for seating, ranked in games:
        by_agent: dict[int, list[float]] = {}
        for agent, rank in zip(seating, ranked, strict=True):
            by_agent.setdefault(agent, []).append(rank)
        if len(by_agent) == 1:
            continue
        means = [sum(found) / len(found) for found in by_agent.values()]
        rated = model.rate([[ratings[agent]] for agent in by_agent], ranks=means)
        for agent, (rating,) in zip(by_agent, rated, strict=True):
            ratings[agent] = rating
            played[agent] += 1
    done = [
        Rating(name, one.mu, one.sigma, count)
        for name, one, count in zip(names, ratings, played, strict=True)
        if count
    ]
    return sorted(done, key=lambda rating: -rating.ordinal)
