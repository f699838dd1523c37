"""G8: the end of a round, its points, the end of the game."""

from typing import Any

import pytest

from goldgriff.envs.gluecksgriff.rules import Settings
from goldgriff.envs.match import Match

from ..tables import field, hand, legal, play
from .tables import blanks, discard, draw, new_table, round_over, table_with, turn_over

PENALTIES = {"penalties": True}


def emptied(*others: str, **fields: Any) -> Match:
    """Seat 0 has gone out with a knock."""
    return play(table_with("7", *others, **fields), "lay 7", "knock")


def called(caller: str, *others: str, **fields: Any) -> Match:
    """Seat 0 has called; each of the others has a 9 more, lays it and takes another."""
    hands = [f"{hand} 9" for hand in others]
    match = play(table_with(caller, *hands, discard="9", **fields), "call")
    for _ in others:
        play(match, "lay 9", "take")
    assert round_over(match)
    return match


# --- G8.1 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G8.1")
@pytest.mark.parametrize(
    ("left", "points"),
    [
        *((str(value), value) for value in range(15)),
        ("joker", 15),
        ("hourglass", 15),
        ("hand", 20),
        ("0 0 1 14 joker joker hourglass hand", 80),
    ],
)
def test_points_in_hand(left: str, points: int) -> None:
    limit = {"point_limit": 1000}
    match = emptied(left, "3 4", settings=limit)
    assert round_over(match)
    assert match.scores == [0, points, 7]


# --- G8.2 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G8.2")
@pytest.mark.parametrize(
    ("hand", "may"),
    [
        ("6", True),
        ("7", False),
        ("0 1 2 3", True),
        ("0 1 2 4", False),
        ("0", True),
        ("0 0 0 0 1 1 1 1 2", True),
        ("joker", False),
        ("hourglass", False),
        ("hand", False),
        ("14", False),
    ],
)
def test_with_less_than_seven_points_one_may_call(hand: str, may: bool) -> None:
    assert ("call" in legal(table_with(hand, "5"))) == may


@pytest.mark.rule("G8.2")
def test_calling_is_the_whole_turn() -> None:
    match = table_with("1 0", "5", "6", discard="9")
    assert "call" not in legal(play(match, "lay 0"))
    match = play(table_with("1 0", "5", "6", discard="9"), "call")
    assert turn_over(match)
    assert (hand(match, 0), discard(match), field(match, "caller")) == (["0", "1"], "9", 0)


@pytest.mark.rule("G8.2")
@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("caller", [0, 1])
def test_every_other_player_has_one_last_turn(players: int, caller: int) -> None:
    hands = ["1" if seat == caller else "8 10 12" for seat in range(players)]
    match = play(table_with(*hands, discard="2", current_player=caller), "call")
    assert field(match, "turns_left") == players - 1
    for turn in range(1, players):
        assert not round_over(match)
        assert match.current_player == (caller + turn) % players
        draw(play(match, "lay 8"))
    assert round_over(match)
    assert field(match, "round") == 2


@pytest.mark.rule("G8.2")
def test_one_call_a_round() -> None:
    match = play(table_with("1", "2", "3", settings=PENALTIES), "call")
    assert "call" not in legal(match)
    play(match, "lay 2", "take")
    assert "call" not in legal(match)
    match = table_with("1", "2", "3", current_player=1, caller=0, turns_left=2)
    assert "call" not in legal(match)


@pytest.mark.rule("G8.2", "G6.3")
def test_sitting_out_uses_the_last_turn_up() -> None:
    match = table_with("1", "8", "9 12", front=[None, "hourglass", None])
    play(match, "call", "sit out")
    assert (match.current_player, field(match, "turns_left")) == (2, 1)
    assert round_over(draw(play(match, "lay 12")))
    match = play(table_with("1", "8", front=[None, "hourglass"]), "call", "sit out")
    assert (round_over(match), match.scores) == (True, [0, 8])


@pytest.mark.rule("G8.2")
def test_last_turns_are_turns_like_any_other() -> None:
    match = play(table_with("1", "7 9", "2 12 13 14"), "call")
    assert {"knock", "take"} <= legal(play(match, "lay 7"))
    play(match, "knock", "lay 12", "run 13", "run 14", "take")
    assert (round_over(match), match.scores) == (True, [0, 9, 9])


# --- G8.3, G8.4 ---------------------------------------------------------------------------------
@pytest.mark.rule("G8.3")
@pytest.mark.parametrize(
    ("caller", "others", "points"),
    [
        ("6", ["", ""], [0, 9, 9]),
        ("1 2 3", ["5", "joker"], [0, 14, 24]),
        ("0", ["0", "1"], [0, 9, 10]),
    ],
)
def test_a_right_call(caller: str, others: list[str], points: list[int]) -> None:
    match = called(caller, *others)
    assert (match.scores, match.state.round_winner) == (points, 0)


@pytest.mark.rule("G8.4")
@pytest.mark.parametrize(
    ("caller", "other", "points"),
    [
        ("3", "3", [30, 12, 3]),  # as few
        ("3", "2", [30, 12, 2]),  # fewer
        ("3", "4", [0, 12, 4]),
        ("0", "0", [30, 12, 0]),
        ("0 6", "1 5", [30, 12, 6]),
    ],
)
def test_a_wrong_call_costs_30_in_all(caller: str, other: str, points: list[int]) -> None:
    match = table_with(caller, "12 9", f"{other} 9", discard="9")
    play(match, "call", "lay 9", "knock", "lay 9", "knock")
    assert (round_over(match), match.scores) == (True, points)


@pytest.mark.rule("G8.4")
def test_the_calls_rightness_is_seen_at_the_end() -> None:
    # Seat 1 has more at the time of the call, and less after its last turn.
    match = play(table_with("3", "9 9 1", discard="9"), "call", "lay 9", "add 9", "knock")
    assert (round_over(match), match.scores) == (True, [30, 1])
    assert match.state.round_winner == 1


@pytest.mark.rule("G8.4")
def test_one_of_several_is_enough() -> None:
    match = table_with("3", "9 14", "9 3", "9 2", discard="9")
    play(match, "call", *["lay 9", "knock"] * 3)
    assert (round_over(match), match.scores) == (True, [30, 14, 3, 2])


# --- G8.5 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G8.5")
@pytest.mark.parametrize("hand", ["7", "0 7", "6 1", "joker", "14 14 14 hand"])
def test_calling_with_seven_or_more_is_an_option(hand: str) -> None:
    assert "call" not in legal(table_with(hand, "5 3", "1"))
    match = table_with(hand, "5 3", "1", scores=[10, 20, 30], settings=PENALTIES)
    assert "call" in legal(match)
    play(match, "call")
    assert round_over(match)  # at once
    assert match.scores == [60, 20, 30]
    assert match.state.round_winner == -1  # two wrote nothing


@pytest.mark.rule("G8.5")
def test_with_less_the_option_changes_nothing() -> None:
    match = play(table_with("6", "5 3", "1", settings=PENALTIES), "call")
    assert (turn_over(match), match.scores) == (True, [0, 0, 0])


@pytest.mark.rule("G8.5", "G8.7")
def test_the_50_are_written_points() -> None:
    match = play(table_with("8", "5 3", settings=PENALTIES), "call")
    assert match.scores == [25, 0]
    match = play(table_with("8", "5 3", scores=[50, 50], settings=PENALTIES), "call")
    assert match.scores == [50, 50]
    assert match.state.capped_rounds == 0


# --- G8.6 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G8.6")
def test_an_emptied_hand_ends_the_round() -> None:
    match = emptied("1 joker", "14 14", "5")
    assert (round_over(match), match.scores) == (True, [0, 16, 28, 5])
    assert match.state.round_winner == 0
    points = [float(half) / 2 for half in match.state.round_points[:4]]
    assert points == [0, 16, 28, 5]


@pytest.mark.rule("G8.6", "G8.4")
def test_after_a_call_it_makes_the_call_wrong() -> None:
    match = play(table_with("1", "7", "8 9", "14"), "call", "lay 7", "knock")
    # Seats 2 and 3 have lost their last turns.
    assert (round_over(match), match.scores) == (True, [30, 0, 17, 14])
    assert match.state.round_winner == 1


@pytest.mark.rule("G8.6", "G8.4")
def test_even_a_call_with_no_points_is_wrong_then() -> None:
    match = play(table_with("0", "7", "8 9"), "call", "lay 7", "knock")
    assert match.scores == [30, 0, 17]


@pytest.mark.rule("G8.6")
def test_a_fresh_round_is_dealt() -> None:
    match = emptied("1 joker", "14 14", front=[None, "hourglass", None], sat_out=[0, 0, 1])
    position = match.position()
    assert [len(cards) for cards in position["hands"]] == [7, 7, 7]
    assert (position["front"], position["sat_out"]) == ([None] * 3, [0] * 3)
    assert (position["caller"], position["turns_left"], position["decisions"]) == (None, 0, 0)
    assert len(position["pile"]) == 69 - 22
    match = play(table_with("1", "7", "8"), "call", "lay 7", "knock")
    assert (field(match, "caller"), field(match, "turns_left")) == (None, 0)
    assert (field(match, "round"), field(match, "phase")) == (2, "play")


# --- G8.7 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G8.7")
@pytest.mark.parametrize(
    ("before", "left", "after"),
    [
        (45, "5", 25),
        (44, "5", 49),
        (46, "5", 51),
        (95, "5", 50),  # once: 100, 50, and no more
        (145, "5", 75),
        (195, "5", 100),
        (0, "14 14 14 8", 25),
        (36, "14", 25),
        (50, "0", 50),  # wrote nothing
        (100, "0", 100),
        (0, "0", 0),
    ],
)
def test_multiples_of_50_are_halved_once(before: int, left: str, after: int) -> None:
    match = emptied(left, scores=[0, before], settings={"point_limit": 1000})
    assert match.scores == [0, after]


@pytest.mark.rule("G8.7")
def test_who_writes_0_halves_nothing() -> None:
    match = emptied("3", scores=[50, 10])
    assert match.scores == [50, 13]
    match = play(table_with("1", "5 9", scores=[100, 45], discard="9"), "call", "lay 9", "knock")
    assert match.scores == [100, 25]


@pytest.mark.rule("G8.7", "G8.4")
def test_30_for_a_wrong_call_may_be_halved_too() -> None:
    match = play(table_with("1", "7", scores=[20, 0]), "call", "lay 7", "knock")
    assert match.scores == [25, 0]


# --- G8.8 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G8.8")
@pytest.mark.parametrize(
    ("before", "left", "after", "over"),
    [
        (95, "4", 99, False),
        (95, "5", 50, False),  # exactly the limit
        (95, "6", 101, True),
        (100, "0", 100, False),
        (95, "14 14 14 13", 75, False),  # 150, and over only without the halving
        (95, "14 14 14 14", 151, True),
    ],
)
def test_the_game_ends_above_the_limit(before: int, left: str, after: int, over: bool) -> None:
    match = emptied(left, scores=[0, before])
    assert (match.scores, match.over) == ([0, after], over)
    assert (legal(match) == set()) == over


@pytest.mark.rule("G8.8", "G0.4")
@pytest.mark.parametrize("limit", [1, 10, 60, 300])
def test_the_limit_is_a_setting(limit: int) -> None:
    assert Settings().point_limit == 100
    for more, over in ((0, False), (1, True)):
        before = limit - 1 + more
        match = emptied("1", scores=[0, before], settings={"point_limit": limit})
        halved = (before + 1) % 50 == 0
        assert match.over == (over and not halved), limit


@pytest.mark.rule("G8.8")
@pytest.mark.parametrize(
    ("before", "totals", "shares"),
    [
        ([60, 99, 30, 0], [60, 106, 33, 1], [0, 0, 0, 1]),
        ([20, 99, 30, 60], [20, 106, 33, 61], [1, 0, 0, 0]),
        ([33, 99, 30, 60], [33, 106, 33, 61], [1 / 2, 0, 1 / 2, 0]),
        ([34, 27, 31, 100], [34, 34, 34, 101], [1 / 3, 1 / 3, 1 / 3, 0]),
        ([0, 44, 99, 0], [0, 51, 102, 1], [1, 0, 0, 0]),
        ([100, 99, 98, 100], [100, 106, 101, 101], [1, 0, 0, 0]),
        ([100, 43, 98, 100], [100, 25, 101, 101], [0, 1, 0, 0]),
    ],
)
def test_the_lowest_total_wins_and_equal_ones_share(
    before: list[int], totals: list[int], shares: list[float]
) -> None:
    match = emptied("7", "3", "1", scores=before)
    assert (match.over, match.scores) == (True, totals)
    assert match.win_shares() == pytest.approx(shares)


@pytest.mark.rule("G8.8")
def test_the_number_of_rounds_is_open() -> None:
    match = emptied("7", scores=[0, 20], round=57)
    assert (match.over, field(match, "round")) == (False, 58)


# --- G8.9 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G8.9")
def test_the_default_cap() -> None:
    assert Settings().max_decisions == 3000


@pytest.mark.rule("G8.9")
def test_a_capped_round_is_scored_on_the_cards_in_hand() -> None:
    match = table_with("5 9", "1 14", "3", settings={"max_decisions": 3})
    play(match, "lay 5", "take")
    assert (round_over(match), field(match, "capped_rounds")) == (False, 0)
    play(match, "lay 1")
    assert (round_over(match), match.state.round_winner) == (True, -1)
    assert match.scores == [9 + 7, 14, 3]
    assert (field(match, "capped_rounds"), field(match, "round")) == (1, 2)
    assert (field(match, "decisions"), field(match, "phase")) == (0, "play")


@pytest.mark.rule("G8.9", "G8.3", "G8.4")
@pytest.mark.parametrize(("caller", "points"), [("1", [0, 14, 3]), ("3", [30, 14, 3])])
def test_a_pending_call_is_judged(caller: str, points: list[int]) -> None:
    match = table_with(caller, "9 14", "3", settings={"max_decisions": 2})
    play(match, "call", "lay 9")
    assert (round_over(match), match.scores) == (True, points)
    assert (field(match, "capped_rounds"), match.state.round_winner) == (1, -1)


@pytest.mark.rule("G8.9")
def test_the_call_may_be_the_last_decision() -> None:
    match = play(table_with("1", "9", "3", settings={"max_decisions": 1}), "call")
    assert (round_over(match), match.scores) == (True, [0, 9, 3])
    assert field(match, "capped_rounds") == 1


@pytest.mark.rule("G8.9")
def test_cards_laid_open_or_in_front_are_not_in_hand() -> None:
    match = table_with("hand 9", "3 14", "5", settings={"max_decisions": 1})
    assert play(match, "hand").scores == [9, 14, 0]
    match = table_with("hourglass 9", "3 14", "5", settings={"max_decisions": 1})
    assert play(match, "hourglass +1").scores == [9, 17, 5]


@pytest.mark.rule("G8.9", "G5.6")
@pytest.mark.parametrize("penalties", [False, True])
def test_a_round_that_ends_with_the_last_decision_is_not_capped(penalties: bool) -> None:
    settings = {"max_decisions": 10, "penalties": penalties}
    match = table_with("7", "3", decisions=8, settings=settings)
    play(match, "lay 7", "knock")
    assert (match.state.round_winner, match.scores) == (0, [0, 3])
    assert field(match, "capped_rounds") == 0
    if penalties:
        match = play(table_with("7", "3", decisions=9, settings=settings), "call")
        assert (match.state.round_winner, field(match, "capped_rounds")) == (1, 0)


@pytest.mark.rule("G8.9")
@pytest.mark.parametrize("cap", [1, 5, 20])
def test_every_decision_counts(cap: int) -> None:
    match = new_table(num_players=2, max_decisions=cap, jokers=0, hourglasses=0, magic_hands=0)
    decisions = 0
    while not round_over(match):
        match.play(min(match.legal))
        decisions += 1
    assert decisions == cap


@pytest.mark.rule("G8.9", "G1.2")
def test_after_a_capped_round_the_deal_moves_on() -> None:
    match = table_with("5 9", "0", "1", current_player=2, settings={"max_decisions": 1})
    assert (play(match, "lay 1").current_player, field(match, "round")) == (1, 2)


@pytest.mark.rule("G8.9")
def test_a_capped_game_says_so() -> None:
    match = new_table(num_players=2, max_decisions=1, hand_size=12)
    rounds = 0
    while not match.over:
        match.play(min(match.legal))
        rounds += 1
    assert match.state.capped_rounds == rounds > 1


@pytest.mark.rule("G8.1", "G9.2")
def test_points_decide_who_may_call_with_blanks() -> None:
    assert "call" in legal(table_with("1 blank1", "5", settings=blanks("plain", points=5)))
    assert "call" not in legal(table_with("1 blank1", "5", settings=blanks("plain", points=6)))


@pytest.mark.rule("G8.9", "G8.1")
def test_the_last_turn_that_is_allowed_ends_the_round() -> None:
    match = table_with("5 9", "1 14", settings={"max_turns": 2})
    play(match, "lay 5", "take")
    assert (round_over(match), field(match, "turns")) == (False, 1)
    play(match, "lay 1", "take")
    assert (round_over(match), match.scores) == (True, [9 + 7, 14 + 5])
    assert (match.state.round_winner, field(match, "capped_rounds")) == (0, 0)
    assert (field(match, "turns"), field(match, "round")) == (0, 2)


@pytest.mark.rule("G8.9", "G8.2")
def test_the_last_turns_after_a_call_go_beyond_the_cap() -> None:
    match = table_with("1", "9 14", "3 9", settings={"max_turns": 1})
    play(match, "call")
    assert (round_over(match), field(match, "turns")) == (False, 1)
    play(match, "lay 9", "take", "decline")
    assert (round_over(match), match.scores) == (True, [0, 14 + 7, 12])


@pytest.mark.rule("G8.8")
def test_a_game_may_be_stopped_after_some_rounds() -> None:
    match = emptied("7", scores=[0, 20], round=3, settings={"max_rounds": 3})
    assert (match.over, match.scores) == (True, [0, 27])
    match = emptied("7", scores=[0, 20], round=2, settings={"max_rounds": 3})
    assert (match.over, field(match, "round")) == (False, 3)


@pytest.mark.parametrize(
    ("others", "scores", "points", "win"),
    [
        # Round points 0, 4, 10: the others' means are 7, 5, 2.
        (["4", "10"], [0, 0, 0], [0.07, 0.01, -0.08], [0, 0, 0]),
        (["4", "10"], [0, 0, 95], [0.07, 0.01, -0.08], [1, -0.5, -0.5]),
        (["4", "10"], [20, 16, 95], [0.07, 0.01, -0.08], [0.25, 0.25, -0.5]),
        # 50 becomes 25 (G8.7): the totals rise by 0, 4 and -15.
        (["4", "10"], [0, 0, 40], [-0.055, -0.115, 0.17], [0, 0, 0]),
        (["6"], [0, 0], [0.06, -0.06], [0, 0]),
        (["6"], [0, 95], [0.06, -0.06], [1, -1]),
        (["6"], [100, 95], [0.06, -0.06], [1, -1]),
    ],
)
def test_rewards_worked_out_by_hand(
    others: list[str], scores: list[int], points: list[float], win: list[float]
) -> None:
    for reward, expected in (("points", points), ("win", win)):
        match = play(table_with("7", *others, scores=scores, reward=reward), "lay 7", "knock")
        assert match.rewards == pytest.approx(expected, abs=1e-6)
