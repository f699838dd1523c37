"""Every field of an observation, in positions that set it, as every seat sees it."""

from typing import Any

import pytest

from goldgriff.envs.gluecksgriff.observation import OBSERVATION_SPEC
from goldgriff.envs.match import Match

from ..observations import compare, table_of
from ..tables import play
from .observed import CARDS, expected
from .tables import blanks, run_on_pile, table_with

HANDS = ("3 7 joker", "5 5 hourglass", "0 14", "8 9 blank7", "12 13 1 1")
JOKING = blanks("plain", "joker", "sit_out", "draw", "look", "swap", "joker", points=9)
KNOWN = [
    [[], ["5"], ["14"], ["blank7"], ["1", "1", "12"]],
    [["joker"], [], ["0"], ["8"], ["13"]],
    [["7", "joker"], ["5", "5"], [], ["9"], ["12"]],
    [["3"], ["hourglass"], ["0", "14"], [], ["1"]],
    [["3", "7", "joker"], ["5"], ["14"], ["8", "9", "blank7"], []],
]
SETTINGS: dict[str, Any] = {**JOKING, "penalties": True, "late_knock": 30, "point_limit": 1000}
MAGIC: dict[str, Any] = {"bluffing": True, "challenge_prize": "both", "magic_hands": 2}


def test_the_specification_is_that_of_the_page() -> None:
    rows = table_of("gluecksgriff")
    fields = [(field.name, field.size, field.high, field.scale) for field in OBSERVATION_SPEC]
    assert fields == [(row.name, row.size, row.high, row.scale) for row in rows]
    assert [OBSERVATION_SPEC.start(row.name) for row in rows] == [row.start for row in rows]


def all_set(current_player: int) -> Match:
    """Five players, each in front of, or after, something."""
    front: list[str | None] = ["hourglass", None, "blank3", "hourglass", None]
    return table_with(
        *HANDS, discard="2 6 6 2 4", known=KNOWN, settings=SETTINGS, caller=3,
        scores=[0, 254, 255, 256, 999], front=front, sat_out=[0, 1, 0, 0, 1],
        must_sit_out=[0, 0, 1, 1, 0], layers=[None, 2, 2, 1, 4], round=4,
        current_player=current_player, turns_left=(3 - current_player) % 5,
        phase="hourglass" if front[current_player] else "play",
    )  # fmt: skip


@pytest.mark.parametrize("current_player", [0, 1, 2, 4])
def test_five_players_with_all_that_there_is(current_player: int) -> None:
    compare(all_set(current_player), expected)


@pytest.mark.parametrize("players", range(2, 6))
def test_nobody_and_nothing_yet(players: int) -> None:
    match = table_with(*HANDS[: players - 1], "1", settings=JOKING)
    compare(match, expected)
    assert match.position()["caller"] is match.position()["magician"] is None


def extended() -> list[Match]:
    """A run of 4 to 6, extended at both ends."""
    fields: dict[str, Any] = {"layers": [None, 1, 2, 0], "current_player": 1}
    hands = ("1", "3 7 9 2 joker", "8")
    moves = [(), ("low",), ("low", "low"), ("low", "low", "low joker"), ("high",)]
    return [
        play(run_on_pile("4 5 6", *hands, under="12", **fields), *chosen)
        for chosen in (*moves, ("low", "high", "high joker"))
    ]


def laid() -> list[Match]:
    """Sets, runs and special cards being laid, from seat 2, on a set of jokers and 7s."""
    hand = "7 7 8 9 joker joker hourglass blank7 blank1 10"
    moves = (
        ("lay 7",), ("lay 7", "add joker"), ("lay 7", "add blank7", "add 7"), ("lay joker",),
        ("lay joker", "add 7"), ("lay joker", "run 8"), ("lay 7", "run 8", "run joker"),
        ("lay 7", "run joker", "run 9", "run 10"), ("lay blank1",),
        ("lay 7", "draw"), ("lay 7", "run 8", "run 9", "draw"), ("hourglass +1",),
    )  # fmt: skip
    return [
        play(
            table_with(
                "1 1", "5 12", hand, "0", discard="3 joker 7 joker", last_play=3,
                layers=[None, 2, 1, 2], current_player=2,
                settings={**JOKING, "joker_knock": reading},
            ),
            *chosen,
        )
        for reading in ("wide", "run_end", "strict") for chosen in moves
    ]  # fmt: skip


def magic() -> list[Match]:
    """A Magic Hand with bluffing, step by step up to the second prize, then a wrong challenge."""
    hands = ("12 3", "hand 9", "8 joker", "7 2", "13 hourglass")
    settings = {**JOKING, **MAGIC}
    moves = ("hand", "open joker", "open 7", "open hourglass", "open 3")
    right, wrong = ("challenge +1", "pick +3"), ("challenge +3",)
    chosen = [moves[:count] for count in range(len(moves) + 1)]
    chosen += [(*moves, right[0]), (*moves, *right), (*moves, *right, "grab 8"), (*moves, *wrong)]
    return [play(table_with(*hands, current_player=1, settings=settings), *c) for c in chosen]


def ends() -> list[Match]:
    """Games that are over."""
    knocked = table_with("7", "14 14", "3", settings={"point_limit": 1})
    called = table_with("1", "14 14", "3", settings={"point_limit": 1})
    return [play(knocked, "lay 7", "knock"), play(called, "call", "decline", "decline")]


def limits() -> list[Match]:
    """Sets of 16 and 20 cards, a hand of over 255 points, point limits around 255."""
    deck = {"copies": 10, "jokers": 10, "highest_value": 5, "hourglasses": 10}
    hand = " ".join(["5"] * 10 + ["joker"] * 10 + ["hourglass"] * 10)
    add = ["add joker", "add 5"] * 9
    found = []
    for point_limit, count in ((254, 14), (255, 15), (256, 18)):
        match = table_with("1 2", hand, discard="4", current_player=1,
                           settings={**deck, "point_limit": point_limit})  # fmt: skip
        found += [match, play(match, "lay 5", *add[:count])]
    for points in (0, 1):  # beside 255
        hand = " ".join(["joker"] * 9 + ["hourglass"] * 8)
        found.append(table_with("1", f"{hand} {points}", discard="4", settings=deck))
    return found


def readings() -> list[Match]:
    """Every option and reading alone."""
    alone: list[dict[str, Any]] = [
        {"bluffing": True}, {"penalties": True}, {"late_knock": 100}, {"last_turn": "forced"},
        {"fend_off": "turn"}, {"challenge_prize": "both"}, {"joker_knock": "run_end"},
        {"joker_knock": "wide"},
    ]  # fmt: skip
    return [table_with("7", "1", settings=settings) for settings in alone]


def cards() -> list[Match]:
    """Every card in the hand, known, open, on top, below it, and drawn."""
    found = []
    for card in CARDS:
        found += [
            table_with(
                "7", f"{card} 3", "0", "2", "1", settings=JOKING,
                known=[[[card] if (seat, other) != (1, 1) and other == 1 else []
                        for other in range(5)] for seat in range(5)],
            ),
            table_with("7", "3", discard=f"5 {card}", settings=JOKING, layers=[None, 1]),
            table_with(
                "7", "6", "3", "0", "1", settings={**JOKING, "magic_hands": 2}, phase="magic",
                magician=2, open=[card, "4", None, "2", "3"], current_player=2,
            ),
        ]  # fmt: skip
        held = table_with(
            "6", f"3 {card}", discard="8 9", laid=1, laid_kind="set", phase="drawn", drawn=card,
            current_player=1, settings=JOKING,
        )  # fmt: skip
        found.append(held)
    for low in range(13):
        run = " ".join(str(value) for value in range(low, low + 3))
        found.append(run_on_pile(run, "joker 5", "9 0", under="1", layers=[None, 0, None, 1]))
    for joker in CARDS[15:16] + CARDS[18:]:
        found.append(run_on_pile(f"{joker} 5 6", "1", "2", settings=blanks(*["joker"] * 7)))
    for value in range(15):
        found.append(table_with("1", f"{value} 0", discard=f"{value} joker", last_play=2,
                                settings={"joker_knock": "wide"}, current_player=1))  # fmt: skip
        found.append(play(table_with(f"{value} 0", "1"), f"lay {value}"))
    return found


GROUPS = {
    "extended": extended, "laid": laid, "magic": magic, "ends": ends, "limits": limits,
    "readings": readings, "cards": cards,
}  # fmt: skip


@pytest.mark.parametrize("group", GROUPS)
def test_positions(group: str) -> None:
    for match in GROUPS[group]():
        compare(match, expected)


def test_an_empty_discard_pile() -> None:
    """G4.6: a card is taken off the only play, and nothing covers it."""
    match = play(table_with("7 hourglass", "1 2", "3"), "hourglass +1", "take")
    assert match.position()["discard"] == []
    compare(match, expected)


def test_every_feature_is_set_somewhere() -> None:
    made = [all_set(seat) for seat in (0, 1, 2, 4)]
    made += [table_with(*HANDS[: players - 1], "1", settings=JOKING) for players in range(2, 6)]
    made += [match for group in GROUPS.values() for match in group()]
    found = set[int]().union(*(compare(match, expected) for match in made))
    bottom, low = (OBSERVATION_SPEC.start(name) for name in ("play_bottom", "run_low"))
    never = {bottom + CARDS.index(card) for card in ("13", "14", "hourglass", "hand")}
    never |= {low + 13, low + 14}  # a run has three cards at least
    assert found == set(range(OBSERVATION_SPEC.size)) - never
