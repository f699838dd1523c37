"""Settings for sentences that can be read in more than one way: G5.3, G5.4, G6.4, G7.5."""

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
    table_with,
    takes,
    top,
    turn_over,
    with_pile,
)

TURN = {"fend_off": "turn"}
BOTH = {"bluffing": True, "challenge_prize": "both"}
RUN_END = {"joker_knock": "run_end"}
WIDE = {"joker_knock": "wide"}
KNOCKS = pytest.mark.parametrize("settings", [RUN_END, WIDE], ids=["run_end", "wide"])


# --- G6.4: fend_off -----------------------------------------------------------------------------
def attacked(cards: str, *others: str, pile: str = "13 13", **fields: Any) -> Match:
    """Seat 0 holds an hourglass and has one in front of it, with fend_off=turn."""
    front = ["hourglass", *[None] * len(others)]
    settings = TURN | fields.pop("settings", {})
    return with_pile(
        pile, cards, *others, phase="hourglass", front=front, settings=settings, **fields
    )


@pytest.mark.rule("G6.4")
def test_fending_off_may_be_the_whole_turn() -> None:
    match = play(attacked("hourglass 1 7", "3 7", "4"), "fend off")
    assert turn_over(match)
    assert (hand(match, 0), field(match, "sat_out")) == (cards("1 7"), [0, 0, 0])
    assert (top(match, 2), field(match, "last_play")) == ("hourglass hourglass", 2)
    assert legal(play(match, "lay 7")) == {"draw"}  # nothing to take or to knock on


@pytest.mark.rule("G6.4", "G5.6")
def test_then_too_the_last_card_ends_the_round() -> None:
    match = play(attacked("hourglass", "3 7"), "fend off")
    assert (round_over(match), match.scores, match.state.round_winner) == (True, [0, 10], 0)


@pytest.mark.rule("G6.4", "G5.7")
def test_a_late_fending_off_costs_a_card_and_ends_the_turn() -> None:
    late = {"late_knock": 100}
    for held, left in (("hourglass", "13"), ("hourglass 1", "1 13")):
        match = play(attacked(held, "3 7", settings=late), "fend off")
        assert (turn_over(match), hand(match, 0)) == (True, cards(left))


@pytest.mark.rule("G5.7", "G6.4", "G1.4")
def test_both_hourglasses_are_the_last_play_when_its_card_is_drawn() -> None:
    settings = {"late_knock": 100}
    match = play(attacked("hourglass", "3 7", pile="", settings=settings), "fend off")
    assert discard(match) == "hourglass hourglass"
    assert (turn_over(match), len(hand(match, 0))) == (True, 1)


@pytest.mark.rule("G6.4", "G8.2")
def test_it_is_the_last_turn_then() -> None:
    fields: dict[str, Any] = {"front": [None, "hourglass", None], "settings": TURN}
    match = play(table_with("1", "8 hourglass", "9", **fields), "call", "fend off")
    assert (match.current_player, field(match, "turns_left")) == (2, 1)
    match = table_with("1", "8 hourglass", front=[None, "hourglass"], settings=TURN)
    play(match, "call", "fend off")
    assert (round_over(match), match.scores) == (True, [0, 8])


# --- G7.5: challenge_prize ----------------------------------------------------------------------
def challenged(*hands: str, settings: dict[str, Any] = BOTH, **fields: Any) -> Match:
    """Seat 0 has played the Magic Hand; seat 1 has laid a 5 open and was rightly challenged."""
    pile = fields.pop("pile", "13 13 13 13 12 12 12 12")
    match = with_pile(pile, *hands, settings=settings, **fields)
    opened = ["open 5", *["open 6"] * (len(hands) - 2)]
    return play(match, "hand", *opened, "challenge +1")


@pytest.mark.rule("G7.5")
def test_an_open_card_and_then_one_of_the_deceivers_hand() -> None:
    match = challenged("hand 9", "3 4 5", "5 6")
    assert legal(match) == {"pick +1", "pick +2", "draw", "take"}
    play(match, "pick +2")
    assert (match.current_player, field(match, "phase")) == (0, "grab")
    assert legal(match) == {f"grab {card}" for card in hand(match, 1)}
    play(match, "grab 3")
    assert turn_over(match)
    assert hand(match, 0) == cards("9 6 3")
    assert top(match, 2) == "5 hand"
    # The deceiver was filled up to 7, gave a card and drew one; the other drew one.
    assert [len(hand(match, seat)) for seat in (1, 2)] == [7, 2]
    assert (field(match, "challenged"), field(match, "open")) == (None, [None] * 3)


@pytest.mark.rule("G7.5")
def test_also_the_deceivers_own_open_card() -> None:
    match = play(challenged("hand 9", "3 5"), "pick +1", "grab 3")
    assert (turn_over(match), hand(match, 0)) == (True, cards("9 5 3"))


@pytest.mark.rule("G7.5", "G4.1")
def test_or_one_card_as_in_any_turn_instead_of_both() -> None:
    match = play(challenged("hand 9", "3 4 5", "5 6"), "take")
    assert (turn_over(match), hand(match, 0)) == (True, cards("9 7"))
    match = play(challenged("hand 9", "3 4 5", "5 6"), "draw")
    assert (turn_over(match), len(hand(match, 0))) == (True, 2)


@pytest.mark.rule("G7.5", "G7.2")
def test_without_a_challenge_it_is_one_card() -> None:
    match = with_pile("13 13", "hand 9", "3 5", settings=BOTH)
    assert turn_over(play(match, "hand", "open 5", "pick +1"))
    assert hand(match, 0) == cards("9 5")


@pytest.mark.rule("G7.5")
@pytest.mark.parametrize("prize", ["one", "both"])
def test_the_challenger_knows_the_hand_from_then_on(prize: str) -> None:
    settings = {"bluffing": True, "challenge_prize": prize}
    match = challenged("hand 9", "3 4 5", "5 6", settings=settings)
    known = match.known_cards(0)[0]
    assert (known[3], known[4], known.sum()) == (1, 1, 7)
    # A wrong challenge shows the hand as well, and the open card goes back to it.
    match = with_pile("13 13 13", "hand 9", "7 8 5", settings=settings)
    play(match, "hand", "open 5", "challenge +1")
    assert turn_over(match)
    known = match.known_cards(0)[0]
    assert (known[5], known[7], known[8], known.sum()) == (1, 1, 1, 3)


@pytest.mark.rule("G7.5")
def test_one_challenge_a_magic_hand() -> None:
    for settings in (BOTH, {"bluffing": True}):
        match = challenged("hand 9", "3 4 5", "5 6", settings=settings)
        assert moves(match, "challenge") == set()


@pytest.mark.rule("G7.5", "G1.4")
@pytest.mark.parametrize("prize", ["one", "both"])
def test_a_hand_is_filled_up_from_under_the_last_play(prize: str) -> None:
    """The Magic Hand and the open cards are not yet on the discard pile."""
    settings = {"bluffing": True, "challenge_prize": prize}
    match = challenged("hand 9", "3 4 5", "5 6", settings=settings, pile="", discard="8 9 7")
    assert (discard(match), len(hand(match, 1))) == ("7", 7)
    assert (field(match, "open"), field(match, "magician")) == ([None, "5", "6"], 0)


@pytest.mark.rule("G1.4", "G7.5", "G7.3")
def test_the_others_draw_from_under_the_magic_hand() -> None:
    deck = {"copies": 1, "highest_value": 7, "jokers": 0, "hourglasses": 0, "hand_size": 2}
    match = table_with(
        *("hand 0", "1 2 3"), discard="7", pile="4 5 6", settings=deck | {"bluffing": True}
    )
    play(match, "hand", "open 3", "challenge +1", "draw")  # nothing to fill up
    assert (len(hand(match, 0)), discard(match)) == (2, "7 3 hand")
    match = table_with(
        *("hand 0", "1 2 3 4 5 6"), discard="7", pile="", settings=deck | {"bluffing": True}
    )
    play(match, "hand", "open 3", "challenge +1", "grab 1")
    assert discard(match) == "hand"
    assert len(field(match, "pile")) == 1  # of the 3 and the 7, one was drawn
    assert len(hand(match, 1)) == 5


# --- G5.3: joker_knock=run_end ------------------------------------------------------------------
@KNOCKS
@pytest.mark.rule("G5.3", "G5.2")
def test_a_joker_alone_may_be_knocked_on_the_end_of_a_run(settings: dict[str, Any]) -> None:
    for end, run in (("low", "joker 4 5 6"), ("high", "4 5 6 joker")):
        match = run_on_pile("4 5 6", "joker 0", "0 0", settings=settings)
        assert moves(match, "low") | moves(match, "high") == {"low joker", "high joker"}
        assert "knock" in legal(play(match, f"{end} joker"))
        assert turn_over(play(match, "knock"))
        assert (top(match, 4), field(match, "last_play"), field(match, "run")) == (run, 4, True)


@KNOCKS
@pytest.mark.rule("G5.3", "G3.2")
def test_only_on_a_natural_end_with_a_value_left(settings: dict[str, Any]) -> None:
    for run, ends in (
        ("joker 5 6", {"high joker"}),
        ("4 5 joker", {"low joker"}),
        ("joker 5 joker", set[str]()),
        ("0 1 2", {"high joker"}),
        ("12 13 14", {"low joker"}),
    ):
        match = run_on_pile(run, "joker 0 9", "9 9", settings=settings)
        assert moves(match, "low") | moves(match, "high") == ends, run


@KNOCKS
@pytest.mark.rule("G5.3", "G5.2")
def test_a_trick_card_alone_is_still_not_enough(settings: dict[str, Any]) -> None:
    match = run_on_pile("4 5 6", "7 0", "0 0", settings=settings)
    assert moves(match, "high") == set()
    match = run_on_pile("4 5 6", "7 joker", "0 0", settings=settings)
    assert legal(play(match, "high")) == {"high joker"}
    assert turn_over(play(run_on_pile("4 5 6", "7 joker 0", "0 0"), "high", "high joker", "knock"))


@KNOCKS
@pytest.mark.rule("G5.3", "G9.7")
def test_a_blank_that_is_a_joker_too(settings: dict[str, Any]) -> None:
    match = run_on_pile("4 5 6", "blank1 0", "0 0", settings=settings | blanks("joker"))
    assert turn_over(play(match, "low blank1", "knock"))


@pytest.mark.rule("G5.3", "G5.2")
def test_by_default_a_joker_alone_does_not_extend_a_run() -> None:
    match = run_on_pile("4 5 6", "joker 0", "0 0")
    assert moves(match, "low") | moves(match, "high") == set()
    match = run_on_pile("4 5 6", "joker 8 0", "0 0")
    assert legal(play(match, "high joker")) == {"high"}


@KNOCKS
@pytest.mark.rule("G5.3", "G5.6")
def test_the_last_card_may_be_that_joker(settings: dict[str, Any]) -> None:
    match = play(run_on_pile("4 5 6", "joker", "9", settings=settings), "high joker", "knock")
    assert (round_over(match), match.state.round_winner) == (True, 0)


# --- G5.3, G5.4: joker_knock=wide ---------------------------------------------------------------
def on_joker(*laid: str, held: str, lying: str) -> bool:
    """Whether seat 0 may knock after these moves with joker_knock=wide."""
    match = table_with(
        *(f"{held} 0", "1 1"), discard=f"3 {lying}", last_play=len(lying.split()),
        settings=WIDE | blanks("joker"),
    )  # fmt: skip
    return "knock" in play(match, *laid).legal


@pytest.mark.rule("G5.3")
def test_natural_cards_on_a_set_with_a_joker_on_top() -> None:
    assert on_joker("lay 7", held="7", lying="7 joker")
    assert on_joker("lay 7", held="7", lying="7 7 joker")
    assert on_joker("lay 7", held="7", lying="joker 7 joker")
    assert on_joker("lay 7", held="7", lying="7 blank1")
    assert on_joker("lay 7", "add 7", held="7 7", lying="7 joker")
    assert not on_joker("lay 8", held="8", lying="7 joker")


@pytest.mark.rule("G5.3")
def test_no_joker_among_them() -> None:
    assert not on_joker("lay joker", held="joker", lying="7 joker")
    assert not on_joker("lay 7", "add joker", held="7 joker", lying="7 joker")
    assert not on_joker("lay joker", "add 7", held="7 joker", lying="7 joker")
    assert not on_joker("lay 7", "add blank1", held="7 blank1", lying="7 joker")


@pytest.mark.rule("G5.3", "G1.3", "G4.6")
def test_a_joker_on_its_own_is_no_set() -> None:
    assert not on_joker("lay 7", held="7", lying="joker")
    # Turned up:
    match = table_with("7 0", "1 1", discard="joker", settings=WIDE)
    assert "knock" not in legal(play(match, "lay 7"))
    # Knocked alone on a 7:
    match = play(table_with("joker 0", "7 1", settings=WIDE), "lay joker", "knock", "lay 7")
    assert "knock" not in legal(match)
    # Left over when the 7 above it was taken:
    match = table_with(
        *("hourglass 0", "5", "7 1"), discard="7 joker 7", last_play=3, settings=WIDE
    )
    play(match, "hourglass +1", "take", "sit out")
    match = table_with(
        *("hourglass 0", "7 5", "1"), discard="7 joker 7", last_play=3, settings=WIDE
    )
    play(match, "hourglass +2", "take", "lay 7")
    assert legal(match) == {"draw"}


@pytest.mark.rule("G5.3")
def test_only_with_the_setting() -> None:
    for settings in ({}, RUN_END):
        match = table_with("7 0", "1 1", discard="7 joker", last_play=2, settings=settings)
        assert "knock" not in legal(play(match, "lay 7"))


@pytest.mark.rule("G5.3", "G4.3")
def test_no_joker_is_taken_all_the_same() -> None:
    match = table_with("7 0", "1 1", discard="7 joker", last_play=2, settings=WIDE)
    assert takes(play(match, "lay 7")) == set()


@pytest.mark.rule("G5.3", "G6.5")
def test_two_hourglasses_are_no_set() -> None:
    match = table_with("7 0", "1 1", discard="7 hourglass hourglass", last_play=2, settings=WIDE)
    assert "knock" not in legal(play(match, "lay 7"))


@pytest.mark.rule("G5.4", "G5.3")
def test_a_drawn_natural_card_on_ones_own_set_with_a_joker_on_top() -> None:
    for drawn, more in (("5", {"knock"}), ("joker", set()), ("6", set())):
        match = with_pile(drawn, "5 joker 9", "1 1", settings=WIDE)
        assert legal(play(match, "lay 5", "add joker", "draw")) == {"keep", *more}
    match = with_pile("5", "5 joker 9", "1 1", settings=WIDE)
    assert turn_over(play(match, "lay 5", "add joker", "draw", "knock"))
    assert (top(match, 3), field(match, "last_play")) == ("5 joker 5", 3)


@pytest.mark.rule("G5.4", "G5.3")
def test_nothing_is_added_to_a_joker_laid_alone_in_any_setting() -> None:
    for settings in ({}, RUN_END, WIDE):
        for drawn in ("7", "joker"):
            match = with_pile(drawn, "joker 9", "1 1", settings=settings)
            assert turn_over(play(match, "lay joker", "draw"))


@pytest.mark.rule("G5.4", "G5.3")
def test_nor_to_a_joker_on_a_set_but_with_the_widest() -> None:
    for settings in ({}, RUN_END):
        match = with_pile("5", "5 joker 9", "1 1", settings=settings)
        assert turn_over(play(match, "lay 5", "add joker", "draw"))


@pytest.mark.rule("G5.4", "G5.3")
@pytest.mark.parametrize("reading", ["strict", "run_end", "wide"])
def test_a_drawn_joker_extends_ones_own_run_in_every_setting(reading: str) -> None:
    settings = {"joker_knock": reading}
    match = with_pile("joker", "5 6 7 9", "1 1", settings=settings)
    assert legal(play(match, "lay 5", "run 6", "run 7", "draw")) == {
        "keep",
        "knock low",
        "knock high",
    }
