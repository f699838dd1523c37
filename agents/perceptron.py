"""Perceptrons without torch."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.core.compiled import kernel
from goldgriff.envs.core.kernels import Features

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]  # weight (out, in), bias (out,)


def think(layers: Sequence[Layer], seen: NDArray[np.float32]) -> NDArray[np.float32]:
    """What the last layer makes of inputs, (rows, inputs); ReLU after all others."""
    hidden = seen
    for weight, bias in layers[:-1]:
        hidden = np.maximum(hidden @ weight.T + bias, np.float32(0))
    weight, bias = layers[-1]
    numbers: NDArray[np.float32] = hidden @ weight.T + bias
    return numbers


class SparsePerceptron:
    """A perceptron whose inputs are whole numbers, most of them zero.

    On one thread it takes half as long as `think` where one in eight is not.

    layers: as for `think`. scale: float32 (inputs,), what each input is multiplied by.
    """

    def __init__(self, layers: Sequence[Layer], scale: NDArray[np.float32]) -> None:
        (weight, self._bias), *self._others = layers
        self._weights = np.ascontiguousarray((weight * scale).T)

    def think(self, numbers: Features) -> NDArray[np.float32]:
        """What the last layer makes of numbers, uint8 (rows, inputs): float32 (rows, outputs)."""
        if numbers.shape[1:] != (len(self._weights),):
            raise ValueError(f"{len(self._weights)} inputs are wanted, not {numbers.shape[1:]}")
        sums = np.tile(self._bias, (len(numbers), 1))
        add_up(numbers, self._weights, sums)
        if not self._others:
            return sums
        return think(self._others, np.maximum(sums, np.float32(0), out=sums))


@kernel
def add_up(numbers: Features, weights: NDArray[np.float32], sums: NDArray[np.float32]) -> None:
    """Add numbers @ weights to the sums, skipping the numbers that are zero."""
    for k in range(len(numbers)):
        row = sums[k]
        for place in range(len(weights)):
            if numbers[k, place] != 0:
                number, weight = np.float32(numbers[k, place]), weights[place]
                for unit in range(len(row)):
                    row[unit] += number * weight[unit]


def whole_layers(layers: Iterable[Layer]) -> list[Layer]:
    """Layers as float32 in C order, the one that files are written in."""
    return [
        (np.ascontiguousarray(weight, np.float32), np.ascontiguousarray(bias, np.float32))
        for weight, bias in layers
    ]
