"""Means with intervals, over deals: the games of one deal are not independent of each other."""

from dataclasses import dataclass

import numpy as np
import scipy  # its parts load when they are first used, which matters at the command line
from numpy.typing import NDArray

CONFIDENCE = 0.95
RESAMPLES = 2000
_CHUNK = 4_000_000  # numbers drawn at a time

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A mean and the ends of its 95 % interval."""

    mean: float
    low: float
    high: float

    @property
    def width(self) -> float:
        """Width of the interval."""
        return self.high - self.low


def estimate(by_deal: Values, seed: int) -> Estimate:
    """Return the mean of values, one for each of at least two deals, with its interval."""
    return estimates(by_deal[None], seed)[0]


def estimates(by_deal: Values, seed: int) -> list[Estimate]:
    """Return means with percentile bootstrap intervals, all from the same resampled deals.

    Args:
        by_deal: Values, float64 (quantities, deals).
        seed: Seed of the resampling.
    """
    interval = scipy.stats.bootstrap(
        (by_deal,),
        np.mean,
        axis=-1,
        confidence_level=CONFIDENCE,
        n_resamples=RESAMPLES,
        batch=int(np.clip(_CHUNK // by_deal.size, 1, RESAMPLES)),
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    constant = np.ptp(by_deal, axis=-1) == 0  # free of rounding
    means = by_deal.mean(axis=-1)
    low = np.where(constant, means, interval.low)
    high = np.where(constant, means, interval.high)
    return [Estimate(*one) for one in np.stack([means, low, high], axis=-1).tolist()]


def contributions(results: Values, seated: NDArray[np.bool_]) -> Values:
    """Return what each game of a deal adds to an agent's mean result of that deal.

    Args:
        results: Results, float64 (deals, games, seats).
        seated: Where the agent sits in the games of every deal, bool (games, seats).

    Returns:
        float64 (deals, games).
    """
    added: Values = (results * seated).sum(axis=-1) / seated.sum()
    return added


def pairing_gain(added: Values) -> float:
    """Return how many unpaired deals tell as much as one paired deal; NaN if nothing varies.

    If every game had a deal of its own, the variance of a mean or of a difference of means would
    be the sum of the variances of its games; as they share a deal it is that of their sum.

    Args:
        added: `contributions` to the mean or the difference, float64 (deals, games).
    """
    paired = added.sum(axis=1).var(ddof=1)
    return float(added.var(axis=0, ddof=1).sum() / paired) if paired > 0 else float("nan")
