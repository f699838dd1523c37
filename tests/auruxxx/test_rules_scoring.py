"""A7 and A8: the points of a round, the winners of a game, the cap."""

import pytest

from goldgriff.envs.auruxxx.rules import Settings

from ..tables import field, legal, play
from .tables import new_table, table_with


# --- A7.1 - A7.4 --------------------------------------------------------------------------------
@pytest.mark.rule("A7.1")
@pytest.mark.parametrize(
    ("left", "points"),
    [
        ("", 0),
        *((f"r{number}", number) for number in range(13)),
        ("g50", 50),
        ("vH", 25),
        ("blessing", 25),
        ("steal", 25),
        ("swap", 25),
        ("gold", 12),
        ("gold gold r12", 36),
        ("r0 b0 r7 b12 y50 g50 blessing steal swap swap gH gold", 0 + 19 + 100 + 100 + 25 + 12),
    ],
)
def test_what_is_left_in_a_hand(left: str, points: int) -> None:
    assert play(table_with("gold", left), "lay gold").scores == [-5, points]


@pytest.mark.rule("A7.1")
@pytest.mark.parametrize("value", [0, 1, 50])
def test_the_value_of_a_golden_12_is_a_setting(value: int) -> None:
    table = table_with("gold", "gold gold r3", settings={"golden_value": value})
    assert play(table, "lay gold").scores == [-5, 2 * value + 3]


@pytest.mark.rule("A7.2")
@pytest.mark.parametrize("crosses", range(4))
def test_five_points_for_every_cross(crosses: int) -> None:
    table = table_with("gold", "r7", "r1", crosses=[0, crosses, 1])
    assert play(table, "lay gold").scores == [-5, 7 + 5 * crosses, 1 + 5]


@pytest.mark.rule("A7.2", "A7.3")
def test_the_winner_pays_for_his_crosses_too() -> None:
    table = table_with("gold gold", "r7", crosses=[3, 0])
    assert play(table, "lay gold").scores == [15 - 10, 7]


@pytest.mark.rule("A7.3")
def test_only_the_winner_has_points_off_for_golden_12s() -> None:
    assert play(table_with("gold", "gold gold", "r1"), "lay gold").scores == [-5, 24, 1]


@pytest.mark.rule("A7.4")
@pytest.mark.parametrize(
    ("left", "crosses", "points"),
    [("r8", 0, 4), ("r7", 0, 3.5), ("r8", 1, 6.5), ("", 1, 2.5), ("r0", 0, 0), ("g50 vH", 3, 45)],
)
def test_the_owner_of_the_figure_halves_his_result(left: str, crosses: int, points: float) -> None:
    table = table_with("gold", left, "b7", figure=1, crosses=[0, crosses, 0])
    assert play(table, "lay gold").scores == [-5, points, 7]


@pytest.mark.rule("A7.4")
@pytest.mark.parametrize(
    ("golden", "crosses", "points"), [(1, 0, -5), (2, 1, -5), (1, 1, 0), (1, 2, 2.5), (2, 3, 2.5)]
)
def test_the_winner_halves_only_what_is_above_zero(
    golden: int, crosses: int, points: float
) -> None:
    table = table_with(" ".join(["gold"] * golden), "r7", figure=0, crosses=[crosses, 0])
    assert play(table, "lay gold").scores == [points, 7]


@pytest.mark.rule("A7.4")
def test_halves_only_the_round_and_only_with_the_figure() -> None:
    table = table_with("gold", "r7", "b7", figure=1, scores=[10, 20, 30.5], round=2)
    assert play(table, "lay gold").scores == [5, 23.5, 37.5]
    assert play(table_with("gold", "r7", "b7"), "lay gold").scores == [-5, 7, 7]


# --- A7.5 ---------------------------------------------------------------------------------------
@pytest.mark.rule("A7.5")
def test_after_three_rounds_the_game_is_over() -> None:
    table = play(table_with("gold", "r7", round=1), "lay gold")
    assert (table.over, field(table, "round")) == (False, 2)
    assert legal(table) != set()
    table = play(table_with("gold", "r7", round=2), "lay gold")
    assert (table.over, field(table, "round")) == (False, 3)
    table = play(table_with("gold", "r7", round=3), "lay gold")
    assert table.over
    assert legal(table) == set()


@pytest.mark.rule("A7.5")
@pytest.mark.parametrize(
    ("before", "totals", "shares"),
    [
        ([0, 0, 0], [-5, 7, 3], [1, 0, 0]),
        ([30, 0, 10], [25, 7, 13], [0, 1, 0]),  # without winning this round
        ([30, 9, 10], [25, 16, 13], [0, 0, 1]),
        ([12, 0, 10], [7, 7, 13], [1 / 2, 1 / 2, 0]),
        ([12, 0, 4], [7, 7, 7], [1 / 3, 1 / 3, 1 / 3]),
        ([30, 2.5, 6], [25, 9.5, 9], [0, 0, 1]),
        ([30, 3, 7], [25, 10, 10], [0, 1 / 2, 1 / 2]),
    ],
)
def test_the_lowest_total_wins_and_equal_ones_share(
    before: list[float], totals: list[float], shares: list[float]
) -> None:
    table = play(table_with("gold", "r7", "r3", round=3, scores=before), "lay gold")
    assert table.over
    assert table.scores == totals
    assert table.win_shares() == pytest.approx(shares)


@pytest.mark.rule("A7.5")
def test_one_can_win_without_winning_a_round() -> None:
    first = play(table_with("gold", "r3", "r50", crosses=[3, 0, 0]), "lay gold")
    assert first.scores == [10, 3, 50]
    hands = ("r12", "g3", "gold")
    table = table_with(
        *hands, current_player=2, round=2, scores=first.scores, settings={"rounds": 2}
    )
    play(table, "lay gold")
    assert table.scores == [22, 6, 45]
    assert table.win_shares() == [0, 1, 0]


# --- A8.1 ---------------------------------------------------------------------------------------
@pytest.mark.rule("A8.1")
def test_the_default_cap() -> None:
    assert Settings().max_decisions == 3000


@pytest.mark.rule("A8.1")
def test_a_capped_round_is_scored_without_a_winner() -> None:
    table = table_with("r8 r9", "gold", "r3", figure=2, settings={"max_decisions": 3})
    play(table, "lay r8", "pass")
    assert not table.state.round_ended
    assert (field(table, "capped_rounds"), field(table, "decisions")) == (0, 2)
    play(table, "pass")
    assert table.state.round_ended
    assert table.state.round_winner == -1
    assert table.scores == [9, 12 + 5, (3 + 5) / 2]
    assert (field(table, "capped_rounds"), field(table, "round")) == (1, 2)
    assert (field(table, "decisions"), field(table, "figure")) == (0, 2)


@pytest.mark.rule("A8.1")
@pytest.mark.parametrize("cap", [1, 5, 20])
def test_every_decision_counts(cap: int) -> None:
    table = new_table(num_players=2, max_decisions=cap, rounds=1)
    decisions = 0
    while not table.over:
        table.play(table.legal[0])
        decisions += 1
    assert decisions == cap


@pytest.mark.rule("A8.1")
def test_the_cap_counts_anew_in_every_round() -> None:
    table = new_table(num_players=2, max_decisions=2)
    play(table, "draw", "draw")
    assert (field(table, "round"), field(table, "decisions")) == (2, 0)
    play(table, "draw")
    assert (field(table, "round"), field(table, "decisions")) == (2, 1)
    play(table, "draw")
    assert field(table, "round") == 3


@pytest.mark.rule("A8.1")
def test_a_capped_game_says_so() -> None:
    table = new_table(num_players=2, max_decisions=1)
    play(table, "draw", "draw", "draw")
    assert table.over
    assert table.state.capped_rounds == 3


@pytest.mark.rule("A8.1", "A6.2")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_golden_12_as_the_very_last_decision_wins(number: int) -> None:
    cap = {"max_decisions": 10}
    table = table_with("gold", "r7", decisions=9, round=number, settings=cap)
    play(table, "lay gold")
    assert (table.state.round_winner, table.scores) == (0, [-5, 7])
    assert (table.state.capped_rounds, table.state.round_ended) == (0, 1)
    assert table.over == (number == 3)


@pytest.mark.rule("A8.1", "A1.3")
def test_after_a_capped_round_the_deal_moves_on() -> None:
    table = table_with(
        "r8 r9", "r0", "r1", current_player=2, round=1, settings={"max_decisions": 1}
    )
    assert (play(table, "pass").current_player, field(table, "round")) == (1, 2)


@pytest.mark.rule("A8.1", "A7.1")
def test_the_last_turn_that_is_allowed_ends_the_round() -> None:
    table = table_with("g5 v1", "r9 b3 b4", settings={"max_turns": 3, "rounds": 1})
    play(table, "pass", "pass", "draw", "draw")
    assert (table.over, field(table, "turns")) == (False, 2)
    play(table, "end")
    assert table.over
    assert table.scores[1] == 9 + 3 + 4 + 5
    assert (table.state.round_winner, table.state.capped_rounds) == (-1, 0)


@pytest.mark.rule("A8.1", "A2.1", "A3.3", "A4.4")
def test_a_turn_counts_however_it_ends() -> None:
    table = table_with("r2 g2 g5 g5", "r9 b3", discard="r3", settings={"max_turns": 3})
    turns = []
    for move in ("pass", "pass", "lay r2", "lay g2", "end"):
        turns.append(field(table, "turns"))
        play(table, move)
    assert turns == [0, 1, 2, 2, 2]
    assert (field(table, "round"), field(table, "turns"), field(table, "demand")) == (2, 0, 0)


@pytest.mark.rule("A8.1", "A6.2")
def test_a_golden_12_in_the_last_turn_wins() -> None:
    table = play(table_with("gold", "r9 b3", settings={"max_turns": 1}), "lay gold")
    assert table.state.round_winner == 0


@pytest.mark.parametrize(
    ("hands", "scores", "points", "win"),
    [
        # Round points -5, 1, 3: the others' means are 2, -1, -2.
        (["gold", "r1", "r3"], [0, 0, 0], [0.07, -0.02, -0.05], [1, -0.5, -0.5]),
        (["gold", "r1", "r3"], [6, 0, 9], [0.07, -0.02, -0.05], [0.25, 0.25, -0.5]),
        (["gold", "r1", "r3"], [8, 2, 0], [0.07, -0.02, -0.05], [0, 0, 0]),
        (["gold", "r1"], [0, 0], [0.06, -0.06], [1, -1]),
        (["gold", "r1"], [9, 0], [0.06, -0.06], [-1, 1]),
        (["gold", "r1"], [6, 0], [0.06, -0.06], [0, 0]),
    ],
)
def test_rewards_worked_out_by_hand(
    hands: list[str], scores: list[float], points: list[float], win: list[float]
) -> None:
    for reward, expected in (("points", points), ("win", win)):
        match = table_with(*hands, round=3, scores=scores, reward=reward)
        play(match, "lay gold")
        assert match.rewards == pytest.approx(expected, abs=1e-6)
