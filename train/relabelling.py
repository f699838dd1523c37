"""Learning from decisions under other names of the colours, which no rule tells apart (Auruxxx)."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from ..envs.engine.settings import flag
from ..errors import SettingsError
from .networks import DeviceSettings, TorchLearner
from .self_play import SelfPlayEnvs

Samples = tuple[Tensor, Tensor, Tensor]  # observations, masks and actions of some decisions


@dataclass(frozen=True, kw_only=True)
class RelabellingSettings(DeviceSettings):
    """Settings of an algorithm that may learn under other names of the colours.

    Attributes:
        relabel_colours: Whether each batch that is learned from is shown under other names, at
            random, where no rule tells colours apart (Auruxxx).
    """

    relabel_colours: bool = flag("whether colours change their names in what is learned from")


class Relabelling(NamedTuple):
    """An exchange of names.

    Attributes:
        places: int64 (observation_spec.size,), what each place of an observation becomes.
        actions: int64 (actions,), what each action becomes.
    """

    places: Tensor
    actions: Tensor

    def observations(self, raw: Tensor) -> Tensor:
        """Return observations, (rows, observation_spec.size), under the other names."""
        shown = torch.empty_like(raw)
        shown[:, self.places] = raw
        return shown

    def samples(self, samples: Samples) -> Samples:
        """Return observations, masks and actions under the other names."""
        raw, masks, actions = samples
        legal = torch.empty_like(masks)
        legal[:, self.actions] = masks
        return self.observations(raw), legal, self.actions[actions]


class RelabellingLearner(TorchLearner):
    """Base of the algorithms that may learn under other names of the colours."""

    def __init__(self, envs: SelfPlayEnvs, settings: RelabellingSettings) -> None:
        super().__init__(envs, settings)
        self._relabels = settings.relabel_colours
        if self._relabels and envs.game.relabelling is None:
            raise SettingsError(
                f"relabel_colours: no cards of {envs.game.title} can change their names"
            )

    def draw_relabelling(self) -> Relabelling | None:
        """Return names for the next batch, at random; None if colours keep theirs."""
        relabelling = self.envs.game.relabelling
        if not self._relabels or relabelling is None:
            return None
        seed = int(torch.randint(2**31, (1,), generator=self.rng, device=self.device))
        rules = self.envs.batches[0].settings
        return Relabelling(*map(self.to_device, relabelling(rules, np.random.default_rng(seed))))
