"""The opponent pool: its members, and how games draw from it."""

from typing import Any

import numpy as np
import pytest

from goldgriff.agents.network import Network
from goldgriff.envs.batch import derive_seeds
from goldgriff.envs.policy import RandomPolicy
from goldgriff.envs.self_play import LEARNER, NOBODY, EndedRows
from goldgriff.train.opponent_pool import OpponentPool, win_share

from ..players import First

GAMES = 40_000


def network(bias: float) -> Network:
    return Network([(np.full((2, 3), bias), np.full(2, bias))])


def shares(pool: OpponentPool, newest: int) -> dict[int, float]:
    """Return how often each number is drawn."""
    drawn = pool.draw(derive_seeds(5, GAMES), newest)[:, 0]
    numbers, counts = np.unique(drawn, return_counts=True)
    return dict(zip(numbers.tolist(), counts / GAMES, strict=True))


def ended(*games: tuple[list[int], list[float]]) -> EndedRows:
    """Return ended games of some seatings and win shares, in which the first seat learnt."""
    seating, win_shares = map(np.array, zip(*games, strict=True))
    learners, scores = np.zeros(len(games), np.int64), np.zeros(seating.shape)
    unused: Any = None
    return EndedRows(
        np.arange(len(games)), learners, seating, unused, scores, win_shares, unused, unused
    )


def results(wins: float, games: int, opponent: int) -> EndedRows:
    """Return games of two against an opponent, of which the learner has won so many."""
    won = np.arange(games) < wins
    return ended(*(([LEARNER, opponent], [float(w), 1 - float(w)]) for w in won))


def test_games_are_among_newest_versions_or_against_any_member_alike() -> None:
    pool = OpponentPool([First(), RandomPolicy()], 2, 0.4)
    for bias in range(3):
        pool.add(network(bias))
    # Two fixed opponents, 0 and 1, and the two newest of the past versions 2, 3 and 4.
    assert pool.past == [3, 4]
    assert shares(pool, LEARNER) == pytest.approx(
        {LEARNER: 0.4, 0: 0.15, 1: 0.15, 3: 0.15, 4: 0.15}, abs=0.01
    )
    assert shares(pool, 4) == pytest.approx({0: 0.15, 1: 0.15, 3: 0.15, 4: 0.55}, abs=0.01)


def test_an_opponent_given_twice_is_met_twice_as_often() -> None:
    expert, chance = First(), RandomPolicy()
    pool = OpponentPool([expert, chance, expert], 2, 0.2)
    assert pool.members == {0: expert, 1: chance}
    pool.add(network(1))
    assert pool.past == [2]
    assert shares(pool, LEARNER) == pytest.approx({LEARNER: 0.2, 0: 0.4, 1: 0.2, 2: 0.2}, abs=0.01)


@pytest.mark.parametrize("chance", [0.0, 1.0])
def test_certain_draws(chance: float) -> None:
    pool = OpponentPool([First()], 0, chance)
    pool.add(network(1))  # there is no room
    assert list(pool.members) == [0]
    assert shares(pool, LEARNER) == {LEARNER if chance else 0: 1.0}
    assert shares(OpponentPool([], 0, chance), LEARNER) == {LEARNER: 1.0}  # nobody else is there


def test_the_oldest_leaves_but_not_while_it_plays() -> None:
    pool = OpponentPool([First()], 2, 0.5)
    for bias in range(4):
        pool.add(network(bias))
    assert pool.past == [3, 4]
    pool.forget({1, LEARNER})
    assert sorted(pool.members) == [0, 1, 3, 4]
    pool.forget({LEARNER})
    assert sorted(pool.members) == [0, 3, 4]  # the fixed opponent stays though it plays nowhere
    pool.add(network(9))
    assert pool.past == [4, 5]


def test_a_pool_is_restored_into_the_dictionary_that_the_games_hold() -> None:
    pool = OpponentPool([First()], 2, 0.5)
    for bias in range(3):
        pool.add(network(bias))
    again = OpponentPool([First()], 2, 0.5)
    held = again.members
    again.restore(pool.state(), like=network(0))
    assert again.past == pool.past
    assert sorted(held) == sorted(pool.members)
    for number in pool.past:
        one, other = held[number], pool.members[number]
        assert isinstance(one, Network)
        assert isinstance(other, Network)
        assert (one.layers[0][0] == other.layers[0][0]).all()


def test_opponents_that_win_more_are_drawn_more() -> None:
    """The weight of a member is (1 - w)^p (Vinyals et al., 2019)."""
    pool = OpponentPool([First(), RandomPolicy()], 1, 0.0, priority=2.0)
    pool.add(network(1))  # number 2: without results, as one of equal strength
    assert shares(pool, LEARNER) == pytest.approx({0: 1 / 3, 1: 1 / 3, 2: 1 / 3}, abs=0.01)
    pool.record(results(95, 190, opponent=0))
    pool.record(results(155, 190, opponent=1))  # 4 of 5, with five wins of each before the first
    assert shares(pool, LEARNER) == pytest.approx(
        {0: 0.25 / 0.54, 1: 0.04 / 0.54, 2: 0.25 / 0.54}, abs=0.01
    )
    games, wins, losses = pool.results().T
    assert games.tolist() == [0, 190, 190]  # past versions, then the fixed opponents
    assert win_share(wins, losses) == pytest.approx([0.5, 0.5, 0.8])


def test_only_games_that_one_of_the_two_won_count() -> None:
    """So half is even for any number of players, whoever else sits there."""
    pool = OpponentPool([First(), RandomPolicy()], 0, 0.0)
    pool.record(
        ended(
            ([LEARNER, 0, 1, 1], [0.5, 0.5, 0.0, 0.0]),
            ([LEARNER, 0, 0, NOBODY], [0.0, 0.0, 1.0, 0.0]),
            ([LEARNER, LEARNER, LEARNER, LEARNER], [1.0, 0.0, 0.0, 0.0]),
        )
    )
    assert pool.results() == pytest.approx(
        np.array([[0, 0, 0], [2, 0.5, 1.5], [1, 1.0, 0.0]]), abs=2e-3
    )


def test_old_results_fade() -> None:
    pool = OpponentPool([First(), RandomPolicy()], 0, 0.0, priority=1.0)
    for won in (0, 100):
        for _ in range(100):
            pool.record(results(won, 100, opponent=0))
    (games, wins, losses) = pool.results()[1]
    assert games == 20_000
    assert losses < 0.01 * wins
    assert shares(pool, LEARNER)[0] < 0.05


def test_at_mixed_tables_each_seat_draws_its_own_opponent() -> None:
    pool = OpponentPool([First(), RandomPolicy()], 2, 0.2, mixed=0.5)
    for bias in range(2):
        pool.add(network(bias))
    bits = derive_seeds(5, GAMES)
    drawn = pool.draw(bits, LEARNER, 3)
    assert (drawn == pool.draw(bits, LEARNER, 3)).all()
    alone, alike = (drawn == LEARNER).any(axis=1), (drawn == drawn[:, :1]).all(axis=1)
    assert (drawn[alone] == LEARNER).all()
    assert alone.mean() == pytest.approx(0.2, abs=0.01)
    # One in sixteen of the mixed tables has the same opponent of four in all three seats.
    assert alike[~alone].mean() == pytest.approx(0.5 + 0.5 / 16, abs=0.01)
    for seat in range(3):
        members, counts = np.unique(drawn[~alone][:, seat], return_counts=True)
        assert members.tolist() == [0, 1, 2, 3]
        assert counts / counts.sum() == pytest.approx(np.full(4, 0.25), abs=0.01)
    one_kind = OpponentPool([First(), RandomPolicy()], 2, 0.2)
    one_kind.add(network(0))
    drawn = one_kind.draw(bits, LEARNER, 3)
    assert (drawn == drawn[:, :1]).all()


def test_results_are_restored_and_leave_with_their_member() -> None:
    pool, again = (OpponentPool([First()], 1, 0.3, mixed=0.5, priority=1.5) for _ in range(2))
    pool.add(network(0))
    pool.record(results(30, 100, opponent=0))
    pool.record(results(80, 100, opponent=1))
    again.restore(pool.state(), like=network(0))
    bits = derive_seeds(7, 1000)
    assert (pool.draw(bits, LEARNER, 4) == again.draw(bits, LEARNER, 4)).all()
    assert (pool.results() == again.results()).all()
    pool.add(network(1))
    pool.forget({LEARNER})
    assert pool.results()[:, 0].tolist() == [0, 100]
