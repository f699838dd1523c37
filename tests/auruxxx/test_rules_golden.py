"""A6: the Golden 12."""

import pytest

from ..tables import field, hand, legal, play
from .tables import layable, table_with


@pytest.mark.rule("A6.1")
@pytest.mark.parametrize("other", ["r8", "b0", "steal", "rH", "r50", "g2", "g12"])
def test_a_golden_12_is_kept_until_nothing_else_is_left(other: str) -> None:
    assert "lay gold" not in legal(table_with(f"gold {other}", "r1", discard="r7"))
    assert "lay gold" not in legal(table_with(f"gold gold {other}", "r1", discard="r7"))


@pytest.mark.rule("A6.1", "A6.2", "A7.3")
@pytest.mark.parametrize("golden", range(1, 6))
def test_all_golden_12s_are_laid_together(golden: int) -> None:
    table = table_with(" ".join(["gold"] * golden), "r1", settings={"rounds": 1})
    assert layable(table) == {"gold"}
    play(table, "lay gold")
    assert table.over
    assert table.scores == [-5 * golden, 1]


@pytest.mark.rule("A6.1", "A3.10")
def test_it_is_laid_like_any_card_before_or_after_drawing() -> None:
    assert legal(table_with("gold", "r1")) == {"pass", "draw", "lay gold"}
    assert "lay gold" in legal(table_with("gold", "r1", drawn=1))
    assert legal(table_with("gold", "r1", drawn=2)) == {"end", "lay gold"}


@pytest.mark.rule("A6.1", "A2.3")
def test_it_need_not_be_laid() -> None:
    table = play(table_with("gold", "r1"), "pass")
    assert (table.current_player, hand(table, 0), field(table, "round")) == (1, ["gold"], 1)


@pytest.mark.rule("A6.1")
def test_a_golden_12_is_no_number_12() -> None:
    table = play(table_with("g12 gold", "r1", discard="r11"), "lay g12")
    assert table.current_player == 1  # no twin with a 12
    table = play(table_with("g12 b12 gold", "r1", discard="r12"), "lay g12")
    assert legal(table) == {"end", "lay b12"}
    play(table, "lay b12")
    assert (table.current_player, hand(table, 0)) == (1, ["gold"])


@pytest.mark.rule("A6.1", "A5.1")
def test_after_an_action_card_when_nothing_else_is_left() -> None:
    table = play(table_with("steal gold", "gold", "r1"), "steal")
    assert layable(table) == {"gold"}
    assert play(table, "lay gold").scores == [-10, 0, 1]
    table = play(table_with("steal gold", "r0 r0", "r1"), "steal")
    assert layable(table) == {"r0"}


@pytest.mark.rule("A6.2")
@pytest.mark.parametrize("winner", [0, 1, 2])
def test_it_ends_the_round_and_wins_it(winner: int) -> None:
    hands = ["r8 r9", "g8 g9", "b8 b9"]
    hands[winner] = "gold"
    table = play(table_with(*hands, current_player=winner), "lay gold")
    assert table.state.round_ended
    assert table.state.round_winner == winner
    assert table.scores == [-5 if seat == winner else 17 for seat in range(3)]
    assert (field(table, "round"), table.over) == (2, False)


@pytest.mark.rule("A6.2")
def test_no_other_move_ends_a_round() -> None:
    table = table_with("r8 r9", "g8 g9", "b8")
    for move in ("lay r8", "draw", "lay g8", "end", "pass"):
        play(table, move)
        assert not table.state.round_ended
        assert table.scores == [0, 0, 0]
