"""Players with faults that only tests need."""

from threading import Event
from time import sleep

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.policy import ObservationBatch


class Idle:
    """Never answers."""

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:  # noqa: ARG002
        Event().wait()
        raise AssertionError


class Slow:
    """Takes its time, but not for its only move."""

    SECONDS = 0.02

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        if observations.masks.sum() > 1:
            sleep(self.SECONDS)
        actions: NDArray[np.int64] = observations.masks.argmax(axis=1)
        return actions


class Stubborn:
    """Never decides."""

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:  # noqa: ARG002
        raise RuntimeError("no more\nof this")


class Astray:
    """Plays the last action there is, legal or not."""

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        return np.full(len(observations), len(observations.game.actions) - 1)
