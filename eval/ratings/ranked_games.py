"""Games as rankings of their agents, for ratings and head-to-head shares."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, groupby

import numpy as np
import scipy  # its parts load when they are first used, which matters at the command line
from numpy.typing import ArrayLike, NDArray

from ..tournament.statistics import SHARES, Values, estimates

Ranking = tuple[tuple[int, ...], ...]  # groups of agents with equal ranks, the first group first


@dataclass(frozen=True)
class RankedGames:
    """How often each ranking came up in each deal.

    Attributes:
        num_agents: Number of agents; everywhere else an agent is a number below it.
        rankings: All different rankings. An agent with several seats is there several times.
        counts: Number of games by deal and ranking, sparse, float64 (deals, rankings).
    """

    num_agents: int
    rankings: list[Ranking]
    counts: "scipy.sparse.csr_array"

    @property
    def games(self) -> NDArray[np.int64]:
        """Games that each agent was in, int64 (agents,)."""
        totals = self.counts.sum(axis=0)
        games = np.zeros(self.num_agents, np.int64)
        for ranking, total in zip(self.rankings, totals, strict=True):
            games[list({agent for equal in ranking for agent in equal})] += int(total)
        return games


def ranks(points: ArrayLike, win_shares: ArrayLike) -> NDArray[np.float64]:
    """Return numbers that order the seats of each game: low is good, a forfeit is last.

    Args:
        points: Points, (..., seats); NaN in a forfeited game, where all others rank equal.
        win_shares: Shares of the win, (..., seats).

    Returns:
        float64 (..., seats).
    """
    scored = np.asarray(points, np.float64)
    return np.where(np.isnan(scored), np.asarray(win_shares) == 0, scored)


def rank_games(
    num_agents: int, games: Iterable[tuple[NDArray[np.int64], NDArray[np.int64], Values]]
) -> RankedGames:
    """Count the rankings of games.

    Args:
        num_agents: Number of agents.
        games: For games with one number of seats each: the number of the deal, int64 (games,), the
            agents, int64 (games, seats), and their `ranks`, float64 (games, seats).
    """
    rankings, places, deals = list[Ranking](), [], []
    for of_deals, agents, ranked in games:
        ahead = (ranked[:, None, :] < ranked[:, :, None]).sum(axis=2)  # 0 for the first
        keys = np.sort(ahead * num_agents + agents, axis=1)
        different, of_games = np.unique(keys, axis=0, return_inverse=True)
        places.append(len(rankings) + of_games.ravel())
        deals.append(of_deals)
        rankings += (_ranking(key, num_agents) for key in different.tolist())
    columns, rows = np.concatenate(places), np.concatenate(deals)
    shape = int(rows.max(initial=-1)) + 1, len(rankings)
    counts = scipy.sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape)
    return RankedGames(num_agents, rankings, counts)


def head_to_head(games: RankedGames, seed: int) -> NDArray[np.float64]:
    """Return the share of two agents' meetings in which the first had the better rank.

    Equal ranks count half. Every deal in which they met has the same weight.

    Args:
        games: The games.
        seed: Seed of the bootstrap.

    Returns:
        Share and ends of its interval, float64 (agents, agents, 3); NaN where they never met.
    """
    agents = games.num_agents
    ahead, met = np.zeros((2, len(games.rankings), agents, agents))
    for ranking, won, together in zip(games.rankings, ahead, met, strict=True):
        for place, equal in enumerate(ranking):
            behind = [agent for later in ranking[place + 1 :] for agent in later]
            for agent in equal:
                np.add.at(won[agent], list(equal), 0.5)
                np.add.at(won[agent], behind, 1)
                np.add.at(together[agent], [*equal, *behind], 1)
                np.add.at(together[:, agent], behind, 1)
    results = np.full((agents, agents, 3), np.nan)
    shares: dict[bytes, list[tuple[int, int, Values]]] = {}  # of pairs that met in the same deals
    for first, second in combinations(range(agents), 2):
        number = games.counts @ met[:, first, second]
        share = (games.counts @ ahead[:, first, second])[number > 0] / number[number > 0]
        if len(share):
            shares.setdefault((number > 0).tobytes(), []).append((first, second, share))
    for of_pairs in shares.values():
        by_deal = np.array([share for *_, share in of_pairs])
        one_deal = by_deal.shape[1] == 1  # nothing to resample: the interval is everything
        intervals = estimates(np.repeat(by_deal, 1 + one_deal, axis=1), seed, SHARES)
        for (first, second, _), interval in zip(of_pairs, intervals, strict=True):
            low, high = SHARES if one_deal else (interval.low, interval.high)
            results[first, second] = interval.mean, low, high
            results[second, first] = 1 - interval.mean, 1 - high, 1 - low
    return results


def _ranking(key: list[int], num_agents: int) -> Ranking:
    """Return a ranking from sorted numbers, rank * agents + agent."""
    groups = groupby(key, key=lambda number: number // num_agents)
    return tuple(tuple(number % num_agents for number in equal) for _, equal in groups)
