"""A trained policy network as a player, run on NumPy alone."""

import math
from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.compile import kernel
from ..envs.engine.protocol import Masks, Rows
from ..envs.policy import ObservationBatch
from .features.description import FeatureSpec
from .heuristics.catalog import BasePolicy
from .mlp import MLP, Layer
from .value import ValueNetwork

GREED = 1000.0  # what worths are multiplied by to be logits that leave a softmax no choice


class Network:
    """Samples its actions from a masked softmax over the network's logits, one for each action.

    layers: of a perceptron with ReLU between them.
    adviser: a scripted player whose move is told to the network after the features, one-hot; None
        where it decides by what it sees alone.
    """

    def __init__(self, layers: Sequence[Layer], adviser: BasePolicy | None = None) -> None:
        self.adviser = adviser
        self._perceptron = MLP(layers)
        self.layers = self._perceptron.layers

    def with_layers(self, layers: Sequence[Layer]) -> Self:
        """A player of the same kind with other layers."""
        return type(self)(layers, self.adviser)

    def act(self, batch: ObservationBatch) -> Rows:
        """Choose a legal action for each row, int64 (rows,)."""
        actions = np.empty(len(batch), np.int64)
        _sample_each(self.logits(batch), batch.masks, batch.random_bits, actions)
        return actions

    def probabilities(self, batch: ObservationBatch) -> NDArray[np.float64]:
        """The probability of each action, float64 (rows, actions); 0 where it is illegal."""
        logits = np.where(batch.masks == 1, self.logits(batch), -np.inf).astype(np.float64)
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        probabilities: NDArray[np.float64] = raised / raised.sum(axis=1, keepdims=True)
        return probabilities

    def logits(self, batch: ObservationBatch) -> NDArray[np.float32]:
        """What the softmax is taken of, (rows, actions); those of illegal actions mean nothing."""
        numbers, scale = batch.raw, batch.game.observation_spec.scale
        if self.adviser is not None:
            advice = self.adviser.advice(batch)
            numbers = np.concatenate([numbers, advice], axis=1)
            scale = np.concatenate([scale, np.ones(advice.shape[1], np.float32)])
        return self._perceptron.think(numbers, scale)


class ActionValueNetwork(Network):
    """A network that looks at one legal move at a time, and gives it a logit.

    adviser: whose move is marked. description: how the network is told of a move. critic: what
    learnt with it to judge whole tables, for a search to judge worlds by.
    """

    adviser: BasePolicy

    def __init__(
        self,
        layers: Sequence[Layer],
        adviser: BasePolicy,
        description: FeatureSpec,
        critic: ValueNetwork | None = None,
    ) -> None:
        super().__init__(layers, adviser)
        self.description, self.critic = description, critic

    def with_layers(self, layers: Sequence[Layer]) -> Self:
        """A player of the same kind with other layers."""
        return type(self)(layers, self.adviser, self.description, self.critic)

    def logits(self, batch: ObservationBatch) -> NDArray[np.float32]:
        """What the softmax is taken of, (rows, actions); 0 for illegal actions."""
        advised = self.adviser.policy.act(batch)
        moves = self.description.describe(batch.raw, batch.masks, advised)
        logits = np.zeros(batch.masks.shape, np.float32)
        worths = self._perceptron.think(moves.numbers, self.description.spec.scale)
        logits[moves.rows, moves.actions] = worths.squeeze(axis=1)
        return logits


@kernel
def _sample_each(
    logits: NDArray[np.float32], masks: Masks, random_bits: NDArray[np.uint64], actions: Rows
) -> None:
    """Draw from the softmax over each row's legal actions, of which there must be one."""
    for k in range(len(masks)):
        row, mask = logits[k], masks[k]
        highest = -np.inf
        for action in range(len(mask)):
            if mask[action]:
                highest = max(highest, float(row[action]))
        total = 0.0
        for action in range(len(mask)):
            if mask[action]:
                total += math.exp(float(row[action]) - highest)
        # A point in [0, total); rounding may leave it beyond the last action, which is then taken.
        left = float(random_bits[k] >> np.uint64(11)) / 2.0**53 * total
        for action in range(len(mask)):
            if mask[action] and left >= 0.0:
                left -= math.exp(float(row[action]) - highest)
                actions[k] = action
