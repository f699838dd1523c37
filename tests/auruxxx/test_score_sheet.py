"""The score sheet as it is written, entry by entry (A7)."""

import pytest

from goldgriff.envs.match import Match

from ..tables import play
from .tables import table_with

NAMES = ["hand", "crosses", "golden_twelves", "figure"]


def written(match: Match) -> list[tuple[float, ...]]:
    """The entries of each seat in the round that has just ended."""
    assert match.state.round_ended
    assert [list(entries) for entries in match.round_sheet] == [NAMES] * len(match.scores)
    return [tuple(entries.values()) for entries in match.round_sheet]


@pytest.mark.rule("A7.1")
@pytest.mark.parametrize(
    ("left", "points"), [("", 0), ("r7", 7), ("r7 b50", 57), ("gH swap", 50), ("gold gold r0", 24)]
)
def test_the_hand(left: str, points: int) -> None:
    match = play(table_with("gold", left), "lay gold")
    assert written(match) == [(0, 0, -5, 0), (points, 0, 0, 0)]


@pytest.mark.rule("A7.2")
def test_crosses() -> None:
    match = play(table_with("gold", "r7", "r1", "", crosses=[1, 3, 0, 2]), "lay gold")
    assert written(match) == [(0, 5, -5, 0), (7, 15, 0, 0), (1, 0, 0, 0), (0, 10, 0, 0)]


@pytest.mark.rule("A7.3")
@pytest.mark.parametrize("golden", [1, 2, 4])
def test_golden_twelves_are_the_winners(golden: int) -> None:
    match = table_with(" ".join(["gold"] * golden), "gold r3", crosses=[2, 0])
    assert written(play(match, "lay gold")) == [(0, 10, -5 * golden, 0), (15, 0, 0, 0)]


@pytest.mark.rule("A7.4")
@pytest.mark.parametrize(
    ("left", "crosses", "entries"),
    [
        ("r8", 0, (8, 0, 0, -4)),
        ("r7", 0, (7, 0, 0, -3.5)),
        ("r8", 1, (8, 5, 0, -6.5)),
        ("", 1, (0, 5, 0, -2.5)),
        ("r0", 0, (0, 0, 0, 0)),
        ("g50 vH", 3, (75, 15, 0, -45)),
    ],
)
def test_the_figure_halves_hand_and_crosses(
    left: str, crosses: int, entries: tuple[float, ...]
) -> None:
    match = table_with("gold", left, "b7", figure=1, crosses=[0, crosses, 0])
    assert written(play(match, "lay gold")) == [(0, 0, -5, 0), entries, (7, 0, 0, 0)]


@pytest.mark.rule("A7.4", "A7.3")
@pytest.mark.parametrize(
    ("golden", "crosses", "entries"),
    [
        (1, 0, (0, 0, -5, 0)),  # below zero
        (2, 1, (0, 5, -10, 0)),
        (1, 1, (0, 5, -5, 0)),  # zero
        (1, 2, (0, 10, -5, -2.5)),
        (2, 3, (0, 15, -10, -2.5)),
    ],
)
def test_the_figure_of_the_winner(golden: int, crosses: int, entries: tuple[float, ...]) -> None:
    match = table_with(" ".join(["gold"] * golden), "r7", figure=0, crosses=[crosses, 0])
    assert written(play(match, "lay gold")) == [entries, (7, 0, 0, 0)]


@pytest.mark.rule("A8.1", "A7.4")
def test_a_capped_round() -> None:
    match = table_with("r8 r9", "gold", "r3", figure=2, settings={"max_decisions": 3})
    play(match, "lay r8", "pass", "pass")
    assert written(match) == [(9, 0, 0, 0), (12, 5, 0, 0), (3, 5, 0, -4)]


@pytest.mark.rule("A7.2", "A7.3", "A7.4")
def test_every_round_is_written_anew() -> None:
    match = table_with("gold", "r7", figure=1, crosses=[1, 1], settings={"max_decisions": 1})
    play(match, "lay gold", match.legal[0])
    first, second = match.score_sheet
    assert [tuple(entries.values()) for entries in first] == [(0, 5, -5, 0), (7, 5, 0, -6)]
    assert [entries["golden_twelves"] for entries in second] == [0, 0]
    assert [entries["crosses"] for entries in second] == [0, 0]
    assert (second[0]["figure"], second[1]["figure"]) == (0, -second[1]["hand"] / 2)
