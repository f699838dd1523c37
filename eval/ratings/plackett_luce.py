"""The Plackett-Luce model, fitted to all games at once; no result depends on their order.

A ranking is a sequence of choices, the best rank first, each from the seats that are left, with
probabilities in proportion to the strengths of their agents. Of equal ranks, every order counts in
equal parts. Each agent also wins and loses half a deal against an imagined player of average
strength, so that the strength of one that always wins stays finite (as in the R package
PlackettLuce).
"""

from collections import defaultdict
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from ..tournament.statistics import Values
from .ranked_games import RankedGames, Ranking

PRIOR_DEALS = 0.5  # won, and as many lost
_MAX_STEPS = 100
_LARGEST_STEP = 1.0
_PRECISION = 1e-9
_LEAST = 1e-9  # weight of a half deal, so that the fit has a solution
_CHUNK = 2_000_000  # numbers of one array at a time


def strengths(games: RankedGames, resamples: int, seed: int) -> tuple[Values, Values]:
    """Return the logarithms of the agents' strengths.

    The resamples are those of a Bayesian bootstrap: each deal gets an exponential weight, each half
    deal of the prior a gamma-distributed one. Where every deal came out alike the prior's weights
    still vary, so that no interval has a width of zero.

    Args:
        games: The games, each with two different agents or more in it.
        resamples: Number of resamples.
        seed: Seed of the weights.

    Returns:
        From all deals, float64 (agents,), and from resampled ones, float64 (resamples, agents).
    """
    sets, chosen, choices = _choices(games)
    deals, agents = games.counts.shape[0], games.num_agents
    played = games.counts @ np.minimum(chosen, 1)  # games of each agent by deal
    size = np.maximum(played.sum(axis=0), 1) / np.maximum((played > 0).sum(axis=0), 1)  # of a deal
    prior = np.broadcast_to(PRIOR_DEALS * size, (1, 2, agents))
    totals = np.ones((1, deals)) @ games.counts
    best = _fit(sets, totals @ chosen, totals @ choices, prior, np.zeros((1, agents)))
    rng, resampled = np.random.default_rng(seed), []
    batch = max(1, _CHUNK // max(deals, sets.size))
    for first in range(0, resamples, batch):
        number = min(batch, resamples - first)
        totals = rng.standard_exponential((number, deals)) @ games.counts
        half_deals = np.maximum(rng.standard_gamma(PRIOR_DEALS, (number, 2, agents)), _LEAST)
        prior = half_deals * size
        start = np.repeat(best, number, axis=0)
        resampled.append(_fit(sets, totals @ chosen, totals @ choices, prior, start))
    return best[0], np.concatenate(resampled)


def _choices(games: RankedGames) -> tuple[Values, Values, Values]:
    """Return the rankings as choices from sets of seats.

    Returns:
        Seats of each agent in each different set that was chosen from, (sets, agents); how often
        each agent was chosen in a ranking, (rankings, agents); and how often a choice from each set
        was made, (rankings, sets).
    """
    numbers: dict[tuple[int, ...], int] = {}
    choices: list[dict[int, float]] = []  # weight by set, of each ranking
    chosen = np.zeros((len(games.rankings), games.num_agents))
    for ranking, row in zip(games.rankings, chosen, strict=True):
        stages = _stages(ranking).items()
        choices.append(
            {numbers.setdefault(members, len(numbers)): weight for members, weight in stages}
        )
        for agent in (agent for equal in ranking for agent in equal):
            row[agent] += 1
    sets = np.zeros((len(numbers), games.num_agents))
    for members, number in numbers.items():
        np.add.at(sets[number], list(members), 1)
    weights = np.zeros((len(games.rankings), len(numbers)))
    for number, by_set in enumerate(choices):
        weights[number, list(by_set)] = list(by_set.values())
    return sets, chosen, weights


def _stages(ranking: Ranking) -> dict[tuple[int, ...], float]:
    """Return the sets of seats from which a ranking's choices were made, with their weights."""
    weights = defaultdict[tuple[int, ...], float](float)
    for place, equal in enumerate(ranking):
        behind = [agent for later in ranking[place + 1 :] for agent in later]
        for size in range(1, len(equal) + 1):
            for left in combinations(equal, size):
                weights[tuple(sorted((*left, *behind)))] += 1 / comb(len(equal), size)
    return weights


def _fit(
    sets: Values, chosen: Values, choices: Values, prior: Values, start: Values
) -> NDArray[np.float64]:
    """Maximise the likelihood by Newton's method, for several weightings of the games at once.

    Args:
        sets: Seats of each agent in each set, (sets, agents).
        chosen: How often each agent was chosen, (weightings, agents).
        choices: How often a choice from each set was made, (weightings, sets).
        prior: Weight of each agent's wins and losses against the average, (weightings, 2, agents).
        start: Logarithms of the strengths to begin with, (weightings, agents).

    Returns:
        Logarithms of the strengths, (weightings, agents).
    """
    agents, strength = sets.shape[1], start.copy()
    diagonal = np.arange(agents)
    for _ in range(_MAX_STEPS):
        weights = sets * np.exp(strength - strength.max(axis=1, keepdims=True))[:, None, :]
        chances = weights / weights.sum(axis=2, keepdims=True)
        expected = choices[..., None] * chances
        won = 1 / (1 + np.exp(-strength))
        met = prior.sum(axis=1)
        slope = chosen - expected.sum(axis=1) + prior[:, 0] - met * won
        curvature = -expected.transpose(0, 2, 1) @ chances
        curvature[:, diagonal, diagonal] += expected.sum(axis=1) + met * won * (1 - won)
        step = np.linalg.solve(curvature, slope[..., None])[..., 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        strength += step * np.minimum(1, _LARGEST_STEP / np.maximum(longest, _PRECISION))
        if longest.max() < _PRECISION:
            break
    return strength
