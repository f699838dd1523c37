"""G9: the blank cards."""

from typing import Any

import pytest

from goldgriff.envs.gluecksgriff.rules import Blank, Settings
from goldgriff.envs.match import replay
from goldgriff.errors import GoldgriffError

from ..tables import cards, field, hand, legal, play
from .tables import (
    blanks,
    discard,
    draw,
    moves,
    new_table,
    round_over,
    run_on_pile,
    table_with,
    takes,
    top,
    turn_over,
    with_pile,
)

EFFECTS = ("plain", "joker", "sit_out", "draw", "look", "swap")
ALL = blanks(*EFFECTS)  # blank1 is plain, blank2 a joker, ... blank6 swaps


# --- G9.1, G9.2 ---------------------------------------------------------------------------------
@pytest.mark.rule("G9.1")
@pytest.mark.parametrize("count", range(8))
def test_up_to_seven_blanks_one_card_each(count: int) -> None:
    position = new_table(num_players=2, **blanks(*["plain"] * count)).position()
    everywhere = [*position["pile"], *position["discard"], *position["hands"][0]]
    everywhere += position["hands"][1]
    found = sorted(card for card in everywhere if card.startswith("blank"))
    assert found == [f"blank{number}" for number in range(1, count + 1)]


@pytest.mark.rule("G9.1")
def test_not_more_than_seven() -> None:
    with pytest.raises(GoldgriffError):
        Settings(**blanks(*["plain"] * 8))


@pytest.mark.rule("G9.2")
@pytest.mark.parametrize(
    "wrong",
    [
        {"points": -1},
        {"points": 51},
        {"points": 1.5},
        {"effect": "fly"},
        {"effect": ""},
        {"amount": 0},
        {"amount": 6},
        {"name": 3},
    ],
    ids=str,
)
def test_what_is_no_description_is_refused(wrong: dict[str, Any]) -> None:
    right: dict[str, Any] = {"name": "ours", "points": 50, "effect": "draw", "amount": 5}
    Settings(blanks=(Blank(**right),))
    with pytest.raises(GoldgriffError):
        Settings(blanks=(Blank(**(right | wrong)),))


@pytest.mark.rule("G9.2", "G8.1")
@pytest.mark.parametrize("points", [0, 7, 50])
@pytest.mark.parametrize("effect", EFFECTS)
def test_points_in_hand(points: int, effect: str) -> None:
    settings = {"point_limit": 1000, **blanks(effect, points=points)}
    table = play(table_with("7", "blank1 4", settings=settings), "lay 7", "knock")
    total = points + 4
    assert table.scores == [0, total if total % 50 else total / 2]


# --- G9.3 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G9.3", "G4.3", "G5.3")
@pytest.mark.parametrize("number", range(1, 7))
def test_blanks_are_neither_taken_nor_knocked_on(number: int) -> None:
    table = table_with("joker 5", "1 2", discard=f"5 blank{number}", settings=ALL)
    assert legal(play(table, "lay joker")) == {"draw", "add 5"}
    table = table_with("5 4", "1 2", discard=f"5 blank{number}", settings=ALL)
    assert legal(play(table, "lay 5")) == {"draw"}


# --- G9.4 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G9.4")
@pytest.mark.parametrize("number", [1, 3, 4, 5, 6])
def test_every_blank_can_be_laid_as_a_plain_card(number: int) -> None:
    table = table_with(f"blank{number} 9 joker", "1 2", "3 4", settings=ALL)
    assert f"lay blank{number}" in legal(table)
    play(table, f"lay blank{number}")
    assert legal(table) == {"draw", "take"}
    play(table, "take")
    assert turn_over(table)
    assert (hand(table, 0), discard(table)) == (cards("7 9 joker"), f"blank{number}")
    assert (field(table, "front"), hand(table, 1)) == ([None] * 3, cards("1 2"))


@pytest.mark.rule("G9.4", "G9.7")
def test_also_one_that_is_like_a_joker() -> None:
    table = table_with("blank2 9", "1 2", "3 4", settings=ALL)
    assert legal(table) == {"lay blank2", "lay 9"}
    assert legal(play(table, "lay blank2")) == {"draw", "take", "knock", "add 9"}
    assert turn_over(play(table, "take"))


@pytest.mark.rule("G9.4", "G5.4")
def test_nobody_is_asked_after_a_plain_blank() -> None:
    for number in range(1, 7):
        table = with_pile("joker", f"blank{number} 9", "1 2", settings=ALL)
        assert turn_over(play(table, f"lay blank{number}", "draw"))


# --- G9.5 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G9.5")
@pytest.mark.parametrize("number", [4, 5, 6])
def test_after_an_effect_a_card_is_taken(number: int) -> None:
    hands = (f"blank{number} 9", "1 2", "3 4")
    for finish in ("draw", "take"):
        table = play(with_pile("13 12", *hands, settings=ALL), f"blank{number} +2")
        assert (legal(table), top(table, 2)) == ({"draw", "take"}, f"7 blank{number}")
        before = hand(table, 0)
        play(table, finish)
        assert turn_over(table)
        (got,) = set(hand(table, 0)) - set(before)
        assert (got == "7") == (finish == "take")
        assert (top(table), field(table, "last_play")) == (f"blank{number}", 1)
        assert takes(play(table, "lay 1" if number != 6 else "lay 2")) == set()


@pytest.mark.rule("G9.5", "G4.2", "G4.3", "G4.4")
def test_what_may_be_taken_is_as_in_every_turn() -> None:
    hands = ("blank5 9", "1 2")
    table = play(run_on_pile("4 5 joker", *hands, settings=ALL), "blank5 +1")
    assert legal(table) == {"draw", "take low"}
    table = play(run_on_pile("4 5 6", *hands, settings=ALL), "blank5 +1", "take high")
    assert (discard(table), field(table, "last_play")) == ("4 5 blank5", 1)
    assert field(table, "run") is False
    table = play(table_with(*hands, layers=[0], settings=ALL), "blank5 +1")
    assert legal(table) == {"draw"}


@pytest.mark.rule("G9.5")
@pytest.mark.parametrize(("number", "steps"), [(3, {1}), (4, {1, 2}), (5, {1, 2}), (6, {1, 2})])
def test_effects_stay_playable_after_a_call(number: int, steps: set[int]) -> None:
    table = table_with("1", f"blank{number} 9", "3 4", settings=ALL)
    play(table, "call")
    assert moves(table, f"blank{number}") == {f"blank{number} +{k}" for k in steps}
    play(table, f"blank{number} +1", "draw")
    assert turn_over(table, 2)


@pytest.mark.rule("G9.5")
@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("number", [3, 4, 5, 6])
def test_effects_on_any_other_player(players: int, number: int) -> None:
    table = table_with(f"blank{number} 9", *["1 2"] * (players - 1), settings=ALL)
    targets = {f"blank{number} +{steps}" for steps in range(1, players)}
    assert moves(table, f"blank{number}") == targets


# --- G9.6, G9.7 ---------------------------------------------------------------------------------
@pytest.mark.rule("G9.6")
def test_a_plain_blank_does_nothing_more() -> None:
    table = table_with("blank1 9 9", "1 2", settings=ALL)
    assert legal(table) == {"lay blank1", "lay 9"}
    assert legal(play(table, "lay 9")) == {"draw", "take", "add 9"}


@pytest.mark.rule("G9.7", "G3.2")
def test_a_joker_blank_in_sets_and_runs() -> None:
    settings = blanks("joker", "joker")
    table = play(table_with("5 7 blank1 9", "1 2", settings=settings), "lay 5")
    assert legal(table) == {"draw", "take", "add blank1", "run blank1"}
    play(table, "run blank1", "run 7", "take")
    assert top(table, 3) == "5 blank1 7"
    assert (field(table, "run"), field(table, "last_play")) == (True, 3)
    table = play(table_with("5 5 blank1 9", "1 2", settings=settings), "lay blank1", "add 5")
    assert legal(table) == {"draw", "take", "add 5"}


@pytest.mark.rule("G9.7", "G5.1", "G5.2")
def test_a_joker_blank_in_knocks() -> None:
    settings = blanks("joker")
    table = play(table_with("blank1 9", "1 2", settings=settings), "lay blank1", "knock")
    assert (turn_over(table), discard(table)) == (True, "7 blank1")
    table = play(table_with("7 blank1 9", "1 2", settings=settings), "lay 7", "add blank1", "knock")
    assert discard(table) == "7 7 blank1"
    table = run_on_pile("4 5 6", "blank1 8 9", "1 2", settings=settings)
    play(table, "high blank1", "high", "high", "knock")
    assert (round_over(table), table.scores) == (True, [0, 3])


@pytest.mark.rule("G9.7", "G3.2")
def test_two_cards_like_jokers_are_never_neighbours() -> None:
    settings = blanks("joker", "joker")
    hand = "6 blank1 blank2 joker 0"
    table = play(table_with(hand, "1 2", settings=settings), "lay blank1")
    assert moves(table, "add") == {"add 6", "add 0"}
    table = play(table_with(hand, "1 2", settings=settings), "lay 6", "add blank1")
    assert moves(table, "add") == set()
    table = play(table_with(hand, "1 2", settings=settings), "lay joker", "run 6", "run blank2")
    assert legal(table) == {"draw", "take"}
    table = run_on_pile("4 5 blank1", "joker blank2 8 0", "1 2", settings=settings)
    assert moves(table, "high") == set()


# --- G9.8 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G9.8", "G6.1", "G6.3")
def test_a_sit_out_blank_works_like_an_hourglass() -> None:
    table = play(table_with("blank3 9", "1 2", "3 4", settings=ALL), "blank3 +1")
    assert field(table, "front") == [None, "blank3", None]
    assert (legal(table), discard(table)) == ({"draw", "take"}, "7")
    play(table, "draw")
    assert (table.current_player, field(table, "phase"), legal(table)) == (
        1,
        "hourglass",
        {"sit out"},
    )
    play(table, "sit out")
    assert (top(table), field(table, "last_play")) == ("blank3", 1)
    assert (field(table, "sat_out"), field(table, "front")) == ([0, 1, 0], [None] * 3)
    assert legal(play(table, "lay 3")) == {"draw"}


@pytest.mark.rule("G9.8", "G6.2")
def test_its_targets_are_those_of_an_hourglass() -> None:
    hands = ("blank3 hourglass 9", "1 2", "3 4", "5 6")
    for fields in (
        {"front": [None, "hourglass", None, None]},
        {"sat_out": [0, 1, 0, 0]},
        {"front": [None, "hourglass", None, None], "sat_out": [0, 0, 1, 0]},
        {"caller": 3, "turns_left": 3},
        {"caller": 3, "turns_left": 3, "sat_out": [0, 1, 1, 0]},
    ):
        table = table_with(*hands, settings=ALL, **fields)
        blank, hourglass = moves(table, "blank3"), moves(table, "hourglass")
        assert {move.split()[1] for move in blank} == {move.split()[1] for move in hourglass}
        assert len(blank) < 3
        assert "lay blank3" in legal(table)
        assert ("lay hourglass" in legal(table)) == (hourglass == set())
    table = play(table_with(*hands, settings=ALL), "blank3 +2", "draw", "lay 1", "take")
    assert (table.current_player, field(table, "phase")) == (2, "hourglass")


@pytest.mark.rule("G9.8", "G6.4")
def test_an_hourglass_fends_it_off_and_it_fends_off_nothing() -> None:
    fields: dict[str, Any] = {
        "phase": "hourglass",
        "front": ["blank3", None],
        "settings": ALL,
    }
    table = table_with("hourglass 9", "1 2", **fields)
    assert legal(table) == {"sit out", "fend off"}
    play(table, "fend off")
    assert sorted(top(table, 2).split()) == ["blank3", "hourglass"]
    assert (field(table, "last_play"), hand(table, 0), table.current_player) == (2, ["9"], 0)
    fields["front"] = ["hourglass", None]
    assert legal(table_with("blank3 9", "1 2", **fields)) == {"sit out"}


@pytest.mark.rule("G9.8", "G6.6")
def test_one_may_play_on_under_it() -> None:
    fields: dict[str, Any] = {"phase": "hourglass", "front": ["blank3", None]}
    table = table_with("5 9", "1 2", settings={**ALL, "penalties": True}, **fields)
    assert legal(table) == {"sit out", "play on"}
    play(table, "play on")
    assert (field(table, "front"), field(table, "must_sit_out")) == (["blank3", None], [1, 0])
    assert len(hand(table, 0)) == 3


# --- G9.9 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G9.9")
@pytest.mark.parametrize("amount", range(1, 6))
def test_a_chosen_player_draws_the_amount(amount: int) -> None:
    settings = blanks("draw", amount=amount)
    table = with_pile("13 13 13 13 12 12", "blank1 9", "1 2", "3 4", settings=settings)
    play(table, "blank1 +2")
    assert (len(hand(table, 2)), len(field(table, "pile"))) == (2 + amount, 6 - amount)
    assert set(hand(table, 2)) - {"12", "13"} == {"3", "4"}
    assert (hand(table, 0), hand(table, 1)) == (["9"], cards("1 2"))


@pytest.mark.rule("G9.9", "G1.4")
def test_it_draws_what_there_is() -> None:
    settings = blanks("draw", amount=5)
    table = with_pile("13", "blank1 9", "1", discard="5 7", rest_to=0, settings=settings)
    play(table, "blank1 +1")
    assert (hand(table, 1), discard(table)) == (cards("1 13 5 7"), "blank1")
    # The card that might have been taken has gone into the pile.
    assert legal(table) == {"draw"}


# --- G9.10 --------------------------------------------------------------------------------------
@pytest.mark.rule("G9.10")
def test_looking_changes_nothing_on_the_table() -> None:
    table = play(table_with("blank5 9", "1 2", "3 4", settings=ALL), "blank5 +2")
    assert field(table, "hands") == [["9"], ["1", "2"], ["3", "4"]]
    assert (discard(table), field(table, "phase")) == ("7 blank5", "giving")


@pytest.mark.rule("G9.10")
def test_who_looked_knows_the_hand_and_nobody_else_does() -> None:
    def seen(cards: str, looked: bool) -> list[bytes]:
        table = table_with("blank5 9", "1 2", cards, settings=ALL)
        play(table, "blank5 +2" if looked else "blank5 +1", "take")
        return [table.observe(seat)[0].tobytes() for seat in range(2)]

    before, other_before = seen("3 4", False), seen("5 6", False)
    assert before == other_before
    after, other_after = seen("3 4", True), seen("5 6", True)
    assert after[0] != other_after[0]
    assert after[1] == other_after[1]


# --- G9.11 --------------------------------------------------------------------------------------
@pytest.mark.rule("G9.11")
def test_swapping_hands() -> None:
    table = play(table_with("blank6 9 8", "1", "3 4", settings=ALL), "blank6 +1")
    assert field(table, "hands")[:2] == [["1"], ["8", "9"]]
    assert hand(table, 2) == cards("3 4")
    play(table, "take")
    assert hand(table, 0) == cards("1 7")


@pytest.mark.rule("G9.11")
def test_not_with_ones_last_card() -> None:
    table = table_with("blank6", "1 2", settings=ALL)
    assert legal(table) == {"lay blank6"}
    assert turn_over(draw(play(table, "lay blank6")))


@pytest.mark.rule("G9.11", "G8.3", "G8.4")
def test_swapping_with_the_caller() -> None:
    table = play(table_with("1 2", "blank6 9", settings=ALL), "call", "blank6 +1", "take")
    # The caller now holds the 9, the other 1, 2 and the 7.
    assert (round_over(table), table.scores) == (True, [0, 10])


# --- G9.12 --------------------------------------------------------------------------------------
@pytest.mark.rule("G9.12", "G7.1")
def test_open_cards_of_equal_points() -> None:
    settings = {"magic_hands": 2, **blanks("plain", "plain", points=20)}
    for cards_held, lowest in (
        ("blank2 blank1 hand", "hand"),
        ("blank2 blank1", "blank1"),
        ("joker hourglass blank1", "hourglass"),
    ):
        table = play(table_with("hand 9", cards_held, settings=settings), "hand")
        assert field(table, "open")[1] == lowest


@pytest.mark.rule("G9.12", "G7.2")
def test_blanks_laid_open_may_be_picked() -> None:
    settings = blanks("swap", points=0)
    table = play(table_with("hand 9", "blank1 3", settings=settings), "hand", "pick +1")
    assert hand(table, 0) == cards("9 blank1")


def test_blanks_are_part_of_the_record() -> None:
    match = new_table(3, num_players=2, **blanks("look", "joker", points=4))
    again = replay(match.record())
    assert again.settings == match.settings
    assert again.position() == match.position()
