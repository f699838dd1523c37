"""Perceptrons on NumPy alone."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]  # weight (out, in), bias (out,)


def think(layers: Sequence[Layer], seen: NDArray[np.float32]) -> NDArray[np.float32]:
    """What the last layer makes of inputs, (rows, inputs); ReLU after all others."""
    hidden = seen
    for weight, bias in layers[:-1]:
        hidden = np.maximum(hidden @ weight.T + bias, np.float32(0))
    weight, bias = layers[-1]
    numbers: NDArray[np.float32] = hidden @ weight.T + bias
    return numbers


def whole_layers(layers: Iterable[Layer]) -> list[Layer]:
    """Layers as float32 in C order, the one that files are written in."""
    return [
        (np.ascontiguousarray(weight, np.float32), np.ascontiguousarray(bias, np.float32))
        for weight, bias in layers
    ]
