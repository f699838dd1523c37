"""What every scripted player shares: a compiled kernel that decides, row by row."""

from collections.abc import Callable

import numpy as np

from goldgriff.envs.core.kernels import Features, Masks, Rows
from goldgriff.envs.core.policy import Views


class Scripted:
    """A player made of a compiled kernel `choose_all(features, masks, actions)`.

    The kernel writes a legal action for each row into `actions`, int64 (rows,).
    """

    def __init__(self, choose_all: Callable[[Features, Masks, Rows], None]) -> None:
        self._choose_all = choose_all

    def act(self, views: Views) -> Rows:
        """Choose a legal action for each row, int64 (rows,)."""
        actions = np.empty(len(views), np.int64)
        self._choose_all(views.features, views.masks, actions)
        return actions
