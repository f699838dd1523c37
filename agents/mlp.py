"""Perceptrons without torch."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.compile import kernel
from ..envs.engine.protocol import RawObservations

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]  # weight (out, in), bias (out,)


class MLP:
    """Linear layers with ReLU between them; its inputs are whole numbers, most of them zero.

    Where one in eight is not zero, skipping the zeros takes half as long as multiplying by them on
    one thread.

    layers: float32 and in C order, the one that files are written in.
    """

    def __init__(self, layers: Iterable[Layer]) -> None:
        self.layers = [
            (np.ascontiguousarray(weight, np.float32), np.ascontiguousarray(bias, np.float32))
            for weight, bias in layers
        ]
        self._by_input = np.ascontiguousarray(self.layers[0][0].T)

    def think(self, numbers: RawObservations, scale: NDArray[np.float32]) -> NDArray[np.float32]:
        """What the last layer makes of numbers, uint8 (rows, inputs): float32 (rows, outputs).

        scale: what each input is multiplied by, (inputs,).
        """
        inputs = len(self._by_input)
        if numbers.shape[1:] != (inputs,) or scale.shape != (inputs,):
            raise ValueError(f"{inputs} inputs are wanted, not {numbers.shape[1:]}, {scale.shape}")
        sums = np.tile(self.layers[0][1], (len(numbers), 1))
        _add_up(numbers, scale, self._by_input, sums)
        for weight, bias in self.layers[1:]:
            sums = np.maximum(sums, np.float32(0), out=sums) @ weight.T + bias
        return sums


@kernel
def _add_up(
    numbers: RawObservations,
    scale: NDArray[np.float32],
    weights: NDArray[np.float32],
    sums: NDArray[np.float32],
) -> None:
    """Add (numbers * scale) @ weights to the sums, skipping the numbers that are zero."""
    for k in range(len(numbers)):
        row = sums[k]
        for place in range(len(weights)):
            if numbers[k, place] != 0:
                number, weight = np.float32(numbers[k, place]) * scale[place], weights[place]
                for unit in range(len(row)):
                    row[unit] += number * weight[unit]
