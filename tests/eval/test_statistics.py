"""Intervals, paired differences and what pairing saves."""

import numpy as np
import pytest

from goldgriff.eval.statistics import contributions, estimate, estimates, pairing_gain


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
    seated = np.array([[True, False, True], [False, True, False]])
    added = contributions(shares, seated)
    assert added.tolist() == [[1 / 3, 0.5 / 3]]
    assert added.sum() == pytest.approx(np.mean([1, 0, 0.5]))
