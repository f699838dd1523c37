"""Ratings: the stronger is rated higher, and more games make them surer."""

import numpy as np
import pytest

from goldgriff.eval.ratings import ranks, rate


def test_whoever_wins_more_is_rated_higher_and_surer() -> None:
    games = [([0, 1, 2], [0.0, 5.0, 9.0])] * 10
    few, many = rate("abc", games), rate("abc", games * 5)
    assert [rating.name for rating in few] == ["a", "b", "c"]
    assert many[0].sigma < few[0].sigma < 25 / 3
    assert [rating.games for rating in many] == [50, 50, 50]
    assert few[0].ordinal == few[0].mu - 3 * few[0].sigma


def test_equals_stay_equal_whatever_their_seats() -> None:
    first, second = rate("ab", [([0, 1], [1.0, 1.0]), ([1, 0, 1], [1.0, 2.0, 3.0])])
    assert first.mu == pytest.approx(second.mu)
    assert first.games == second.games == 2


def test_a_game_against_oneself_tells_nothing() -> None:
    assert rate("a", [([0, 0], [1.0, 2.0])]) == []


def test_who_never_played_is_not_rated() -> None:
    assert [rating.name for rating in rate("abc", [([0, 2], [1.0, 2.0])])] == ["a", "c"]


def test_a_forfeiter_comes_last_and_the_others_are_equal() -> None:
    points = np.array([[3.0, 1.0, 2.0], [np.nan] * 3])
    shares = np.array([[0, 1, 0], [0.5, 0.5, 0]])
    assert ranks(points, shares).tolist() == [[3, 1, 2], [0, 0, 1]]
