"""Shared by the tests of training."""

import pytest

from goldgriff.train.run import set_up_torch


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    """As runs have it: torch's threads would wait for one another longer than they work."""
    set_up_torch(1)
