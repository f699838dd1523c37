"""The networks that MaskablePPO trains: one trunk, an actor's and a critic's head on top of it.

What is learnt about the table serves both heads, and each layer is gone through once, not twice.
"""

from itertools import pairwise
from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from ..envs.engine.observation import ObservationSpec
from .networks import ILLEGAL, forward_hidden, sample


class SharedTrunk(BaseFeaturesExtractor):
    """A perceptron with ReLU after every layer; `hidden` are the widths of its layers.

    spec: those of observations that are yet to be scaled.
    """

    def __init__(
        self, observation_space: spaces.Box, hidden: list[int], spec: ObservationSpec | None = None
    ) -> None:
        super().__init__(observation_space, features_dim=hidden[-1])
        self._scale = None if spec is None else torch.from_numpy(spec.scale)
        widths = [observation_space.shape[0], *hidden]
        self.layers = nn.ModuleList(nn.Linear(before, after) for before, after in pairwise(widths))

    def forward(self, observations: Tensor) -> Tensor:
        """Features, float32 (rows, hidden[-1]), of observations, float32 (rows, slices.size)."""
        if self._scale is not None:
            observations = observations * self._scale
        return forward_hidden(self.layers, observations)


def shared_trunk(hidden: list[int], spec: ObservationSpec | None = None) -> dict[str, Any]:
    """The `policy_kwargs` that put both heads on one trunk; the arguments are `SharedTrunk`'s."""
    return {
        "features_extractor_class": SharedTrunk,
        "features_extractor_kwargs": {"hidden": hidden, "spec": spec},
        "net_arch": [],
    }


class LeanPolicy(MaskableActorCriticPolicy):
    """sb3-contrib's policy without its distribution objects, which cost as much as a layer.

    The same chances, log-probabilities and entropies from a single pass over the logits. Masks
    must be given: bool (rows, actions), or numbers, 1 for each legal action and 0 for all others.
    """

    def forward(  # type: ignore[override]
        self, obs: Tensor, *, action_masks: Any
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Sample actions: they, int64 (rows,), values, (rows, 1), log-probabilities, (rows,)."""
        values, logs, _ = self._judge(obs, action_masks)
        actions = sample(logs)
        return actions, values, logs.gather(1, actions[:, None]).squeeze(1)

    def evaluate_actions(  # type: ignore[override]
        self, obs: Tensor, actions: Tensor, action_masks: Any
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Values, (rows, 1), log-probabilities of the actions and entropies, both (rows,)."""
        values, logs, legal = self._judge(obs, action_masks)
        chosen = logs.gather(1, actions[:, None]).squeeze(1)
        logs = logs * legal  # an illegal action adds nothing; exp is slow where it comes to nothing
        entropies = -(logs.exp() * logs).sum(dim=1)
        return values, chosen, entropies

    def _judge(self, obs: Tensor, masks: Any) -> tuple[Tensor, Tensor, Tensor]:
        """Values, the log-probabilities of all actions, and 1 for each legal action, else 0."""
        features = self.extract_features(obs)
        legal = torch.as_tensor(masks, dtype=torch.float32)
        # Sums and products: filling by a mask takes ten times as long.
        logits = self.action_net(features) + (legal - 1) * -ILLEGAL
        return self.value_net(features), logits.log_softmax(dim=1), legal
