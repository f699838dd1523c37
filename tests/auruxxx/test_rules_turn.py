"""A2: what may be done in a turn, and when it ends."""

from collections import Counter

import pytest

from ..tables import field, hand, legal, play
from .tables import layable, new_table, table_with


# --- A2.1 ---------------------------------------------------------------------------------------
@pytest.mark.rule("A2.1")
def test_passing_costs_a_cross_and_ends_the_turn() -> None:
    table = table_with("r8 r9", "r1", "r2")
    play(table, "pass")
    assert (table.current_player, field(table, "crosses")) == (1, [1, 0, 0])
    assert hand(table, 0) == ["r8", "r9"]
    assert field(table, "discard") == ["r7"]


@pytest.mark.rule("A2.1")
def test_passing_is_only_for_the_first_thing_in_a_turn() -> None:
    table = table_with("r8 r9 steal", "r1 r2")
    assert "pass" in legal(table)
    assert "pass" not in legal(play(table, "draw"))
    assert "pass" not in legal(play(table, "draw"))
    table = table_with("r8 r9 steal", "r1 r2")
    assert "pass" not in legal(play(table, "steal"))


@pytest.mark.rule("A2.1")
def test_nobody_passes_within_a_multiple() -> None:
    assert legal(play(table_with("r8 g8 r9", "r1"), "lay r8")) == {"end", "lay g8"}


@pytest.mark.rule("A2.1")
def test_passing_three_times_a_round() -> None:
    table = table_with("r8 r9", "r1 r2")
    play(table, "pass", "draw", "draw", "end", "pass", "draw", "draw", "end", "pass")
    assert field(table, "crosses") == [3, 0]
    assert "pass" in legal(table)  # the other player's are its own
    play(table, "pass")
    assert "pass" not in legal(table)
    assert "draw" in legal(table)


@pytest.mark.rule("A2.1")
def test_crosses_are_wiped_out_for_the_next_round() -> None:
    table = table_with("gold", "r1", crosses=[3, 2])
    play(table, "lay gold")
    assert field(table, "crosses") == [0, 0]
    assert "pass" in legal(table)


@pytest.mark.rule("A2.1", "A7.2")
def test_a_cross_is_five_points_at_the_end_of_the_round() -> None:
    table = play(table_with("r8 r9", "gold"), "pass")
    assert table.scores == [0, 0]
    assert play(table, "lay gold").scores == [8 + 9 + 5, -5]


# --- A2.2 ---------------------------------------------------------------------------------------
@pytest.mark.rule("A2.2")
def test_two_draws_a_turn_one_at_a_time() -> None:
    table = table_with("r8 r9", "r1")
    for drawn in (1, 2):
        pile = Counter(field(table, "pile"))
        assert "draw" in legal(table)
        play(table, "draw")
        assert (table.current_player, field(table, "drawn")) == (0, drawn)
        (got,) = (pile - Counter(field(table, "pile"))).elements()
        assert Counter(hand(table, 0))[got] > 0
        assert len(hand(table, 0)) == 2 + drawn
    assert "draw" not in legal(table)


@pytest.mark.rule("A2.2", "A2.3")
def test_after_each_draw_the_player_decides_anew() -> None:
    table = table_with("r8 b0", "r1")
    assert "lay r8" in legal(play(table, "draw"))
    assert "draw" in legal(table)
    assert "lay r8" in legal(play(table, "draw"))
    assert play(table, "lay r8", "end").current_player == 1


@pytest.mark.rule("A2.2")
def test_drawing_is_allowed_when_something_fits() -> None:
    table = table_with("r8 r9", "r1")
    assert {"lay r8", "draw"} <= legal(table)
    assert {"lay r8", "draw"} <= legal(play(table, "draw"))


@pytest.mark.rule("A2.2")
def test_the_next_player_has_two_draws_of_his_own() -> None:
    table = play(table_with("r8 r9", "r1"), "draw", "draw", "end")
    assert (table.current_player, field(table, "drawn")) == (1, 0)
    assert "draw" in legal(table)


@pytest.mark.rule("A2.2")
def test_a_drawn_card_is_any_of_the_pile() -> None:
    settings = {
        "colours": 1,
        "highest_number": 3,
        "number_copies": 1,
        "fifties": 0,
        "happy_men": 0,
        "golden_twelves": 2,
        "blessings": 0,
        "steals": 0,
        "swaps": 0,
        "hand_size": 1,
    }
    drawn: Counter[str] = Counter()
    for seed in range(300):
        table = table_with("", "r0", discard="r1", seed=seed, settings=settings)
        drawn.update(hand(play(table, "draw"), 0))
    assert set(drawn) == {"r2", "r3", "gold"}
    assert drawn["gold"] == pytest.approx(150, abs=35)
    assert drawn["r2"] == pytest.approx(75, abs=30)


# --- A2.3 ---------------------------------------------------------------------------------------
@pytest.mark.rule("A2.3")
def test_any_card_of_the_hand_may_be_laid_at_once() -> None:
    table = table_with("r8 r3 g7 b0", "r1")
    assert layable(table) == {"r8", "r3", "g7"}
    play(table, "lay r3")
    assert (field(table, "discard"), hand(table, 0)) == (["r7", "r3"], ["b0", "g7", "r8"])


@pytest.mark.rule("A2.3")
def test_not_only_the_drawn_card_may_be_laid() -> None:
    table = play(table_with("r8 r3 g7 b0", "r1"), "draw", "draw")
    assert {"r8", "r3", "g7"} <= layable(table)


@pytest.mark.rule("A2.3")
def test_the_drawn_card_may_be_laid() -> None:
    settings = {
        "colours": 1,
        "highest_number": 2,
        "number_copies": 1,
        "fifties": 1,
        "happy_men": 0,
        "golden_twelves": 1,
        "blessings": 0,
        "steals": 0,
        "swaps": 0,
        "hand_size": 1,
    }
    table = table_with("r0", "gold r2", discard="r1", pile="r50", settings=settings)
    assert layable(play(table, "draw")) == {"r0", "r50"}


@pytest.mark.rule("A2.3", "A2.4")
def test_laying_is_never_forced() -> None:
    table = table_with("r8 r9 rH steal", "r1")
    assert "draw" in legal(table)
    assert "draw" in legal(play(table, "draw"))
    assert {"end", "lay r8"} <= legal(play(table, "draw"))
    assert play(table, "end").current_player == 1


# --- A2.4 ---------------------------------------------------------------------------------------
@pytest.mark.rule("A2.4")
@pytest.mark.parametrize("card", ["r8", "r3", "r50", "rH", "g2", "b7"])
def test_laying_ends_the_turn(card: str) -> None:
    table = play(table_with(f"{card} b0", "r1 r1", "r0"), f"lay {card}")
    assert table.current_player == 1
    table = play(table_with(f"{card} b0 y5", "r1 r1", "r0"), f"lay {card}")
    if card in ("r8", "b7"):  # by number, so more of it could follow
        assert legal(table) == {"end"}
        play(table, "end")
    assert table.current_player == 1


@pytest.mark.rule("A2.4", "A5.1")
@pytest.mark.parametrize("move", ["blessing", "steal", "swap +1"])
def test_laying_an_action_card_does_not(move: str) -> None:
    table = play(table_with(f"{move.split(maxsplit=1)[0]} b0", "r1 r1"), move)
    assert table.current_player == 0
    assert field(table, "phase") == "play"


@pytest.mark.rule("A2.4")
def test_no_end_before_the_second_draw() -> None:
    table = table_with("r8 r9", "r1")
    assert "end" not in legal(table)
    assert "end" not in legal(play(table, "draw"))
    assert "end" in legal(play(table, "draw"))


@pytest.mark.rule("A2.4")
def test_who_can_lay_nothing_draws_twice_and_ends() -> None:
    hands = ("y0 b3 gH g50 gold", "r1")
    assert legal(table_with(*hands, discard="r7")) == {"draw", "pass"}
    assert legal(table_with(*hands, discard="r7", drawn=1)) == {"draw"}
    table = table_with(*hands, discard="r7", drawn=2)
    assert legal(table) == {"end"}
    assert play(table, "end").current_player == 1


# --- A2.5 ---------------------------------------------------------------------------------------
@pytest.mark.rule("A2.5", "A4.1")
def test_cards_taken_are_not_draws() -> None:
    table = table_with("r8 r9", "r1", discard="g2 b2", phase="demand", demand=4)
    play(table, "take")
    assert (field(table, "drawn"), len(hand(table, 0))) == (0, 6)
    assert {"draw", "pass"} <= legal(table)
    play(table, "draw")
    assert "end" not in legal(table)
    play(table, "draw")
    assert (len(hand(table, 0)), "end" in legal(table)) == (8, True)


@pytest.mark.rule("A2.4")
def test_a_fresh_deal_begins_with_a_turn_in_full() -> None:
    table = new_table(num_players=2)
    assert {"draw", "pass"} <= legal(table)
    assert {"end", "take"} & legal(table) == set()


# --- Settings for research ----------------------------------------------------------------------
@pytest.mark.rule("A2.1", "A4.2")
def test_fewer_passes_may_be_allowed() -> None:
    table = table_with("r1 r1", "r3 r3", settings={"max_passes": 1})
    play(table, "pass", "pass")
    assert "pass" not in legal(table)
    table = table_with(
        "r1 r1", "r3 r3", settings={"max_passes": 0}, phase="demand", demand=2, discard="r2"
    )
    assert legal(table) == {"take"}


@pytest.mark.rule("A2.2", "A2.4")
def test_one_draw_may_be_all() -> None:
    table = play(table_with("r1 r1", "r3 r3", settings={"max_draws": 1}), "draw")
    assert "draw" not in legal(table)
    assert "end" in legal(table)


@pytest.mark.rule("A2.2", "A5.2")
def test_after_an_action_card_one_draw_may_be_all() -> None:
    settings = {"max_draws": 1, "after_action": "lay"}
    table = table_with("steal r1 r1", "r3 r3", settings=settings)
    play(table, "steal", "draw")
    assert {"draw", "end"}.isdisjoint(legal(table))
