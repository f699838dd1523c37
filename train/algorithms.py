"""The algorithms of `goldgriff train`, one line each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ..agents.network import Network
from ..errors import SettingsError
from ..naming import unknown_name
from . import dmc, maskable_ppo, nfsp, ppo
from .rollout import Rollout
from .rollout_settings import PRESETS, RolloutSettings
from .self_play import SelfPlayEnvs
from .settings import RunSettings


class Learner(Protocol):
    """An algorithm at work; train/runner.py calls it.

    Attributes:
        ONE_LEARNER: Whether it learns in one seat of each game only (see `SelfPlayEnvs`).
    """

    ONE_LEARNER: bool

    def __init__(self, envs: SelfPlayEnvs, settings: Any) -> None: ...

    @property
    def num_timesteps(self) -> int:
        """Decisions learnt from so far."""
        ...

    def begin(self) -> None:
        """Start the first games; the opponent pool has its first member by then."""

    def update(self) -> dict[str, float]:
        """Play and learn once; return figures for the training log by name."""
        ...

    def export(self) -> Network:
        """Return the policy as an agent that needs no torch."""
        ...

    def state(self) -> dict[str, Any]:
        """Return what `restore` needs, as tensors and plain data: loading unpickles no code."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Continue exactly where `state` was called."""


@dataclass(frozen=True)
class Algorithm:
    """The settings of an algorithm, their presets, and the class of its learner."""

    settings: type[RunSettings]
    presets: Mapping[str, Mapping[str, Any]]
    learner: type[Learner]

    def preset(self, name: str) -> RunSettings:
        """Return the settings of a preset. Raises SettingsError, naming the presets."""
        if not isinstance(name, str) or name not in self.presets:
            raise unknown_name(SettingsError, "preset", name, self.presets)
        return self.settings.from_dict(dict(self.presets[name]))


ALGORITHMS = {
    "dmc": Algorithm(dmc.DMCSettings, dmc.PRESETS, dmc.DMC),
    "maskable": Algorithm(
        maskable_ppo.MaskableSettings, maskable_ppo.PRESETS, maskable_ppo.MaskableLearner
    ),
    "nfsp": Algorithm(nfsp.NFSPSettings, nfsp.PRESETS, nfsp.NFSP),
    "ppo": Algorithm(ppo.PPOSettings, ppo.PRESETS, ppo.PPO),
    "rollout": Algorithm(RolloutSettings, PRESETS, Rollout),
}


def get_algorithm(name: str) -> Algorithm:
    """Return the algorithm of a name. Raises SettingsError, naming the algorithms."""
    if not isinstance(name, str) or name not in ALGORITHMS:
        raise unknown_name(SettingsError, "algorithm", name, ALGORITHMS)
    return ALGORITHMS[name]
