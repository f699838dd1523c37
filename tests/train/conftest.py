"""Networks in tests are small: one thread is enough for them, more would fight for the cores."""

import pytest
import torch


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)
