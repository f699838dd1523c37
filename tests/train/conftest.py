"""Shared by the tests of training."""

import pytest
import torch
from matplotlib.figure import Figure

from goldgriff.train.logging import TrainingLog
from goldgriff.train.runner import set_up_torch


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    """As runs have it: torch's threads would wait for one another longer than they work.

    Runs round hidden layers where the processor is made for it; what is compared here is exact.
    """
    set_up_torch(1)
    torch.set_float32_matmul_precision("highest")


@pytest.fixture(autouse=True)
def _empty_curves(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave curves empty, except in the tests of the log: four fifths of a small run draw them."""
    if request.path.stem != "test_logging":
        monkeypatch.setattr(TrainingLog, "draw", lambda _: Figure())
