"""The players that need no training: one line each."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from goldgriff.agents.auruxxx.bluffer import Bluffer
from goldgriff.agents.auruxxx.builder import Builder
from goldgriff.agents.auruxxx.dealer import Dealer
from goldgriff.agents.auruxxx.expert import Expert as AuruxxxExpert
from goldgriff.agents.auruxxx.hoarder import Hoarder
from goldgriff.agents.auruxxx.saver import Saver
from goldgriff.agents.auruxxx.thief import Thief
from goldgriff.agents.gluecksgriff import styles
from goldgriff.agents.gluecksgriff.expert import Expert as GluecksgriffExpert
from goldgriff.envs.core.errors import AgentError
from goldgriff.envs.core.game import Game
from goldgriff.envs.core.kernels import Features
from goldgriff.envs.core.policy import CompiledPolicy, Policy, RandomPolicy, Views


@dataclass(frozen=True)
class Entry:
    """A player that can be had by name."""

    game: str
    name: str
    make: Callable[[], Policy]
    meaning: str


@dataclass(frozen=True)
class Adviser:
    """A scripted player whose moves a network is told."""

    name: str
    policy: CompiledPolicy

    def advice(self, views: Views) -> Features:
        """What it would do in each row, one-hot: uint8 (rows, actions)."""
        advice = np.zeros(views.masks.shape, np.uint8)
        advice[np.arange(len(views)), self.policy.act(views)] = 1
        return advice


def find_adviser(name: str, game: Game) -> Adviser:
    """Find an adviser by name. Raises AgentError, naming those there are."""
    scripted = {entry.name: entry.make for entry in SCRIPTED if entry.game == game.name}
    policy = scripted[name]() if name in scripted else None
    if not isinstance(policy, CompiledPolicy):
        raise AgentError(f"unknown adviser {name!r}; there are {', '.join(scripted)}")
    return Adviser(name, policy)


_RANDOM = "picks any legal move, each as likely as the other"

SCRIPTED = (
    Entry("auruxxx", "random", RandomPolicy, _RANDOM),
    Entry(
        "auruxxx",
        "expert",
        AuruxxxExpert,
        "scripted: weighs every lay, theft and swap in points, by the tips of all styles",
    ),
    Entry("auruxxx", "hoarder", Hoarder, "scripted: draws until it holds a Golden 12"),
    Entry("auruxxx", "thief", Thief, "scripted: saves action cards, robs who is about to win"),
    Entry("auruxxx", "bluffer", Bluffer, "scripted: sheds fast and passes, Golden 12 or not"),
    Entry("auruxxx", "builder", Builder, "scripted: collects multiples and drops them at once"),
    Entry("auruxxx", "saver", Saver, "scripted: lays what costs most, wants the figure"),
    Entry("auruxxx", "dealer", Dealer, "scripted: grows a big hand, then swaps it away"),
    Entry("gluecksgriff", "random", RandomPolicy, _RANDOM),
    Entry("gluecksgriff", "early", styles.EarlyCaller, "scripted: calls as soon as it may"),
    Entry("gluecksgriff", "late", styles.LateCaller, "scripted: calls with one point or none"),
    Entry(
        "gluecksgriff", "runner", styles.RunBuilder, "scripted: collects neighbours, lays long runs"
    ),
    Entry(
        "gluecksgriff", "knocker", styles.Knocker, "scripted: knocks what fits, saves jokers for it"
    ),
    Entry(
        "gluecksgriff",
        "counter",
        styles.CardCounter,
        "scripted: counts cards, calls by what the others may hold",
    ),
    Entry(
        "gluecksgriff",
        "bluffer",
        styles.Bluffer,
        "scripted: lays high cards open, doubts the others",
    ),
    Entry(
        "gluecksgriff",
        "expert",
        GluecksgriffExpert,
        "scripted: weighs all it could lay, calls when the odds are good",
    ),
)
