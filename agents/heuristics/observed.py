"""Find actions in masks and cards in observations, for the scripted agents of all games."""

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import device

Raw = NDArray[np.uint8]  # the observation of one decision, uint8 (observation_spec.size,)
Mask = NDArray[np.int8]  # 1 for each legal action, int8 (actions,)

NONE = -1  # no action, no card


@device
def first_of(mask: Mask, start: int, stop: int) -> int:
    """Return the first legal action from `start` on, before `stop`, or NONE."""
    for action in range(start, stop):
        if mask[action]:
            return action
    return NONE


@device
def place_in(raw: Raw, start: int, size: int) -> int:
    """Return the place of the first number that is not 0 in a field of an observation, or NONE.

    Args:
        raw: The observation.
        start: Where the field begins.
        size: How many numbers it has.
    """
    for place in range(size):
        if raw[start + place]:
            return place
    return NONE
