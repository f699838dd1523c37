"""Loops and policies that modes of Goldgriff and of other libraries share: the same for both."""

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.batch import derive_seeds
from ...envs.engine.compile import kernel
from ...envs.engine.kernels import pick_random
from ...envs.engine.protocol import Masks, Rows


def pick(mask: NDArray[np.int8]) -> int:
    """Any legal action of a mask (actions,), each as likely as the other."""
    return find_legal(mask, random.random())


@kernel
def find_legal(mask: NDArray[np.int8], luck: float) -> int:
    """The legal action that stands where `luck`, from 0 up to 1, points among them."""
    legal = 0
    for action in range(len(mask)):
        legal += mask[action] != 0
    left = int(luck * legal)
    for action in range(len(mask)):
        if mask[action] != 0:
            if left == 0:
                return action
            left -= 1
    return -1


class RandomPlay:
    """Random legal actions for many games, the same way for every mode that has arrays of them."""

    def __init__(self, num_games: int) -> None:
        self.actions = np.zeros(num_games, np.int64)
        self._seeds = derive_seeds(1, num_games)
        self._turn = 0

    def pick(self, masks: Masks) -> Rows:
        """Choose by masks (num_games, actions); the array is overwritten by the next choice."""
        pick_random(masks, self._seeds, self._turn, self.actions)
        self._turn += 1
        return self.actions


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
