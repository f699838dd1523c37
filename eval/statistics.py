"""Means with intervals, over deals: the games of one deal are not independent of each other."""

from dataclasses import dataclass

import numpy as np
import scipy  # its parts load when they are first used, which matters at the command line
from numpy.typing import NDArray

CONFIDENCE = 0.95
RESAMPLES = 2000
_AT_ONCE = 4_000_000  # numbers drawn at a time

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A mean and the ends of its 95 % interval."""

    mean: float
    low: float
    high: float

    @property
    def width(self) -> float:
        """How wide the interval is."""
        return self.high - self.low


def estimate(by_deal: Values, seed: int) -> Estimate:
    """The mean of values, one a deal (2 or more), with a percentile bootstrap interval."""
    return estimates(by_deal[None], seed)[0]


def estimates(by_deal: Values, seed: int) -> list[Estimate]:
    """Means of many quantities, (quantities, deals), all from the same resampled deals."""
    interval = scipy.stats.bootstrap(
        (by_deal,),
        np.mean,
        axis=-1,
        confidence_level=CONFIDENCE,
        n_resamples=RESAMPLES,
        batch=int(np.clip(_AT_ONCE // by_deal.size, 1, RESAMPLES)),
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    constant = np.ptp(by_deal, axis=-1) == 0  # free of rounding
    means = by_deal.mean(axis=-1)
    low = np.where(constant, means, interval.low)
    high = np.where(constant, means, interval.high)
    ends = zip(means.tolist(), low.tolist(), high.tolist(), strict=True)
    return [Estimate(*values) for values in ends]


def contributions(shares: Values, seated: NDArray[np.bool_]) -> Values:
    """What each game of a deal adds to an agent's mean result of that deal, (deals, games).

    shares: results, (deals, games, seats). seated: where the agent sits in the games of every
    deal, (games, seats).
    """
    added: Values = (shares * seated).sum(axis=-1) / seated.sum()
    return added


def pairing_gain(added: Values) -> float:
    """How many unpaired deals one paired deal is worth, for a mean or a difference of means.

    added: its `contributions`, (deals, games). If every game had a deal of its own, its variance
    would be the sum of the games' variances; as they share a deal it is that of their sum. NaN
    when nothing varies.
    """
    paired = added.sum(axis=1).var(ddof=1)
    return float(added.var(axis=0, ddof=1).sum() / paired) if paired > 0 else float("nan")
