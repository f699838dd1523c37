"""Sentences of the booklets that no other test plays, numbered as in docs/rules/books."""

import pytest

from ..tables import field, hand, legal, play
from .tables import layable, table_with


@pytest.mark.rule("A2.3", "A2.4")
@pytest.mark.parametrize("card", ["blessing", "steal", "swap"])
def test_an_action_card_is_kept_even_if_nothing_else_fits(card: str) -> None:
    """German 18.2 to 18.6: who keeps it pays with two draws."""
    table = table_with(f"{card} b0 y3", "r1 r1", discard="r7")
    assert layable(table) == {card}
    assert "end" not in legal(table)
    play(table, "draw", "draw")
    assert {"end"} < legal(table)
    assert card in layable(table)
    play(table, "end")
    assert (table.current_player, field(table, "crosses")) == (1, [0, 0])
    assert (len(hand(table, 0)), hand(table, 0).count(card) > 0) == (5, True)


@pytest.mark.rule("A1.5")
def test_action_cards_are_out_of_play_only_until_the_pile_is_renewed() -> None:
    """German 15.5."""
    settings = {
        "hand_size": 1,
        "colours": 1,
        "highest_number": 3,
        "number_copies": 2,
        "fifties": 0,
        "happy_men": 0,
        "golden_twelves": 1,
        "blessings": 0,
        "steals": 1,
        "swaps": 0,
    }
    hands = ("steal r0 r2", "r0 r1 r1 gold")
    table = table_with(*hands, discard="r3 r3", pile="r2", settings=settings)
    play(table, "steal", "lay r2", "end")
    assert field(table, "discard") == ["r3", "r3", "steal", "r2"]
    play(table, "take")
    assert field(table, "discard") == ["r2"]
    assert (hand(table, 1) + field(table, "pile")).count("steal") == 1


@pytest.mark.rule("A3.3", "A6.1")
def test_multiples_shed_a_whole_hand_in_three_turns() -> None:
    """German 16.3."""
    table = table_with("g6 b6 v6 g7 b7 gold", "r9", discard="r7")
    play(table, "lay g6", "lay b6", "lay v6", "end", "pass")
    assert hand(table, 0) == ["b7", "g7", "gold"]
    play(table, "lay g7", "lay b7", "pass")  # with one card left the turn ends by itself
    assert hand(table, 0) == ["gold"]
    assert play(table, "lay gold").scores == [-5, 9 + 2 * 5]
