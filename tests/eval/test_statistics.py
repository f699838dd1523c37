"""Intervals, paired differences and what pairing saves."""

import numpy as np
import pytest
from scipy.stats import binomtest

from goldgriff.eval.tournament.statistics import (
    DIFFERENCES,
    SHARES,
    contributions,
    estimate,
    estimates,
    pairing_gain,
    wilson,
)


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(200):
        interval = estimate(rng.exponential(size=60), seed=1)
        hits += interval.low <= 1 <= interval.high
    assert 176 <= hits <= 199  # 95 % of 200, less what a skewed sample of 60 costs the bootstrap


def test_an_interval_is_about_deals() -> None:
    by_deal = np.array([0.2, 0.4, 0.1, 0.5] * 50)
    interval = estimate(by_deal, seed=1)
    half = 1.96 * by_deal.std() / np.sqrt(len(by_deal))
    assert interval.mean == pytest.approx(0.3)
    assert interval.high - interval.mean == pytest.approx(half, rel=0.15)
    assert interval.mean - interval.low == pytest.approx(half, rel=0.15)
    assert estimate(np.ones(5), seed=1).low == 1


def test_deals_without_a_difference_still_leave_room_for_one() -> None:
    never, always, tied = estimates(np.repeat([[0.0], [1.0], [1 / 3]], 1600, axis=1), 1, SHARES)
    assert (never.low, always.high) == (0, 1)
    assert never.high == pytest.approx(0.0024, abs=1e-4)
    assert always.low == pytest.approx(1 - never.high)
    assert tied.low < tied.mean < tied.high
    ahead = estimate(np.ones(100), 1, DIFFERENCES)
    assert (ahead.mean, ahead.high) == (1, 1)
    assert ahead.low == pytest.approx(1 - 2 * estimate(np.zeros(100), 1, SHARES).high)
    varied = np.array([0.2, 0.4] * 50)
    assert estimate(varied, 1, SHARES) == estimate(varied, 1)


def test_an_even_share_of_a_sum_is_the_same_in_every_deal() -> None:
    """Sums of thirds differ in their last digits; that is no variation."""
    rounded = np.array([sum([1 / 3] * 3) / 3, 1 / 3] * 20)
    assert estimate(rounded, 1, SHARES).width > 0.1


@pytest.mark.parametrize(("wins", "number"), [(0, 2), (0, 1600), (7, 10), (50, 50)])
def test_wilson_is_the_textbooks(wins: int, number: int) -> None:
    low, high = wilson(np.array([wins / number]), number)
    expected = binomtest(wins, number).proportion_ci(method="wilson")
    assert [*low, *high] == pytest.approx([expected.low, expected.high])


def test_a_paired_difference_knows_that_both_had_the_same_deal() -> None:
    """The textbook's paired t interval for the same data, not the one of independent samples."""
    rng = np.random.default_rng(2)
    deal = rng.normal(0, 5, 400)
    first, second = deal + rng.normal(1, 1, 400), deal + rng.normal(0, 1, 400)
    alone, _, between = estimates(np.array([first, second, first - second]), seed=1)
    half = 1.966 * (first - second).std(ddof=1) / np.sqrt(400)
    assert between.mean == pytest.approx(1, abs=0.2)
    assert between.width / 2 == pytest.approx(half, rel=0.1)
    assert between.width < alone.width / 3


def test_what_pairing_is_worth() -> None:
    """Two games a deal. An advantage of one seat in a deal cancels out in the other game."""
    rng = np.random.default_rng(3)
    advantage, noise = rng.normal(0, 3, (5000, 1)), rng.normal(0, 1, (5000, 2))
    swapped = np.array([1, -1])  # the agent has the good seat, then the bad one
    # Unpaired: 2 * (9 + 1); paired: 2 * 1.
    assert pairing_gain(advantage * swapped + noise) == pytest.approx(10, rel=0.1)
    assert pairing_gain(noise) == pytest.approx(1, rel=0.1)
    assert pairing_gain(advantage + noise) == pytest.approx(20 / 38, rel=0.1)  # the same seat twice
    assert np.isnan(pairing_gain(np.ones((5, 2))))


def test_contributions_sum_to_the_mean_of_each_deal() -> None:
    shares = np.array([[[1, 0, 0], [0.5, 0.5, 0]]])
    seated = np.array([[[True, False, True], [False, True, False]]])
    added = contributions(shares, seated)
    assert added.tolist() == [[1 / 3, 0.5 / 3]]
    assert added.sum() == pytest.approx(np.mean([1, 0, 0.5]))
