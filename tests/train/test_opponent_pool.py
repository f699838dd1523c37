"""The opponent pool: its members, and how games draw from it."""

import numpy as np
import pytest

from goldgriff.agents.network import Network
from goldgriff.envs.batch import derive_seeds
from goldgriff.envs.policy import RandomPolicy
from goldgriff.envs.self_play import LEARNER
from goldgriff.train.opponent_pool import OpponentPool

from ..players import First

GAMES = 40_000


def network(bias: float) -> Network:
    return Network([(np.full((2, 3), bias), np.full(2, bias))])


def shares(pool: OpponentPool, newest: int) -> dict[int, float]:
    """Return how often each number is drawn."""
    numbers, counts = np.unique(pool.draw(derive_seeds(5, GAMES), newest), return_counts=True)
    return dict(zip(numbers.tolist(), counts / GAMES, strict=True))


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
