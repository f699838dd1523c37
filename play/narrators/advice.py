"""Say what speaks for a move, in sentences that `Texts` writes in a language.

An agent's advice is the move that it plays most often. The chance to win is something else: an
estimate from rollouts, with an error. The sentences say which is which, and when they differ.
"""

import math
from dataclasses import dataclass

from ...eval.analysis.estimates import Estimates

ERRORS = 2.0  # standard errors within which two moves are about as good


@dataclass(frozen=True)
class Advice:
    """One sentence about a move.

    Attributes:
        key: Names the text, `advice.KEY`.
        value: Estimated win probability of the move.
        other: Another move, as an action.
        other_value: Estimated win probability of the other move.
        states: In how many sampled states both were tried.
        error: What the difference of both has to exceed to be more than chance.
        agent: Who advises the move.
        share: How often this agent plays it.
        points: Points.
        left: Points that are left in the hand.
    """

    key: str
    value: float = 0.0
    other: int | None = None
    other_value: float = 0.0
    states: int = 0
    error: float = 0.0
    agent: str = ""
    share: float = 0.0
    points: int = 0
    left: int = 0


def compare(estimates: Estimates, action: int, agent: str, share: float) -> Advice:
    """Return how a move does beside the best other one: `better`, `even` or `worse`.

    Args:
        estimates: Of this move and others.
        action: The move.
        agent: Who advises it.
        share: How often this agent plays it.
    """
    values = estimates.values
    others = [candidate for candidate in estimates.actions if candidate != action]
    other = max(others, key=lambda candidate: values[candidate])
    lead, error = estimates.lead(action, other)
    # Rounded up: no difference of rounded chances may exceed an error that it is said to be in.
    error = max(math.ceil(100 * ERRORS * error), 1) / 100
    key = "even" if abs(lead) <= error else "better" if lead > 0 else "worse"
    states = len(estimates.outcomes)
    return Advice(key, values[action], other, values[other], states, error, agent, share)
