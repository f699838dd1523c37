"""Trained policy networks as agents, run on NumPy alone."""

import math
from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.compile import kernel
from ..envs.engine.protocol import Masks, Rows
from ..envs.policy import ObservationBatch
from .features.spec import FeatureSpec
from .heuristics.catalog import BasePolicy
from .mlp import MLP, Layer
from .pretrained import PretrainedAgent
from .value import ValueNetwork

GREEDY_SCALE = 1000.0  # action values times this, as logits, leave the softmax no choice


class Network(PretrainedAgent):
    """Samples its actions from a masked softmax over the network's logits, one for each action.

    Attributes:
        layers: Layers of a perceptron with ReLU between them.
        base_policy: A scripted agent whose action is appended to the observation, one-hot; None
            where the network decides by the observation alone.
    """

    def __init__(self, layers: Sequence[Layer], base_policy: BasePolicy | None = None) -> None:
        self.base_policy = base_policy
        self._mlp = MLP(layers)
        self.layers = self._mlp.layers

    def with_layers(self, layers: Sequence[Layer]) -> Self:
        """Return an agent of the same kind with other layers."""
        return type(self)(layers, self.base_policy)

    def act(self, batch: ObservationBatch) -> Rows:
        """Choose a legal action for each row, int64 (rows,)."""
        actions = np.empty(len(batch), np.int64)
        _sample_each(self.logits(batch), batch.masks, batch.random_bits, actions)
        return actions

    def action_probabilities(self, batch: ObservationBatch) -> NDArray[np.float64]:
        """Return the probability of each action, float64 (rows, actions); 0 for illegal ones."""
        logits = np.where(batch.masks == 1, self.logits(batch), -np.inf).astype(np.float64)
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        probabilities: NDArray[np.float64] = raised / raised.sum(axis=1, keepdims=True)
        return probabilities

    def logits(self, batch: ObservationBatch) -> NDArray[np.float32]:
        """Return the logits, float32 (rows, actions); those of illegal actions mean nothing."""
        inputs, scale = batch.raw, batch.game.observation_spec.scale
        if self.base_policy is not None:
            one_hot = self.base_policy.one_hot_actions(batch)
            inputs = np.concatenate([inputs, one_hot], axis=1)
            scale = np.concatenate([scale, np.ones(one_hot.shape[1], np.float32)])
        return self._mlp.forward(inputs, scale)


class ActionValueNetwork(Network):
    """A network that is given the features of one legal action at a time and returns its logit.

    Attributes:
        base_policy: The agent whose action is marked in the features.
        features: The features of actions and states.
        critic: A network trained beside it that estimates the value of states, for a search; None
            if there is none.
    """

    base_policy: BasePolicy

    def __init__(
        self,
        layers: Sequence[Layer],
        base_policy: BasePolicy,
        features: FeatureSpec,
        critic: ValueNetwork | None = None,
    ) -> None:
        super().__init__(layers, base_policy)
        self.features, self.critic = features, critic

    def with_layers(self, layers: Sequence[Layer]) -> Self:
        """Return an agent of the same kind with other layers."""
        return type(self)(layers, self.base_policy, self.features, self.critic)

    def logits(self, batch: ObservationBatch) -> NDArray[np.float32]:
        """Return the logits, float32 (rows, actions); 0 for illegal actions."""
        base_actions = self.base_policy.policy.act(batch)
        legal = self.features.action_features(batch.raw, batch.masks, base_actions)
        logits = np.zeros(batch.masks.shape, np.float32)
        values = self._mlp.forward(legal.numbers, self.features.action_spec.scale)
        logits[legal.rows, legal.actions] = values.squeeze(axis=1)
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
