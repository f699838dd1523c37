"""Advantages of seats that take turns, against a plain sum over each seat's own decisions."""

import numpy as np
import pytest

from goldgriff.train.buffers import TrajectoryBuffer

STEPS, ENVS, SEATS = 60, 3, 4
GAMMA, LAMBDA = 0.9, 0.8


def by_hand(
    rewards: np.ndarray,
    over: np.ndarray,
    players: np.ndarray,
    values: np.ndarray,
    last: np.ndarray,
) -> np.ndarray:
    """Return the definition: the deltas of a seat, from one decision on to its last, summed."""
    returns = np.zeros((STEPS, ENVS))
    for env in range(ENVS):
        ends = [*np.flatnonzero(over[:, env]), STEPS - 1]
        for step in range(STEPS):
            seat, end = players[step, env], next(end for end in ends if end >= step)
            mine = [k for k in range(step, end + 1) if players[k, env] == seat]
            ahead = 0.0 if over[end, env] else last[env, seat]
            for place, now in enumerate(mine):
                further = [*mine, end + 1][place + 1]
                value = values[further, env] if further <= end else ahead
                delta = rewards[now:further, env, seat].sum() + GAMMA * value - values[now, env]
                returns[step, env] += (GAMMA * LAMBDA) ** place * delta
    return returns


def advantages(
    rewards: np.ndarray,
    over: np.ndarray,
    players: np.ndarray,
    values: np.ndarray,
    last: np.ndarray,
    *weights: float,
) -> np.ndarray:
    """Return what a `TrajectoryBuffer` makes of some steps."""
    buffer = TrajectoryBuffer(*rewards.shape)
    for step in range(len(rewards)):
        buffer.add_decisions(step, players[step], values[step])
        buffer.add_rewards(step, rewards[step], over[step])
    return buffer.compute(lambda seat: last[:, seat], *weights)[0].reshape(values.shape)


def test_they_are_those_of_each_seats_own_decisions() -> None:
    rng = np.random.default_rng(1)
    for chance in (0.0, 0.1, 0.5):  # of a game's end
        rewards = rng.normal(size=(STEPS, ENVS, SEATS)).astype(np.float32)
        over = rng.random((STEPS, ENVS)) < chance
        players = rng.integers(SEATS, size=(STEPS, ENVS))
        values = rng.normal(size=(STEPS, ENVS)).astype(np.float32)
        last = rng.normal(size=(ENVS, SEATS)).astype(np.float32)
        kept = last.copy()
        computed = advantages(rewards, over, players, values, last, GAMMA, LAMBDA)
        assert computed == pytest.approx(by_hand(rewards, over, players, values, last), abs=1e-4)
        assert (last == kept).all()


def test_what_comes_between_two_decisions_belongs_to_the_first() -> None:
    """Two seats, undiscounted: an advantage is all that still comes, less what was expected."""
    rewards = np.zeros((4, 1, 2), np.float32)
    rewards[:, 0] = [[0, 0], [5, 0], [0, 7], [2, 3]]
    over = np.array([[False], [False], [False], [True]])
    players = np.array([[0], [1], [0], [1]])
    values = np.array([[1], [1], [1], [1]], np.float32)
    last = np.full((1, 2), 99, np.float32)  # beyond the game's end: counts for nothing
    computed = advantages(rewards, over, players, values, last, 1.0, 1.0)
    assert computed.ravel().tolist() == [7 - 1, 10 - 1, 2 - 1, 3 - 1]
