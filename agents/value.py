"""What a round brings a seat: by the scores when it is over, before by a trained critic."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.protocol import RawObservations
from .features.description import FeatureSpec
from .mlp import MLP, Layer

MIN_BONUS, MAX_BONUS = 0.001, 1000  # what either of the stakes may be
UNIT = 14.0  # points that are a worth of 1: about what moves tried in one deal differ by
NO_ROUND = 1e-12  # for a root to divide by, so that the least lead decides


class ValueTarget(NamedTuple):
    """What a round is played for, so that it can be told in one number, its worth.

    win_worth: what winning the game is worth, in points. lead: see `win_probabilities`.
    """

    win_worth: float
    lead: float

    def worths(
        self, probabilities: NDArray[np.float64], points: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """What the win is worth times its chance, less the round's points; in UNITs of points."""
        return (self.win_worth * probabilities - points) / UNIT


class ValueNetwork:
    """A perceptron that is told of all hands and says what the round will be worth.

    layers: of inputs as `description` tells tables. stakes: of the worths that it learnt.
    """

    def __init__(
        self, layers: Sequence[Layer], description: FeatureSpec, stakes: ValueTarget
    ) -> None:
        self._perceptron = MLP(layers)
        self.layers = self._perceptron.layers
        self.description, self.stakes = description, stakes

    def judge(self, raw: RawObservations, hands: RawObservations) -> NDArray[np.float32]:
        """The worths, (tables,), to seats that see `raw` where the others hold `hands`."""
        told = self.description.describe_tables(raw, hands)
        return self._perceptron.think(told, self.description.state_spec.scale).squeeze(axis=1)


def win_probabilities(
    points: NDArray[np.float64], rounds: NDArray[Any], lead: float
) -> NDArray[np.float64]:
    """Each seat's chance to win the game, (games, seats), by the points between two rounds.

    rounds: those to play, (games,); after the last the winners share. lead: points of it that make
    a seat e times as likely to win with one round to play; luck adds up, so with more it grows as
    their square root.
    """
    heights = -points / (lead * np.sqrt(np.maximum(rounds, NO_ROUND))[:, None])
    raised = np.exp(heights - heights.max(axis=1, keepdims=True))
    probabilities: NDArray[np.float64] = raised / raised.sum(axis=1, keepdims=True)
    return probabilities
