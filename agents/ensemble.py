"""Trained networks for different numbers of players, as one agent."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..envs.policy import ObservationBatch, wants_information_states
from .network import Network
from .pretrained import PretrainedAgent


class PlayerCountEnsemble(PretrainedAgent):
    """Plays by one network with two players, by the next with three, and so on.

    Attributes:
        networks: By number of players from 2; the last one plays with all larger numbers, too.
    """

    def __init__(self, networks: Sequence[Network]) -> None:
        self.networks = networks

    @property
    def wants_information_states(self) -> bool:
        """Return whether any of the networks asks for them."""
        return any(map(wants_information_states, self.networks))

    def for_num_players(self, num_players: int) -> Network:
        """Return the network for a number of players."""
        return self.networks[min(num_players - 2, len(self.networks) - 1)]

    def logits(self, batch: ObservationBatch) -> NDArray[np.float32]:
        """Return the logits, float32 (rows, actions); those of illegal actions mean nothing."""
        one_hot = batch.raw[:, batch.game.observation_spec.range("players")]
        num_players = 2 + one_hot.argmax(axis=1)
        logits = np.empty(batch.masks.shape, np.float32)
        for number in np.unique(num_players):
            rows = np.flatnonzero(num_players == number)
            logits[rows] = self.for_num_players(int(number)).logits(batch.take(rows))
        return logits


TrainedPolicy = Network | PlayerCountEnsemble
