"""What speaks for a move, in sentences that `Texts` writes in a language."""

from dataclasses import dataclass

from ..eval.estimates import Estimates

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
        points: Points.
        left: Points that are left in the hand.
    """

    key: str
    value: float = 0.0
    other: int | None = None
    other_value: float = 0.0
    states: int = 0
    points: int = 0
    left: int = 0


def compare(estimates: Estimates, action: int) -> Advice:
    """Return how a move does beside the best other one: `better`, `even` or `worse`."""
    values = estimates.values
    others = [each for each in estimates.actions if each != action]
    other = max(others, key=lambda each: values[each])
    lead, error = estimates.lead(action, other)
    key = "even" if abs(lead) <= ERRORS * error else "better" if lead > 0 else "worse"
    return Advice(key, values[action], other, values[other], len(estimates.outcomes))
