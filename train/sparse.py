"""Networks in torch whose inputs are mostly zero: a state's, and those of one action at a time.

The first layer skips the zeros, forward and backward. Its part for the state is computed once for
all actions of a decision. The networks are on the CPU.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ..agents.mlp import Layer, add_dense, add_sparse
from ..envs.engine.compile import kernel
from ..envs.engine.preview import ActionFeatures
from ..envs.engine.protocol import RawObservations
from ..errors import SettingsError
from .networks import copy_layers

NONZERO = 100  # inputs that are not zero, roughly: initial weights are as for so many inputs

Numbers = NDArray[np.float32]


class _StateSums(torch.autograd.Function):
    """bias + (raw * scale) @ weight."""

    @staticmethod
    def forward(
        ctx: Any, raw: RawObservations, scale: Numbers, weight: Tensor, bias: Tensor
    ) -> Tensor:
        ctx.inputs, ctx.shape = (raw, scale), weight.shape
        sums = np.tile(bias.detach().numpy(), (len(raw), 1))
        add_dense(raw, scale, weight.detach().numpy(), sums)
        return torch.from_numpy(sums)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Any, ...]:
        of_weight = np.zeros(ctx.shape, np.float32)
        raw, scale = ctx.inputs
        _add_state_gradients(raw, scale, gradient.contiguous().numpy(), of_weight)
        return None, None, torch.from_numpy(of_weight), gradient.sum(dim=0)


class _ActionSums(torch.autograd.Function):
    """The sums of each action's decision + (features * scale) @ weight."""

    @staticmethod
    def forward(
        ctx: Any, state_sums: Tensor, actions: ActionFeatures, scale: Numbers, weight: Tensor
    ) -> Tensor:
        ctx.inputs, ctx.shapes = (actions, scale), (state_sums.shape, weight.shape)
        sums = np.empty((len(actions.rows), weight.shape[1]), np.float32)
        by_state, by_input = state_sums.detach().numpy(), weight.detach().numpy()
        add_sparse(by_state, actions, scale, by_input, sums)
        return torch.from_numpy(sums)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Any, ...]:
        of_states, of_weight = (np.zeros(shape, np.float32) for shape in ctx.shapes)
        actions, scale = ctx.inputs
        numbers = gradient.contiguous().numpy()
        _add_action_gradients(actions, scale, numbers, of_states, of_weight)
        return torch.from_numpy(of_states), None, None, torch.from_numpy(of_weight)


_add_states: Any = _StateSums.apply  # untyped in torch
_add_actions: Any = _ActionSums.apply


class SparseNet(nn.Module):
    """A perceptron with ReLU and one output, which is 0 until something has been learnt.

    Args:
        scale: Factors of the state's inputs, float32 (inputs,).
        hidden: Widths of the hidden layers.
        action_scale: Factors of an action's inputs, if there are any.
    """

    def __init__(
        self, scale: Numbers, hidden: Sequence[int], action_scale: Numbers | None = None
    ) -> None:
        super().__init__()
        self.scales = [scale] if action_scale is None else [scale, action_scale]
        bound = NONZERO**-0.5
        self.first = nn.ParameterList(
            torch.empty(len(scale), hidden[0]).uniform_(-bound, bound) for scale in self.scales
        )
        self.bias = nn.Parameter(torch.zeros(hidden[0]))
        widths = [*hidden, 1]
        self.rest = nn.ModuleList(nn.Linear(before, after) for before, after in pairwise(widths))
        for parameter in self.rest[-1].parameters():
            nn.init.zeros_(parameter)

    def forward(self, raw: RawObservations, actions: ActionFeatures | None = None) -> Tensor:
        """Return the value of each state, or of each action: float32 (states or actions,)."""
        sums = _add_states(raw, self.scales[0], self.first[0], self.bias)
        if actions is not None:
            sums = _add_actions(sums, actions, self.scales[1], self.first[1])
        for layer in self.rest:
            sums = layer(torch.relu(sums))
        values: Tensor = sums.squeeze(1)
        return values

    def export(self) -> list[Layer]:
        """Return the layers as arrays, as `MLP` takes them."""
        weight = torch.cat(list(self.first)).detach().numpy().T.copy()
        first = weight, self.bias.detach().numpy().copy()
        return [first, *copy_layers(self.rest)]

    @torch.no_grad()
    def load_layers(self, layers: Sequence[Layer]) -> None:
        """Copy weights and biases. Raises SettingsError when the shapes differ."""
        own = self.export()
        shapes = [weight.shape for weight, _ in own]
        if [weight.shape for weight, _ in layers] != shapes:
            raise SettingsError(f"initial_policy must have layers of the shapes {shapes}")
        (weight, bias), *rest = layers
        parts = torch.split(torch.tensor(weight.T), [len(part) for part in self.first])
        for part, values in zip(self.first, parts, strict=True):
            part.copy_(values)
        self.bias.copy_(torch.tensor(bias))
        for layer, (weight, bias) in zip(self.rest, rest, strict=True):
            layer.load_state_dict({"weight": torch.tensor(weight), "bias": torch.tensor(bias)})


@kernel
def _add_state_gradients(
    raw: RawObservations, scale: Numbers, gradients: Numbers, of_weight: Numbers
) -> None:
    """Add (raw * scale).T @ gradients."""
    for k in range(len(raw)):
        gradient = gradients[k]
        for place in range(len(of_weight)):
            if raw[k, place] != 0:
                number, weight = np.float32(raw[k, place]) * scale[place], of_weight[place]
                for unit in range(len(gradient)):
                    weight[unit] += number * gradient[unit]


@kernel
def _add_action_gradients(
    actions: ActionFeatures,
    scale: Numbers,
    gradients: Numbers,
    of_states: Numbers,
    of_weight: Numbers,
) -> None:
    """Add each action's gradient to its decision's, and (features * scale).T @ gradients."""
    for k in range(len(gradients)):
        gradient, state = gradients[k], of_states[actions.rows[k]]
        for unit in range(len(gradient)):
            state[unit] += gradient[unit]
        for n in range(actions.starts[k], actions.starts[k + 1]):
            place = actions.places[n]
            number, weight = np.float32(actions.numbers[n]) * scale[place], of_weight[place]
            for unit in range(len(gradient)):
                weight[unit] += number * gradient[unit]
