"""The algorithms that `goldgriff train` knows: a line each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ..agents.network import Network
from ..errors import SettingsError
from . import dmc, lookahead, maskable_ppo, nfsp, ppo, rollout
from .settings import RunSettings
from .tables import Tables


class Learner(Protocol):
    """What learns; `train/runner.py` keeps it going.

    ONE_LEARNER: whether it learns in one seat of a table only (see `Tables`).
    """

    ONE_LEARNER: bool

    def __init__(self, tables: Tables, settings: Any) -> None: ...

    @property
    def steps(self) -> int:
        """Decisions learnt from so far."""
        ...

    def begin(self) -> None:
        """Start the first games; the pool has its first member by then."""

    def update(self) -> dict[str, float]:
        """Play and learn once; figures for the curves by name."""
        ...

    def player(self) -> Network:
        """The policy as it stands, as a player."""
        ...

    def state(self) -> dict[str, Any]:
        """All that `restore` needs, as tensors and plain data: loading unpickles no code."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Go on exactly where `state` was asked for."""


@dataclass(frozen=True)
class Algorithm:
    """A way to learn: its settings and their presets, and what makes its learner."""

    settings: type[RunSettings]
    presets: Mapping[str, Mapping[str, Any]]
    make: type[Learner]

    def preset(self, name: str) -> RunSettings:
        """The settings of a preset. Raises SettingsError, naming the presets there are."""
        if name not in self.presets:
            raise SettingsError(f"unknown preset {name!r}; there are {', '.join(self.presets)}")
        return self.settings.from_dict(dict(self.presets[name]))


ALGORITHMS = {
    "dmc": Algorithm(dmc.DMCSettings, dmc.PRESETS, dmc.DMC),
    "lookahead": Algorithm(lookahead.LookaheadSettings, lookahead.PRESETS, lookahead.Lookahead),
    "maskable": Algorithm(
        maskable_ppo.MaskableSettings, maskable_ppo.PRESETS, maskable_ppo.MaskableLearner
    ),
    "nfsp": Algorithm(nfsp.NFSPSettings, nfsp.PRESETS, nfsp.NFSP),
    "ppo": Algorithm(ppo.PPOSettings, ppo.PRESETS, ppo.PPO),
    "rollout": Algorithm(rollout.RolloutSettings, rollout.PRESETS, rollout.Rollout),
}


def find(name: str) -> Algorithm:
    """The algorithm of a name. Raises SettingsError, naming those there are."""
    if name not in ALGORITHMS:
        raise SettingsError(f"unknown algorithm {name!r}; there are {', '.join(ALGORITHMS)}")
    return ALGORITHMS[name]
