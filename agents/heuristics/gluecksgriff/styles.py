"""The scripted players of Glücksgriff, one class for each style.

Each is a `StyleSettings`: numbers by which `turns.py` plays. The tips named are those of
docs/rules/gluecksgriff.md, "Strategy".
"""

import numpy as np

from ....envs.gluecksgriff.observation import PLAYERS
from ....envs.policy import CompiledPolicy
from .hands import (
    HeuristicWeights,
    Mask,
    StyleSettings,
    View,
)
from .turns import choose

# Neither loves nor hates anything.
PLAIN = HeuristicWeights(
    card=5,
    pair=4,
    run=2,
    neighbours=0,
    run_laid=0,
    joker=0,
    draw=8,
    knock=0,
    hourglass=6,
    magic_hand=8,
)


class Stylist(CompiledPolicy):
    """A player of one style, or of one for two players and another for more."""

    def __init__(self, style: StyleSettings, duel: StyleSettings | None = None) -> None:
        two = style if duel is None else duel

        def decide(view: View, mask: Mask, _random_bits: np.uint64) -> int:
            return choose(view, mask, two if view[PLAYERS] else style)

        super().__init__(decide)


class EarlyCaller(Stylist):
    """Calls as soon as it may, with six points. "Set a threshold for the call", the highest one."""

    def __init__(self) -> None:
        super().__init__(StyleSettings(PLAIN, call_at=6))


class LateCaller(Stylist):
    """Calls only with one point or none: "Set a threshold for the call", a very safe one."""

    def __init__(self) -> None:
        super().__init__(StyleSettings(PLAIN, call_at=1))


class RunBuilder(Stylist):
    """Collects neighbours and lays them as long runs: "Keep runs together"."""

    def __init__(self) -> None:
        taste = PLAIN._replace(run=6, neighbours=4, run_laid=60, pair=0)
        super().__init__(StyleSettings(taste, call_at=4))


class Knocker(Stylist):
    """Lays what can be knocked, keeps jokers for it and goes out: "Knock early"."""

    def __init__(self) -> None:
        taste = PLAIN._replace(joker=30, knock=100)
        super().__init__(StyleSettings(taste, call_at=1))


class CardCounter(Stylist):
    """Reckons with the cards it has seen: "Watch what is taken openly".

    It knows what an unseen card counts on average, lays nothing that the next player is known to
    hold, and calls by what the others may be expected to keep.
    """

    def __init__(self) -> None:
        super().__init__(StyleSettings(PLAIN, call_at=6, counts=1, call_margin=5, heed=8, doubt=1))


class Bluffer(Stylist):
    """With `bluffing` lays its highest card open before the Magic Hand and doubts the others.

    Without bluffing it is a plain player who calls with four points: "Set a threshold for the
    call".
    """

    def __init__(self) -> None:
        super().__init__(StyleSettings(PLAIN, call_at=4, bluff=3, doubt=25))
