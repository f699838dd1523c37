"""Trained policy networks as agents, run on NumPy alone."""

from collections.abc import Sequence
from copy import copy
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.game import Game
from ..envs.engine.preview import ActionFeatures, Previewer, action_spec, state_spec
from ..envs.engine.protocol import RawObservations, Rows
from ..envs.policy import ObservationBatch
from ..errors import AgentError
from .heuristics.catalog import BasePolicy
from .mlp import MLP, Layer
from .pretrained import PretrainedAgent
from .value import ValueNetwork

GREEDY_SCALE = 1000.0  # action values times this, as logits, leave the softmax no choice
CHUNK = 512  # decisions whose features are in memory at a time


class Network(PretrainedAgent):
    """Samples its actions from a masked softmax over the network's logits, one for each action.

    Attributes:
        layers: Layers of a perceptron with ReLU between them.
        base_policy: A scripted agent whose action is appended to the observation, one-hot; None
            where the network decides by the observation alone.
    """

    margin = 0.0  # see ActionValueNetwork

    def __init__(self, layers: Sequence[Layer], base_policy: BasePolicy | None = None) -> None:
        self.base_policy = base_policy
        self._mlp = MLP(layers)
        self.layers = self._mlp.layers

    def with_layers(self, layers: Sequence[Layer]) -> Self:
        """Return an agent of the same kind with other layers."""
        other = copy(self)
        other._mlp = MLP(layers)
        other.layers = other._mlp.layers
        return other

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
    """A network that values one legal action at a time: by the state and by what it changes.

    Its inputs are the features of the state, then those of the action (`envs/engine/preview.py`).

    Attributes:
        base_policy: The agent whose action is marked in the features.
        game: The game.
        critic: A network trained beside it that estimates the value of states, for a search; None
            if there is none.
        margin: Added to the value of the base policy's action.
        advice: Whether the base policy is asked at all.
    """

    base_policy: BasePolicy
    game: Game
    wants_information_states = True

    def __init__(
        self,
        layers: Sequence[Layer],
        base_policy: BasePolicy,
        game: Game,
        critic: ValueNetwork | None = None,
        *,
        margin: float = 0.0,
        advice: bool = True,
    ) -> None:
        super().__init__(layers, base_policy)
        self.game, self.critic, self.margin, self.advice = game, critic, margin, advice

    def logits(self, batch: ObservationBatch) -> NDArray[np.float32]:
        """Return the logits, float32 (rows, actions); 0 for illegal actions.

        They are the values times `GREEDY_SCALE`.

        Raises:
            AgentError: There are no information states, or numbers are too large.
        """
        base_actions = self.base_actions(batch)
        logits = np.zeros(batch.masks.shape, np.float32)
        for first in range(0, len(batch), CHUNK):
            part = slice(first, first + CHUNK)
            states, actions = self.features(batch, base_actions, part)
            logits[part][actions.rows, actions.actions] = self.values(states, actions)
        advised = np.flatnonzero(base_actions >= 0)
        logits[advised, base_actions[advised]] += np.float32(self.margin)
        return logits * np.float32(GREEDY_SCALE)

    def values(self, states: RawObservations, actions: ActionFeatures) -> NDArray[np.float32]:
        """Return the values of actions by their features, float32 (actions,), without margin."""
        scales = state_spec(self.game).scale, action_spec(self.game).scale
        return self._mlp.forward_actions(states, scales[0], actions, scales[1]).squeeze(axis=1)

    def base_actions(self, batch: ObservationBatch) -> Rows:
        """Return the base policy's actions, int64 (rows,); -1 without advice."""
        return self.base_policy.policy.act(batch) if self.advice else np.full(len(batch), -1)

    def features(
        self, batch: ObservationBatch, base_actions: Rows, part: slice = slice(None)
    ) -> tuple[RawObservations, ActionFeatures]:
        """Return the features of some rows' states and legal actions; see `Previewer.features`."""
        if batch.information_states is None:
            raise AgentError("the network needs information_states in its ObservationBatch")
        return Previewer(self.game).features(
            batch.information_states[part], batch.raw[part], batch.masks[part], base_actions[part]
        )
