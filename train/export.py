"""What training leaves behind: a perceptron as a player that needs no torch."""

from collections.abc import Iterable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from ..agents.checkpoints import MAX_WEIGHT
from ..agents.heuristics.catalog import BasePolicy
from ..agents.mlp import Layer
from ..agents.network import Network

N = TypeVar("N", bound=Network)


def to_network(layers: Iterable[nn.Module], adviser: BasePolicy | None = None) -> Network:
    """A player of linear layers; the last one gives the logits. adviser: see `Network`."""
    return Network(copy_layers(layers), adviser)


def copy_layers(layers: Iterable[nn.Module]) -> list[Layer]:
    """The numbers of linear layers."""
    parts = [layer.state_dict() for layer in layers]
    return [(_copy(part["weight"]), _copy(part["bias"])) for part in parts]


def sharpened(network: N, factor: float) -> N:
    """The player whose logits are so many times as large: it strays less from what it likes best.

    The factor is less where a weight would be more than a checkpoint may hold.
    """
    *hidden, (weight, bias) = network.layers
    largest = max(float(abs(weight).max()), float(abs(bias).max()), 1e-9)
    times = np.float32(min(factor, 0.99 * MAX_WEIGHT / largest))
    return network.with_layers([*hidden, (weight * times, bias * times)])


def _copy(tensor: Tensor) -> NDArray[np.float32]:
    numbers: NDArray[np.float32] = tensor.cpu().numpy().copy()
    return numbers
