"""Means with intervals, over deals: the games of one deal are not independent of each other."""

from dataclasses import dataclass

import numpy as np
import scipy  # its parts load when they are first used, which matters at the command line
from numpy.typing import NDArray

CONFIDENCE = 0.95
RESAMPLES = 2000
SHARES = 0.0, 1.0  # bounds of a share, and of a difference of two shares
DIFFERENCES = -1.0, 1.0
_CHUNK = 4_000_000  # numbers drawn at a time
_ROUNDING = 1e-12  # values that differ by less are the same

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


def estimate(by_deal: Values, seed: int, bounds: tuple[float, float] | None = None) -> Estimate:
    """Return the mean of values, one for each of at least two deals; otherwise as `estimates`."""
    return estimates(by_deal[None], seed, bounds)[0]


def estimates(
    by_deal: Values, seed: int, bounds: tuple[float, float] | None = None
) -> list[Estimate]:
    """Return means with percentile bootstrap intervals, all from the same resampled deals.

    Where a value never varied, Wilson's interval is used, for the mean's place in the range
    `bounds` and the number of deals as n.

    Args:
        by_deal: Values, float64 (quantities, deals).
        seed: Seed of the resampling.
        bounds: Least and greatest possible value, such as `SHARES` or `DIFFERENCES`. None for
            values without bounds: where these do not vary, both ends are the mean.
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
    means = by_deal.mean(axis=-1)
    constant = np.ptp(by_deal, axis=-1) <= _ROUNDING
    low, high = (means, means) if bounds is None else wilson(means, by_deal.shape[-1], bounds)
    low = np.where(constant, low, interval.low)
    high = np.where(constant, high, interval.high)
    return [Estimate(*ends) for ends in np.stack([means, low, high], axis=-1).tolist()]


def wilson(
    means: Values, number: int, bounds: tuple[float, float] = SHARES
) -> tuple[Values, Values]:
    """Return the ends of Wilson's 95 % interval.

    Args:
        means: Means of values in `bounds`, float64 (quantities,); any values, not counts only.
        number: Number of independent values behind each mean.
        bounds: Least and greatest possible value.

    Returns:
        Low and high ends, float64 (quantities,) each.
    """
    least, width = bounds[0], bounds[1] - bounds[0]
    share = np.clip((means - least) / width, 0, 1)
    square = scipy.stats.norm.ppf((1 + CONFIDENCE) / 2) ** 2
    centre = (share + square / (2 * number)) / (1 + square / number)
    half = np.sqrt(square * (share * (1 - share) / number + square / (4 * number**2)))
    half /= 1 + square / number
    low, high = np.clip([centre - half, centre + half], 0, 1)
    return (
        least + width * np.where(share == 0, 0, low),  # rounding must not leave the mean out
        least + width * np.where(share == 1, 1, high),
    )


def contributions(results: Values, seated: NDArray[np.bool_]) -> Values:
    """Return what each game of a deal adds to an agent's mean result of that deal.

    Args:
        results: Results, float64 (deals, games, seats).
        seated: Where the agent sits, bool (deals, games, seats); equally often in every deal.

    Returns:
        float64 (deals, games).
    """
    added: Values = (results * seated).sum(axis=-1) / seated[0].sum()
    return added


def pairing_gain(added: Values) -> float:
    """Return how many unpaired deals give the same precision as one paired deal; NaN if unknown.

    It is the sum of the variances of a deal's games, as if each had a deal of its own, divided by
    the variance of their sum. It is unknown where nothing varies.

    Args:
        added: `contributions` to the mean or the difference, float64 (deals, games).
    """
    paired = added.sum(axis=1).var(ddof=1)
    return float(added.var(axis=0, ddof=1).sum() / paired) if paired > 0 else float("nan")
