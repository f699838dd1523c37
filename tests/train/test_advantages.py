"""Advantages of seats that take turns, against a plain sum over each seat's own decisions."""

import numpy as np
import pytest

from goldgriff.train.advantages import advantages_of

STEPS, TABLES, SEATS = 60, 3, 4
DISCOUNT, LAMBDA = 0.9, 0.8


def by_hand(
    rewards: np.ndarray,
    over: np.ndarray,
    current_players: np.ndarray,
    values: np.ndarray,
    last: np.ndarray,
) -> np.ndarray:
    """The definition: the surprises of a seat, from one decision on to its last, summed."""
    found = np.zeros((STEPS, TABLES))
    for table in range(TABLES):
        ends = [*np.flatnonzero(over[:, table]), STEPS - 1]
        for step in range(STEPS):
            seat, end = current_players[step, table], next(end for end in ends if end >= step)
            mine = [k for k in range(step, end + 1) if current_players[k, table] == seat]
            ahead = 0.0 if over[end, table] else last[table, seat]
            for place, now in enumerate(mine):
                further = [*mine, end + 1][place + 1]
                value = values[further, table] if further <= end else ahead
                surprise = (
                    rewards[now:further, table, seat].sum() + DISCOUNT * value - values[now, table]
                )
                found[step, table] += (DISCOUNT * LAMBDA) ** place * surprise
    return found


def test_they_are_those_of_each_seats_own_decisions() -> None:
    rng = np.random.default_rng(1)
    for chance in (0.0, 0.1, 0.5):  # of a game's end
        rewards = rng.normal(size=(STEPS, TABLES, SEATS)).astype(np.float32)
        over = rng.random((STEPS, TABLES)) < chance
        current_players = rng.integers(SEATS, size=(STEPS, TABLES))
        values = rng.normal(size=(STEPS, TABLES)).astype(np.float32)
        last = rng.normal(size=(TABLES, SEATS)).astype(np.float32)
        kept = last.copy()
        found = advantages_of(rewards, over, current_players, values, last, DISCOUNT, LAMBDA)
        assert found == pytest.approx(
            by_hand(rewards, over, current_players, values, last), abs=1e-4
        )
        assert (last == kept).all()


def test_what_comes_between_two_decisions_belongs_to_the_first() -> None:
    """Two seats, undiscounted: an advantage is all that still comes, less what was expected."""
    rewards = np.zeros((4, 1, 2), np.float32)
    rewards[:, 0] = [[0, 0], [5, 0], [0, 7], [2, 3]]
    over = np.array([[False], [False], [False], [True]])
    current_players = np.array([[0], [1], [0], [1]])
    values = np.array([[1], [1], [1], [1]], np.float32)
    last = np.full((1, 2), 99, np.float32)  # beyond the game's end: counts for nothing
    found = advantages_of(rewards, over, current_players, values, last, 1.0, 1.0)
    assert found.ravel().tolist() == [7 - 1, 10 - 1, 2 - 1, 3 - 1]
