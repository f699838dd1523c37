"""Ratings with their uncertainty, by OpenSkill's Plackett-Luce model (Weng and Lin, 2011)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from openskill.models import PlackettLuce


@dataclass(frozen=True)
class Rating:
    """An agent's strength as OpenSkill sees it: about 95 % sure to be within 2 sigma of mu."""

    name: str
    mu: float
    sigma: float
    games: int

    @property
    def sure(self) -> float:
        """What the strength is at least, almost surely; the leaderboard's order."""
        return self.mu - 3 * self.sigma


def places(points: ArrayLike, shares: ArrayLike) -> NDArray[np.float64]:
    """What orders the seats of each game, low being good: points; a forfeiter comes last.

    points, shares: (..., seats). In a forfeited game (points NaN) all others are equal.
    """
    scored = np.asarray(points, np.float64)
    return np.where(np.isnan(scored), np.asarray(shares) == 0, scored)


def rate(
    names: Sequence[str], games: Iterable[tuple[Sequence[int], Sequence[float]]]
) -> list[Rating]:
    """Rate agents by their games, in the order given; the best first.

    games: of each game the seats' agents, by number, and their `places`.
    Agents do not change while they are rated, so the model adds no uncertainty between games
    (tau 0). One that sits several times in a game takes part once, with the mean of its places; a
    game against itself tells nothing.
    """
    model = PlackettLuce(tau=0.0)
    ratings = [model.rating() for _ in names]
    played = [0] * len(names)
    for seating, placed in games:
        mine: dict[int, list[float]] = {}
        for agent, place in zip(seating, placed, strict=True):
            mine.setdefault(agent, []).append(place)
        if len(mine) == 1:
            continue
        ranks = [sum(found) / len(found) for found in mine.values()]
        rated = model.rate([[ratings[agent]] for agent in mine], ranks=ranks)
        for agent, (rating,) in zip(mine, rated, strict=True):
            ratings[agent] = rating
            played[agent] += 1
    done = [
        Rating(name, one.mu, one.sigma, count)
        for name, one, count in zip(names, ratings, played, strict=True)
        if count
    ]
    return sorted(done, key=lambda rating: -rating.sure)
