"""Trained networks for tables of different sizes, as one player."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.protocol import Rows
from ..envs.policy import ObservationBatch
from .network import Network


class PlayerCountEnsemble:
    """Asks one network at tables of two, the next at tables of three, and so on.

    networks: the last one plays at all larger tables, too.
    """

    def __init__(self, networks: Sequence[Network]) -> None:
        self.networks = networks

    def for_num_players(self, size: int) -> Network:
        """The network for a number of players."""
        return self.networks[min(size - 2, len(self.networks) - 1)]

    def act(self, batch: ObservationBatch) -> Rows:
        """Choose a legal action for each row, int64 (rows,)."""
        return self._ask(batch, np.empty(len(batch), np.int64), Network.act)

    def probabilities(self, batch: ObservationBatch) -> NDArray[np.float64]:
        """The probability of each action, float64 (rows, actions); 0 where it is illegal."""
        return self._ask(batch, np.empty(batch.masks.shape), Network.probabilities)

    def _ask(
        self,
        batch: ObservationBatch,
        answers: NDArray[Any],
        ask: Callable[[Network, ObservationBatch], NDArray[Any]],
    ) -> NDArray[Any]:
        """Let each row's network answer."""
        sizes = 2 + batch.raw[:, batch.game.observation_spec.range("players")].argmax(axis=1)
        for size in np.unique(sizes):
            rows = np.flatnonzero(sizes == size)
            answers[rows] = ask(self.for_num_players(int(size)), batch.take(rows))
        return answers


Trained = Network | PlayerCountEnsemble  # what plays by what it was taught


def network_for(trained: Trained, size: int) -> Network:
    """What plays at tables of so many."""
    return trained.for_num_players(size) if isinstance(trained, PlayerCountEnsemble) else trained
