"""Loops and policies that modes of Goldgriff and of other libraries share: the same for both."""

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray


def pick(mask: NDArray[np.int8]) -> int:
    """Any legal action of a mask (actions,), each as likely as the other."""
    (legal,) = mask.nonzero()
    return int(legal.item(int(random.random() * len(legal))))


def play_aec(env: Any, decisions: int) -> int:
    """Play at least so many decisions of a PettingZoo AEC environment, in whole games.

    Each reads observation and mask from `last()`. Returns how many there were.
    """
    made = 0
    while made < decisions:
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(pick(observation["action_mask"]))
                made += 1
    return made
