"""What training leaves behind: a perceptron as a player that needs no torch."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from goldgriff.agents.network import MAX_WEIGHT, Network
from goldgriff.agents.scripted import Adviser


def to_network(layers: Iterable[nn.Module], adviser: Adviser | None = None) -> Network:
    """Copy linear layers; the last one gives the logits. adviser: see `Network`."""
    parts = [layer.state_dict() for layer in layers]
    return Network([(_copy(part["weight"]), _copy(part["bias"])) for part in parts], adviser)


def sharpened(network: Network, factor: float) -> Network:
    """The player whose logits are so many times as large: it strays less from what it likes best.

    The factor is less where a weight would be more than a checkpoint may hold.
    """
    *hidden, (weight, bias) = network.layers
    largest = max(float(abs(weight).max()), float(abs(bias).max()), 1e-9)
    times = np.float32(min(factor, 0.99 * MAX_WEIGHT / largest))
    return Network([*hidden, (weight * times, bias * times)], network.adviser)


def _copy(tensor: Tensor) -> NDArray[np.float32]:
    numbers: NDArray[np.float32] = tensor.cpu().numpy().copy()
    return numbers
