"""G8.2: the last turns after a call, which may be declined."""

import pytest

from ..tables import field, hand, legal, play
from .tables import blanks, draw, round_over, run_on_pile, table_with, takes, top, with_pile

FORCED = {"last_turn": "forced"}


@pytest.mark.rule("G8.2", "G2.4")
def test_a_last_turn_may_be_declined() -> None:
    match = play(table_with("1", "8 9", "10 11"), "call")
    before = match.position()
    assert "decline" in legal(match)
    play(match, "decline")
    assert (match.current_player, field(match, "turns_left")) == (2, 1)
    assert (hand(match, 1), match.position()["pile"]) == (["8", "9"], before["pile"])
    play(match, "decline")
    assert (round_over(match), match.scores) == (True, [0, 17, 21])


@pytest.mark.rule("G8.2")
def test_every_other_player_decides_for_itself() -> None:
    match = play(table_with("1", "8 9", "9 10 11", "2 3"), "call", "decline")
    draw(play(match, "lay 9"))
    assert match.current_player == 3
    assert round_over(play(match, "decline"))


@pytest.mark.rule("G8.2", "G8.4")
def test_declining_may_make_the_call_wrong() -> None:
    match = play(table_with("6", "2 4", "14"), "call", "decline", "decline")
    assert (round_over(match), match.scores) == (True, [30, 6, 14])


@pytest.mark.rule("G8.2")
def test_only_a_last_turn_can_be_declined() -> None:
    assert "decline" not in legal(table_with("1", "8"))
    assert "decline" not in legal(table_with("1", "8", settings={"penalties": True}))


@pytest.mark.rule("G8.2")
def test_declining_is_the_only_decision_of_the_turn() -> None:
    match = play(table_with("1", "8 8 9", "10"), "call", "lay 8")
    assert "decline" not in legal(match)
    assert "decline" not in legal(play(match, "add 8"))
    match = play(table_with("1", "hourglass 9", "10"), "call", "hourglass +1")
    assert legal(match) == {"draw", "take"}
    match = play(run_on_pile("4 5 6", "1", "7 8 9"), "call", "high")
    assert "decline" not in legal(match)


@pytest.mark.rule("G8.2")
def test_a_drawn_card_is_not_declined() -> None:
    match = play(with_pile("8", "1", "8 9", "10"), "call", "lay 8", "draw")
    assert legal(match) == {"keep", "knock"}


@pytest.mark.rule("G8.2", "G4.6")
def test_declining_covers_nothing() -> None:
    match = play(run_on_pile("8 9 10", "1", "2 3", "11 12 5"), "call", "decline")
    assert takes(play(match, "lay 5")) == {"take low", "take high"}
    match = play(run_on_pile("8 9 10", "1", "2 3", "11 12 5"), "call", "decline")
    assert "knock" in legal(play(match, "high", "high"))
    match = play(table_with("1", "2 3", "7 5"), "call", "decline", "lay 7")
    assert {"knock", "take"} <= legal(match)


@pytest.mark.rule("G8.2", "G2.5", "G6.3")
def test_an_hourglass_comes_first_and_sitting_out_uses_the_last_turn_up() -> None:
    match = table_with("1", "8 hourglass", "9", front=[None, "hourglass", None])
    play(match, "call")
    assert legal(match) == {"sit out", "fend off"}
    play(match, "sit out")
    assert (match.current_player, field(match, "turns_left")) == (2, 1)
    assert "decline" in legal(match)


@pytest.mark.rule("G8.2", "G6.4", "G4.6")
def test_after_fending_off_it_may_still_be_declined() -> None:
    match = table_with("1", "8 hourglass", "9 7", front=[None, "hourglass", None])
    play(match, "call", "fend off")
    assert "decline" in legal(match)
    play(match, "decline")
    assert (match.current_player, hand(match, 1)) == (2, ["8"])
    assert (top(match, 2), field(match, "last_play")) == ("hourglass hourglass", 2)
    assert legal(play(match, "lay 7")) == {"draw"}


@pytest.mark.rule("G8.2", "G6.6")
def test_after_playing_on_it_may_still_be_declined() -> None:
    settings = {"penalties": True}
    match = table_with("1", "8 3", "9", front=[None, "hourglass", None], settings=settings)
    play(match, "call", "play on")
    assert {"lay 8", "decline"} <= legal(match)
    play(match, "decline")
    assert (match.current_player, len(hand(match, 1))) == (2, 3)
    assert field(match, "front") == [None, "hourglass", None]


@pytest.mark.rule("G8.2", "G9.8")
def test_after_fending_off_a_blank_too() -> None:
    settings = blanks("sit_out")
    match = table_with("1", "8 hourglass", "9", front=[None, "blank1", None], settings=settings)
    play(match, "call", "fend off")
    assert "decline" in legal(match)


@pytest.mark.rule("G8.2")
def test_a_last_turn_may_be_forced() -> None:
    match = play(table_with("1", "8 9", "10 11", settings=FORCED), "call")
    assert legal(match) == {"lay 8", "lay 9"}
    match = table_with("1", "8 hourglass", front=[None, "hourglass"], settings=FORCED)
    assert "decline" not in legal(play(match, "call", "fend off"))


@pytest.mark.rule("G8.2", "G6.2")
def test_an_hourglass_is_given_to_who_still_has_a_turn_to_decline() -> None:
    match = play(table_with("1", "hourglass 9", "hourglass 8", "10"), "call", "hourglass +1")
    assert legal(play(match, "take")) == {"sit out", "fend off"}
    assert "decline" in legal(play(match, "fend off"))
