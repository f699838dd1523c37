"""The margin follows from what it gains in fresh tries."""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from goldgriff.train.margin import MARGINS, Margin, gains_of


def floats(*numbers: float) -> NDArray[np.float32]:
    return np.array(numbers, np.float32)


def test_a_margin_gains_what_its_action_is_worth_beyond_the_base_policys() -> None:
    """In the first decision the better action is predicted to be better by 0.25, in the second the
    worse one by 0.03."""
    decisions = np.array([0, 0, 0, 1, 1])
    predicted = floats(0.1, 0.35, 0.0, 0.0, 0.03)
    is_base = np.array([True, False, False, True, False])
    values = floats(1, 3, 5, 0, -1)
    count, *gains = gains_of(decisions, predicted, is_base, values).tolist()
    assert count == 2
    expected = [2 * (margin < 0.25) - (margin < 0.03) for margin in MARGINS.tolist()]
    assert gains == expected


def test_actions_of_equal_value_share_the_gain() -> None:
    decisions, is_base = np.zeros(2, np.int64), np.array([True, False])
    _, *gains = gains_of(decisions, floats(0, 0), is_base, floats(0, 4)).tolist()
    assert gains == [2] + [0] * (len(MARGINS) - 1)


def test_decisions_without_advice_count_nothing() -> None:
    decisions, none = np.array([0, 0, 1, 1]), np.zeros(4, np.bool_)
    numbers = floats(1, 2, 3, 4)
    assert not gains_of(decisions, numbers, none, numbers).any()
    some = np.array([False, False, True, False])
    count, *gains = gains_of(decisions, numbers, some, numbers).tolist()
    assert count == 1
    assert gains[0] == 1


def test_the_largest_margin_that_has_gained_nearly_most_is_used() -> None:
    margin = Margin(0.2)
    assert margin.update(torch.zeros(3, 1 + len(MARGINS))) == {}
    assert float(margin.value) == pytest.approx(0.2)
    gains = torch.zeros(2, 1 + len(MARGINS))
    gains[:, 0], gains[0, 2], gains[1, 3], gains[1, 4] = 10, 6, 5.2, 4
    figures = margin.update(gains)
    assert figures["train/margin"] == pytest.approx(MARGINS[2])
    assert figures["train/gain"] == pytest.approx(5.2 / 20)
    gains[:, 1:] = 0
    gains[0, 1] = 1
    margin.update(gains)
    assert float(margin.value) == pytest.approx(MARGINS[2])  # older decisions count, too
    for _ in range(40):
        margin.update(gains)
    assert float(margin.value) == MARGINS[0]


def test_where_every_margin_loses_the_one_that_loses_least_is_used() -> None:
    margin, gains = Margin(0.0), torch.full((1, 1 + len(MARGINS)), -3.0)
    gains[0, 0], gains[0, 2] = 10, -2
    margin.update(gains)
    assert float(margin.value) == MARGINS[1]


def test_there_may_be_no_margin_whatever_one_would_gain() -> None:
    margin, gains = Margin(0.0, is_zero=True), torch.zeros(1, 1 + len(MARGINS))
    gains[0, 0], gains[0, 1], gains[0, -1] = 1, 2, 3
    assert margin.update(gains) == {"train/margin": 0, "train/gain": 2}
