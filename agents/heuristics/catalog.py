"""The players that need no training: one line each."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...envs.engine.game import Game
from ...envs.engine.protocol import RawObservations
from ...envs.policy import CompiledPolicy, ObservationBatch, Policy, RandomPolicy
from ...errors import AgentError
from .auruxxx.bluffer import Bluffer
from .auruxxx.builder import Builder
from .auruxxx.dealer import Dealer
from .auruxxx.expert import Expert as AuruxxxExpert
from .auruxxx.hoarder import Hoarder
from .auruxxx.saver import Saver
from .auruxxx.thief import Thief
from .gluecksgriff import styles
from .gluecksgriff.expert import Expert as GluecksgriffExpert


@dataclass(frozen=True)
class AgentEntry:
    """A player that can be had by name."""

    game: str
    name: str
    make: Callable[[], Policy]
    meaning: str


@dataclass(frozen=True)
class BasePolicy:
    """A scripted player whose moves a network is told."""

    name: str
    policy: CompiledPolicy

    def advice(self, batch: ObservationBatch) -> RawObservations:
        """What it would do in each row, one-hot: uint8 (rows, actions)."""
        advice = np.zeros(batch.masks.shape, np.uint8)
        advice[np.arange(len(batch)), self.policy.act(batch)] = 1
        return advice


def find_base_policy(name: str, game: Game) -> BasePolicy:
    """Find an adviser by name. Raises AgentError, naming those there are."""
    scripted = {entry.name: entry.make for entry in SCRIPTED if entry.game == game.name}
    policy = scripted[name]() if name in scripted else None
    if not isinstance(policy, CompiledPolicy):
        raise AgentError(f"unknown adviser {name!r}; there are {', '.join(scripted)}")
    return BasePolicy(name, policy)


_RANDOM = "picks any legal move, each as likely as the other"

SCRIPTED = (
    AgentEntry("auruxxx", "random", RandomPolicy, _RANDOM),
    AgentEntry(
        "auruxxx",
        "expert",
        AuruxxxExpert,
        "scripted: weighs every lay, theft and swap in points, by the tips of all styles",
    ),
    AgentEntry("auruxxx", "hoarder", Hoarder, "scripted: draws until it holds a Golden 12"),
    AgentEntry("auruxxx", "thief", Thief, "scripted: saves action cards, robs who is about to win"),
    AgentEntry("auruxxx", "bluffer", Bluffer, "scripted: sheds fast and passes, Golden 12 or not"),
    AgentEntry(
        "auruxxx", "builder", Builder, "scripted: collects multiples and drops them at once"
    ),
    AgentEntry("auruxxx", "saver", Saver, "scripted: lays what costs most, wants the figure"),
    AgentEntry("auruxxx", "dealer", Dealer, "scripted: grows a big hand, then swaps it away"),
    AgentEntry("gluecksgriff", "random", RandomPolicy, _RANDOM),
    AgentEntry("gluecksgriff", "early", styles.EarlyCaller, "scripted: calls as soon as it may"),
    AgentEntry("gluecksgriff", "late", styles.LateCaller, "scripted: calls with one point or none"),
    AgentEntry(
        "gluecksgriff", "runner", styles.RunBuilder, "scripted: collects neighbours, lays long runs"
    ),
    AgentEntry(
        "gluecksgriff", "knocker", styles.Knocker, "scripted: knocks what fits, saves jokers for it"
    ),
    AgentEntry(
        "gluecksgriff",
        "counter",
        styles.CardCounter,
        "scripted: counts cards, calls by what the others may hold",
    ),
    AgentEntry(
        "gluecksgriff",
        "bluffer",
        styles.Bluffer,
        "scripted: lays high cards open, doubts the others",
    ),
    AgentEntry(
        "gluecksgriff",
        "expert",
        GluecksgriffExpert,
        "scripted: weighs all it could lay, calls when the odds are good",
    ),
)
