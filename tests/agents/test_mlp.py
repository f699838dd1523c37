"""Perceptrons without torch, compared with torch's own layers."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from torch import nn

from goldgriff.agents.mlp import MLP
from goldgriff.train.networks import copy_layers

SIZES = [[40, 1], [40, 7, 1], [728, 64, 32, 3]]


def network(sizes: list[int]) -> nn.Sequential:
    torch.manual_seed(1)
    layers = [(nn.Linear(size, out), nn.ReLU()) for size, out in pairwise(sizes)]
    return nn.Sequential(*[part for parts in layers for part in parts][:-1])


def test_other_numbers_of_inputs_are_refused() -> None:
    """The compiled loop would read whatever lies there."""
    layers = copy_layers([nn.Linear(40, 1)])
    for size, scales in ((39, 40), (41, 40), (40, 39)):
        with pytest.raises(ValueError, match="40 inputs are wanted"):
            MLP(layers).forward(np.zeros((2, size), np.uint8), np.ones(scales, np.float32))


@pytest.mark.parametrize("zeros", [0.0, 0.9, 1.0])
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_outputs_are_those_of_torch(sizes: list[int], zeros: float) -> None:
    rng = np.random.default_rng(1)
    numbers = rng.integers(0, 256, (50, sizes[0]), np.uint8)
    numbers[rng.random(numbers.shape) < zeros] = 0
    scale = rng.random(sizes[0], np.float32)
    net = network(sizes)
    layers = copy_layers(part for part in net if isinstance(part, nn.Linear))
    with torch.no_grad():
        wanted = net.double()(torch.from_numpy(numbers.astype(np.float64) * scale)).numpy()
    before = [array.copy() for layer in layers for array in layer]
    got = MLP(layers).forward(numbers, scale)
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-3)
    for array, was in zip((array for layer in layers for array in layer), before, strict=True):
        np.testing.assert_array_equal(array, was)
