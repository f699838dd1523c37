"""Trained networks for different numbers of players, as one agent."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.protocol import Rows
from ..envs.policy import ObservationBatch
from .network import Network
from .pretrained import PretrainedAgent


class PlayerCountEnsemble(PretrainedAgent):
    """Plays by one network with two players, by the next with three, and so on.

    Attributes:
        networks: By number of players from 2; the last one plays with all larger numbers, too.
    """

    def __init__(self, networks: Sequence[Network]) -> None:
        self.networks = networks

    def for_num_players(self, num_players: int) -> Network:
        """Return the network for a number of players."""
        return self.networks[min(num_players - 2, len(self.networks) - 1)]

    def act(self, batch: ObservationBatch) -> Rows:
        """Choose a legal action for each row, int64 (rows,)."""
        return self._fill(batch, np.empty(len(batch), np.int64), Network.act)

    def action_probabilities(self, batch: ObservationBatch) -> NDArray[np.float64]:
        """Return the probability of each action, float64 (rows, actions); 0 for illegal ones."""
        return self._fill(batch, np.empty(batch.masks.shape), Network.action_probabilities)

    def logits(self, batch: ObservationBatch) -> NDArray[np.float32]:
        """Return the logits, float32 (rows, actions); those of illegal actions mean nothing."""
        return self._fill(batch, np.empty(batch.masks.shape, np.float32), _logits)

    def _fill(
        self,
        batch: ObservationBatch,
        results: NDArray[Any],
        method: Callable[[Network, ObservationBatch], NDArray[Any]],
    ) -> NDArray[Any]:
        """Fill `results` with what each row's network gives."""
        one_hot = batch.raw[:, batch.game.observation_spec.range("players")]
        num_players = 2 + one_hot.argmax(axis=1)
        for number in np.unique(num_players):
            rows = np.flatnonzero(num_players == number)
            results[rows] = method(self.for_num_players(int(number)), batch.take(rows))
        return results


def _logits(network: Network, batch: ObservationBatch) -> NDArray[np.float32]:
    """Return the logits of a network of any kind."""
    return network.logits(batch)


TrainedPolicy = Network | PlayerCountEnsemble


def networks_of(trained: TrainedPolicy) -> Sequence[Network]:
    """Return the networks for two, three, ... players; the last is for all larger numbers, too."""
    return trained.networks if isinstance(trained, PlayerCountEnsemble) else [trained]


def network_for(trained: TrainedPolicy, num_players: int) -> Network:
    """Return the network that plays for a number of players."""
    if isinstance(trained, PlayerCountEnsemble):
        return trained.for_num_players(num_players)
    return trained
