"""The public events of each action, as each seat knows them."""

from collections import Counter
from typing import Any

import pytest

from goldgriff.envs.match import Match

from ..envs.events import seen
from ..tables import hand, play
from .tables import new_table, table_with

SMALL: dict[str, Any] = {  # a deck of five card types: r0, r1, r2, gold and one action card
    "colours": 1,
    "highest_number": 2,
    "number_copies": 4,
    "fifties": 0,
    "happy_men": 0,
    "golden_twelves": 1,
    "blessings": 1,
    "steals": 0,
    "swaps": 0,
    "hand_size": 1,
}


def drawn(match: Match, seat: int, before: list[str]) -> str:
    """The card that a seat has got."""
    (card,) = (Counter(hand(match, seat)) - Counter(before)).elements()
    return card


@pytest.mark.rule("A2.2")
def test_only_its_player_sees_a_card_drawn() -> None:
    match = table_with("r1 r2", "b1", "b2")
    play(match, "draw")
    card = drawn(match, 0, ["r1", "r2"])
    assert seen(match, 0) == [("DRAW", 1, 0, card, 1)]
    assert seen(match, 1) == [("DRAW", 3, 0, "", 1)]  # seats are counted from the observer, 1
    assert seen(match, 2) == [("DRAW", 2, 0, "", 1)]


@pytest.mark.rule("A3.3", "A2.4")
def test_a_multiple_is_laid_card_by_card_and_ended() -> None:
    match = play(table_with("r7 b7 g7 v1", "b1"), "lay r7", "lay b7", "end")
    events = match.events(1)
    assert events["number"].tolist() == [1, 2, 3]
    assert events.dtype.names == ("number", "kind", "actor", "other", "card", "count")
    assert seen(match) == [("END", 1, 0, "", 0)]
    match = play(table_with("r7 b7 g7 v1", "b1"), "lay r7", "lay b7")
    assert seen(match) == [("LAY", 1, 0, "b7", 1)]


@pytest.mark.rule("A2.1", "A4.2", "A4.1")
def test_a_demand_is_passed_on_and_taken() -> None:
    match = play(table_with("r2 b5", "b1", "g1"), "lay r2", "pass")
    assert seen(match) == [("PASS", 2, 0, "", 2)]
    play(match, "take")
    for seat in range(3):
        assert [event[0::3] for event in seen(match, seat)] == [("TAKE_DEMAND", "")]
        assert seen(match, seat)[0][4] == 2
    match = play(table_with("b5 v1", "b1"), "pass")
    assert seen(match) == [("PASS", 1, 0, "", 0)]


@pytest.mark.rule("A1.5")
def test_a_draw_that_yields_nothing_is_an_event_too() -> None:
    rest = "r0 r0 r0 r0 r1 r1 r1 r1 r2 r2 r2 blessing"
    match = table_with(rest, "gold", discard="r2", pile="", settings=SMALL)
    assert seen(play(match, "draw")) == [("DRAW", 1, 0, "", 0)]


@pytest.mark.rule("A1.5")
def test_the_shuffle_comes_before_the_card_drawn_from_it() -> None:
    match = table_with(
        "r0 r0", "gold r1", discard="r0 r0 r1 r1 r1 blessing r2 r2 r2 r2", pile="", settings=SMALL
    )
    play(match, "draw")
    card = drawn(match, 0, ["r0", "r0"])
    assert seen(match) == [("SHUFFLE", 0, 0, "", 9), ("DRAW", 1, 0, card, 1)]
    assert seen(match, 1) == [("SHUFFLE", 0, 0, "", 9), ("DRAW", 2, 0, "", 1)]


@pytest.mark.rule("A1.5", "A4.1")
def test_a_demand_that_empties_the_pile_is_taken_in_two_parts() -> None:
    match = table_with(
        *("r0 r0", "gold r1"),
        discard="r0 r1 r1 r1 blessing r2 r2 r2 r2",
        pile="r0",
        phase="demand",
        demand=4,
        settings=SMALL,
    )
    play(match, "take")
    assert seen(match) == [
        ("TAKE_DEMAND", 1, 0, "", 1),
        ("SHUFFLE", 0, 0, "", 8),
        ("TAKE_DEMAND", 1, 0, "", 3),
    ]


@pytest.mark.rule("A5.3", "A5.5")
def test_thief_and_victim_know_the_stolen_card() -> None:
    match = table_with("blessing r1", "b3 b3", "", "g4 g4")
    play(match, "blessing")
    laid = ("LAY", 1, 0, "blessing", 1)
    assert seen(match, 0) == [laid, ("STEAL", 1, 2, "b3", 1), ("STEAL", 1, 4, "g4", 1)]
    assert seen(match, 1)[1:] == [("STEAL", 4, 1, "b3", 1), ("STEAL", 4, 3, "", 1)]
    assert [event[3] for event in seen(match, 2)] == ["blessing", "", ""]
    assert [event[3] for event in seen(match, 3)] == ["blessing", "", "g4"]
    match = play(table_with("steal r1", "b3 b3", "g4"), "steal")
    assert seen(match, 2) == [("LAY", 2, 0, "steal", 1), ("STEAL", 2, 3, "", 1)]


@pytest.mark.rule("A5.5")
def test_who_knew_the_last_card_of_a_hand_knows_which_was_stolen() -> None:
    known: list[list[list[str]]] = [[[], [], []], [[], [], []], [[], ["b3"], []]]
    match = play(table_with("steal r1", "b3", "g4 g5", known=known), "steal")
    assert seen(match, 2)[1] == ("STEAL", 2, 3, "b3", 1)
    known[2][1] = ["b3"]
    match = play(table_with("steal r1", "b3 b3", "g4 g5", known=known), "steal")
    assert seen(match, 2)[1] == ("STEAL", 2, 3, "", 1)


@pytest.mark.rule("A5.4")
def test_a_swap_is_two_events_without_cards() -> None:
    match = play(table_with("swap r1 r3", "b3", "g4"), "swap +2")
    for seat, (one, two) in enumerate([(1, 3), (3, 2), (2, 1)]):
        assert seen(match, seat) == [
            ("LAY", one, 0, "swap", 1),
            ("SWAP", one, two, "", 1),
            ("SWAP", two, one, "", 2),
        ]


@pytest.mark.rule("A5.7")
def test_the_figure_goes_from_its_owner_to_who_lays_a_happy_man() -> None:
    match = play(table_with("rH r1", "yH b1", "gH g1"), "lay rH")
    assert seen(match) == [("LAY", 1, 0, "rH", 1), ("FIGURE", 1, 0, "", 1)]
    play(match, "lay yH")
    assert seen(match) == [("LAY", 2, 0, "yH", 1), ("FIGURE", 2, 1, "", 1)]
    match = play(table_with("rH r1", "b1", figure=0), "lay rH")
    assert seen(match) == [("LAY", 1, 0, "rH", 1)]


@pytest.mark.rule("A5.8")
@pytest.mark.parametrize(("move", "players"), [("blessing", [2, 3]), ("steal", [2])])
def test_in_the_italian_edition_the_others_draw(move: str, players: list[int]) -> None:
    match = table_with(f"{move} r1", "b1", "g1", settings={"edition": "italian"})
    play(match, move)
    got = drawn(match, 1, ["b1"])
    assert seen(match)[1:] == [("DRAW", player, 0, "", 1) for player in players]
    assert seen(match, 1)[1] == ("DRAW", 1, 0, got, 1)


@pytest.mark.rule("A5.8")
def test_with_blessing_draws_all_its_player_draws_too_and_last() -> None:
    settings = {"edition": "italian", "blessing_draws": "all"}
    match = play(table_with("blessing r1", "b1", settings=settings), "blessing")
    card = drawn(match, 0, ["r1"])
    assert seen(match)[1:] == [("DRAW", 2, 0, "", 1), ("DRAW", 1, 0, card, 1)]


@pytest.mark.rule("A6.1", "A6.2", "A7.5")
def test_the_last_decision_of_the_game_is_an_event_but_none_of_a_round_before() -> None:
    match = play(table_with("gold gold", "b1", settings={"rounds": 1}), "lay gold")
    assert match.over
    assert seen(match, 1) == [("LAY", 2, 0, "gold", 2)]
    match = play(table_with("gold gold", "b1"), "pass", "draw", "draw", "end", "lay gold")
    assert len(match.events(0)) == 0  # a new round starts an empty history
    match = new_table(1)
    assert len(match.events(0)) == 0
    play(match, "draw")
    assert match.events(0)["number"].tolist() == [1]
