"""Trained policy networks as agents, run on NumPy alone."""

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

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

    @property
    def networks(self) -> Sequence["Network"]:
        """The network itself, which plays with any number of players."""
        return [self]

    def for_num_players(self, num_players: int) -> "Network":  # noqa: ARG002 (of ensembles)
        """Return the network itself."""
        return self

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
