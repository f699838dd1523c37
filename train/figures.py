"""Figures that algorithms share, under the names that Stable-Baselines3 has for them."""

from collections.abc import Mapping, Sequence

from torch import Tensor


def mean_figures(steps: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the means of figures over gradient steps, which have the same names."""
    return {name: sum(step[name] for step in steps) / len(steps) for name in steps[0]}


def explained_variance(advantages: Tensor, returns: Tensor) -> dict[str, float]:
    """Return the part of the returns' variance that the critic's values explain, as a figure.

    Args:
        advantages: Returns minus values, (samples,).
        returns: Targets of the critic, (samples,).

    Returns:
        `train/explained_variance`, at most 1; nothing where the returns do not vary.
    """
    variance = float(returns.var(correction=0))
    if not variance:
        return {}
    left = float(advantages.var(correction=0))
    return {"train/explained_variance": 1 - left / variance}


def ratio_figures(log_ratios: Tensor, clip_range: float) -> dict[str, Tensor]:
    """Return how far an update has moved the policy.

    `train/approx_kl` is Schulman's estimate of the Kullback-Leibler divergence from the old policy,
    E[r - 1 - log r] (http://joschu.net/blog/kl-approx.html); `train/clip_fraction` the part of the
    ratios that are clipped.

    Args:
        log_ratios: Logarithms of the ratios r of new and old probabilities, (samples,).
        clip_range: Of PPO.
    """
    log_ratios = log_ratios.detach()
    changes = log_ratios.exp() - 1
    return {
        "train/approx_kl": (changes - log_ratios).mean(),
        "train/clip_fraction": (changes.abs() > clip_range).float().mean(),
    }
