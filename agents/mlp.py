"""Multi-layer perceptrons without torch."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.compile import kernel
from ..envs.engine.protocol import RawObservations
from ..errors import AgentError

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]  # weight (out, in), bias (out,)


class MLP:
    """Linear layers with ReLU between them, for inputs that are whole numbers, most of them zero.

    Where one input in eight is not zero, skipping the zeros takes half as long as multiplying by
    them on one thread.

    Attributes:
        layers: Weights and biases, float32 and in C order, the one that files are written in.
    """

    def __init__(self, layers: Iterable[Layer]) -> None:
        self.layers = [
            (np.ascontiguousarray(weight, np.float32), np.ascontiguousarray(bias, np.float32))
            for weight, bias in layers
        ]
        self._by_input = np.ascontiguousarray(self.layers[0][0].T)

    def forward(self, inputs: RawObservations, scale: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the outputs of the last layer, float32 (rows, outputs).

        Args:
            inputs: Whole numbers, uint8 (rows, inputs).
            scale: Factor of each input, float32 (inputs,).

        Raises:
            ValueError: The number of inputs is not that of the first layer.
            AgentError: An output is no finite number: weights may be small enough for a checkpoint,
                and their products too large for a float32.
        """
        size = len(self._by_input)
        if inputs.shape[1:] != (size,) or scale.shape != (size,):
            raise ValueError(f"{size} inputs are wanted, not {inputs.shape[1:]}, {scale.shape}")
        sums = np.tile(self.layers[0][1], (len(inputs), 1))
        _add_up(inputs, scale, self._by_input, sums)
        with np.errstate(over="ignore", invalid="ignore"):
            for weight, bias in self.layers[1:]:
                sums = np.maximum(sums, np.float32(0), out=sums) @ weight.T + bias
        if not np.isfinite(sums).all():
            raise AgentError("the network's numbers are too large to compute with", code="overflow")
        return sums


@kernel
def _add_up(
    inputs: RawObservations,
    scale: NDArray[np.float32],
    weights: NDArray[np.float32],
    sums: NDArray[np.float32],
) -> None:
    """Add (inputs * scale) @ weights to the sums, skipping the inputs that are zero."""
    for k in range(len(inputs)):
        row = sums[k]
        for place in range(len(weights)):
            if inputs[k, place] != 0:
                number, weight = np.float32(inputs[k, place]) * scale[place], weights[place]
                for unit in range(len(row)):
                    row[unit] += number * weight[unit]
