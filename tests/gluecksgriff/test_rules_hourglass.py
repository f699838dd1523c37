"""G6: the hourglass."""

from typing import Any

import pytest

from goldgriff.envs.match import Match

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
    turn_over,
    with_pile,
)

PENALTIES = {"penalties": True}


def under_hourglass(
    cards: str, *others: str, penalties: bool = False, forced: int = 0, **fields: Any
) -> Match:
    """Seat 0 begins its turn with an hourglass in front of it; the pile holds 13s only."""
    players = 1 + len(others)
    return with_pile(
        "13 13 13",
        cards,
        *others,
        phase="hourglass",
        front=["hourglass", *[None] * (players - 1)],
        must_sit_out=[forced, *[0] * (players - 1)],
        settings={"penalties": penalties},
        **fields,
    )


# --- G6.1 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G6.1")
@pytest.mark.parametrize("players", range(2, 6))
def test_in_front_of_any_other_player_but_not_oneself(players: int) -> None:
    match = table_with("hourglass 9", *["1 2"] * (players - 1))
    targets = {f"hourglass +{steps}" for steps in range(1, players)}
    assert moves(match, "hourglass") == targets
    for steps in range(1, players):
        match = table_with("9", "hourglass 9", *["1 2"] * (players - 2), current_player=1)
        play(match, f"hourglass +{steps}")
        front: list[str | None] = [None] * players
        front[(1 + steps) % players] = "hourglass"
        assert field(match, "front") == front


@pytest.mark.rule("G6.1", "G4.1")
def test_then_a_card_is_taken() -> None:
    for finish, got in (("draw", "13"), ("take", "7")):
        match = play(with_pile("13", "hourglass 9", "1 2", "3"), "hourglass +2")
        assert (legal(match), hand(match, 0)) == ({"draw", "take"}, ["9"])
        play(match, finish)
        assert turn_over(match)
        assert hand(match, 0) == cards(f"9 {got}")
    match = play(run_on_pile("8 9 10", "hourglass 9", "1 2", "3"), "hourglass +2")
    assert legal(match) == {"draw", "take low", "take high"}


@pytest.mark.rule("G6.1")
def test_also_with_the_last_card() -> None:
    match = play(table_with("hourglass", "1 2"), "hourglass +1")
    assert (round_over(match), match.current_player) == (False, 0)
    assert turn_over(play(match, "draw"))
    assert len(hand(match, 0)) == 1


@pytest.mark.rule("G6.1")
def test_one_hourglass_a_turn_and_nothing_laid_with_it() -> None:
    match = play(table_with("hourglass hourglass 7", "1 2", "3"), "hourglass +1")
    assert legal(match) == {"draw", "take"}


# --- G6.2 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G6.2")
def test_not_who_has_an_hourglass_in_front_of_him() -> None:
    front = [None, "hourglass", None]
    match = table_with("hourglass 9", "1 2", "3", front=front)
    assert moves(match, "hourglass") == {"hourglass +2"}
    match = play(table_with("hourglass 9", "hourglass 2", "1", "3"), "hourglass +2", "draw")
    assert moves(match, "hourglass") == {"hourglass +2", "hourglass +3"}


@pytest.mark.rule("G6.2")
def test_not_who_sat_out_in_his_previous_turn() -> None:
    match = table_with("hourglass 9", "1 2", "3", sat_out=[0, 1, 0])
    assert moves(match, "hourglass") == {"hourglass +2"}


@pytest.mark.rule("G6.2", "G6.3")
def test_nobody_sits_out_in_two_turns_running() -> None:
    match = with_pile("13 13 13", "hourglass hourglass 9", "1 3", "hourglass 4")
    play(match, "hourglass +1", "take", "sit out")
    assert field(match, "sat_out") == [0, 1, 0]
    assert moves(match, "hourglass") == {"hourglass +1"}  # seat 1 is two seats on
    draw(play(match, "lay 4"))
    assert moves(match, "hourglass") == {"hourglass +2"}
    draw(play(match, "lay 9"))
    draw(play(match, "lay 1"))  # seat 1 has had a turn
    assert field(match, "sat_out") == [0, 0, 0]
    assert moves(match, "hourglass") == {"hourglass +1", "hourglass +2"}


@pytest.mark.rule("G6.2")
def test_having_sat_out_counts_in_one_round_only() -> None:
    match = play(table_with("7", "7", "7", sat_out=[0, 1, 0]), "lay 7", "knock")
    assert round_over(match)
    assert (field(match, "sat_out"), field(match, "front")) == ([0, 0, 0], [None] * 3)


@pytest.mark.rule("G6.2", "G8.2")
@pytest.mark.parametrize(
    ("turns_left", "targets"), [(3, {"+1", "+2"}), (2, {"+1"}), (1, set[str]())]
)
def test_only_who_still_has_a_turn_to_come(turns_left: int, targets: set[str]) -> None:
    current_player = 4 - turns_left  # seat 0 has called
    hands = ["hourglass 9" if seat == current_player else "1 2" for seat in range(4)]
    match = table_with(*hands, current_player=current_player, caller=0, turns_left=turns_left)
    assert moves(match, "hourglass") == {f"hourglass {steps}" for steps in targets}


@pytest.mark.rule("G6.2", "G8.2")
def test_before_a_call_everybody_has() -> None:
    match = play(table_with("1 2", "hourglass 9", "8", "4"), "call")
    assert moves(match, "hourglass") == {"hourglass +1", "hourglass +2"}  # not the caller


# --- G6.3 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G6.3")
def test_sitting_out_is_putting_the_hourglass_away_and_nothing_else() -> None:
    match = under_hourglass("1 7", "3 7", discard="5")
    play(match, "sit out")
    assert turn_over(match)
    assert hand(match, 0) == cards("1 7")
    assert (discard(match).split()[-2:], field(match, "last_play")) == (["5", "hourglass"], 1)
    assert field(match, "front") == [None, None]
    assert len(field(match, "pile")) == 3


@pytest.mark.rule("G6.3")
def test_when_his_turn_comes_and_not_before() -> None:
    match = play(table_with("hourglass 9", "1 2", "3 4"), "hourglass +2", "draw")
    assert (match.current_player, field(match, "phase")) == (1, "play")
    draw(play(match, "lay 1"))
    assert (match.current_player, field(match, "phase"), legal(match)) == (
        2,
        "hourglass",
        {"sit out"},
    )


# --- G6.4 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G6.4")
def test_fending_off_puts_both_away() -> None:
    match = under_hourglass("hourglass 1 7", "3 7")
    play(match, "fend off")
    assert (match.current_player, field(match, "phase")) == (0, "play")
    assert hand(match, 0) == cards("1 7")
    assert discard(match).split()[-2:] == ["hourglass", "hourglass"]
    assert (field(match, "last_play"), field(match, "front")) == (2, [None, None])


@pytest.mark.rule("G6.4")
def test_then_he_takes_his_normal_turn() -> None:
    match = play(under_hourglass("hourglass 1 7 joker hand", "3 7"), "fend off")
    assert legal(match) == {"lay 1", "lay 7", "lay joker", "hand"}
    play(match, "lay 7")
    assert legal(match) == {"draw", "add joker"}  # nothing to take, nothing to knock on
    draw(match)
    assert turn_over(match)
    assert field(match, "sat_out") == [0, 0]
    match = play(under_hourglass("hourglass 1", "9 7"), "fend off")
    assert "call" in legal(match)
    match = play(under_hourglass("hourglass hourglass 1", "9 7"), "fend off", "hourglass +1")
    assert legal(match) == {"draw"}
    match = play(under_hourglass("hourglass joker", "9 7"), "fend off", "lay joker")
    assert legal(match) == {"draw"}


@pytest.mark.rule("G6.4")
def test_only_with_an_hourglass() -> None:
    assert legal(under_hourglass("joker hand 1", "3 7")) == {"sit out"}


@pytest.mark.rule("G6.4")
def test_fending_off_is_a_choice() -> None:
    match = play(under_hourglass("hourglass 1", "3 7"), "sit out")
    assert (turn_over(match), hand(match, 0)) == (True, cards("1 hourglass"))


@pytest.mark.rule("G6.4", "G5.6")
def test_fending_off_with_the_last_card_ends_the_round() -> None:
    match = play(under_hourglass("hourglass", "3 7"), "fend off")
    assert (round_over(match), match.scores, match.state.round_winner) == (True, [0, 10], 0)


@pytest.mark.rule("G6.4", "G6.2")
def test_who_fended_off_may_be_given_another() -> None:
    match = draw(play(under_hourglass("hourglass 1", "hourglass 7"), "fend off", "lay 1"))
    assert moves(match, "hourglass") == {"hourglass +1"}


# --- G6.5 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G6.5")
@pytest.mark.parametrize("laid", ["7", "joker"])
def test_an_hourglass_on_the_discard_pile_is_neither_taken_nor_knocked_on(laid: str) -> None:
    match = play(under_hourglass("1 2", f"{laid} 9", discard="7"), "sit out", f"lay {laid}")
    assert legal(match) - {"add 9"} == {"draw"}
    match = play(under_hourglass("hourglass 1", "2", discard="7"), "fend off", "lay 1")
    assert takes(match) == set()


@pytest.mark.rule("G6.5", "G5.2")
def test_it_covers_a_run() -> None:
    match = under_hourglass("1 2", "7 8 9", discard="4 5 6", last_play=3, run=True)
    assert moves(play(match, "sit out"), "high") == set()


# --- G6.6 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G6.6")
def test_playing_on_is_an_option() -> None:
    assert "play on" not in legal(under_hourglass("1 2", "3"))
    assert "play on" in legal(under_hourglass("1 2", "3", penalties=True))


@pytest.mark.rule("G6.6")
def test_the_penalty_card_is_drawn_first() -> None:
    match = play(under_hourglass("1 7", "3 8", penalties=True), "play on")
    assert (match.current_player, field(match, "phase")) == (0, "play")
    assert hand(match, 0) == cards("1 7 13")
    assert {"lay 1", "lay 7", "lay 13", "call"} == legal(match)
    assert {"knock", "take"} <= legal(play(match, "lay 7"))  # a turn like any other
    assert turn_over(play(match, "knock"))


@pytest.mark.rule("G6.6")
def test_the_hourglass_stays_and_the_next_turn_is_sat_out() -> None:
    match = play(under_hourglass("1 7", "3 8 hourglass", penalties=True), "play on")
    assert (field(match, "front"), field(match, "must_sit_out")) == (["hourglass", None], [1, 0])
    play(match, "lay 7", "knock")
    assert moves(match, "hourglass") == set()  # it lies in front of seat 0
    assert "lay hourglass" in legal(match)
    draw(play(match, "lay 3"))
    assert (match.current_player, field(match, "phase"), legal(match)) == (
        0,
        "hourglass",
        {"sit out"},
    )
    play(match, "sit out")
    assert field(match, "must_sit_out") == [0, 0]
    assert (field(match, "front"), field(match, "sat_out")) == ([None, None], [1, 0])


@pytest.mark.rule("G6.6")
def test_who_must_sit_out_neither_plays_on_nor_fends_off() -> None:
    match = under_hourglass("hourglass 1", "3 8", penalties=True, forced=1)
    assert legal(match) == {"sit out"}
    assert legal(under_hourglass("hourglass 1", "3 8", penalties=True)) == {
        "sit out",
        "fend off",
        "play on",
    }


@pytest.mark.rule("G6.6", "G6.2")
def test_having_sat_out_does_not_protect_from_it() -> None:
    # That player is safe afterwards, as after any sitting out ...
    match = under_hourglass("1 2", "hourglass 8", penalties=True, forced=1)
    play(match, "sit out")
    assert moves(match, "hourglass") == set()
    assert "lay hourglass" in legal(match)
    # ... but not from sitting out for having played on.
    match = under_hourglass("1 2", "9 8", penalties=True, forced=1, sat_out=[1, 0])
    assert legal(match) == {"sit out"}


@pytest.mark.rule("G6.6", "G1.4")
def test_playing_on_without_a_card_to_draw() -> None:
    match = with_pile(
        "",
        "1 7",
        "0",
        discard="7",
        rest_to=1,
        phase="hourglass",
        front=["hourglass", None],
        settings=PENALTIES,
    )
    play(match, "play on")
    assert (hand(match, 0), field(match, "phase"), discard(match)) == (cards("1 7"), "play", "7")


@pytest.mark.rule("G6.6", "G8.2")
def test_who_plays_on_may_call() -> None:
    match = play(
        with_pile(
            "2",
            "1 3",
            "9",
            phase="hourglass",
            front=["hourglass", None],
            settings=PENALTIES,
        ),
        "play on",
        "call",
    )
    assert (round_over(match), field(match, "caller")) == (False, 0)


@pytest.mark.rule("G6.6", "G2.3")
@pytest.mark.parametrize("move", ["hand", "hourglass +1", "lay 7"])
def test_who_plays_on_takes_any_turn(move: str) -> None:
    match = play(under_hourglass("hand hourglass 7", "9", "3", penalties=True), "play on")
    assert move in legal(match)
    assert "fend off" not in legal(match)
    play(match, move, "take")
    assert field(match, "must_sit_out")[0] == 1


# --- G6.7 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G6.7")
def test_without_a_target_an_hourglass_is_a_plain_card() -> None:
    match = table_with("hourglass 9", "1 2", front=[None, "hourglass"])
    assert legal(match) == {"lay hourglass", "lay 9"}
    play(match, "lay hourglass")
    assert legal(match) == {"draw", "take"}
    play(match, "take")
    assert (discard(match), field(match, "front")) == ("hourglass", [None, "hourglass"])
    assert (match.current_player, legal(match)) == (1, {"sit out"})


@pytest.mark.rule("G6.7")
def test_only_without_a_target() -> None:
    assert "lay hourglass" not in legal(table_with("hourglass 9", "1 2"))
    front = [None, "hourglass", None]
    match = table_with("hourglass 9", "1 2", "3", front=front)
    assert moves(match, "lay") == {"lay 9"}
    match = table_with("hourglass 9", "1 2", "3", front=front, sat_out=[0, 0, 1])
    assert moves(match, "lay") == {"lay 9", "lay hourglass"}


@pytest.mark.rule("G6.7", "G5.1")
def test_hourglasses_laid_as_plain_cards_are_laid_alone() -> None:
    match = table_with(
        "hourglass hourglass joker", "1 2", discard="hourglass", caller=1, turns_left=1
    )
    assert legal(play(match, "lay hourglass")) == {"draw"}


@pytest.mark.rule("G6.2", "G6.1")
def test_a_fresh_deal_has_no_hourglass_in_front_of_anybody() -> None:
    match = new_table(num_players=3)
    assert (field(match, "front"), field(match, "sat_out")) == ([None] * 3, [0] * 3)
    assert field(table_with("1", "2", settings=blanks("plain")), "must_sit_out") == [0, 0]
