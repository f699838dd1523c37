"""G5: knocking."""

from collections import Counter
from typing import Any

import pytest

from ..tables import cards, field, hand, legal, play
from .tables import (
    blanks,
    discard,
    moves,
    round_over,
    run_on_pile,
    small_deck,
    table_with,
    top,
    turn_over,
    with_pile,
)


def knocks(*moves: str, hand: str, discard: str, last_play: int = 1) -> bool:
    """Whether seat 0 may knock after these moves."""
    table = table_with(f"{hand} 0", "1 1", discard=discard, last_play=last_play)
    return "knock" in play(table, *moves).legal


def extensions(run: str, hand: str, *moves: str) -> set[str]:
    """How seat 0 may extend a run on the pile after these moves."""
    table = run_on_pile(run, f"{hand} 0", "0 0", settings=blanks("joker"))
    return {move for move in play(table, *moves).legal if move.split()[0] in ("low", "high")}


# --- G5.1 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G5.1")
def test_on_a_single_card_of_the_same_value() -> None:
    table = table_with("7 8", "1 1")
    assert "knock" in legal(play(table, "lay 7"))
    play(table, "knock")
    assert turn_over(table)
    assert (hand(table, 0), discard(table)) == (["8"], "7 7")
    assert (field(table, "last_play"), field(table, "run")) == (1, False)


@pytest.mark.rule("G5.1")
@pytest.mark.parametrize("card", [0, 6, 8, 14])
def test_on_no_card_of_another_value(card: int) -> None:
    assert not knocks(f"lay {card}", hand=str(card), discard="7")


@pytest.mark.rule("G5.1")
def test_one_or_more_on_one_or_more() -> None:
    for laid in (1, 2):
        for lying in (1, 2):
            moves = ["lay 7", "add 7"][:laid]
            assert knocks(*moves, hand="7 7", discard="5 7 7", last_play=lying)
    assert not knocks("lay 5", "add 5", hand="5 5", discard="5 7 7", last_play=2)


@pytest.mark.rule("G5.1")
def test_jokers_may_stand_for_the_value() -> None:
    assert knocks("lay joker", hand="joker", discard="7")
    assert knocks("lay joker", "add 7", hand="joker 7", discard="7")
    assert knocks("lay 7", "add joker", hand="joker 7", discard="7")
    assert knocks("lay joker", "add 7", "add joker", hand="joker joker 7", discard="7")
    assert not knocks("lay joker", "add 6", hand="joker 6", discard="7")
    assert knocks("lay 7", hand="7", discard="joker 7", last_play=2)


@pytest.mark.rule("G5.1")
def test_on_the_card_turned_up_and_on_ones_own() -> None:
    assert knocks("lay 7", hand="7", discard="7")  # nobody laid it
    table = play(table_with("7 9", "1 1", discard="7", layers=[0]), "lay 7")
    assert legal(table) == {"knock", "draw"}
    table = with_pile("13 13", "5 5 9", "1 2", discard="7")
    play(table, "lay 5", "draw", "keep", "call", "lay 5")
    assert legal(table) == {"knock", "draw"}


@pytest.mark.rule("G5.1", "G3.1")
def test_a_run_cannot_be_knocked_on_a_single_card() -> None:
    assert not knocks("lay 7", "run 8", "run 9", hand="7 8 9", discard="7")
    assert not knocks("lay 5", "run 6", "run 7", hand="5 6 7", discard="7")
    table = play(table_with("7 8 9 0", "1 1", discard="7"), "lay 7", "run 8", "run 9")
    assert legal(table) == {"draw", "take"}


# --- G5.2 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G5.2")
def test_extending_a_run_at_both_ends() -> None:
    table = run_on_pile("4 5 6", "3 7 9", "8 9 10 0", under="12")
    assert {"low", "high"} & legal(table) == {"low"}  # the low end first
    play(table, "low")
    assert legal(table) == {"high"}
    play(table, "high")
    assert legal(table) == {"knock"}
    play(table, "knock")
    assert turn_over(table)
    assert (hand(table, 0), discard(table)) == (["9"], "12 3 4 5 6 7")
    assert (field(table, "last_play"), field(table, "run")) == (5, True)
    # The book's next player lays 8, 9 and 10.
    play(table, "high", "high", "high", "knock")
    assert (hand(table, 1), discard(table)) == (["0"], "12 3 4 5 6 7 8 9 10")
    assert field(table, "last_play") == 8


@pytest.mark.rule("G5.2")
@pytest.mark.parametrize(
    ("hand", "first"),
    [
        ("7 8", {"high"}),
        ("2 3", {"low"}),
        ("3 7", {"low"}),
        ("2 3 7", {"low"}),
        ("3 7 8", {"low", "high"}),
        ("1 2 3 7 8 9", {"low", "high"}),
        ("7", set()),
        ("3", set()),
        ("7 9", set()),
        ("1 3", set()),
        ("8 2", set()),
        ("4 5 6", set()),
        ("7 7", set()),
    ],
)
def test_at_least_two_cards_in_all(hand: str, first: set[str]) -> None:
    assert extensions("4 5 6", hand) == first


@pytest.mark.rule("G5.2")
def test_one_card_is_not_enough() -> None:
    table = run_on_pile("4 5 6", "7 8 9 0", "1 1")
    play(table, "high")
    assert legal(table) == {"high"}
    assert legal(play(table, "high")) == {"high", "knock"}
    assert legal(play(table, "high")) == {"knock"}


@pytest.mark.rule("G5.2")
def test_more_than_two_at_both_ends() -> None:
    table = run_on_pile("4 5 6", "0 1 2 3 7 8", "1 1")
    assert extensions("4 5 6", "1 2 3 7 8", "low") == {"low", "high"}
    play(table, "low", "low", "low", "low", "high")
    assert legal(table) == {"high", "knock"}
    play(table, "high", "knock")
    assert (round_over(table), table.scores) == (True, [0, 2])  # that was its whole hand


@pytest.mark.rule("G5.2")
def test_the_low_end_is_laid_first() -> None:
    assert extensions("4 5 6", "2 3 7 8", "high") == {"high"}
    assert extensions("4 5 6", "2 3 7 8", "high", "high") == set()
    assert extensions("4 5 6", "2 3 7 8", "low", "high") == {"high"}


@pytest.mark.rule("G5.2")
def test_by_whoever_is_next_also_who_laid_the_run() -> None:
    table = run_on_pile("4 5 6", "7 8 0", "1 1", layers=[0, 0, 0])
    assert "high" in legal(table)
    table = play(run_on_pile("4 5 6", "7 8 0", "3 2 1", layers=[1, 1, 1]), "high", "high", "knock")
    play(table, "low", "low", "knock")
    assert discard(table) == "2 3 4 5 6 7 8"


@pytest.mark.rule("G5.2")
def test_not_when_something_covers_the_run() -> None:
    table = table_with("7 8 0", "1 1", discard="4 5 6 9")
    assert legal(table) == {"lay 7", "lay 8", "lay 0"}
    table = run_on_pile("4 5 6", "9 0", "7 8 1")
    play(table, "lay 9", "take low")
    assert moves(table, "high") == set()


@pytest.mark.rule("G5.2")
def test_a_set_of_neighbours_in_the_pile_is_no_run() -> None:
    table = table_with("7 8 0", "1 1", discard="4 5 6", last_play=1)
    assert moves(table, "high") == set()


@pytest.mark.rule("G5.2", "G3.2")
def test_jokers_may_take_part() -> None:
    assert extensions("4 5 6", "joker 8") == {"high joker"}
    assert extensions("4 5 6", "joker 2") == {"low joker"}
    assert extensions("4 5 6", "joker 7") == {"high", "low joker"}
    assert extensions("4 5 6", "joker joker") == {"low joker"}
    assert extensions("4 5 6", "joker joker", "low joker") == {"high joker"}
    assert extensions("12 13 14", "joker joker") == set()
    assert extensions("0 1 2", "joker blank1") == set()
    assert extensions("4 5 6", "blank1 joker 8", "low blank1") == {"high joker"}
    assert extensions("4 5 6", "joker 8 9", "high joker") == {"high"}
    table = run_on_pile("4 5 6", "joker 8 0", "1 1")
    play(table, "high joker", "high", "knock")
    assert discard(table) == "4 5 6 joker 8"


@pytest.mark.rule("G5.2", "G3.2")
def test_never_next_to_a_joker_already_in_the_run() -> None:
    assert extensions("4 5 joker", "joker 8") == set()
    assert extensions("4 5 joker", "joker 7 8") == {"high", "low joker"}
    assert extensions("4 5 joker", "joker 7 8", "low joker") == {"high"}
    assert extensions("joker 5 6", "joker 2") == set()
    assert extensions("joker 5 6", "blank1 2") == set()
    assert extensions("joker 5 6", "3 joker", "low") == {"low joker", "high joker"}
    assert extensions("joker 5 joker", "joker 3 7", "low") == {"low joker", "high"}


@pytest.mark.rule("G5.2", "G3.1")
def test_runs_end_at_0_and_14() -> None:
    assert extensions("12 13 14", "0 joker 10") == {"low joker"}
    assert extensions("12 13 14", "0 joker") == set()
    assert extensions("11 12 13", "14 joker", "low joker") == {"high"}
    assert extensions("11 12 13", "14 joker") == {"low joker"}
    assert extensions("0 1 2", "14 joker") == set()
    assert extensions("1 2 joker", "0 joker") == set()
    assert extensions("1 2 3", "0 joker 4", "low") == {"high", "high joker"}


@pytest.mark.rule("G5.2")
def test_on_a_run_only_extending_counts() -> None:
    for card in ("4", "6", "7", "joker"):
        table = run_on_pile("4 5 6", f"{card} 9", "1 1")
        assert legal(play(table, f"lay {card}")) - {"add 9"} == {"draw", "take low", "take high"}
    table = run_on_pile("4 5 6", "4 5 6 0", "1 1")
    assert "knock" not in legal(play(table, "lay 4", "run 5", "run 6"))


@pytest.mark.rule("G5.2")
def test_no_extending_without_knocking() -> None:
    table = play(run_on_pile("4 5 6", "7 8 7 0", "1 1"), "high", "high")
    assert legal(table) == {"knock"}
    assert field(table, "phase") == "extend"


@pytest.mark.rule("G5.2")
def test_the_position_of_an_extension() -> None:
    table = play(run_on_pile("4 5 6", "3 7 8 0", "1 1", under="12"), "low")
    position = table.position()
    assert position["discard"] == ["12", "3", "4", "5", "6"]
    assert (position["last_play"], position["laid"], position["laid_low"]) == (3, 1, 1)
    assert (position["laid_kind"], position["phase"]) == ("low", "extend")
    position = play(table, "high").position()
    assert position["discard"] == ["12", "3", "4", "5", "6", "7"]
    assert (position["last_play"], position["laid"], position["laid_low"]) == (3, 2, 1)
    assert position["laid_kind"] == "high"


# --- G5.3 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G5.3")
@pytest.mark.parametrize("card", ["joker", "hourglass", "hand"])
@pytest.mark.parametrize("laid", ["joker", "7"])
def test_never_on_a_special_card(card: str, laid: str) -> None:
    assert not knocks(f"lay {laid}", hand=laid, discard=f"7 {card}")


@pytest.mark.rule("G5.3")
def test_never_on_a_joker_on_top_of_a_set() -> None:
    assert not knocks("lay 7", hand="7", discard="7 7 joker", last_play=3)
    assert not knocks("lay joker", hand="joker", discard="7 joker", last_play=2)
    assert knocks("lay 7", hand="7", discard="joker 7", last_play=2)


@pytest.mark.rule("G5.3")
@pytest.mark.parametrize("value", range(15))
def test_a_joker_on_every_other_card(value: int) -> None:
    assert knocks("lay joker", hand="joker", discard=str(value))


@pytest.mark.rule("G5.3", "G5.2")
def test_on_a_run_a_joker_only_within_an_extension() -> None:
    table = run_on_pile("4 5 6", "joker 9 0", "1 1")
    assert moves(table, "low") | moves(table, "high") == set()
    assert "knock" not in legal(play(table, "lay joker"))


@pytest.mark.rule("G5.3")
def test_a_run_with_a_joker_at_an_end_can_be_extended_there() -> None:
    assert extensions("4 5 joker", "7 8") == {"high"}
    assert extensions("joker 5 6", "3 2") == {"low"}
    assert extensions("joker 5 joker", "3 7") == {"low"}


# --- G5.4 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G5.4")
def test_a_card_of_the_value_drawn_after_a_single_or_a_set() -> None:
    table = play(with_pile("5 5", "5 9", "1 1"), "lay 5", "draw")
    assert (table.current_player, field(table, "phase"), field(table, "drawn")) == (0, "drawn", "5")
    assert legal(table) == {"keep", "knock"}
    play(table, "knock")
    assert turn_over(table)
    assert (hand(table, 0), top(table, 2), field(table, "last_play")) == (["9"], "5 5", 2)
    table = play(with_pile("5", "5 5 9", "1 1"), "lay 5", "add 5", "draw", "knock")
    assert (hand(table, 0), top(table, 3), field(table, "last_play")) == (["9"], "5 5 5", 3)


@pytest.mark.rule("G5.4")
@pytest.mark.parametrize("card", ["joker", "blank1"])
def test_a_joker_drawn_after_a_single_or_a_set(card: str) -> None:
    settings = blanks("joker")
    table = play(with_pile(card, "5 5 9", "1 1", settings=settings), "lay 5", "add 5", "draw")
    assert legal(table) == {"keep", "knock"}
    play(table, "knock")
    assert (hand(table, 0), top(table, 3)) == (["9"], f"5 5 {card}")


@pytest.mark.rule("G5.4")
@pytest.mark.parametrize("card", ["6", "4", "7", "hourglass", "hand", "blank1"])
def test_who_draws_something_else_keeps_it(card: str) -> None:
    settings = blanks("plain")
    table = play(with_pile(card, "5 9", "1 1", settings=settings), "lay 5", "draw")
    assert legal(table) == {"keep"}
    assert turn_over(play(table, "keep"))
    assert hand(table, 0) == sorted(["9", card])


@pytest.mark.rule("G5.4")
@pytest.mark.parametrize(
    ("card", "ends"),
    [
        ("4", {"low"}),
        ("8", {"high"}),
        ("joker", {"low", "high"}),
        ("blank1", {"low", "high"}),
        ("5", set()),
        ("7", set()),
        ("3", set()),
        ("9", set()),
        ("hourglass", set()),
    ],
)
def test_one_drawn_card_that_fits_at_either_end_of_a_run(card: str, ends: set[str]) -> None:
    settings = blanks("joker")
    for end in ends or {""}:
        table = with_pile(card, "5 6 7 13", "1 1", settings=settings)
        play(table, "lay 5", "run 6", "run 7", "draw")
        assert legal(table) == {"keep"} | {f"knock {other}" for other in ends}
        if end:
            play(table, f"knock {end}")
            assert (turn_over(table), hand(table, 0)) == (True, ["13"])
            assert top(table, 4) == (f"{card} 5 6 7" if end == "low" else f"5 6 7 {card}")
            assert (field(table, "last_play"), field(table, "run")) == (4, True)


@pytest.mark.rule("G5.4", "G5.2")
@pytest.mark.parametrize(("card", "end"), [("4", "low"), ("8", "high"), ("joker", "low")])
def test_the_next_player_extends_the_run_with_the_drawn_card(card: str, end: str) -> None:
    low = 4 if end == "low" else 5
    table = with_pile(card, "5 6 7 13", f"{low - 1} {low + 4} 0")
    play(table, "lay 5", "run 6", "run 7", "draw", f"knock {end}", "low", "high", "knock")
    assert discard(table).split()[-6] == str(low - 1)
    assert (top(table), hand(table, 1)) == (str(low + 4), ["0"])


@pytest.mark.rule("G5.4", "G3.1")
def test_nothing_fits_beyond_0_and_14() -> None:
    table = with_pile("joker", "0 1 2 9", "1 1")
    assert legal(play(table, "lay 0", "run 1", "run 2", "draw")) == {"keep", "knock high"}
    table = with_pile("joker", "12 13 14 9", "1 1")
    assert legal(play(table, "lay 12", "run 13", "run 14", "draw")) == {"keep", "knock low"}
    table = with_pile("0", "12 13 14 9", "1 1")
    assert legal(play(table, "lay 12", "run 13", "run 14", "draw")) == {"keep"}


@pytest.mark.rule("G5.4", "G5.3")
def test_nothing_is_added_to_a_joker_alone_or_on_top() -> None:
    table = with_pile("7", "joker 9", "1 1")
    assert turn_over(play(table, "lay joker", "draw"))
    table = with_pile("joker", "joker 9", "1 1")
    assert turn_over(play(table, "lay joker", "draw"))
    table = with_pile("5", "5 joker 9", "1 1")
    assert turn_over(play(table, "lay 5", "add joker", "draw"))
    table = with_pile("5", "5 joker 9", "1 1")
    assert legal(play(table, "lay joker", "add 5", "draw")) == {"keep", "knock"}


@pytest.mark.rule("G5.4", "G3.2")
def test_nor_a_joker_next_to_a_joker() -> None:
    for drawn in ("joker", "blank1"):
        table = with_pile(drawn, "5 6 joker 9", "1 1", settings=blanks("joker"))
        play(table, "lay 5", "run 6", "run joker", "draw")
        assert legal(table) == {"keep", "knock low"}
    table = with_pile("joker", "6 joker joker 9", "1 1")
    play(table, "lay joker", "run 6", "run joker", "draw")
    assert legal(table) == {"keep"}
    table = with_pile("8", "6 joker joker 9", "1 1")
    play(table, "lay joker", "run 6", "run joker", "draw")
    assert legal(table) == {"keep", "knock high"}


@pytest.mark.rule("G5.4")
def test_not_with_a_card_from_the_discard_pile() -> None:
    # The book's case: 3-4-5 is laid and a 6 lies there.
    table = play(table_with("3 4 5 9", "1 1", discard="6"), "lay 3", "run 4", "run 5", "take")
    assert turn_over(table)
    assert (hand(table, 0), discard(table)) == (cards("6 9"), "3 4 5")
    assert turn_over(play(table_with("5 9", "1 1", discard="5"), "lay 5", "take"))


@pytest.mark.rule("G5.4", "G6.1")
def test_not_after_an_hourglass_or_a_plain_special_card() -> None:
    table = with_pile("hourglass", "hourglass 9", "1 1", "1 1")
    assert turn_over(play(table, "hourglass +2", "draw"))
    table = with_pile("hourglass", "hourglass 9", "1 1", caller=1, turns_left=1)
    assert round_over(play(table, "lay hourglass", "draw"))
    table = with_pile("joker", "blank1 9", "1 1", settings=blanks("plain"))
    assert turn_over(play(table, "lay blank1", "draw"))


@pytest.mark.rule("G5.4")
def test_what_lay_there_before_does_not_matter() -> None:
    table = with_pile("5", "5 13", "1 1", discard="7 8 9", last_play=3, run=True)
    assert legal(play(table, "lay 5", "draw")) == {"keep", "knock"}
    table = with_pile("5", "5 13", "1 1", discard="hourglass")
    assert legal(play(table, "lay 5", "draw")) == {"keep", "knock"}


# --- G5.5 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G5.5")
def test_who_lays_a_fitting_card_may_take_one_instead() -> None:
    table = play(table_with("7 9", "1 1", discard="7"), "lay 7")
    assert legal(table) == {"knock", "take", "draw"}
    assert hand(play(table, "take"), 0) == cards("7 9")


@pytest.mark.rule("G5.5", "G5.4")
def test_a_drawn_card_that_fits_may_be_kept() -> None:
    table = play(with_pile("5", "5 9", "1 1"), "lay 5", "draw", "keep")
    assert turn_over(table)
    assert (hand(table, 0), top(table, 2)) == (cards("5 9"), "7 5")


@pytest.mark.rule("G5.5", "G5.2")
def test_nobody_has_to_extend_a_run() -> None:
    table = run_on_pile("4 5 6", "7 8 0", "1 1")
    assert {"lay 7", "high"} <= legal(table)


# --- G5.6 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G5.6", "G8.6")
def test_a_knock_with_the_last_card_ends_the_round() -> None:
    table = play(table_with("7", "1 14", "5"), "lay 7", "knock")
    assert (round_over(table), table.state.round_winner) == (True, 0)
    assert table.scores == [0, 15, 5]


@pytest.mark.rule("G5.6")
@pytest.mark.parametrize(
    ("hand", "run", "moves"),
    [
        ("7 7", None, ["lay 7", "add 7", "knock"]),
        ("7 joker", None, ["lay joker", "add 7", "knock"]),
        ("7 8", "4 5 6", ["high", "high", "knock"]),
        ("7 3", "4 5 6", ["low", "high", "knock"]),
    ],
)
def test_with_several_last_cards_too(hand: str, run: str | None, moves: list[str]) -> None:
    table = run_on_pile(run, hand, "1 14") if run else table_with(hand, "1 14")
    play(table, *moves)
    assert (round_over(table), table.scores) == (True, [0, 15])


@pytest.mark.rule("G5.6", "G5.4")
def test_with_a_drawn_card_too() -> None:
    table = play(with_pile("5", "5", "1 13"), "lay 5", "draw", "knock")
    assert (round_over(table), table.scores) == (True, [0, 14])
    table = play(with_pile("4", "5 6 7", "1 13"), "lay 5", "run 6", "run 7", "draw", "knock low")
    assert (round_over(table), table.scores) == (True, [0, 14])


@pytest.mark.rule("G5.6")
def test_laying_the_last_card_without_a_knock_ends_nothing() -> None:
    table = play(table_with("5", "1 13"), "lay 5")
    assert (table.current_player, round_over(table)) == (0, False)
    play(table, "take")
    assert turn_over(table)
    assert hand(table, 0) == ["7"]


# --- G5.7 ---------------------------------------------------------------------------------------
ALWAYS = {"late_knock": 100}


@pytest.mark.rule("G5.7")
@pytest.mark.parametrize(
    ("cards", "run", "moves"),
    [
        ("7 0", None, ["lay 7", "knock"]),
        ("7 7 0", None, ["lay 7", "add 7", "knock"]),
        ("7 8 0", "4 5 6", ["high", "high", "knock"]),
        ("12 0", None, ["lay 12", "draw", "knock"]),
        ("11 10 9 0", None, ["lay 9", "run 10", "run 11", "draw", "knock high"]),
    ],
)
def test_a_late_knock_costs_a_card(cards: str, run: str | None, moves: list[str]) -> None:
    fields: dict[str, Any] = {"last_play": 3, "run": True} if run else {}
    table = with_pile("12 12", cards, "1 1", discard=run or "7", settings=ALWAYS, **fields)
    play(table, *moves)
    assert turn_over(table)
    assert hand(table, 0) == ["0", "12"]
    assert len(field(table, "pile")) == (0 if "draw" in moves else 1)


@pytest.mark.rule("G5.7")
def test_never_by_default() -> None:
    for seed in range(30):
        table = play(table_with("7 0", "1 1", seed=seed), "lay 7", "knock")
        assert hand(table, 0) == ["0"]


@pytest.mark.rule("G5.7")
def test_how_often_is_the_setting() -> None:
    late = Counter[int]()
    for seed in range(400):
        table = table_with("7 0", "1 1", seed=seed, settings={"late_knock": 30})
        late[len(hand(play(table, "lay 7", "knock"), 0)) - 1] += 1
    assert late[1] == pytest.approx(120, abs=35)
    assert set(late) == {0, 1}


@pytest.mark.rule("G5.7")
def test_only_knocks_are_late() -> None:
    table = play(table_with("7 0", "1 1", settings=ALWAYS), "lay 7", "take")
    assert hand(table, 0) == cards("0 7")
    table = play(with_pile("7 7", "7 0", "1 1", settings=ALWAYS), "lay 7", "draw", "keep")
    assert hand(table, 0) == cards("0 7")


@pytest.mark.rule("G5.7", "G5.6")
def test_a_late_knock_with_the_last_card_ends_nothing() -> None:
    table = play(with_pile("13", "7", "1 1", settings=ALWAYS), "lay 7", "knock")
    assert (turn_over(table), hand(table, 0)) == (True, ["13"])
    table = with_pile("4", "5 6 7", "1 1", settings=ALWAYS, discard="13")
    play(table, "lay 5", "run 6", "run 7", "draw", "knock low")
    assert (turn_over(table), top(table, 4), len(hand(table, 0))) == (True, "4 5 6 7", 1)


@pytest.mark.rule("G5.7", "G1.4")
def test_unless_there_is_no_card_to_draw() -> None:
    run: dict[str, Any] = {"last_play": 3, "run": True, "pile": "", "discard": "0 1 2"}
    table = table_with("3 4", "5", settings=small_deck(1, 5) | ALWAYS, **run)
    play(table, "high", "high", "knock")
    assert (round_over(table), table.scores) == (True, [0, 5])


@pytest.mark.rule("G5.7")
def test_the_next_player_meets_the_same_cards() -> None:
    table = play(table_with("7 0", "7 1", settings=ALWAYS), "lay 7", "knock")
    assert (discard(table), "knock" in legal(play(table, "lay 7"))) == ("7 7", True)


@pytest.mark.rule("G5.7", "G6.4")
def test_fending_off_is_a_knock_too() -> None:
    fields: dict[str, Any] = {
        "phase": "hourglass",
        "front": ["hourglass", None],
        "settings": ALWAYS,
    }
    table = play(with_pile("13", "hourglass", "1 1", **fields), "fend off")
    assert (table.current_player, field(table, "phase"), hand(table, 0)) == (0, "play", ["13"])
