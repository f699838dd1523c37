"""A5: action cards and the Happy-Man card."""

from collections import Counter
from typing import Any

import pytest

from ..tables import field, hand, legal, play
from .tables import layable, table_with

ITALIAN = {"edition": "italian"}


# --- A5.1, A5.2: the turn goes on ---------------------------------------------------------------
@pytest.mark.rule("A5.1")
def test_after_an_action_card_another_one_or_one_more_card() -> None:
    table = table_with("steal blessing swap b0 b9", "gold gold", "r1 r1")
    play(table, "steal")
    assert (table.current_player, hand(table, 0)) == (0, ["b0", "b9", "blessing", "gold", "swap"])
    assert layable(table) == {"blessing", "swap", "b0", "b9"}
    play(table, "blessing")
    assert hand(table, 0) == ["b0", "b9", "gold", "gold", "r1", "swap"]
    assert layable(table) == {"swap", "b0", "b9", "r1"}
    play(table, "lay b9", "end")
    assert (table.current_player, field(table, "discard")) == (1, ["r7", "steal", "blessing", "b9"])


@pytest.mark.rule("A5.1")
def test_several_of_one_kind_one_after_the_other() -> None:
    table = play(table_with("steal steal b0", "r1 r1", "g1"), "steal", "steal")
    assert (table.current_player, hand(table, 0), hand(table, 1)) == (0, ["b0", "r1", "r1"], [])


@pytest.mark.rule("A5.1")
def test_each_takes_effect_at_once_and_what_it_wins_may_be_laid() -> None:
    table = table_with("steal b0", "rH", discard="r7")
    play(table, "steal", "lay rH")
    assert (field(table, "figure"), hand(table, 0), table.current_player) == (0, ["b0"], 1)


@pytest.mark.rule("A5.1")
def test_an_action_card_won_by_another_may_be_laid() -> None:
    table = play(table_with("steal b0", "steal", "r1"), "steal", "steal")
    assert (table.current_player, hand(table, 0)) == (0, ["b0"])  # seat 1 has nothing left


@pytest.mark.rule("A5.1")
def test_action_cards_may_be_laid_after_drawing() -> None:
    table = play(table_with("steal b0", "r1 r1"), "draw", "draw")
    assert {"steal", "end"} <= legal(table)


@pytest.mark.rule("A5.2")
def test_after_an_action_card_the_draws_are_still_to_be_made() -> None:
    table = play(table_with("steal steal b0", "r1 r1 r1"[:5], "g1"), "steal")
    assert "draw" in legal(table)
    assert {"pass", "end"} & legal(table) == set()
    play(table, "draw")
    assert {"draw", "steal", "lay b0"} <= legal(table)  # anew, again an action card too
    assert {"pass", "end"} & legal(table) == set()
    play(table, "steal", "draw")
    assert "lay b0" in legal(table)
    assert "end" in legal(table)
    assert {"pass", "draw"} & legal(table) == set()
    assert play(table, "end").current_player == 1


@pytest.mark.rule("A5.2")
def test_only_what_is_left_of_the_two_draws() -> None:
    table = play(table_with("steal b0 b1", "r1 r1"), "draw", "steal")
    assert ("draw" in legal(table), "end" in legal(table)) == (True, False)
    play(table, "draw")
    assert ("draw" in legal(table), "end" in legal(table)) == (False, True)
    table = play(table_with("steal b0 b1", "r1 r1"), "draw", "draw", "steal")
    assert ("draw" in legal(table), "end" in legal(table)) == (False, True)


@pytest.mark.rule("A5.2", "A2.1")
@pytest.mark.parametrize("move", ["blessing", "steal", "swap +1"])
def test_no_passing_after_an_action_card(move: str) -> None:
    table = play(table_with(f"{move.split(maxsplit=1)[0]} b0", "r1 r1"), move)
    assert "pass" not in legal(table)
    play(table, "lay r1" if "swap" in move else "lay b0")
    assert "pass" in legal(table)  # the next player may


# --- A5.3: Kartensegen --------------------------------------------------------------------------
@pytest.mark.rule("A5.3")
def test_blessing_draws_one_card_from_every_other_hand() -> None:
    table = table_with("r9", "blessing b0", "r0 r0", "g1", "v3 v3", current_player=1)
    pile = Counter(field(table, "pile"))
    play(table, "blessing")
    assert hand(table, 1) == ["b0", "g1", "r0", "r9", "v3"]
    assert [hand(table, seat) for seat in (0, 2, 3, 4)] == [[], ["r0"], [], ["v3"]]
    assert Counter(field(table, "pile")) == pile
    assert field(table, "drawn") == 0


@pytest.mark.rule("A5.3", "A5.6")
def test_blessing_skips_empty_hands() -> None:
    table = play(table_with("blessing b0", "", "g1 g1", ""), "blessing")
    assert [hand(table, seat) for seat in range(4)] == [["b0", "g1"], [], ["g1"], []]


@pytest.mark.rule("A5.3")
def test_blessing_takes_any_card_with_equal_chance() -> None:
    taken: Counter[str] = Counter()
    for seed in range(600):
        table = table_with("blessing b0", "r1 r1 r3 gold", "g1 g4 g5", seed=seed)
        taken.update(hand(play(table, "blessing"), 0))
    assert taken["r1"] == pytest.approx(300, abs=55)
    assert taken["r3"] == pytest.approx(150, abs=45)
    assert taken["gold"] == pytest.approx(150, abs=45)
    assert taken["g4"] == pytest.approx(200, abs=50)
    assert taken["g5"] == pytest.approx(200, abs=50)


# --- A5.4: Kartentausch -------------------------------------------------------------------------
@pytest.mark.rule("A5.4")
@pytest.mark.parametrize(("current_player", "seats"), [(0, 1), (0, 3), (2, 1), (2, 2), (3, 3)])
def test_swap_with_any_other_player(current_player: int, seats: int) -> None:
    hands = ["r0", "g1 g1", "b3", "v4 v4 v5"]
    before = [sorted(cards.split()) for cards in hands]
    hands[current_player] += " swap"
    table = table_with(*hands, current_player=current_player, crosses=[0, 1, 2, 3], figure=2)
    assert {f"swap +{k}" for k in (1, 2, 3)} <= legal(table)
    play(table, f"swap +{seats}")
    other = (current_player + seats) % 4
    after = list(before)
    after[current_player], after[other] = before[other], before[current_player]
    assert [hand(table, seat) for seat in range(4)] == after
    assert table.current_player == current_player
    assert (field(table, "crosses"), field(table, "figure")) == ([0, 1, 2, 3], 2)


@pytest.mark.rule("A5.4")
@pytest.mark.parametrize("players", range(2, 7))
def test_nobody_swaps_with_himself_or_with_seats_that_are_not_there(players: int) -> None:
    table = table_with("swap b0", *["gold"] * (players - 1))
    swaps = {move for move in table.legal if move.startswith("swap")}
    assert swaps == {f"swap +{k}" for k in range(1, players)}


@pytest.mark.rule("A5.4", "A5.6")
def test_swap_with_an_empty_hand() -> None:
    table = play(table_with("swap b0 b9", "", "r1"), "swap +1")
    assert [hand(table, seat) for seat in range(3)] == [[], ["b0", "b9"], ["r1"]]
    assert (table.current_player, field(table, "round"), field(table, "acted")) == (0, 1, 1)
    assert legal(table) == {"draw"}
    assert len(hand(play(table, "draw"), 0)) == 1


@pytest.mark.rule("A5.4", "A6.1")
def test_swapped_golden_12s_may_be_laid_at_once() -> None:
    table = play(table_with("swap b12", "gold gold", "r1"), "swap +1", "lay gold")
    assert table.scores == [-10, 12, 1]


# --- A5.5: Karte ziehen -------------------------------------------------------------------------
@pytest.mark.rule("A5.5")
@pytest.mark.parametrize("current_player", [0, 1, 2])
def test_steal_draws_one_card_from_the_next_player(current_player: int) -> None:
    hands = ["r0 r0", "g1 g1", "b3 b3"]
    hands[current_player] = "steal v9"
    table = play(table_with(*hands, current_player=current_player), "steal")
    victim, third = (current_player + 1) % 3, (current_player + 2) % 3
    stolen = hands[victim].split()[0]
    assert hand(table, current_player) == sorted(["v9", stolen])
    assert hand(table, victim) == [stolen]
    assert hand(table, third) == hands[third].split()


@pytest.mark.rule("A5.5")
def test_steal_takes_any_card_with_equal_chance() -> None:
    taken: Counter[str] = Counter()
    for seed in range(600):
        table = table_with("steal b0", "r1 r1 r3 gold", "g1", seed=seed)
        taken.update(hand(play(table, "steal"), 0))
    assert taken["r1"] == pytest.approx(300, abs=55)
    assert taken["r3"] == pytest.approx(150, abs=45)
    assert taken["gold"] == pytest.approx(150, abs=45)


@pytest.mark.rule("A5.5", "A5.6")
def test_steal_from_an_empty_hand_gives_nothing() -> None:
    table = play(table_with("steal b0", "", "r1"), "steal")
    assert [hand(table, seat) for seat in range(3)] == [["b0"], [], ["r1"]]
    assert (table.current_player, field(table, "acted")) == (0, 1)


# --- A5.6: empty hands --------------------------------------------------------------------------
@pytest.mark.rule("A5.6")
def test_an_emptied_hand_does_not_end_the_round() -> None:
    table = play(table_with("steal b0 b9", "r1"), "steal", "lay b0", "end")
    assert (table.current_player, hand(table, 1), field(table, "round")) == (1, [], 1)
    assert legal(table) == {"draw", "pass"}
    play(table, "draw")
    assert len(hand(table, 1)) == 1
    assert "draw" in legal(table)


@pytest.mark.rule("A5.6", "A2.1")
def test_an_empty_hand_may_pass() -> None:
    table = play(table_with("", "r1"), "pass")
    assert (table.current_player, field(table, "crosses")) == (1, [1, 0])


@pytest.mark.rule("A5.6", "A4.3")
def test_an_empty_hand_takes_what_is_demanded() -> None:
    table = play(table_with("steal g2 b0", "r1", "r3"), "steal", "lay g2", "end")
    assert (table.current_player, legal(table)) == (1, {"take", "pass"})
    assert len(hand(play(table, "take"), 1)) == 2


@pytest.mark.rule("A5.6", "A2.4")
def test_an_empty_hand_ends_the_turn_after_two_draws_of_nothing() -> None:
    settings = {"hand_size": 1, "colours": 1, "highest_number": 1, "number_copies": 2}
    settings |= {"fifties": 0, "happy_men": 0, "golden_twelves": 1}
    settings |= {"blessings": 0, "steals": 0, "swaps": 0}
    table = table_with("", "r0 r0 r1 gold", discard="r1", pile="", settings=settings)
    play(table, "draw", "draw")
    assert legal(table) == {"end"}


# --- A5.7: the Happy-Man card -------------------------------------------------------------------
@pytest.mark.rule("A5.7")
def test_a_happy_man_card_wins_the_figure_and_ends_the_turn() -> None:
    table = play(table_with("rH bH b0", "r1", "r3"), "lay rH")
    assert (field(table, "figure"), table.current_player, field(table, "phase")) == (0, 1, "play")
    assert hand(table, 0) == ["b0", "bH"]


@pytest.mark.rule("A5.7")
@pytest.mark.parametrize("owner", [None, 0, 1, 2])
def test_the_figure_is_taken_from_whoever_has_it(owner: int | None) -> None:
    table = play(table_with("r1", "rH b0", "r3", current_player=1, figure=owner), "lay rH")
    assert field(table, "figure") == 1


@pytest.mark.rule("A5.7")
def test_no_other_card_wins_the_figure() -> None:
    table = table_with("steal r50 r2 b0", "rH", figure=1, discard="r7")
    play(table, "steal")  # even a Happy-Man card that is only stolen
    assert field(table, "figure") == 1
    assert field(play(table, "lay r50"), "figure") == 1


# --- A5.8: the Italian edition ------------------------------------------------------------------
@pytest.mark.rule("A5.8")
def test_italian_blessing_makes_every_other_player_draw_from_the_pile() -> None:
    table = table_with("r9", "blessing b0", "r0 r0", "", current_player=1, settings=ITALIAN)
    pile = len(field(table, "pile"))
    play(table, "blessing")
    assert hand(table, 1) == ["b0"]
    assert [len(hand(table, seat)) for seat in (0, 2, 3)] == [2, 3, 1]
    assert ("r9" in hand(table, 0), hand(table, 2).count("r0")) == (True, 2)
    assert len(field(table, "pile")) == pile - 3
    assert (table.current_player, field(table, "drawn"), field(table, "acted")) == (1, 0, 1)


@pytest.mark.rule("A5.8")
def test_italian_steal_makes_the_next_player_draw_from_the_pile() -> None:
    table = table_with("steal b0", "r0 r0", "r1", settings=ITALIAN)
    pile = len(field(table, "pile"))
    play(table, "steal")
    assert [len(hand(table, seat)) for seat in range(3)] == [1, 3, 1]
    assert hand(table, 0) == ["b0"]
    assert len(field(table, "pile")) == pile - 1


@pytest.mark.rule("A5.8", "A5.4")
def test_the_italian_swap_is_the_same() -> None:
    table = play(table_with("swap b0", "r0 r0", "r1", settings=ITALIAN), "swap +2")
    assert [hand(table, seat) for seat in range(3)] == [["r1"], ["r0", "r0"], ["b0"]]


@pytest.mark.rule("A5.8", "A1.5")
def test_italian_blessing_runs_clockwise_and_turns_the_pile_over() -> None:
    settings: dict[str, Any] = {
        **ITALIAN,
        "hand_size": 1,
        "colours": 1,
        "highest_number": 3,
        "number_copies": 1,
        "fifties": 0,
        "happy_men": 0,
        "golden_twelves": 1,
        "blessings": 2,
        "steals": 0,
        "swaps": 0,
    }
    hands = ("gold", "blessing r0 blessing", "")
    table = table_with(*hands, discard="r3 r2", pile="r1", current_player=1, settings=settings)
    play(table, "blessing")
    assert hand(table, 2) == ["r1"]  # the next player draws first
    assert hand(table, 0) in (["gold", "r2"], ["gold", "r3"])
    assert field(table, "discard") == ["blessing"]
    assert len(field(table, "pile")) == 1
