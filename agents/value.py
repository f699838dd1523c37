"""The value of a round for a player: by the scores when it is over, before by a trained critic."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.compile import device, kernel
from ..envs.engine.protocol import RawObservations
from .features.spec import FeatureSpec
from .mlp import MLP, Layer

MIN_BONUS, MAX_BONUS = 0.001, 1000  # range of both fields of a ValueTarget
VALUE_SCALE = 14.0  # points that are a value of 1: about what actions of one decision differ by
NO_ROUNDS = 1e-12  # for rounds left when there are none: then the lowest score wins for sure


class ValueTarget(NamedTuple):
    """Combine round points and win probability into one value.

    Attributes:
        win_bonus: What winning the game counts, in points.
        score_temperature: See `win_probabilities`.
    """

    win_bonus: float
    score_temperature: float

    def values(
        self, win_probabilities: NDArray[np.float64], points: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the bonus times its probability, less the round's points, over VALUE_SCALE."""
        return (self.win_bonus * win_probabilities - points) / VALUE_SCALE


class ValueNetwork:
    """A perceptron that sees all hands and estimates the value of the round.

    Attributes:
        layers: Its layers, for inputs that are state features.
        features: The features of states.
        value_target: What it was trained to estimate.
    """

    def __init__(
        self, layers: Sequence[Layer], features: FeatureSpec, value_target: ValueTarget
    ) -> None:
        self._mlp = MLP(layers)
        self.layers = self._mlp.layers
        self.features, self.value_target = features, value_target

    def evaluate(self, raw: RawObservations, hands: RawObservations) -> NDArray[np.float32]:
        """Return the values of states, float32 (states,), to one seat of each.

        Args:
            raw: What that seat sees, uint8 (states, observation_spec.size).
            hands: What the others hold (see `Batch.hidden_hands`).
        """
        numbers = self.features.state_features(raw, hands)
        return self._mlp.forward(numbers, self.features.state_spec.scale).squeeze(axis=1)


@device
def write_win_probabilities(points: Any, reference: float, temperature: float, out: Any) -> None:
    """Write each seat's chance to win the game, by the points between two rounds.

    `temperature` points less make a seat e times as likely to win.

    Args:
        points: Points of the seats that play; low is good.
        reference: Points near the lowest; no probability depends on them but for rounding.
        temperature: In points.
        out: Written, float64 (seats,).
    """
    total = 0.0
    for seat in range(len(points)):
        out[seat] = math.exp((reference - points[seat]) / temperature)
        total += out[seat]
    for seat in range(len(points)):
        out[seat] /= total


@kernel
def _write_each(
    points: NDArray[np.float64],
    lowest: NDArray[np.float64],
    temperatures: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    for k in range(len(points)):
        write_win_probabilities(points[k], lowest[k], temperatures[k], out[k])


def win_probabilities(
    points: NDArray[np.float64], rounds_left: NDArray[Any], score_temperature: float
) -> NDArray[np.float64]:
    """Return each seat's chance to win the game, float64 (states, seats), between two rounds.

    Args:
        points: Points of the seats, float64 (states, seats).
        rounds_left: Rounds to play, (states,); after the last the winners share.
        score_temperature: Points less that make a seat e times as likely to win with one round to
            play. Chance adds up, so with more it grows as their square root.
    """
    out = np.empty(points.shape)
    temperatures = score_temperature * np.sqrt(np.maximum(rounds_left, NO_ROUNDS))
    _write_each(np.ascontiguousarray(points), points.min(axis=1), temperatures, out)
    return out
