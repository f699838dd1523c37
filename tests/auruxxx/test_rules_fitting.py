"""A3: what fits on what, alone and as multiples."""

import pytest

from ..tables import legal, play
from .tables import (
    ACTION_CARDS,
    COLOURS,
    EVERY_CARD,
    fitting,
    goes_on,
    layable,
    of_all_colours,
    of_colour,
    table_with,
)

ALWAYS = ACTION_CARDS | of_all_colours(2)  # A3.4, A3.9


# --- Which cards fit: everything else does not --------------------------------------------------
@pytest.mark.rule("A3.1", "A3.2", "A3.4", "A3.6", "A3.8", "A3.9")
@pytest.mark.parametrize("colour", COLOURS)
def test_on_a_number_card(colour: str) -> None:
    expected = ALWAYS | of_colour(colour) | of_all_colours(6, 7, 8)
    assert fitting(f"{colour}7") == expected


@pytest.mark.rule("A3.2")
@pytest.mark.parametrize(
    ("top", "numbers"),
    [
        ("r0", (0, 1)),
        ("r1", (0, 1, 2)),
        ("r3", (2, 3, 4)),
        ("r4", (3, 4, 5)),
        ("r5", (4, 5, 6)),
        ("r6", (5, 6, 7)),
        ("r8", (7, 8, 9)),
        ("r9", (8, 9, 10)),
        ("r10", (9, 10, 11)),
        ("r11", (10, 11, 12)),
        ("r12", (11, 12)),
    ],
)
def test_the_number_itself_and_its_neighbours(top: str, numbers: tuple[int, ...]) -> None:
    assert fitting(top) == ALWAYS | of_colour("r") | of_all_colours(*numbers)


@pytest.mark.rule("A3.2")
def test_12_and_0_are_not_neighbours() -> None:
    assert "g0" not in fitting("r12")
    assert "g12" not in fitting("r0")


@pytest.mark.rule("A3.5", "A3.9")
@pytest.mark.parametrize("top", ["r2", "v2"])
def test_on_a_2_fits_every_card(top: str) -> None:
    assert fitting(top) == EVERY_CARD


@pytest.mark.rule("A3.9", "A3.6", "A3.8")
@pytest.mark.parametrize("top", sorted(ACTION_CARDS))
def test_on_an_action_card_fits_every_card(top: str) -> None:
    assert fitting(top) == EVERY_CARD


@pytest.mark.rule("A3.7", "A3.6")
@pytest.mark.parametrize("colour", COLOURS)
def test_on_a_50(colour: str) -> None:
    expected = ALWAYS | of_colour(colour) | of_all_colours(50)
    assert fitting(f"{colour}50") == expected - {f"{colour}50"}


@pytest.mark.rule("A3.8")
@pytest.mark.parametrize("colour", COLOURS)
def test_on_a_happy_man_card(colour: str) -> None:
    expected = ALWAYS | of_colour(colour) | of_all_colours("H")
    assert fitting(f"{colour}H") == expected - {f"{colour}H"}


@pytest.mark.rule("A3.4")
@pytest.mark.parametrize("top", sorted(EVERY_CARD))
def test_a_2_fits_on_every_card(top: str) -> None:
    assert layable(table_with("g2 gold", "gold", discard=top)) == {"g2"}


@pytest.mark.rule("A3.9")
@pytest.mark.parametrize("top", sorted(EVERY_CARD))
def test_an_action_card_fits_on_every_card(top: str) -> None:
    table = table_with("blessing steal swap gold", "gold", "gold", discard=top)
    assert legal(table) == {"pass", "draw", "blessing", "steal", "swap +1", "swap +2"}


@pytest.mark.rule("A3.10", "A6.1")
@pytest.mark.parametrize("top", sorted(EVERY_CARD))
def test_a_golden_12_fits_on_every_card(top: str) -> None:
    assert layable(table_with("gold", "r0", discard=top)) == {"gold"}


# --- Multiples ----------------------------------------------------------------------------------
@pytest.mark.rule("A3.3")
@pytest.mark.parametrize("first", ["g6", "g7", "g8"])
def test_twins_by_number(first: str) -> None:
    number = first[1:]
    others = f"b{number} v{number} v{number} r3 y{int(number) + 1}"
    assert goes_on(f"{first} {others}", "r7", first) == {f"b{number}", f"v{number}"}


@pytest.mark.rule("A3.3")
def test_the_order_is_the_players_choice_and_the_last_is_the_top() -> None:
    table = table_with("g6 b6 v6 v6 gold", "y6 y9 v9", discard="r7")
    play(table, "lay v6", "lay g6", "lay v6")
    assert (table.current_player, legal(table)) == (0, {"end", "lay b6"})
    assert table.position()["discard"] == ["r7", "v6", "g6", "v6"]
    play(table, "end")
    assert (table.current_player, layable(table)) == (1, {"y6", "v9"})  # on a violet 6


@pytest.mark.rule("A2.4", "A3.3")
@pytest.mark.parametrize("top", ["r7", "r5", "r6", "b6", *sorted(ACTION_CARDS)])
def test_who_has_no_more_of_the_number_is_asked_all_the_same(top: str) -> None:
    assert goes_on("g6 b7 r0", top, "g6") == set()
    table = table_with("g6 y6 b7 gold", "r0", discard=top)
    assert legal(play(table, "lay g6")) == {"end", "lay y6"}
    assert legal(play(table, "lay y6")) == {"end"}
    assert (table.current_player, table.position()["phase"]) == (0, "multiple")
    play(table, "end")
    assert (table.current_player, table.position()["phase"]) == (1, "play")


@pytest.mark.rule("A2.4", "A3.4", "A3.5", "A3.6")
@pytest.mark.parametrize(
    ("first", "top"), [("g2", "r1"), ("g1", "r2"), ("g3", "r2"), ("g50", "r50"), ("g50", "swap")]
)
def test_so_are_those_who_laid_by_number_on_2s_and_50s(first: str, top: str) -> None:
    assert goes_on(f"{first} r7 b8", top, first) == set()


@pytest.mark.rule("A2.4", "A3.11")
@pytest.mark.parametrize("left", ["gold", "b6", "r0"])
def test_with_one_card_left_the_turn_ends_by_itself(left: str) -> None:
    table = table_with(f"g6 y6 {left}", "r0", discard="r7")
    assert play(table, "lay g6").current_player == 0
    assert play(table, "lay y6").current_player == 1
    assert play(table_with(f"g6 {left}", "r0", discard="r7"), "lay g6").current_player == 1


@pytest.mark.rule("A3.3")
def test_a_multiple_may_be_left_off() -> None:
    table = play(table_with("g6 b6 gold", "r0", discard="r7"), "lay g6", "end")
    assert (table.current_player, table.position()["hands"][0]) == (1, ["b6", "gold"])


@pytest.mark.rule("A3.3")
def test_only_the_same_number_may_be_added() -> None:
    assert goes_on("g8 b8 b7 b9 g3 g50 gH blessing", "r7", "g8") == {"b8"}


@pytest.mark.rule("A3.3")
@pytest.mark.parametrize("first", ["r6", "r7", "r8"])
def test_a_first_card_that_fits_both_ways_counts_as_by_number(first: str) -> None:
    assert goes_on(f"{first} g{first[1:]}", "r7", first) == {f"g{first[1:]}"}


@pytest.mark.rule("A3.1", "A3.3")
@pytest.mark.parametrize("first", ["r0", "r5", "r9", "r12"])
def test_a_card_that_fits_by_colour_only_is_laid_alone(first: str) -> None:
    number = first[1:]
    assert goes_on(f"{first} {first} g{number} b{number}", "r7", first) is None


@pytest.mark.rule("A3.1", "A3.3", "A3.7", "A3.8")
@pytest.mark.parametrize("top", ["r50", "rH"])
def test_by_colour_on_a_50_or_happy_man_card_is_alone(top: str) -> None:
    assert goes_on("r5 r5 g5", top, "r5") is None
    assert goes_on("r12 g12", top, "r12") is None


@pytest.mark.rule("A3.4")
@pytest.mark.parametrize("top", ["g1", "r1", "g2", "r3", "v3", *sorted(ACTION_CARDS)])
def test_multiples_of_2s(top: str) -> None:
    assert goes_on("r2 b2 y2", top, "r2") == {"b2", "y2"}


@pytest.mark.rule("A3.4", "A3.3")
@pytest.mark.parametrize(
    "top", ["r0", "g0", "r4", "b4", "r7", "g7", "r12", "g12", "r50", "g50", "rH", "gH"]
)
def test_a_2_is_alone_on_every_other_card(top: str) -> None:
    assert goes_on("r2 r2 b2", top, "r2") is None


@pytest.mark.rule("A3.5")
@pytest.mark.parametrize("first", ["g1", "g3", "v1", "v3", "g2"])
def test_multiples_on_a_2(first: str) -> None:
    number = first[1:]
    assert goes_on(f"{first} b{number}", "v2", first) == {f"b{number}"}


@pytest.mark.rule("A3.5", "A3.6", "A3.8")
@pytest.mark.parametrize("kind", [0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 50, "H"])
@pytest.mark.parametrize("colour", ["r", "v"])
def test_every_other_card_is_alone_on_a_2(kind: int | str, colour: str) -> None:
    assert goes_on(f"{colour}{kind} b{kind} y{kind}", "v2", f"{colour}{kind}") is None


@pytest.mark.rule("A3.6")
@pytest.mark.parametrize("top", ["r50", *sorted(ACTION_CARDS)])
def test_several_50s_on_a_50_or_an_action_card(top: str) -> None:
    assert goes_on("g50 b50 v50 g5", top, "g50") == {"b50", "v50"}


@pytest.mark.rule("A3.6", "A3.3")
@pytest.mark.parametrize("top", ["r7", "r2", "r12", "g2", "rH"])
def test_a_50_is_alone_on_other_cards(top: str) -> None:
    assert goes_on("r50 b50 g50", top, "r50") is None


@pytest.mark.rule("A3.8", "A5.7")
@pytest.mark.parametrize("top", ["r7", "r50", "gH", "g2", *sorted(ACTION_CARDS)])
def test_happy_man_cards_are_laid_one_at_a_time(top: str) -> None:
    assert goes_on("rH bH yH", top, "rH") is None


@pytest.mark.rule("A3.9")
@pytest.mark.parametrize("top", sorted(ACTION_CARDS))
@pytest.mark.parametrize("number", range(13))
def test_number_cards_as_multiples_on_an_action_card(top: str, number: int) -> None:
    hand = f"r{number} g{number} b{number}"
    assert goes_on(hand, top, f"r{number}") == {f"g{number}", f"b{number}"}


@pytest.mark.rule("A3.9", "A3.6", "A5.1")
@pytest.mark.parametrize("kind", [5, 50])
def test_multiples_after_ones_own_action_card(kind: int) -> None:
    table = table_with(f"steal r{kind} g{kind} gold", "r0 r0", discard="v8")
    assert {f"lay r{kind}", f"lay g{kind}"} <= legal(play(table, "steal"))
    assert legal(play(table, f"lay r{kind}")) == {"end", f"lay g{kind}"}
    play(table, f"lay g{kind}", "end")
    assert table.position()["discard"] == ["v8", "steal", f"r{kind}", f"g{kind}"]
    assert table.current_player == 1


# --- A3.11 --------------------------------------------------------------------------------------
@pytest.mark.rule("A3.11")
@pytest.mark.parametrize("card", ["r8", "g2", "r50", "rH", *sorted(ACTION_CARDS)])
def test_the_last_card_stays_in_the_hand(card: str) -> None:
    table = table_with(card, "r0 r1", discard="r7")
    assert legal(table) == {"draw", "pass"}
    assert layable(table_with(f"{card} b0", "r0 r1", discard="r7")) == {card}


@pytest.mark.rule("A3.11")
def test_the_last_card_may_be_laid_after_drawing() -> None:
    assert "r8" in layable(play(table_with("r8", "r0", discard="r7"), "draw"))


@pytest.mark.rule("A3.11")
def test_a_multiple_may_not_empty_the_hand() -> None:
    table = table_with("g8 b8 v8", "r0", discard="r7")
    play(table, "lay g8")
    assert legal(table) == {"end", "lay b8", "lay v8"}
    play(table, "lay b8")  # the last one cannot follow, so the turn is over
    assert (table.current_player, table.position()["hands"][0]) == (1, ["v8"])


@pytest.mark.rule("A3.11")
def test_two_twins_alone_are_laid_one_by_one() -> None:
    table = play(table_with("g8 b8", "r0", discard="r7"), "lay g8")
    assert (table.current_player, table.position()["hands"][0]) == (1, ["b8"])


@pytest.mark.rule("A3.11")
def test_multiples_of_2s_and_50s_may_not_empty_the_hand() -> None:
    assert play(table_with("g2 b2", "r0", discard="r1"), "lay g2").current_player == 1
    assert play(table_with("g50 b50", "r0", discard="r50"), "lay g50").current_player == 1


@pytest.mark.rule("A3.11", "A6.1")
def test_a_golden_12_is_enough_to_keep() -> None:
    table = play(table_with("g8 b8 gold", "r0", discard="r7"), "lay g8", "lay b8")
    assert (table.current_player, table.position()["hands"][0]) == (1, ["gold"])


@pytest.mark.rule("A3.11")
def test_an_action_card_that_would_bring_cards_is_no_exception() -> None:
    table = play(table_with("swap steal", "r0 gold", "r1 r1", discard="r7"), "steal")
    assert "swap +1" in legal(table)  # steal brought a card
    table = table_with("swap", "gold", "r1 r1", discard="r7")
    assert legal(table) == {"draw", "pass"}


@pytest.mark.parametrize("top", ["b6 r7", "b50 r50"])
def test_within_a_multiple_no_more_of_the_number_is_needed(top: str) -> None:
    match = table_with("b8 gold", "r9", discard=top, phase="multiple")
    assert match.legal == ["end"]
    assert play(match, "end").current_player == 1
