"""G4: what may be taken at the end of a turn."""

from typing import Any

import pytest

from ..tables import cards, field, hand, legal, play
from .tables import (
    blanks,
    discard,
    draw,
    run_on_pile,
    small_deck,
    table_with,
    takes,
    top,
    turn_over,
    with_pile,
)


# --- G4.1 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G4.1")
def test_the_top_of_the_face_down_pile() -> None:
    table = play(with_pile("13 13", "5 9", "1 2"), "lay 5", "draw", "keep")
    assert turn_over(table)
    assert hand(table, 0) == cards("9 13")
    assert field(table, "pile") == ["13"]


@pytest.mark.rule("G4.1")
def test_the_card_that_lay_on_top_when_the_turn_began() -> None:
    table = play(table_with("5 5 9", "1 2", discard="3 7"), "lay 5", "add 5")
    assert legal(table) == {"draw", "take"}
    play(table, "take")
    assert (hand(table, 0), discard(table)) == (cards("9 7"), "3 5 5")


@pytest.mark.rule("G4.1")
def test_only_the_top_one_of_a_set() -> None:
    table = play(table_with("5 9", "1 2", discard="3 3 joker 3", last_play=4), "lay 5", "take")
    assert (hand(table, 0), discard(table)) == (cards("9 3"), "3 3 joker 5")


@pytest.mark.rule("G4.1")
@pytest.mark.parametrize("moves", [["lay 3"], ["lay 3", "add 3"], ["lay 3", "run 4", "run 5"]])
def test_after_every_kind_of_lay(moves: list[str]) -> None:
    table = play(table_with("3 3 4 5 9", "1 2"), *moves)
    assert {"draw", "take"} <= legal(table)


# --- G4.2 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G4.2")
@pytest.mark.parametrize(("move", "got", "left"), [("low", "8", "9 10"), ("high", "10", "8 9")])
def test_either_outer_card_of_a_run(move: str, got: str, left: str) -> None:
    table = play(run_on_pile("8 9 10", "3 4", "1 2"), "lay 3")
    assert legal(table) == {"draw", "take low", "take high"}
    play(table, f"take {move}")
    assert (hand(table, 0), discard(table)) == (cards(f"4 {got}"), f"{left} 3")


@pytest.mark.rule("G4.2")
def test_after_laying_a_run_oneself() -> None:
    table = run_on_pile("8 9 10 joker 12", "3 4 5 0", "1 2", under="2")
    play(table, "lay 3", "run 4", "run 5", "take low")
    assert (hand(table, 0), discard(table)) == (cards("0 8"), "2 9 10 joker 12 3 4 5")
    assert (field(table, "last_play"), field(table, "run")) == (3, True)


# --- G4.3 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G4.3")
@pytest.mark.parametrize("card", ["joker", "hourglass", "hand", "blank1", "blank2", "blank3"])
@pytest.mark.parametrize("under", ["", "5 "])
def test_special_cards_are_never_taken(card: str, under: str) -> None:
    settings = blanks("plain", "joker", "sit_out")
    table = table_with("3 9", "1 2", discard=under + card, settings=settings)
    assert takes(play(table, "lay 3")) == set()


@pytest.mark.rule("G4.3")
@pytest.mark.parametrize(
    ("run", "ends"),
    [
        ("joker 9 10", {"take high"}),
        ("8 9 joker", {"take low"}),
        ("joker 9 joker", set()),
        ("8 joker 10", {"take low", "take high"}),
        ("blank1 9 10", {"take high"}),
        ("8 9 10 blank1", {"take low"}),
    ],
)
def test_nor_is_a_joker_at_the_end_of_a_run(run: str, ends: set[str]) -> None:
    table = run_on_pile(run, "3 4", "1 2", settings=blanks("joker"))
    assert takes(play(table, "lay 3")) == ends


@pytest.mark.rule("G4.3")
def test_nor_a_joker_on_top_of_a_set() -> None:
    table = table_with("3 9", "1 2", discard="5 5 joker", last_play=3)
    assert takes(play(table, "lay 3")) == set()


# --- G4.4 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G4.4")
def test_nobody_takes_his_own_card_after_a_call_of_two_players() -> None:
    table = with_pile("13 13", "5 8 9", "1 2", discard="7")
    play(table, "lay 5", "draw", "keep", "call", "lay 8")
    assert (top(table, 2), takes(table)) == ("5 8", set())


@pytest.mark.rule("G4.4")
def test_others_take_it_after_the_call() -> None:
    table = with_pile("13 13", "5 8 9", "1 2", "10 11", discard="7")
    play(table, "lay 5", "draw", "keep", "call", "lay 10")
    assert takes(table) == {"take"}


@pytest.mark.rule("G4.4")
def test_one_end_of_an_extended_run_may_be_ones_own() -> None:
    table = with_pile("13 13", "4 5 6 1 2", "7 8 14", discard="12")
    draw(play(table, "lay 4", "run 5", "run 6"))
    play(table, "high", "high", "knock")
    assert top(table, 5) == "4 5 6 7 8"
    assert field(table, "layers")[-5:] == [0, 0, 0, 1, 1]
    assert takes(play(table, "lay 1")) == {"take high"}
    table = with_pile("13 13", "4 5 6 1 2", "3 2 14", discard="12")
    draw(play(table, "lay 4", "run 5", "run 6"))
    play(table, "low", "low", "knock")
    assert top(table, 5) == "2 3 4 5 6"
    assert field(table, "layers")[-5:] == [1, 1, 0, 0, 0]
    assert takes(play(table, "lay 1")) == {"take low"}


@pytest.mark.rule("G4.4")
def test_layers_are_remembered_card_by_card() -> None:
    table = run_on_pile("4 5 6", "9 0", "1 2", layers=[0, 1, 1])
    assert takes(play(table, "lay 9")) == {"take high"}
    table = run_on_pile("4 5 6", "9 0", "1 2", layers=[1, 1, 0])
    assert takes(play(table, "lay 9")) == {"take low"}
    table = run_on_pile("4 5 6", "9 0", "1 2", layers=[0, 1, 0])
    assert takes(play(table, "lay 9")) == set()
    table = table_with("9 0", "1 2", discard="5 5", last_play=2, layers=[0, 0])
    assert takes(play(table, "lay 9")) == set()


@pytest.mark.rule("G4.4")
def test_the_drawn_card_that_was_knocked_is_ones_own_too() -> None:
    table = with_pile("7", "4 5 6 1 2", "0 9", discard="12")
    play(table, "lay 4", "run 5", "run 6", "draw", "knock high")
    assert (top(table, 4), field(table, "layers")[-4:]) == ("4 5 6 7", [0, 0, 0, 0])


# --- G4.5 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G4.5", "G7.3")
def test_nothing_is_taken_in_the_turn_after_a_magic_hand() -> None:
    table = play(table_with("hand 9", "1 2 3", "4 5"), "hand", "pick +2")
    assert (turn_over(table), top(table)) == (True, "hand")
    assert takes(play(table, "lay 2")) == set()
    assert takes(play(draw(table), "lay 5")) == {"take"}


@pytest.mark.rule("G4.5", "G4.6")
def test_nor_when_an_hourglass_is_given_meanwhile() -> None:
    table = play(table_with("hand 9", "1 2 hourglass", "4 5"), "hand", "pick +2")
    play(table, "hourglass +2")
    assert legal(table) == {"draw"}
    assert takes(play(table, "draw", "lay 5")) == set()


# --- G4.6 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G4.6")
def test_a_call_covers_nothing() -> None:
    table = play(run_on_pile("8 9 10", "1 2", "3 4", "11 12 0"), "call")
    assert (discard(table), field(table, "last_play"), field(table, "run")) == ("8 9 10", 3, True)
    assert takes(play(table, "lay 3")) == {"take low", "take high"}
    table = play(run_on_pile("8 9 10", "1 2", "11 12 0"), "call")
    assert "high" in legal(table)
    table = play(table_with("1 2", "7 9", "3", discard="7"), "call", "lay 7", "knock")
    assert turn_over(table, 2)


@pytest.mark.rule("G4.6")
def test_an_hourglass_given_covers_nothing() -> None:
    table = with_pile("13", "hourglass 1", "7 4", "3 3", discard="7")
    play(table, "hourglass +2", "draw")
    assert (discard(table).split()[-1], field(table, "last_play")) == ("7", 1)
    assert {"knock", "take", "draw"} == legal(play(table, "lay 7"))


@pytest.mark.rule("G4.6")
def test_it_may_be_taken_when_an_hourglass_is_given() -> None:
    table = play(table_with("hourglass 1", "7 4", "3", discard="5 7"), "hourglass +2", "take")
    assert (hand(table, 0), discard(table)) == (cards("1 7"), "5")


@pytest.mark.rule("G4.6", "G4.3")
def test_hourglass_takes_follow_the_other_rules() -> None:
    hands = ("hourglass 1", "7 4", "3")
    assert legal(play(table_with(*hands, discard="joker"), "hourglass +1")) == {"draw"}
    own = table_with(*hands, discard="7", layers=[0])
    assert legal(play(own, "hourglass +1")) == {"draw"}
    run = run_on_pile("joker 9 10", *hands)
    assert legal(play(run, "hourglass +1")) == {"draw", "take high"}


@pytest.mark.rule("G4.6")
@pytest.mark.parametrize(("move", "left"), [("low", "9 10 11"), ("high", "8 9 10")])
def test_three_cards_left_of_a_run_are_a_run(move: str, left: str) -> None:
    table = run_on_pile("8 9 10 11", "hourglass 1", "6 7 12 13", "3")
    play(table, "hourglass +2", f"take {move}")
    assert (discard(table), field(table, "last_play"), field(table, "run")) == (left, 3, True)
    # 12 and 13 fit on 9-10-11, 7 and 6 on 8-9-10.
    assert {"low", "high"} & legal(table) == ({"high"} if move == "low" else {"low"})
    assert takes(play(table, "lay 6")) == {"take low", "take high"}


@pytest.mark.rule("G4.6")
def test_a_joker_at_the_new_end_keeps_its_value() -> None:
    table = run_on_pile("8 joker 10 11", "hourglass 1", "7 8 13", "3")
    play(table, "hourglass +2", "take low")
    assert {"low", "high"} & legal(table) == {"low"}  # 9 to 11: an 8 and a 7 fit
    play(table, "low", "low", "knock")
    assert discard(table) == "7 8 joker 10 11"


@pytest.mark.rule("G4.6")
@pytest.mark.parametrize(("move", "left", "on_top"), [("low", "9 10", "10"), ("high", "8 9", "9")])
def test_two_cards_left_are_a_single_one(move: str, left: str, on_top: str) -> None:
    table = run_on_pile("8 9 10", "hourglass 1", f"{on_top} 6 7 11 12", "3", layers=[2, 2, 2])
    play(table, "hourglass +2", f"take {move}")
    assert (discard(table), field(table, "last_play"), field(table, "run")) == (left, 1, False)
    assert {"low", "high"} & legal(table) == set()
    assert legal(play(table, f"lay {on_top}")) >= {"knock", "take", "draw"}
    play(table, "take")
    assert discard(table) == f"{left.split(maxsplit=1)[0]} {on_top}"


@pytest.mark.rule("G4.6")
def test_two_cards_left_with_a_joker_on_top() -> None:
    table = run_on_pile("8 joker 10", "hourglass 1", "9 10 4", "3")
    play(table, "hourglass +2", "take high")
    assert discard(table) == "8 joker"
    assert {"take", "knock"} & legal(play(table, "lay 9")) == set()


@pytest.mark.rule("G4.6")
def test_what_is_left_of_a_set_counts_as_a_single_card() -> None:
    table = table_with("hourglass 1", "7 4", "3", discard="7 7 7", last_play=3)
    play(table, "hourglass +2", "take")
    assert (discard(table), field(table, "last_play")) == ("7 7", 1)
    assert legal(play(table, "lay 7")) == {"knock", "take", "draw"}
    table = table_with("hourglass 1", "7 4", "3", discard="7 joker 7", last_play=3)
    play(table, "hourglass +2", "take")
    assert legal(play(table, "lay 7")) == {"draw"}


@pytest.mark.rule("G4.6", "G4.4")
def test_the_card_under_a_used_up_play_is_its_layers() -> None:
    fields: dict[str, Any] = {"discard": "3 5 7", "layers": [2, 1, 2]}
    table = table_with("hourglass 1", "5 4", "3", **fields)
    play(table, "hourglass +2", "take")
    assert (discard(table), field(table, "last_play")) == ("3 5", 1)
    # The 5 is seat 1's own: it may knock on it, but not take it.
    assert legal(play(table, "lay 5")) == {"knock", "draw"}
    fields["layers"] = [2, 2, 2]
    table = play(table_with("hourglass 1", "5 4", "3", **fields), "hourglass +2", "take", "lay 5")
    assert legal(table) == {"knock", "take", "draw"}


@pytest.mark.rule("G4.6")
def test_under_a_used_up_play_even_a_run_counts_as_a_single_card() -> None:
    table = table_with("hourglass 1", "6 7 8 4", "3", discard="4 5 6 9")
    play(table, "hourglass +2", "take")
    assert legal(table) >= {"lay 6", "lay 7"}
    assert {"low", "high"} & legal(table) == set()
    assert takes(play(table, "lay 4")) == {"take"}


@pytest.mark.rule("G4.6")
def test_the_discard_pile_may_be_empty() -> None:
    table = play(table_with("hourglass 1", "7 joker", "3", discard="7"), "hourglass +2", "take")
    assert (discard(table), field(table, "last_play")) == ("", 0)
    assert legal(play(table, "lay joker")) == {"draw", "add 7"}
    table = play(table_with("7 joker", "3 3", discard="", last_play=0), "lay 7")
    assert legal(table) == {"draw", "add joker"}
    draw(table)
    assert (discard(table), takes(play(table, "lay 3"))) == ("7", {"take"})


@pytest.mark.rule("G4.6", "G1.4")
def test_playing_goes_on_from_an_empty_discard_pile() -> None:
    settings = small_deck(1, 4, hourglasses=1)
    table = table_with("hourglass 1", "2 3 4", discard="0", pile="", settings=settings)
    draw(play(table, "hourglass +1", "take", "sit out", "lay 0"))
    assert discard(table) == "0"
    assert hand(table, 0) == cards("1 hourglass")
