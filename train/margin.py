"""The margin that another action must be better by than the base policy's, chosen from tries.

Where the network says that an action is better, that is partly chance: of many noisy values, the
highest is mostly too high. What the network has not learnt from yet shows how much is left: in each
decision, a margin leads to one of the tried actions, and its value less that of the base policy's
action is what the margin gains. Of those that have gained nearly as much as the best one, the
largest is used: the critic has errors, too, and a small margin takes more of what they promise.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ..envs.engine.protocol import Rows

MARGINS = np.array([0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4], np.float32)
DECAY = 0.95  # of gains, an update
GIVEN_UP = 0.25  # of the highest gain, for a larger margin


class Margin(nn.Module):
    """The margin in use, and the sum of all gains (see `gains_of`), older ones counting less.

    Args:
        first: The margin until something has been tried.
        is_zero: Whether there is none throughout.
    """

    value: Tensor
    gains: Tensor

    def __init__(self, first: float, *, is_zero: bool = False) -> None:
        super().__init__()
        self.is_zero = is_zero
        self.register_buffer("value", torch.tensor(first))
        self.register_buffer("gains", torch.zeros(1 + len(MARGINS)))

    def update(self, gains: Tensor) -> dict[str, float]:
        """Choose the margin; return it and what it gains a decision, as figures.

        Args:
            gains: Of the newest tries, (tries, 1 + margins), see `gains_of`.
        """
        decisions, *sums = self.gains.mul_(DECAY).add_(gains.sum(dim=0)).tolist()
        if not decisions:
            return {}
        enough = max(sums) - GIVEN_UP * abs(max(sums))
        chosen = 0 if self.is_zero else int(np.flatnonzero(np.array(sums) >= enough)[-1])
        self.value.fill_(float(MARGINS[chosen]))
        return {"train/margin": float(self.value), "train/gain": sums[chosen] / decisions}


def gains_of(
    decisions: Rows,
    predicted: NDArray[np.float32],
    is_base: NDArray[np.bool_],
    values: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Return in how many decisions actions were tried, then the sum that each of MARGINS gained.

    Args:
        decisions: The decision of each action, ascending, int64 (actions,).
        predicted: The network's values, before it learns from these.
        is_base: Which action is marked as the base policy's; decisions without count nothing.
        values: What the actions turned out to be worth.
    """
    advised = np.bincount(decisions, is_base)[decisions] > 0
    decisions, predicted = decisions[advised], predicted[advised]
    is_base, values = is_base[advised], values[advised]
    if not len(decisions):
        return np.zeros(1 + len(MARGINS), np.float32)
    starts = np.flatnonzero(np.diff(decisions, prepend=-1))
    counts = np.diff(starts, append=len(decisions))
    gains = values - np.repeat(values[is_base], counts)
    scores = predicted[:, None] + is_base[:, None] * MARGINS
    best = scores == np.repeat(np.maximum.reduceat(scores, starts), counts, axis=0)
    gained = np.add.reduceat(gains[:, None] * best, starts)
    ties = np.add.reduceat(best, starts, dtype=np.float32)
    return np.array([len(starts), *(gained / ties).sum(axis=0)], np.float32)
