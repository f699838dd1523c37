"""Sentences of the rulebook that no other test plays, numbered as in docs/rules/books."""

import pytest

from ..tables import legal, play
from .tables import discard, run_on_pile, turn_over


@pytest.mark.rule("G5.2", "G4.6")
def test_a_run_stays_extendable_when_an_hourglass_is_given() -> None:
    """5.9: it lies on top as before."""
    match = run_on_pile("4 5 6", "hourglass 1", "3 7 8 0", "9")
    play(match, "hourglass +2", "draw")
    assert {"low", "high"} <= legal(match)
    play(match, "low", "high", "high", "knock")
    assert turn_over(match, 2)
    assert discard(match) == "3 4 5 6 7 8"


@pytest.mark.rule("G5.2", "G4.6", "G8.2")
def test_a_run_stays_extendable_after_a_call() -> None:
    """5.9 and 6.4: the last turn may extend it."""
    match = play(run_on_pile("4 5 6", "1 2", "7 8", "3 0"), "call", "high", "high", "knock")
    assert match.scores == [30, 0, 3]  # G8.6: the emptied hand makes the call wrong
