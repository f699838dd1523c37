"""Every field of an observation, in positions that set it, as every seat sees it."""

from typing import Any

import pytest

from goldgriff.envs.auruxxx.observation import OBSERVATION_SPEC
from goldgriff.envs.match import Match

from ..observations import compare, table_of
from ..tables import play
from .observed import CARDS, expected
from .tables import table_with

SIX: Any = ("r1 r2 gold", "y50", "gH gold gold", "b0 b0 swap", "v12 swap", "gold steal")
KNOWN = [
    [[], ["y50"], ["gold", "gold"], [], ["swap"], ["gold"]],
    [["gold"], [], ["gold"], ["swap"], ["v12"], ["steal", "gold"]],
    [["r2", "gold"], [], [], [], [], []],
    [["r1", "gold"], ["y50"], [], [], ["v12"], ["gold"]],
    [["gold"], [], ["gold"], ["b0", "b0", "swap"], [], []],
    [[], [], [], [], ["v12", "swap"], []],
]
SCORES = [
    [-64, -63.5, -62.5, -62, 0, 0.5],
    [-1000, -66, 445.5, 446, 1000, -2],
    [1, 2, 100, -10.5, 60, 12],
]


def test_the_specification_is_that_of_the_page() -> None:
    fields = [(field.name, field.size, field.high, field.scale) for field in OBSERVATION_SPEC]
    assert fields == [(row.name, row.size, row.high, row.scale) for row in table_of("auruxxx")]
    starts = [OBSERVATION_SPEC.start(row.name) for row in table_of("auruxxx")]
    assert starts == [row.start for row in table_of("auruxxx")]


def all_set(scores: list[float], current_player: int) -> Match:
    """Six players; nothing is zero that need not be."""
    return table_with(
        *SIX, discard="v3 v50 rH swap blessing", known=KNOWN, scores=scores, round=2, figure=4,
        crosses=[3, 1, 0, 2, 0, 3], drawn=1, acted=1, current_player=current_player, decisions=9,
        settings={"rounds": 100},
    )  # fmt: skip


@pytest.mark.parametrize("scores", SCORES, ids=("low", "cut", "middling"))
@pytest.mark.parametrize("current_player", range(6))
def test_six_players_with_all_that_there_is(scores: list[float], current_player: int) -> None:
    compare(all_set(scores, current_player), expected)


@pytest.mark.parametrize("players", range(2, 7))
def test_nobody_and_nothing_yet(players: int) -> None:
    match = table_with(*SIX[:players])
    assert match.position()["figure"] is None
    compare(match, expected)


@pytest.mark.parametrize("figure", range(3))
def test_each_owner_of_the_figure(figure: int) -> None:
    compare(table_with(*SIX[:3], figure=figure, drawn=2, current_player=2), expected)


def test_a_demand_and_a_multiple() -> None:
    match = table_with("r2 y2 g2 b5", "r5 gold", "g3", discard="b1")
    for move in ("lay r2", "lay y2", "lay g2"):
        compare(play(match, move), expected)
    assert match.position()["demand"] == 6
    assert match.position()["phase"] == "demand"
    compare(play(match, "pass"), expected)
    compare(play(match, "take"), expected)


def test_the_highest_counts() -> None:
    """Decks that a house may play with: 40 Golden 12s in one hand, 100 cards demanded."""
    gold = " ".join(["gold"] * 40)
    settings = {"golden_twelves": 40, "blessings": 40, "steals": 0, "swaps": 0, "number_copies": 1}
    match = table_with(
        gold, "r2", discard=" ".join(["blessing"] * 40), settings=settings,
        known=[[[], ["r2"]], [gold.split(), []]],
    )  # fmt: skip
    compare(match, expected)
    compare(play(match, "lay gold"), expected)
    twos = " ".join(f"{colour}2" for colour in "rygbv" for _ in range(10))
    settings = {"highest_number": 2, "number_copies": 10, "hand_size": 1, "golden_twelves": 1}
    match = table_with(
        "r0 gold", "r1", discard=twos, demand=100, phase="demand",
        settings={**settings, "fifties": 0, "blessings": 0, "steals": 0, "swaps": 0},
    )  # fmt: skip
    compare(match, expected)


def test_the_end_of_a_game() -> None:
    match = play(table_with("gold", "r2 r3", settings={"rounds": 1}), "lay gold")
    assert match.over
    compare(match, expected)


def test_every_card_everywhere() -> None:
    """In the hand, on top and in the discard pile, and known to another seat."""
    for card in CARDS:
        match = table_with("b12", f"{card} y9", known=[[[], [card]], [[], []]])
        compare(match, expected)
        if card != "gold":
            compare(table_with("r7 y4", "b9", discard=f"g3 {card}"), expected)
            compare(table_with("r7 y4", "b9", discard=f"{card} g3"), expected)


def test_every_feature_is_set_somewhere() -> None:
    size = 237  # what follows the fields of cards
    positions = [
        *(all_set(scores, seat) for scores in SCORES for seat in range(6)),
        *(table_with(*SIX[:players]) for players in range(2, 6)),
        table_with("r2 y2 b5", "r5", discard="y2 r2", demand=4, phase="demand"),
        table_with("r2 y2 b5", "r5", discard="b1 y1", phase="multiple"),
    ]
    found = set[int]().union(*(compare(match, expected) for match in positions))
    assert found >= set(range(size, OBSERVATION_SPEC.size))
