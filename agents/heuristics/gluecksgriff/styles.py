"""The scripted agents of Glücksgriff: numbers by which `turns.py` plays.

The tips named are those of docs/rules/gluecksgriff.md, "Strategy".
"""

from functools import cache
from typing import Any

import numpy as np

from ....envs.engine.compile import PolicyFunction
from ....envs.policy import CompiledPolicy
from ..observed import Mask, Raw
from .hands import HeuristicWeights, StyleSettings
from .turns import choose_action

# Calls as soon as it may, with six points: "Set a threshold for the call", the highest one.
EARLY = StyleSettings(call_at=6)
# Calls only with one point or none: the same tip, a very safe threshold.
LATE = StyleSettings(call_at=1)
# Collects neighbours and lays them as long runs: "Keep runs together".
RUNNER = StyleSettings(4, HeuristicWeights(run=6, neighbours=4, run_laid=60, pair=0))
# Lays what can be knocked, keeps jokers for it and goes out: "Knock early".
KNOCKER = StyleSettings(1, HeuristicWeights(joker=30, knock=100))
# Reckons with the cards it has seen: "Watch what is taken openly". It knows what an unseen card
# costs on average, lays nothing that the next player is known to hold, and calls by what the others
# are expected to keep.
COUNTER = EARLY._replace(counts_cards=1, call_margin=5, known_card_cost=8, challenge_below=1)
# With `bluffing` lays its highest card open before the Magic Hand and challenges the others;
# without, calls with four points.
BLUFFER = StyleSettings(call_at=4, bluff_from=3, challenge_below=25)
# Every tip at once: calls by the sizes of the others' hands and by what is known of them, knocks
# early, keeps runs together, saves the hourglass for a small hand and lays jokers, as far as each
# saves points; watches what is taken openly to see through a bluff. Tuned against variants of
# itself with 2, 3 and 4 players: a point more or less of `card`, `run` or `draw` loses, and so does
# a `knock` of 0 or 20; `pair`, `joker`, `hourglass` and `magic_hand` matter little, and so does
# calling at a chance from 81 to 91 percent. Without `counts_cards` it wins no more than `counter`
# does with two players; with a `call_margin` of 9 it loses.
EXPERT = StyleSettings(
    call_at=6,
    weights=HeuristicWeights(card=6, run=4, knock=8, magic_hand=10),
    call_percent=85,
    counts_cards=1,
    call_margin=5,
    challenge_below=2,
)


STYLES = {
    "early": (EARLY, "calls as soon as it may"),
    "late": (LATE, "calls with one point or none"),
    "runner": (RUNNER, "collects neighbours, lays long runs"),
    "knocker": (KNOCKER, "knocks what fits, saves jokers for it"),
    "counter": (COUNTER, "counts cards, calls by what the others may hold"),
    "bluffer": (BLUFFER, "lays high cards open, challenges the others"),
    "expert": (EXPERT, "values all it could lay, calls when likely right"),
}


class StylePolicy(CompiledPolicy):
    """An agent of one style.

    Args:
        style: Numbers to play by.
    """

    def __init__(self, style: StyleSettings) -> None:
        super().__init__(_function_of(style), deterministic=True)
        self.style = style

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_function"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _function=_function_of(state["style"]))


@cache
def _function_of(style: StyleSettings) -> PolicyFunction:
    """Return the function that plays a style: compiled with its numbers as constants, once."""

    def choose(raw: Raw, mask: Mask, _random_bits: np.uint64) -> int:
        return choose_action(raw, mask, style)

    return choose
