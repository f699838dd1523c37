"""The score sheet as it is written, entry by entry (G8)."""

import pytest

from goldgriff.envs.match import Match

from ..tables import play
from .tables import table_with

NAMES = ["hand", "wrong_call", "halving"]
PENALTIES = {"penalties": True}


def written(match: Match) -> list[tuple[float, ...]]:
    """The entries of each seat in the round that has just ended."""
    assert match.state.round_ended
    assert [list(entries) for entries in match.round_sheet] == [NAMES] * len(match.scores)
    return [tuple(entries.values()) for entries in match.round_sheet]


@pytest.mark.rule("G8.1", "G8.6")
@pytest.mark.parametrize(("left", "points"), [("0", 0), ("9", 9), ("joker 14", 29), ("hand 1", 21)])
def test_the_hand(left: str, points: int) -> None:
    match = play(table_with("7", left, "3 4"), "lay 7", "knock")
    assert written(match) == [(0, 0, 0), (points, 0, 0), (7, 0, 0)]


@pytest.mark.rule("G8.3")
def test_a_right_call_writes_nothing() -> None:
    match = play(table_with("3", "12 9", discard="9"), "call", "lay 9", "knock")
    assert written(match) == [(0, 0, 0), (12, 0, 0)]


@pytest.mark.rule("G8.4")
def test_a_wrong_call() -> None:
    match = table_with("3", "12 9", "2 9", discard="9")
    play(match, "call", "lay 9", "knock", "lay 9", "knock")
    assert written(match) == [(0, 30, 0), (12, 0, 0), (2, 0, 0)]


@pytest.mark.rule("G8.6", "G8.4")
def test_a_call_that_an_emptied_hand_makes_wrong() -> None:
    match = play(table_with("0", "7", "8 9"), "call", "lay 7", "knock")
    assert written(match) == [(0, 30, 0), (0, 0, 0), (17, 0, 0)]


@pytest.mark.rule("G8.5", "G8.7")
@pytest.mark.parametrize(("before", "halving"), [(10, 0), (0, -25), (50, -50)])
def test_a_call_with_too_many_points(before: int, halving: int) -> None:
    scores = [before, 20, 50]
    match = table_with("7", "5 3", "1", scores=scores, settings=PENALTIES)
    assert written(play(match, "call")) == [(0, 50, halving), (0, 0, 0), (0, 0, 0)]


@pytest.mark.rule("G8.7")
@pytest.mark.parametrize(
    ("before", "left", "entries"),
    [
        (45, "5", (5, 0, -25)),  # 50
        (95, "5", (5, 0, -50)),  # 100
        (145, "5", (5, 0, -75)),  # 150
        (44, "5", (5, 0, 0)),
        (46, "5", (5, 0, 0)),
        (0, "14 14 14 8", (50, 0, -25)),
        (50, "0", (0, 0, 0)),  # wrote nothing
        (100, "0", (0, 0, 0)),
    ],
)
def test_halving(before: int, left: str, entries: tuple[int, ...]) -> None:
    match = table_with("7", left, scores=[0, before], settings={"point_limit": 1000})
    assert written(play(match, "lay 7", "knock")) == [(0, 0, 0), entries]


@pytest.mark.rule("G8.7", "G8.4")
def test_a_wrong_call_may_be_halved() -> None:
    match = play(table_with("1", "7", scores=[20, 0]), "call", "lay 7", "knock")
    assert written(match) == [(0, 30, -25), (0, 0, 0)]


@pytest.mark.rule("G8.9", "G8.3", "G8.4")
@pytest.mark.parametrize(("caller", "entries"), [("1", (0, 0, 0)), ("3", (0, 30, 0))])
def test_a_capped_round(caller: str, entries: tuple[int, ...]) -> None:
    match = table_with(caller, "9 14", "3", settings={"max_decisions": 2})
    assert written(play(match, "call", "lay 9")) == [entries, (14, 0, 0), (3, 0, 0)]
    match = table_with("5 9", "1 14", "3", settings={"max_decisions": 1})
    assert written(play(match, "lay 5")) == [(9, 0, 0), (15, 0, 0), (3, 0, 0)]


@pytest.mark.rule("G8.4", "G8.7")
def test_every_round_is_written_anew() -> None:
    match = table_with("1", "7", scores=[20, 0], settings={"max_decisions": 3})
    play(match, "call", "lay 7", "knock")
    while len(match.score_sheet) == 1:
        match.play(next(move for move in match.legal if move != "call"))
    first, second = match.score_sheet
    assert [tuple(entries.values()) for entries in first] == [(0, 30, -25), (0, 0, 0)]
    assert [entries["wrong_call"] for entries in second] == [0, 0]
    assert second[0]["halving"] == 0
