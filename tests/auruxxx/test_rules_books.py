"""A2.6, A5.2, A5.6, A5.8: what the books settle differently, in every setting that it touches."""

import random
from collections import Counter
from typing import Any

import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import Settings
from goldgriff.envs.match import Match
from goldgriff.errors import SettingsError

from ..tables import cards, field, hand, legal, play
from .tables import layable, table_with

ENGLISH: dict[str, Any] = {"after_action": "lay"}
WEB: dict[str, Any] = {"edition": "web"}
ITALIAN: dict[str, Any] = {"edition": "italian"}
ALL_DRAW: dict[str, Any] = {"edition": "italian", "blessing_draws": "all"}
in_every_book = pytest.mark.parametrize("settings", [{}, ENGLISH, WEB, ITALIAN, ALL_DRAW], ids=str)
LITTLE: dict[str, Any] = {  # r0 to r3, Golden 12s and action cards
    "colours": 1,
    "highest_number": 3,
    "number_copies": 1,
    "fifties": 0,
    "happy_men": 0,
    "golden_twelves": 1,
    "blessings": 2,
    "steals": 0,
    "swaps": 0,
    "hand_size": 1,
}


# --- A2.6: the older web page -------------------------------------------------------------------
@pytest.mark.rule("A2.6", "A2.2")
def test_web_the_first_draw_is_a_choice() -> None:
    assert legal(table_with("r8 b0", "r1", settings=WEB)) == {"draw", "pass", "lay r8"}
    assert legal(table_with("gold", "r1", settings=WEB)) == {"draw", "pass", "lay gold"}
    taken = table_with("r8 b0", "r1", discard="g2", phase="demand", demand=2, settings=WEB)
    assert {"draw", "pass"} < legal(play(taken, "take"))  # A2.5: no draw of the two


@pytest.mark.rule("A2.6")
@pytest.mark.parametrize(
    ("held", "forced"),
    [
        ("r8 b0", {"lay r8"}),
        ("r8 r8 b0", {"lay r8"}),
        ("r8 g6 b2 v0", {"lay r8", "lay g6", "lay b2"}),
        ("steal b0", {"steal"}),
        ("blessing swap b0", {"blessing", "swap +1", "swap +2"}),
        ("steal steal", {"steal"}),
        ("gold", {"lay gold"}),
        ("gold gold", {"lay gold"}),
        ("gold r8", {"lay r8"}),
    ],
)
def test_web_who_can_lay_after_a_draw_must(held: str, forced: set[str]) -> None:
    for drawn in (1, 2):
        assert legal(table_with(held, "r1", "r3", drawn=drawn, settings=WEB)) == forced
        assert len(legal(table_with(held, "r1", "r3", drawn=drawn))) == len(forced) + 1


@pytest.mark.rule("A2.6", "A3.11", "A6.1")
@pytest.mark.parametrize("held", ["", "r8", "steal", "swap", "y0 b3 gH", "gold b0", "gold gold b0"])
def test_web_who_can_lay_nothing_draws_twice_and_ends(held: str) -> None:
    assert legal(table_with(held, "r1", drawn=1, settings=WEB)) == {"draw"}
    table = table_with(held, "r1", drawn=2, settings=WEB)
    assert legal(table) == {"end"}
    assert play(table, "end").current_player == 1


@pytest.mark.rule("A2.6")
def test_web_the_whole_hand_counts() -> None:
    again = Counter[bool]()
    for seed in range(40):
        fits = play(table_with("r8 b0", "r1", discard="r7", seed=seed, settings=WEB), "draw")
        assert "lay r8" in legal(fits)  # whatever was drawn
        assert "draw" not in legal(fits)
        table = play(table_with("b0 y4", "r1", discard="r7", seed=seed, settings=WEB), "draw")
        assert ("draw" in legal(table)) == (not layable(table))
        again[bool(layable(table))] += 1
    assert again[True] > 5 < again[False]


@pytest.mark.rule("A2.6", "A5.1")
def test_web_an_action_card_is_followed_by_what_fits_then() -> None:
    table = play(table_with("steal b0 y4", "g9 g9", drawn=1, settings=WEB), "steal")
    assert legal(table) == {"lay b0", "lay y4", "lay g9"}  # nothing of it fitted before
    assert play(table, "lay b0", "end").current_player == 1
    table = play(table_with("steal b0 y4", "g9 g9", settings=WEB), "steal")
    assert legal(table) == {"draw", "lay b0", "lay y4", "lay g9"}  # the first draw, still
    table = play(table_with("swap b0 y4", "", drawn=1, settings=WEB), "swap +1")
    assert legal(table) == {"draw"}


@pytest.mark.rule("A2.6", "A3.3")
def test_web_more_of_a_multiple_is_not_forced() -> None:
    table = table_with("r8 g8 b0", "r1", drawn=1, settings=WEB)
    assert legal(play(table, "lay r8")) == {"end", "lay g8"}


@pytest.mark.rule("A2.6", "A5.3", "A5.5")
def test_web_the_action_cards_draw_from_hands() -> None:
    table = play(table_with("blessing steal b0", "g1 g1", "r1", settings=WEB), "blessing", "steal")
    assert [hand(table, seat) for seat in range(3)] == [cards("b0 g1 g1 r1"), [], []]


@pytest.mark.rule("A2.6", "A5.2")
@pytest.mark.parametrize("players", [2, 4])
def test_web_after_action_has_no_effect(players: int) -> None:
    one, two = (
        Match(AURUXXX, Settings(num_players=players, rounds=1, **WEB, after_action=after))
        for after in ("free", "lay")
    )
    one.start(players)
    two.start(players)
    rng, acted = random.Random(players), 0
    while not one.over:
        assert one.legal == two.legal
        move = rng.choice(one.legal)
        play(one, move)
        play(two, move)
        acted += field(one, "acted")
    assert acted > 10
    assert one.scores == two.scores


# --- A5.2: `after_action` -----------------------------------------------------------------------
@pytest.mark.rule("A5.2")
@pytest.mark.parametrize("moves", ["steal draw draw", "draw steal draw", "draw draw steal"])
def test_english_after_an_action_card_one_more_must_follow(moves: str) -> None:
    hands = ("steal b0 b9", "r1 r1", "g1")
    free = play(table_with(*hands), *moves.split())
    table = play(table_with(*hands, settings=ENGLISH), *moves.split())
    assert "end" in legal(free)
    assert legal(table) == legal(free) - {"end"}
    assert play(table, "lay b9", "end").current_player == 1


@pytest.mark.rule("A5.2")
def test_english_another_action_card_counts() -> None:
    table = table_with("steal steal steal", "", drawn=2, settings=ENGLISH)
    assert legal(play(table, "steal")) == {"steal"}
    assert legal(play(table, "steal")) == {"end"}  # A3.11: the last card of the hand


@pytest.mark.rule("A5.2", "A2.2")
def test_english_draws_stay_a_choice() -> None:
    table = play(table_with("steal b0 b9", "r1 r1", settings=ENGLISH), "steal")
    assert legal(table) == {"draw", "lay b0", "lay b9", "lay r1"}
    assert legal(table_with("steal b0", "r1", drawn=1, settings=ENGLISH)) == {"draw", "steal"}


@pytest.mark.rule("A5.2", "A2.3")
def test_english_without_an_action_card_laying_is_not_forced() -> None:
    table = table_with("r8 steal b0", "r1 r1", drawn=2, settings=ENGLISH)
    assert legal(table) == {"end", "lay r8", "steal"}
    assert play(table, "end").current_player == 1


@pytest.mark.rule("A5.2", "A3.11", "A6.1", "A5.6")
@pytest.mark.parametrize(
    ("held", "victim", "move", "left"),
    [
        ("steal b0", "", "steal", {"end"}),  # A3.11
        ("swap b0", "r9", "swap +1", {"end"}),
        ("swap b0", "", "swap +1", {"end"}),  # an empty hand
        ("steal gold", "", "steal", {"lay gold"}),  # A6.1
        ("steal gold", "r9", "steal", {"lay r9"}),
    ],
)
def test_english_a_turn_ends_without_laying_when_nothing_can_be(
    held: str, victim: str, move: str, left: set[str]
) -> None:
    table = table_with(held, victim, drawn=2, settings=ENGLISH)
    assert legal(play(table, move)) == left


# --- A5.6: an empty hand, by every book ---------------------------------------------------------
@in_every_book
@pytest.mark.rule("A5.6", "A5.2")
def test_who_emptied_his_own_hand_draws_and_ends(settings: dict[str, Any]) -> None:
    for drawn, left in ((0, {"draw"}), (1, {"draw"}), (2, {"end"})):
        table = table_with("swap b0 b9", "", "r1", drawn=drawn, settings=settings)
        play(table, "swap +1")
        assert (hand(table, 0), legal(table), field(table, "round")) == ([], left, 1)


@in_every_book
@pytest.mark.rule("A5.6", "A2.1", "A4.1")
def test_an_empty_hand_at_the_start_of_a_turn(settings: dict[str, Any]) -> None:
    assert legal(table_with("", "r1", settings=settings)) == {"draw", "pass"}
    assert legal(table_with("", "r1", crosses=[3, 0], settings=settings)) == {"draw"}
    table = table_with("", "r1", discard="g2", phase="demand", demand=2, settings=settings)
    assert legal(table) == {"take", "pass"}
    assert len(hand(play(table, "take"), 0)) == 2


@in_every_book
@pytest.mark.rule("A5.6", "A1.5")
def test_an_empty_hand_ends_the_turn_after_two_draws_of_nothing(settings: dict[str, Any]) -> None:
    deck = {**LITTLE, "highest_number": 1, "number_copies": 2, "blessings": 0}
    hands = ("", "r0 r0 r1 gold")
    table = table_with(*hands, discard="r1", pile="", settings={**deck, **settings})
    play(table, "draw")
    assert legal(table) == {"draw"}
    assert legal(play(table, "draw")) == {"end"}


# --- A5.8: the Italian book ---------------------------------------------------------------------
@pytest.mark.rule("A5.8", "A2.2")
def test_italian_all_the_player_draws_too() -> None:
    hands = ("r9", "blessing b0", "r0 r0", "")
    table = table_with(*hands, current_player=1, settings=ALL_DRAW)
    pile = len(field(table, "pile"))
    play(table, "blessing")
    assert [len(hand(table, seat)) for seat in range(4)] == [2, 2, 3, 1]
    assert len(field(table, "pile")) == pile - 4
    assert (table.current_player, field(table, "drawn"), field(table, "acted")) == (1, 0, 1)
    play(table, "draw", "draw")  # both are still to be made
    assert len(hand(table, 1)) == 4


@pytest.mark.rule("A5.8", "A5.2")
@pytest.mark.parametrize("card", ["steal", "blessing"])
def test_italian_after_the_last_action_card_another_is_laid(card: str) -> None:
    """Sentence 10.5 of the Italian book, which `after_action="lay"` plays."""
    hands, moves = (f"{card} b0 b9", "r1 r1", "g1"), (card, "draw", "draw")
    free = play(table_with(*hands, settings=ITALIAN), *moves)
    table = play(table_with(*hands, settings={**ITALIAN, **ENGLISH}), *moves)
    assert [len(hand(table, seat)) for seat in range(2)] == [4, 3]  # the next player drew (A5.8)
    assert legal(table) == legal(free) - {"end"} != legal(free)
    assert play(table, "lay b9", "end").current_player == 1


@pytest.mark.rule("A5.8", "A1.5")
def test_italian_all_the_player_draws_last() -> None:
    hands = ("gold", "blessing r0 blessing", "")
    few = table_with(
        *hands, discard="r3 r2", pile="r1", current_player=1, settings={**LITTLE, **ALL_DRAW}
    )
    play(few, "blessing")
    assert hand(few, 2) == ["r1"]  # the next player draws first
    assert sorted({*hand(few, 0), *hand(few, 1)} - {"gold", "r0", "blessing"}) == ["r2", "r3"]
    assert field(few, "pile") == []
    fewer = table_with(
        *hands,
        discard="r2",
        pile="r1",
        current_player=1,
        settings={**LITTLE, **ALL_DRAW, "highest_number": 2},
    )
    play(fewer, "blessing")  # two cards for three
    assert [hand(fewer, seat) for seat in (2, 0, 1)] == [
        ["r1"],
        cards("gold r2"),
        cards("blessing r0"),
    ]


@pytest.mark.rule("A5.8")
def test_italian_all_concerns_the_blessing_only() -> None:
    table = play(table_with("steal b0", "r0 r0", "r1", settings=ALL_DRAW), "steal")
    assert [len(hand(table, seat)) for seat in range(3)] == [1, 3, 1]


@pytest.mark.rule("A5.8")
@pytest.mark.parametrize("edition", ["german", "web"])
def test_all_is_refused_in_other_editions(edition: str) -> None:
    with pytest.raises(SettingsError) as refused:
        Settings(edition=edition, blessing_draws="all")
    assert str(refused.value) == (
        "blessing_draws='all' is of edition='italian' only; this is the "
        f"{edition} edition, with 'others'"
    )


@pytest.mark.rule("A5.8", "A2.1")
@pytest.mark.parametrize("settings", [ITALIAN, ALL_DRAW], ids=str)
def test_italian_passing_ends_the_turn_without_laying(settings: dict[str, Any]) -> None:
    table = play(table_with("r8 r9", "r1", "r2", settings=settings), "pass")
    assert (table.current_player, field(table, "crosses")) == (1, [1, 0, 0])
    assert (hand(table, 0), field(table, "discard")) == (cards("r8 r9"), ["r7"])
