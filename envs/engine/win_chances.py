"""The chance to win a game by its scores: a softmax, the flatter the more rounds are to play."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compile import device, kernel
from .deck import next_seat
from .protocol import rounds_left

SCORE_TEMPERATURE = 11.0  # of `write_win_chances`, see `win_probabilities`
WHOLE = 240  # how a share of 1 is written in a feature
NO_ROUNDS = 1e-12  # for rounds left when there are none: then the lowest score wins for sure


@device
def write_win_chances(state: Any, seat: int, numbers: Any) -> None:
    """Write each seat's chance to win the game by the scores, clockwise from `seat`.

    Args:
        state: One game.
        seat: The first seat.
        numbers: Written, uint8 (seats,), WHOLE for 1; 0 where nobody sits.
    """
    lowest, total = int(state.scores[seat]), 0.0
    for other in range(state.num_players):
        lowest = min(lowest, int(state.scores[other]))
    rounds = max(float(rounds_left(state)), NO_ROUNDS)
    temperature = 2 * SCORE_TEMPERATURE * math.sqrt(rounds)  # scores are in halves
    for other in range(state.num_players):
        total += math.exp((lowest - state.scores[other]) / temperature)
    numbers[:] = 0
    for steps in range(state.num_players):
        score = state.scores[next_seat(state, seat, steps)]
        numbers[steps] = int(WHOLE * math.exp((lowest - score) / temperature) / total + 0.5)


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
