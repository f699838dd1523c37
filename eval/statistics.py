"""Means with intervals, over deals: the games of one deal are not independent of each other."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import bootstrap

CONFIDENCE = 0.95
RESAMPLES = 2000


@dataclass(frozen=True)
class Estimate:
    """A mean and the ends of its 95 % interval."""

    mean: float
    low: float
    high: float


def estimate(by_deal: NDArray[np.float64], seed: int) -> Estimate:
    """The mean of values, one a deal (2 or more), with a percentile bootstrap interval."""
    mean = float(by_deal.mean())
    if np.ptp(by_deal) == 0:
        return Estimate(mean, mean, mean)
    interval = bootstrap(
        (by_deal,),
        np.mean,
        confidence_level=CONFIDENCE,
        n_resamples=RESAMPLES,
        batch=100,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Estimate(mean, float(interval.low), float(interval.high))
