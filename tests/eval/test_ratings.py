"""Ratings: one fit over all games, its intervals, alpha-rank and cycles."""

from itertools import pairwise, permutations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize

from goldgriff.eval.ratings.plackett_luce import PRIOR_DEALS, strengths
from goldgriff.eval.ratings.ranked_games import RankedGames, head_to_head, rank_games, ranks
from goldgriff.eval.ratings.ratings import Rating, Ratings, alpha_rank, find_cycles, rate

Game = tuple[list[int], list[float]]


def ranked(games: list[Game], agents: int = 3, per_deal: int = 1) -> RankedGames:
    """Count games of agents with ranks; so many of them in a row are a deal."""
    blocks = [
        (np.array([number // per_deal]), np.array([seated]), np.array([found]))
        for number, (seated, found) in enumerate(games)
    ]
    return rank_games(agents, blocks)


def rated(names: str, games: list[Game], per_deal: int = 1) -> Ratings:
    found = ranked(games, len(names), per_deal)
    return rate(names, found, head_to_head(found, 1), 1)


def by_name(ratings: Ratings) -> dict[str, Rating]:
    return {one.name: one for one in ratings.agents}


def played(rng: np.random.Generator, strengths: list[float], number: int) -> list[Game]:
    """Games of the model itself: exponential times with these rates, the shortest first."""
    everybody = list(range(len(strengths)))
    return [(everybody, rng.exponential(1 / np.array(strengths)).tolist()) for _ in range(number)]


def test_the_model_finds_the_strengths_that_games_were_made_with() -> None:
    """Ten times as strong is 400; one agent in two seats is one agent."""
    games = played(np.random.default_rng(1), [10, 1, 1, 10], 3000)
    found = by_name(rated("abc", [([0, 1, 2, 0], ranks) for _, ranks in games]))
    assert found["a"].rating.mean - found["b"].rating.mean == pytest.approx(400, abs=20)
    assert found["b"].rating.mean == pytest.approx(found["c"].rating.mean, abs=20)
    assert sum(one.rating.mean for one in found.values()) == pytest.approx(4500)


def test_it_is_the_likeliest_one() -> None:
    """Against the model written out: every order of equal ranks, and the half deals."""
    games = [([0, 1, 2], [1.0, 2.0, 2.0]), ([2, 1, 0], [1.0, 1.0, 1.0]), ([0, 1], [3.0, 1.0]),
             ([1, 1, 2], [0.0, 3.0, 3.0])]  # fmt: skip

    def loss(log: NDArray[np.float64]) -> float:
        total = PRIOR_DEALS * (np.log1p(np.exp(-log)) + np.log1p(np.exp(log))).sum()
        for seated, found in games:
            orders = [o for o in permutations(range(len(seated)))
                      if all(found[x] <= found[y] for x, y in pairwise(o))]  # fmt: skip
            for order in orders:
                values = log[[seated[seat] for seat in order]]
                for place in range(len(order)):
                    chance = values[place] - np.log(np.exp(values[place:]).sum())
                    total -= chance / len(orders)
        return float(total)

    expected = minimize(loss, np.zeros(3), tol=1e-10).x
    assert strengths(ranked(games), 1, 1)[0] == pytest.approx(expected, abs=1e-4)


def test_no_order_of_games_or_seats_changes_a_rating() -> None:
    games = played(np.random.default_rng(2), [3, 2, 1], 60)
    turned = [(seated[::-1], found[::-1]) for seated, found in games]
    assert rated("abc", games) == rated("abc", turned)
    back = [*reversed(games)]
    means = [one.rating.mean for one in rated("abc", games).agents]
    assert [one.rating.mean for one in rated("abc", back).agents] == pytest.approx(means)


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    hits = 0
    for seed in range(60):
        games = played(np.random.default_rng(seed), [10, 1], 60)
        found = by_name(rated("ab", games))["a"].rating
        hits += found.low <= 1700 <= found.high
    assert 51 <= hits <= 60


def test_games_of_one_deal_count_as_one() -> None:
    """Four equal games of a deal narrow the interval no more than one does; four deals do."""
    games = played(np.random.default_rng(3), [2, 1], 50)
    once = rated("ab", games).agents[0].rating
    same = [game for game in games for _ in range(4)]
    copies = rated("ab", same, per_deal=4).agents[0].rating
    assert copies.width == pytest.approx(once.width, rel=0.01)
    assert rated("ab", same).agents[0].rating.width < 0.6 * once.width


def test_an_agent_that_always_wins_has_a_finite_rating_with_a_width() -> None:
    few, many = (rated("abc", [([0, 1, 2], [0.0, 5.0, 9.0])] * n).agents for n in (10, 100))
    assert [one.name for one in few] == ["a", "b", "c"]
    assert [one.games for one in many] == [100, 100, 100]
    assert 1800 < few[0].rating.mean < many[0].rating.mean < 3000
    assert few[0].rating.low < few[0].rating.mean < few[0].rating.high
    assert few[0].rating.width > 100


def test_equals_stay_equal_whatever_their_seats() -> None:
    first, second = rated("ab", [([0, 1], [1.0, 1.0]), ([1, 0, 1, 0], [1.0, 2.0, 2.0, 1.0])]).agents
    assert first.rating.mean == pytest.approx(1500) == second.rating.mean
    assert first.games == second.games == 2


def test_who_met_nobody_is_not_rated() -> None:
    assert rated("a", [([0, 0], [1.0, 2.0])]).agents == []
    games: list[Game] = [([0, 2], [1.0, 2.0]), ([1, 1], [1.0, 2.0])]
    assert [one.name for one in rated("abc", games).agents] == ["a", "c"]


def test_a_forfeiter_comes_last_and_the_others_are_equal() -> None:
    points = np.array([[3.0, 1.0, 2.0], [np.nan] * 3])
    shares = np.array([[0, 1, 0], [0.5, 0.5, 0]])
    assert ranks(points, shares).tolist() == [[3, 1, 2], [0, 0, 1]]


def test_head_to_head_shares_have_intervals() -> None:
    games: list[Game] = [([0, 1], [1.0, 2.0])] * 50 + [([0, 2], [1.0, 2.0]), ([2, 0], [1.0, 1.0])]
    found = head_to_head(ranked(games, 4), 1)
    assert found[0, 1].tolist() == pytest.approx([1, 0.9287, 1], abs=1e-4)
    assert found[1, 0].tolist() == pytest.approx([0, 0, 0.0713], abs=1e-4)
    assert found[0, 2].tolist() == [0.75, 0.5, 1]
    assert np.isnan(found[1, 2]).all()
    assert np.isnan(found[0, 0]).all()


def test_cycles_are_named_and_share_the_alpha_rank() -> None:
    beats: list[Game] = [([0, 1], [0.0, 1.0]), ([1, 2], [0.0, 1.0]), ([2, 0], [0.0, 1.0])]
    weak: list[Game] = [([agent, 3], [0.0, 1.0]) for agent in range(3)]
    games = (beats + weak) * 20
    found = rated("abcd", games, per_deal=6)
    assert found.cycles in ([tuple("abc")], [tuple("bca")], [tuple("cab")])
    parts = {name: one.alpha_rank for name, one in by_name(found).items()}
    assert parts["a"] == pytest.approx(parts["b"]) == pytest.approx(parts["c"])
    assert parts["a"] == pytest.approx(1 / 3, abs=0.01)
    assert sum(parts.values()) == pytest.approx(1)
    assert rated("abcd", weak * 20).cycles == []


def test_alpha_rank_is_that_of_open_spiel() -> None:
    """Its `alpharank.compute` with `use_inf_alpha` and `inf_alpha_eps=0.01` gave these numbers."""
    ladder = np.triu(np.ones((3, 3), bool), 1)
    assert alpha_rank(ladder) == pytest.approx([0.98019802, 0.01477685, 0.00502513])
    mixed = np.array([[0, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 0], [0, 0, 0, 0]], bool)
    expected = [0.36638739, 0.31547018, 0.26247472, 0.05566772]
    assert alpha_rank(mixed) == pytest.approx(expected)
    assert alpha_rank(np.zeros((4, 4), bool)) == pytest.approx([0.25] * 4)
    assert alpha_rank(np.zeros((1, 1), bool)) == pytest.approx([1])
    assert find_cycles(ladder) == []
