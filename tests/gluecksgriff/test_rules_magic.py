"""G7: the Magic Hand."""

from typing import Any

import pytest

from goldgriff.envs.match import Match

from ..tables import cards, field, hand, legal, play
from .tables import (
    blanks,
    discard,
    moves,
    round_over,
    run_on_pile,
    small_deck,
    table_with,
    takes,
    top,
    turn_over,
    with_pile,
)

BLUFF = {"bluffing": True}


def laid_open(cards: str, **fields: Any) -> str:
    """What another player with these cards lays open."""
    match = play(table_with("hand 9", cards, **fields), "hand")
    return str(field(match, "open")[1])


def bluff(*hands: str, **fields: Any) -> Match:
    """A Magic Hand has been played by seat 0; the pile holds all 13s and 12s."""
    pile = "13 13 13 13 12 12 12 12"
    return play(with_pile(pile, *hands, settings=BLUFF, **fields), "hand")


# --- G7.1 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G7.1")
def test_every_other_player_lays_his_lowest_card_open() -> None:
    match = play(table_with("hand 0", "9 3 14", "2 2 joker", "hourglass 14"), "hand")
    assert field(match, "open") == [None, "3", "2", "14"]
    assert [hand(match, seat) for seat in range(4)] == [
        ["0"],
        cards("9 14"),
        cards("2 joker"),
        ["hourglass"],
    ]
    assert (match.current_player, field(match, "magician"), field(match, "phase")) == (
        0,
        0,
        "magic",
    )


@pytest.mark.rule("G7.1", "G8.1")
@pytest.mark.parametrize(
    ("cards", "lowest"),
    [
        ("14 joker", "14"),
        ("14 hourglass", "14"),
        ("joker hourglass", "hourglass"),
        ("joker hourglass hourglass", "hourglass"),
        ("joker joker", "joker"),
        ("hourglass", "hourglass"),
        ("0 1", "0"),
    ],
)
def test_the_lowest_by_points(cards: str, lowest: str) -> None:
    assert laid_open(cards) == lowest


@pytest.mark.rule("G7.1", "G8.1")
def test_a_second_magic_hand_is_worth_20() -> None:
    settings = {"magic_hands": 2}
    assert laid_open("hand joker", settings=settings) == "joker"
    assert laid_open("hand hourglass", settings=settings) == "hourglass"
    assert laid_open("hand", settings=settings) == "hand"


@pytest.mark.rule("G7.1", "G7.3")
def test_laying_open_ones_only_card_ends_nothing() -> None:
    match = play(with_pile("13 12", "hand 9", "3", "4 5"), "hand")
    assert (round_over(match), hand(match, 1)) == (False, [])
    play(match, "pick +1")
    assert turn_over(match)
    assert len(hand(match, 1)) == 1


# --- G7.2 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G7.2")
@pytest.mark.parametrize(("steps", "got"), [(1, "3"), (2, "joker"), (3, "hourglass")])
def test_one_of_the_open_cards_is_taken(steps: int, got: str) -> None:
    match = play(with_pile("13 13 13", "hand 9", "3 4", "joker", "hourglass"), "hand")
    assert moves(match, "pick") == {"pick +1", "pick +2", "pick +3"}
    play(match, f"pick +{steps}")
    assert turn_over(match)
    assert hand(match, 0) == cards(f"9 {got}")


@pytest.mark.rule("G7.2", "G4.1")
def test_or_a_card_as_in_any_turn() -> None:
    match = play(with_pile("13 13", "hand 9", "3 4", discard="7"), "hand")
    assert legal(match) == {"pick +1", "draw", "take"}
    play(match, "take")
    assert hand(match, 0) == cards("7 9")
    match = play(with_pile("13 13", "hand 9", "3 4", discard="7"), "hand", "draw")
    assert hand(match, 0) == cards("13 9")
    match = play(run_on_pile("8 9 joker", "hand 9", "3 4"), "hand")
    assert legal(match) == {"pick +1", "draw", "take low"}
    match = play(table_with("hand 9", "3 4", layers=[0]), "hand")
    assert legal(match) == {"pick +1", "draw"}
    match = play(table_with("hand 9", "3 4", discard="joker"), "hand")
    assert legal(match) == {"pick +1", "draw"}


@pytest.mark.rule("G7.2")
def test_seats_are_counted_from_the_player_of_the_hand() -> None:
    match = play(table_with("3 4", "5 6", "hand 9", current_player=2), "hand", "pick +2")
    assert (hand(match, 2), match.current_player) == (cards("9 5"), 0)


# --- G7.3 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G7.3")
def test_the_cards_not_chosen_go_under_the_magic_hand() -> None:
    match = play(with_pile("13 13 13", "hand 9", "3 4", "5 6", "0 2", discard="7"), "hand")
    play(match, "pick +2")
    assert sorted(top(match, 3).split()) == ["0", "3", "hand"]
    assert (top(match), top(match, 4).split()[0]) == ("hand", "7")
    assert (field(match, "last_play"), field(match, "run")) == (1, False)
    assert field(match, "open") == [None] * 4
    assert field(match, "magician") is None


@pytest.mark.rule("G7.3")
def test_all_of_them_when_another_card_was_taken() -> None:
    match = play(with_pile("13 13 13", "hand 9", "3 4", "5 6", discard="8 7"), "hand", "take")
    assert sorted(top(match, 3).split()) == ["3", "5", "hand"]
    assert top(match, 4).split()[0] == "8"


@pytest.mark.rule("G7.3")
def test_the_others_draw_one_card_each() -> None:
    match = play(with_pile("13 13 13", "hand 9", "3 4", "5 6", "0 2"), "hand", "pick +2")
    assert [hand(match, seat) for seat in range(4)] == [
        cards("9 5"),
        cards("4 13"),
        cards("6 13"),
        cards("2 13"),
    ]
    assert field(match, "pile") == []
    assert turn_over(match)


@pytest.mark.rule("G7.3")
def test_they_draw_clockwise() -> None:
    # The pile holds one card: seat 2, the next one, gets it; then the pile is renewed.
    match = with_pile("13", "3 4", "hand 9", "5 6", discard="7", current_player=1)
    play(match, "hand", "pick +1")
    assert hand(match, 2) == cards("6 13")
    assert "13" not in hand(match, 0)
    assert len(hand(match, 0)) == 2
    assert discard(match) == "hand"


# --- G7.4 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G7.4")
def test_bluffing_lets_the_others_choose_clockwise() -> None:
    match = bluff("8", "3 4 4 joker", "5 6", "hand 9", current_player=3)
    assert (match.current_player, field(match, "phase")) == (0, "open")
    assert legal(match) == {"open 8"}
    play(match, "open 8")
    assert (match.current_player, field(match, "phase")) == (1, "open")
    assert legal(match) == {"open 3", "open 4", "open joker"}
    play(match, "open joker")
    assert (match.current_player, legal(match)) == (2, {"open 5", "open 6"})
    play(match, "open 6")
    assert (match.current_player, field(match, "phase")) == (3, "magic")
    assert field(match, "open") == ["8", "joker", "6", None]
    assert hand(match, 1) == cards("3 4 4")


@pytest.mark.rule("G7.4")
def test_then_one_of_them_may_be_challenged() -> None:
    match = play(bluff("hand 9", "3 4", "5 6"), "open 3", "open 6")
    challenges = {"challenge +1", "challenge +2"}
    assert legal(match) == {"pick +1", "pick +2", "draw", "take"} | challenges
    assert moves(play(match, "challenge +2"), "challenge") == set()


@pytest.mark.rule("G7.4")
def test_without_the_option_there_is_neither() -> None:
    match = play(table_with("hand 9", "3 4", "5 6"), "hand")
    assert moves(match, "challenge") == set()
    assert field(match, "phase") == "magic"


@pytest.mark.rule("G7.4")
def test_nobody_has_to_challenge() -> None:
    match = play(bluff("hand 9", "3 4", "5 6"), "open 4", "open 6", "pick +1")
    assert turn_over(match)
    assert hand(match, 0) == cards("9 4")
    assert [len(hand(match, seat)) for seat in (1, 2)] == [2, 2]
    assert sorted(top(match, 2).split()) == ["6", "hand"]


# --- G7.5 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G7.5")
def test_a_challenge_is_right_if_a_card_in_the_hand_has_fewer_points() -> None:
    for shown, rest, right in (
        ("4", "3 9", True),
        ("4", "4 9", False),
        ("3", "4 9", False),
        ("joker", "hourglass", False),  # 15 each
        ("hourglass", "joker", False),
        ("hourglass", "14", True),
        ("14", "joker hourglass", False),
        ("4", "", False),
    ):
        match = play(bluff("hand 9", f"{shown} {rest}"), f"open {shown}", "challenge +1")
        assert (field(match, "phase") == "prize") == right, (shown, rest)


@pytest.mark.rule("G7.5")
def test_the_deceiver_fills_his_hand_up_to_seven() -> None:
    match = play(bluff("hand 9", "3 4 5", "5 6"), "open 5", "open 5", "challenge +1")
    assert (match.current_player, field(match, "phase"), field(match, "challenged")) == (
        0,
        "prize",
        1,
    )
    assert len(hand(match, 1)) == 7
    assert set(hand(match, 1)) == {"3", "4", "12", "13"}
    assert len(field(match, "pile")) == 3
    assert len(hand(match, 2)) == 1


@pytest.mark.rule("G7.5", "G0.4")
@pytest.mark.parametrize(("size", "drawn"), [(2, 0), (3, 1), (5, 3), (8, 6)])
def test_to_as_many_cards_as_are_dealt(size: int, drawn: int) -> None:
    settings = {**BLUFF, "hand_size": size}
    match = with_pile("13 13 13 13 12 12", "hand 9", "3 4 5", settings=settings)
    play(match, "hand", "open 5", "challenge +1")
    assert len(hand(match, 1)) == 2 + drawn
    assert len(field(match, "pile")) == 6 - drawn


@pytest.mark.rule("G7.5")
def test_a_hand_of_seven_or_more_is_not_filled() -> None:
    full = "1 2 2 3 3 4 5 5"
    match = play(bluff("hand 9", full), "open 5", "challenge +1")
    assert (field(match, "phase"), hand(match, 1)) == ("prize", cards("1 2 2 3 3 4 5"))
    match = play(bluff("hand 9", f"{full} 6"), "open 5", "challenge +1")
    assert len(hand(match, 1)) == 8


@pytest.mark.rule("G7.5", "G4.1")
def test_the_challenger_takes_one_card_in_all() -> None:
    match = play(bluff("hand 9", "3 4 5", "5 6"), "open 5", "open 6", "challenge +1")
    grabs = {f"grab {card}" for card in hand(match, 1)}
    assert legal(match) == {"pick +1", "pick +2", "draw", "take"} | grabs
    for move, got in (("pick +1", "5"), ("pick +2", "6"), ("grab 3", "3"), ("take", "7")):
        match = play(bluff("hand 9", "3 4 5", "5 6"), "open 5", "open 6", "challenge +1", move)
        assert turn_over(match)
        assert hand(match, 0) == cards(f"9 {got}")
    match = play(bluff("hand 9", "3 4 5", "5 6"), "open 5", "open 6", "challenge +1", "draw")
    assert (turn_over(match), len(hand(match, 0))) == (True, 2)


@pytest.mark.rule("G7.5", "G7.3")
def test_open_cards_left_go_under_the_hand_and_all_others_draw() -> None:
    hands = ("hand 9", "3 4 5", "5 6", "8 9")
    match = play(bluff(*hands), "open 5", "open 6", "open 8", "challenge +1", "grab 4")
    assert sorted(top(match, 4).split()) == ["5", "6", "8", "hand"]
    assert hand(match, 0) == cards("9 4")
    # The deceiver: 2 cards filled up to 7, one grabbed, one drawn.
    assert [len(hand(match, seat)) for seat in (1, 2, 3)] == [7, 2, 2]
    assert (field(match, "challenged"), field(match, "open")) == (None, [None] * 4)
    assert top(match) == "hand"


@pytest.mark.rule("G7.5")
def test_a_card_grabbed_is_one_of_the_deceiver() -> None:
    match = play(bluff("hand 9", "3 4", "5 6"), "open 3", "open 6", "challenge +2", "grab 5")
    assert hand(match, 0) == cards("9 5")
    assert len(hand(match, 2)) == 7  # filled up, one grabbed, one drawn
    assert (hand(match, 1)[-1], len(hand(match, 1))) == ("4", 2)
    assert sorted(top(match, 3).split()) == ["3", "6", "hand"]


# --- G7.6 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G7.6")
def test_a_wrong_challenge_costs_two_cards() -> None:
    match = bluff("hand 9", "3 4", "5 6", discard="8 7")
    play(match, "open 3", "open 6", "challenge +1")
    assert turn_over(match)
    assert len(hand(match, 0)) == 3
    assert set(hand(match, 0)) <= {"9", "12", "13"}
    # The others have their open cards back and draw nothing.
    assert (hand(match, 1), hand(match, 2)) == (cards("3 4"), cards("5 6"))
    assert len(field(match, "pile")) == 6
    assert (top(match, 2), field(match, "last_play")) == ("7 hand", 1)
    assert (field(match, "open"), field(match, "magician")) == ([None] * 3, None)


@pytest.mark.rule("G7.6")
def test_the_truth_of_the_others_does_not_matter() -> None:
    match = play(bluff("hand 9", "3 4", "5 6"), "open 4", "open 5", "challenge +2")
    assert (turn_over(match), len(hand(match, 0)), hand(match, 1)) == (True, 3, cards("3 4"))


# --- G7.7 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G7.7", "G8.2")
def test_after_a_call_the_magic_hand_is_a_plain_card() -> None:
    match = play(table_with("1 2", "hand 9", "8 8"), "call")
    assert legal(match) == {"lay hand", "lay 9", "decline"}
    play(match, "lay hand")
    assert legal(match) == {"draw", "take"}
    play(match, "take")
    assert turn_over(match, 2)
    assert (hand(match, 1), top(match)) == (cards("7 9"), "hand")
    assert field(match, "open") == [None] * 3
    assert takes(play(match, "lay 8")) == set()


@pytest.mark.rule("G7.7", "G8.1")
def test_it_counts_20_in_hand_then() -> None:
    match = play(table_with("1 2", "hand 9"), "call", "lay 9", "take")
    assert match.scores == [0, 27]


@pytest.mark.rule("G7.7")
def test_before_a_call_it_cannot_be_laid_as_a_plain_card() -> None:
    assert legal(table_with("hand", "1 2")) == {"hand"}
    assert legal(table_with("hand", "1 2", settings=BLUFF)) == {"hand"}


@pytest.mark.rule("G7.1", "G9.12")
def test_a_magic_hand_with_the_last_card() -> None:
    settings = small_deck(2, 4, magic_hands=1)
    match = table_with("hand", "3", discard="1", pile="0 0 1 2 2 3 4 4", settings=settings)
    play(match, "hand", "pick +1")
    assert (turn_over(match), hand(match, 0)) == (True, ["3"])


@pytest.mark.rule("G7.1", "G9.12")
@pytest.mark.parametrize(
    ("points", "cards", "lowest"),
    [
        (5, "5 blank1", "5"),
        (5, "6 blank1", "blank1"),
        (15, "blank1 joker", "joker"),
        (15, "blank1 hourglass", "hourglass"),
        (15, "blank2 blank1 blank3", "blank1"),
        (15, "blank3 blank2", "blank2"),
        (14, "blank1 joker", "blank1"),
        (20, "blank1 hand", "hand"),
        (19, "blank1 hand", "blank1"),
        (0, "blank1 0", "0"),
    ],
)
def test_the_order_among_equal_points(points: int, cards: str, lowest: str) -> None:
    settings = {"magic_hands": 2, **blanks("plain", "joker", "swap", points=points)}
    assert laid_open(cards, settings=settings) == lowest
