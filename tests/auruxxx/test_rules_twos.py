"""A4: the cards that 2s demand."""

from typing import Any

import pytest

from ..tables import field, hand, legal, play
from .tables import table_with

DEMAND_OF_2: dict[str, Any] = {"phase": "demand", "demand": 2}


@pytest.mark.rule("A4.1")
def test_a_2_makes_the_next_player_take_two_cards() -> None:
    table = play(table_with("g2 b0", "r1 r1", "r3 r3"), "lay g2")
    assert (table.current_player, field(table, "phase"), field(table, "demand")) == (1, "demand", 2)
    pile = len(field(table, "pile"))
    play(table, "take")
    assert len(hand(table, 1)) == 4
    assert len(field(table, "pile")) == pile - 2
    assert hand(table, 0) == ["b0"]
    assert hand(table, 2) == ["r3", "r3"]


@pytest.mark.rule("A4.1")
def test_every_2_of_a_multiple_counts() -> None:
    table = table_with("g2 b2 v2 b0", "r1 r1", discard="r3")
    play(table, "lay g2", "lay v2", "lay b2")
    assert (table.current_player, field(table, "demand")) == (1, 6)
    assert len(hand(play(table, "take"), 1)) == 8


@pytest.mark.rule("A4.1")
def test_only_the_2s_laid_count() -> None:
    table = play(table_with("g2 b2 v2 b0", "r1 r1", discard="r3"), "lay g2", "lay v2", "end")
    assert (field(table, "demand"), len(hand(play(table, "take"), 1))) == (4, 6)


@pytest.mark.rule("A4.1", "A5.1")
def test_a_2_after_an_action_card_demands_too() -> None:
    table = play(table_with("steal g2 b2 b0", "r1 r1", "r3"), "steal", "lay g2", "lay b2", "end")
    assert (table.current_player, field(table, "demand")) == (1, 4)


@pytest.mark.rule("A4.1")
def test_then_it_is_his_turn_in_full() -> None:
    table = play(table_with("g2 b0", "r3 b2 g50", "r0"), "lay g2", "take")
    assert (table.current_player, field(table, "phase"), field(table, "demand")) == (1, "play", 0)
    assert {"pass", "draw", "lay r3", "lay b2", "lay g50"} <= legal(table)
    play(table, "draw", "draw", "lay r3", "end")
    assert (table.current_player, field(table, "phase")) == (2, "play")


@pytest.mark.rule("A4.1", "A2.1")
def test_he_may_pass_after_taking_and_the_next_player_takes_nothing() -> None:
    table = play(table_with("g2 b0", "r3", "r0"), "lay g2", "take", "pass")
    assert (table.current_player, field(table, "phase"), field(table, "crosses")) == (
        2,
        "play",
        [0, 1, 0],
    )


@pytest.mark.rule("A4.1", "A4.3")
def test_a_2_laid_after_taking_demands_its_own_two_cards_only() -> None:
    other_2s = "r2 r2 y2 y2 g2 b2 v2 v2"
    table = play(table_with("g2 b0", "b2 r0", other_2s), "lay g2", "take", "lay b2", "end")
    assert (table.current_player, field(table, "phase"), field(table, "demand")) == (2, "demand", 2)


@pytest.mark.rule("A4.1")
def test_other_cards_demand_nothing() -> None:
    for card in ("r8", "r12", "r50", "rH", "r1"):
        table = play(table_with(f"{card} b0", "g0"), f"lay {card}")
        assert (table.current_player, field(table, "phase"), field(table, "demand")) == (
            1,
            "play",
            0,
        )


@pytest.mark.rule("A4.2")
def test_passing_moves_the_whole_demand_on() -> None:
    table = table_with("g2 b2 b0", "r9 r9", "r3", "r3", discard="r1")
    play(table, "lay g2", "lay b2", "pass")
    assert (table.current_player, field(table, "phase"), field(table, "demand")) == (2, "demand", 4)
    play(table, "pass")
    assert (table.current_player, field(table, "phase"), field(table, "demand")) == (3, "demand", 4)
    assert len(hand(play(table, "take"), 3)) == 5
    assert field(table, "crosses") == [0, 1, 1, 0]
    assert [len(hand(table, seat)) for seat in (0, 1, 2)] == [1, 2, 1]


@pytest.mark.rule("A4.2")
def test_it_can_come_back_to_the_player_who_laid_the_2() -> None:
    table = play(table_with("g2 b0", "r1", "r3"), "lay g2", "pass", "pass")
    assert (table.current_player, legal(table)) == (0, {"take", "pass"})
    assert len(hand(play(table, "take"), 0)) == 3
    table = play(table_with("g2 b0", "r1", "r3"), "lay g2", "pass", "pass", "pass")
    assert (table.current_player, field(table, "demand"), field(table, "crosses")) == (
        1,
        2,
        [1, 1, 1],
    )


@pytest.mark.rule("A4.2", "A2.1")
def test_without_a_pass_left_it_must_be_taken() -> None:
    table = play(table_with("g2 b0", "r1 b2", crosses=[0, 3]), "lay g2")
    assert legal(table) == {"take"}
    table = play(table_with("g2 b0", "r1 b2", crosses=[0, 2]), "lay g2")
    assert legal(table) == {"take", "pass"}


@pytest.mark.rule("A4.2", "A2.1")
def test_such_a_pass_is_one_of_the_three() -> None:
    table = play(table_with("g2 b0", "r1", "r3", crosses=[0, 2, 0]), "lay g2", "pass")
    assert field(table, "crosses") == [0, 3, 0]
    play(table, "take", "draw", "draw", "end", "draw", "draw", "end")
    assert table.current_player == 1
    assert "pass" not in legal(table)


@pytest.mark.rule("A4.3")
@pytest.mark.parametrize(
    "cards", ["r2 g2 b0", "blessing b0", "steal b0", "swap b0", "gold", "r3 b3", "g50 rH", ""]
)
def test_a_demand_comes_before_everything_else(cards: str) -> None:
    table = table_with(cards, "r1 r1", discard="v2", **DEMAND_OF_2)
    assert legal(table) == {"take", "pass"}
    table = table_with(cards, "r1 r1", discard="v2", crosses=[3, 0], **DEMAND_OF_2)
    assert legal(table) == {"take"}


@pytest.mark.rule("A4.4", "A6.2", "A8.1")
def test_a_demand_does_not_outlive_a_round_that_is_capped() -> None:
    table = table_with("g2 b0", "r1", settings={"max_decisions": 1})
    play(table, "lay g2")
    assert field(table, "round") == 2
    assert (field(table, "phase"), field(table, "demand")) == ("play", 0)
    table = table_with("g2 b0", "r1", settings={"max_decisions": 2})
    play(table, "lay g2", "pass")
    assert (field(table, "phase"), field(table, "demand")) == ("play", 0)
    table = table_with("g2 b2 b0", "r1", discard="r1", settings={"max_decisions": 1})
    play(table, "lay g2")  # in the middle of a multiple
    assert (field(table, "round"), field(table, "phase"), field(table, "demand")) == (2, "play", 0)


@pytest.mark.rule("A4.1")
@pytest.mark.parametrize("each", [1, 3])
def test_a_2_may_demand_another_number(each: int) -> None:
    table = table_with("g2 b2 b0", "r1 r1", discard="r3", settings={"cards_per_two": each})
    play(table, "lay g2", "lay b2")
    assert field(table, "demand") == 2 * each
    assert len(hand(play(table, "take"), 1)) == 2 + 2 * each
