"""What training leaves behind: a perceptron as a player that needs no torch."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from goldgriff.agents.network import Network


def to_network(layers: Iterable[nn.Module]) -> Network:
    """Copy linear layers; the last one gives the logits."""
    parts = [layer.state_dict() for layer in layers]
    return Network([(_copy(part["weight"]), _copy(part["bias"])) for part in parts])


def _copy(tensor: Tensor) -> NDArray[np.float32]:
    numbers: NDArray[np.float32] = tensor.cpu().numpy().copy()
    return numbers
