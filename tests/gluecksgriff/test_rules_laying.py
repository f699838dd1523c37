"""G2 and G3: what a turn is, and what may be laid."""

from typing import Any

import pytest

from ..tables import cards, field, hand, legal, play
from .tables import (
    blanks,
    discard,
    draw,
    moves,
    run_on_pile,
    small_deck,
    table_with,
    takes,
    top,
    turn_over,
    with_pile,
)

FINISHES = {"draw", "take", "take low", "take high", "knock"}


def finishes(*moves: str, hand: str, discard: str = "0") -> bool:
    """Whether the turn may end when seat 0 has played these moves."""
    table = play(table_with(f"{hand} 0", "1 1", discard=discard), *moves)
    return "draw" in table.legal


def more(*moves: str, hand: str) -> set[str]:
    """How it may be laid on with this hand after these moves."""
    table = play(table_with(hand, "1 1", discard="joker"), *moves)
    return legal(table) - FINISHES


# --- G2 -----------------------------------------------------------------------------------------
@pytest.mark.rule("G2.1")
def test_a_turn_is_laying_and_then_taking_one_card() -> None:
    table = play(table_with("5 9", "1 2"), "lay 5")
    assert (table.current_player, field(table, "phase"), hand(table, 0)) == (0, "lay", ["9"])
    play(table, "take")
    assert turn_over(table)
    assert (hand(table, 0), discard(table)) == (cards("7 9"), "5")


@pytest.mark.rule("G2.1", "G4.1")
def test_nobody_takes_a_card_without_laying() -> None:
    table = table_with("5 9", "1 2")
    assert legal(table) == {"lay 5", "lay 9"}


@pytest.mark.rule("G2.1")
def test_exactly_one_card_is_taken_however_many_were_laid() -> None:
    table = with_pile("13 13", "5 5 5 9", "1 2")
    play(table, "lay 5", "add 5", "add 5", "draw", "keep")
    assert turn_over(table)
    assert hand(table, 0) == cards("9 13")


@pytest.mark.rule("G2.2")
def test_knocking_takes_no_card() -> None:
    table = play(table_with("7 9", "1 2"), "lay 7", "knock")
    assert turn_over(table)
    assert (hand(table, 0), discard(table)) == (["9"], "7 7")


@pytest.mark.rule("G2.3", "G6.1")
def test_giving_an_hourglass_is_a_turn() -> None:
    table = play(table_with("hourglass 9", "1 2", "3"), "hourglass +2")
    assert legal(table) == {"draw", "take"}
    assert turn_over(play(table, "take"))


@pytest.mark.rule("G2.3", "G7.1")
def test_a_magic_hand_is_a_turn() -> None:
    table = play(table_with("hand 9", "1 2", "3 4"), "hand")
    assert legal(table) == {"pick +1", "pick +2", "draw", "take"}
    assert turn_over(play(table, "pick +1"))


@pytest.mark.rule("G2.4", "G8.2")
def test_a_call_is_a_turn() -> None:
    table = play(table_with("1 2 3", "9", "10"), "call")
    assert turn_over(table)
    assert (hand(table, 0), discard(table)) == (cards("1 2 3"), "7")


@pytest.mark.rule("G2.5")
@pytest.mark.parametrize(
    ("cards", "penalties", "forced", "answers"),
    [
        ("5 9", False, 0, {"sit out"}),
        ("5 hourglass", False, 0, {"sit out", "fend off"}),
        ("5 9", True, 0, {"sit out", "play on"}),
        ("5 hourglass", True, 0, {"sit out", "fend off", "play on"}),
        ("5 hourglass", True, 1, {"sit out"}),
    ],
)
def test_answers_to_an_hourglass(
    cards: str, penalties: bool, forced: int, answers: set[str]
) -> None:
    table = table_with(
        cards,
        "1 2",
        phase="hourglass",
        front=["hourglass", None],
        must_sit_out=[forced, 0],
        settings={"penalties": penalties},
    )
    assert legal(table) == answers


@pytest.mark.rule("G2.5")
def test_without_an_hourglass_nobody_sits_out() -> None:
    table = table_with("5 hourglass", "1 2", settings={"penalties": True})
    assert legal(table) == {"lay 5", "hourglass +1", "call"}


@pytest.mark.rule("G2.6", "G6.7", "G7.7")
def test_there_is_always_a_turn() -> None:
    forced = {"last_turn": "forced"}
    after_call: dict[str, Any] = {"caller": 1, "turns_left": 1, "settings": forced}
    assert legal(table_with("hourglass", "1 2", **after_call)) == {"lay hourglass"}
    assert legal(table_with("hand", "1 2", **after_call)) == {"lay hand"}
    assert legal(table_with("joker", "1 2", **after_call)) == {"lay joker"}
    assert legal(table_with("hand", "1 2")) == {"hand"}
    after_call["settings"] = forced | blanks("swap")
    assert legal(table_with("blank1", "1 2", **after_call)) == {"lay blank1"}


# --- G3.1 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G3.1")
def test_any_single_card() -> None:
    table = table_with("0 7 14 joker", "1 2", discard="3")
    assert legal(table) == {"lay 0", "lay 7", "lay 14", "lay joker"}
    play(table, "lay 14")
    assert (top(table), "draw" in legal(table)) == ("14", True)


@pytest.mark.rule("G3.1")
def test_a_set_of_any_size() -> None:
    hand = "6 6 6 6 5 8"
    assert more("lay 6", hand=hand) == {"add 6"}
    assert more("lay 6", "add 6", hand=hand) == {"add 6"}
    assert more("lay 6", "add 6", "add 6", "add 6", hand=hand) == set()
    for size in range(4):
        assert finishes("lay 6", *["add 6"] * size, hand=hand)


@pytest.mark.rule("G3.1")
def test_a_run_of_three_or_more() -> None:
    hand = "7 8 9 10"
    assert more("lay 7", hand=hand) == {"run 8"}
    assert more("lay 7", "run 8", hand=hand) == {"run 9"}
    assert more("lay 7", "run 8", "run 9", hand=hand) == {"run 10"}
    assert more("lay 7", "run 8", "run 9", "run 10", hand=hand) == set()
    assert [finishes(*moves, hand=hand) for moves in (["lay 7"], ["lay 7", "run 8"])] == [
        True,
        False,
    ]
    assert finishes("lay 7", "run 8", "run 9", hand=hand)
    assert finishes("lay 7", "run 8", "run 9", "run 10", hand=hand)


@pytest.mark.rule("G3.1")
def test_two_consecutive_values_are_no_run() -> None:
    assert more("lay 7", hand="7 8") == set()
    assert more("lay 7", hand="7 8 10 11") == set()
    assert more("lay 7", hand="7 9 11") == set()
    assert more("lay 8", hand="6 7 8") == set()  # from the low end


@pytest.mark.rule("G3.1")
def test_a_begun_run_cannot_end_with_two_cards() -> None:
    table = play(table_with("7 8 9 1", "1 2"), "lay 7", "run 8")
    assert legal(table) == {"run 9"}


@pytest.mark.rule("G3.1")
def test_runs_do_not_wrap_around() -> None:
    assert more("lay 13", hand="13 14 0") == set()
    assert more("lay 14", hand="14 0 1") == set()
    assert more("lay 12", "run 13", "run 14", hand="12 13 14 0") == set()
    assert more("lay 0", hand="0 14 13") == set()


@pytest.mark.rule("G3.1")
def test_sets_and_runs_do_not_mix() -> None:
    assert more("lay 6", "add 6", hand="6 6 7 8") == set()
    assert more("lay 6", "run 7", hand="6 6 7 7 8") == {"run 8"}
    assert more("lay 6", "run 7", "run 8", hand="6 6 7 7 8 8") == set()


@pytest.mark.rule("G3.1")
def test_special_cards_are_part_of_no_set_or_run() -> None:
    assert more("lay 6", hand="6 hourglass hourglass hand") == set()
    table = table_with("hourglass hourglass 5", "1 2", caller=1, turns_left=1)
    assert moves(play(table, "lay hourglass"), "add") == set()


@pytest.mark.rule("G3.1")
def test_the_whole_run_is_laid_in_ascending_order() -> None:
    table = play(table_with("7 8 9 10 1", "1 2", discard="3"), "lay 7", "run 8", "run 9", "run 10")
    assert discard(table).split()[-4:] == ["7", "8", "9", "10"]
    play(table, "take")
    assert (field(table, "run"), field(table, "last_play")) == (True, 4)
    assert hand(table, 0) == cards("1 3")


# --- G3.2 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G3.2")
def test_a_joker_stands_for_the_value_of_a_set() -> None:
    assert more("lay 6", hand="6 joker 9 10") == {"add joker"}
    assert more("lay joker", hand="6 9 joker") == {"add 6", "add 9"}
    assert more("lay joker", "add 6", hand="6 6 9 9 joker") == {"add 6"}
    assert finishes("lay joker", "add 6", hand="6 joker")


@pytest.mark.rule("G3.2")
def test_no_two_jokers_side_by_side_in_a_set() -> None:
    hand = "6 6 joker joker joker"
    assert more("lay joker", hand=hand) == {"add 6", "run 6"}
    assert more("lay joker", "add 6", hand=hand) == {"add 6", "add joker"}
    assert more("lay joker", "add 6", "add joker", hand=hand) == {"add 6"}
    play_all = ("lay joker", "add 6", "add joker", "add 6", "add joker")
    assert more(*play_all, hand=hand) == set()
    assert finishes(*play_all, hand=hand)
    assert more("lay 6", "add 6", "add joker", hand=hand) == set()


@pytest.mark.rule("G3.2")
def test_jokers_anywhere_in_a_run() -> None:
    assert finishes("lay joker", "run 6", "run 7", hand="6 7 joker")
    assert finishes("lay 5", "run joker", "run 7", hand="5 7 joker")
    assert finishes("lay 5", "run 6", "run joker", hand="5 6 joker")
    assert finishes("lay joker", "run 6", "run joker", hand="6 joker joker")
    assert finishes("lay 5", "run joker", "run 7", "run joker", "run 9", hand="5 7 9 joker joker")


@pytest.mark.rule("G3.2")
def test_no_two_jokers_side_by_side_in_a_run() -> None:
    assert more("lay 5", hand="5 8 joker joker") == {"add joker"}  # 5 joker joker 8
    assert more("lay 5", "run 6", hand="5 6 8 joker joker") == {"run joker"}
    assert more("lay 5", "run 6", "run joker", hand="5 6 joker joker") == set()
    assert more("lay joker", "run 6", "run joker", hand="6 joker joker joker") == set()


@pytest.mark.rule("G3.2")
def test_no_lay_without_a_trick_card() -> None:
    assert more("lay joker", hand="joker joker joker") == set()


@pytest.mark.rule("G3.2")
def test_jokers_stand_for_0_to_14_only() -> None:
    assert more("lay 13", hand="13 14 joker") == {"add joker"}
    assert finishes("lay joker", "run 13", "run 14", hand="13 14 joker")
    assert more("lay 12", "run 13", "run 14", hand="12 13 14 joker") == set()
    assert more("lay joker", hand="0 1 joker") == {"add 0", "add 1"}
    assert finishes("lay 0", "run 1", "run joker", hand="0 1 joker")
    assert finishes("lay joker", "run 1", "run 2", hand="1 2 joker")
    assert more("lay 12", hand="12 joker") == {"add joker"}
    assert more("lay 12", hand="12 14 joker") == {"add joker", "run joker"}
    assert more("lay joker", hand="14 joker joker") == {"add 14"}


@pytest.mark.rule("G3.2")
def test_jokers_stand_for_values_that_the_deck_does_not_have() -> None:
    settings = small_deck(2, 4, jokers=3)
    table = table_with("3 4 joker joker 0", "1", discard="0", settings=settings)
    play(table, "lay 3", "run 4", "run joker")
    assert legal(table) == {"draw", "take"}
    table = table_with("4 joker joker 0", "1", discard="0", settings=settings)
    assert "run joker" in legal(play(table, "lay joker", "run 4"))


@pytest.mark.rule("G3.2")
def test_a_joker_with_a_value_of_its_own_only_where_the_run_is_completed() -> None:
    # 5 joker needs a 7, or the joker would be the last of two.
    assert more("lay 5", hand="5 joker") == {"add joker"}
    assert more("lay 5", hand="5 joker 7") == {"add joker", "run joker"}
    assert more("lay 5", "run joker", hand="5 joker 7 6 joker") == {"run 7"}


# --- G3.3, G3.4 ---------------------------------------------------------------------------------
@pytest.mark.rule("G3.3", "G4.3", "G5.3")
def test_a_joker_alone_is_a_plain_single() -> None:
    table = play(table_with("joker 9", "joker 2", discard="3"), "lay joker")
    assert legal(table) == {"add 9", "draw", "take", "knock"}
    play(table, "take")
    assert turn_over(table)
    assert (takes(play(table, "lay 2")), "knock" in legal(table)) == (set(), False)
    table = play(table_with("joker 9", "joker 2", discard="3"), "lay joker", "take", "lay joker")
    assert (takes(table), "knock" in legal(table)) == (set(), False)


@pytest.mark.rule("G3.4")
def test_the_player_chooses_what_ends_on_top_of_a_set() -> None:
    joker_below = play(table_with("joker 6 9", "6 2"), "lay joker", "add 6", "take")
    assert top(joker_below, 2) == "joker 6"
    assert {"take", "knock"} <= legal(play(joker_below, "lay 6"))
    joker_on_top = play(table_with("joker 6 9", "6 2"), "lay 6", "add joker", "take")
    assert top(joker_on_top, 2) == "6 joker"
    assert {"take", "knock"} & legal(play(joker_on_top, "lay 6")) == set()


@pytest.mark.rule("G3.1", "G5.2")
def test_a_run_on_the_pile_does_not_hinder_laying() -> None:
    table = run_on_pile("4 5 6", "8 9 10 9", "1 2")
    assert legal(table) == {"lay 8", "lay 9", "lay 10"}
    draw(play(table, "lay 8", "run 9", "run 10"))
    assert top(table, 6) == "4 5 6 8 9 10"
    assert field(table, "last_play") == 3
