"""Shared by the tests of training."""

import pytest
import torch

from goldgriff.train.runner import set_up_torch


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    """As runs have it: torch's threads would wait for one another longer than they work.

    Runs round hidden layers where the processor is made for it; what is compared here is exact.
    """
    set_up_torch(1)
    torch.set_float32_matmul_precision("highest")
