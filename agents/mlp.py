"""Multi-layer perceptrons without torch."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.compile import kernel
from ..envs.engine.preview import ActionFeatures
from ..envs.engine.protocol import RawObservations
from ..errors import AgentError

MAX_OUTPUT = 1e30

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
            AgentError: An output is MAX_OUTPUT or more: weights may be small enough for a
                checkpoint, and their products too large for a float32.
        """
        size = len(self._by_input)
        if inputs.shape[1:] != (size,) or scale.shape != (size,):
            raise ValueError(f"{size} inputs are wanted, not {inputs.shape[1:]}, {scale.shape}")
        sums = np.tile(self.layers[0][1], (len(inputs), 1))
        add_dense(inputs, scale, self._by_input, sums)
        return self._finish(sums)

    def forward_actions(
        self,
        states: RawObservations,
        state_scale: NDArray[np.float32],
        actions: ActionFeatures,
        action_scale: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        """Return the outputs for inputs of a state and an action, float32 (actions, outputs).

        The sums of the first layer over a state's inputs are computed once for all its actions.

        Args:
            states: The first inputs, uint8 (rows, state inputs).
            state_scale: Factor of each, float32 (state inputs,).
            actions: The other inputs, of the actions of these states.
            action_scale: Factor of each, float32 (action inputs,).

        Raises:
            ValueError: The number of inputs is not that of the first layer.
            AgentError: An output is too large; see `forward`.
        """
        size = len(state_scale)
        if states.shape[1:] != (size,) or size + len(action_scale) != len(self._by_input):
            numbers = f"{states.shape[1:]}, {size} and {len(action_scale)}"
            raise ValueError(f"{len(self._by_input)} inputs are wanted, not {numbers}")
        by_state = np.tile(self.layers[0][1], (len(states), 1))
        add_dense(states, state_scale, self._by_input[:size], by_state)
        sums = np.empty((len(actions.rows), by_state.shape[1]), np.float32)
        add_sparse(by_state, actions, action_scale, self._by_input[size:], sums)
        return self._finish(sums)

    def _finish(self, sums: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the last layer's outputs for the first one's, which are overwritten."""
        with np.errstate(over="ignore", invalid="ignore"):
            for weight, bias in self.layers[1:]:
                sums = np.maximum(sums, np.float32(0), out=sums) @ weight.T + bias
        if not (abs(sums) < MAX_OUTPUT).all():
            raise AgentError(code="overflow")
        return sums


@kernel
def add_dense(
    inputs: RawObservations,
    scale: NDArray[np.float32],
    weights: NDArray[np.float32],
    sums: NDArray[np.float32],
) -> None:
    """Add (inputs * scale) @ weights to the sums, skipping the inputs that are zero.

    Args:
        inputs: uint8 (rows, inputs).
        scale: float32 (inputs,).
        weights: float32 (inputs, units).
        sums: Added to, float32 (rows, units).
    """
    for k in range(len(inputs)):
        row = sums[k]
        for place in range(len(weights)):
            if inputs[k, place] != 0:
                number, weight = np.float32(inputs[k, place]) * scale[place], weights[place]
                for unit in range(len(row)):
                    row[unit] += number * weight[unit]


@kernel
def add_sparse(
    by_state: NDArray[np.float32],
    actions: ActionFeatures,
    scale: NDArray[np.float32],
    weights: NDArray[np.float32],
    sums: NDArray[np.float32],
) -> None:
    """Write the sums of each action: those of its state, and what its own features add.

    Args:
        by_state: float32 (rows, units).
        actions: Features of actions of these rows.
        scale: float32 (inputs,).
        weights: float32 (inputs, units).
        sums: Written, float32 (actions, units).
    """
    for k in range(len(sums)):
        row, state = sums[k], by_state[actions.rows[k]]
        for unit in range(len(row)):
            row[unit] = state[unit]
        for n in range(actions.starts[k], actions.starts[k + 1]):
            place = actions.places[n]
            number, weight = np.float32(actions.numbers[n]) * scale[place], weights[place]
            for unit in range(len(row)):
                row[unit] += number * weight[unit]
