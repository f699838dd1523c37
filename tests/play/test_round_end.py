"""The end of a round: the hands that lie open, and points that are explained to the last one."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.play.narrators.round_end import ranking
from goldgriff.play.session.event_log import EventLog
from goldgriff.play.texts import LANGUAGES, Texts
from goldgriff.play.web.data import log_data

from .tables import BLANKS, SMALL

SHORT: dict[str, Any] = {**SMALL["auruxxx"], "rounds": 3}
TALE = {"max_decisions": 60, "point_limit": 200}
CASES: list[tuple[Game, dict[str, Any]]] = [
    (AURUXXX, SHORT),
    (AURUXXX, {**SHORT, "num_players": 2, "golden_value": 0, "happy_men": 4}),
    (AURUXXX, {**SHORT, "num_players": 6, "preset": "italian", "hand_size": 2}),
    (AURUXXX, {**SHORT, "preset": "web", "golden_twelves": 20, "hand_size": 2}),
    (GLUECKSGRIFF, TALE),
    (GLUECKSGRIFF, {**TALE, "num_players": 2, "penalties": True, "hand_size": 2}),
    (GLUECKSGRIFF, {**TALE, "num_players": 5, "preset": "experts", "hand_size": 3}),
    (GLUECKSGRIFF, {**TALE, "num_players": 3, "blanks": BLANKS, "magic_hands": 4}),
]


def play_by_chance(game: Game, rules: dict[str, Any], seed: int, viewer: int | None) -> EventLog:
    """Return the log of a game of random moves."""
    log, rng = (
        EventLog(game, game.settings.from_dict(rules), seed, viewer),
        np.random.default_rng(seed),
    )
    while not log.match.over:
        log.play(int(rng.choice(np.flatnonzero(log.match.mask))))
    return log


def at_end_of(log: EventLog, moves: int, seed: int) -> EventLog:
    """Return the log after so many of its moves."""
    early = EventLog(log.match.game, log.match.settings, seed, log.viewer)
    for action in log.match.moves[:moves]:
        early.play(action)
    return early


@pytest.mark.parametrize(("game", "rules"), CASES)
def test_the_parts_of_all_points_sum_to_them(game: Game, rules: dict[str, Any], root: Path) -> None:
    ids = set(re.findall(r"\*\*(\w+\.\d+)\*\*", (root / f"docs/rules/{game.name}.md").read_text()))
    for seed in range(8):
        log = play_by_chance(game, rules, seed, viewer=0)
        assert len(log.round_ends) == len(log.scored_rounds()) > 0
        for end in log.round_ends.values():
            for seat, points in enumerate(end.points):
                parts = end.parts[seat]
                assert sum(part.points for part in parts) == points
                assert all(sum(part.values) == part.points for part in parts if part.values)
                assert all(part.values for part in parts if part.entry == "hand")
                assert {part.rule for part in parts} <= ids
                for language in LANGUAGES:
                    names = ["random"] * log.match.settings.num_players
                    texts = Texts(language, game, log.match.settings, names)
                    assert all("_" not in texts.part(part) for part in parts)
        totals = np.sum(log.scored_rounds(), axis=0)
        assert totals.tolist() == log.match.scores


@pytest.mark.parametrize(("game", "rules"), CASES)
def test_the_table_shows_the_hands_that_were_scored(game: Game, rules: dict[str, Any]) -> None:
    log = play_by_chance(game, rules, 3, viewer=0)
    for moves, end in log.round_ends.items():
        early = at_end_of(log, moves, 3)
        texts = Texts("en", game, log.match.settings, ["random"] * log.match.settings.num_players)
        data = log_data(early, texts)["ended"]
        assert early.round_ends == {at: each for at, each in log.round_ends.items() if at <= moves}
        for seat, shown in enumerate(data["position"]["seats"]):
            assert end.position is not None
            hidden = seat in end.hidden_seats(0)
            assert shown["hand"] == (None if hidden else end.position["hands"][seat])
            assert hidden or seat == 0 or shown["hand"] == list(end.lines[seat].cards)
            assert data["seats"][seat]["points"] == end.points[seat]
        early.go_back(moves - 1)
        assert early.round_end == log.round_ends.get(moves - 1)
        assert (log_data(early, texts)["ended"] is None) == (moves - 1 not in log.round_ends)


def test_golden_twelves_lie_on_the_table() -> None:
    log = EventLog(AURUXXX, AURUXXX.settings(num_players=3), 1, 1)
    hands = [["gold", "gold"], ["r50"], ["b1", "b2"]]
    log.match.start(1, {"hands": hands, "discard": ["y9"], "crosses": [0, 1, 0], "figure": 2})
    log.play(AURUXXX.actions.index("lay gold"))
    texts = Texts("en", AURUXXX, log.match.settings, ("a", "b", "c"))
    ended = log_data(log, texts)["ended"]
    assert ended["position"]["discard"] == ["y9", "gold", "gold"]
    assert ended["position"]["laid"] == 2
    assert [seat["hand"] for seat in ended["position"]["seats"]] == [[], ["r50"], ["b1", "b2"]]
    assert [seat["laid"] for seat in ended["seats"]] == [("gold", "gold"), (), ()]
    assert [seat["parts"] for seat in ended["seats"]] == [
        [{"text": "Golden 12s", "points": -10, "rule": "A7.3"}],
        [
            {"text": "1 card", "points": 50, "rule": "A7.1"},
            {"text": "crosses", "points": 5, "rule": "A7.2"},
        ],
        [
            {"text": "2 cards: 1 + 2", "points": 3, "rule": "A7.1"},
            {"text": "figure", "points": -1.5, "rule": "A7.4"},
        ],
    ]


def test_hands_stay_hidden_after_a_call_with_too_many_points() -> None:
    settings = GLUECKSGRIFF.settings.from_dict({"num_players": 3, "penalties": True})
    log = EventLog(GLUECKSGRIFF, settings, 1, 1)
    log.match.start(1, {"hands": [["9"], ["3"], ["4", "5"]], "discard": ["1"]})
    log.play(GLUECKSGRIFF.actions.index("call"))
    ended = log_data(log, Texts("en", GLUECKSGRIFF, settings, ("a", "b", "c")))["ended"]
    assert [seat["hand"] for seat in ended["position"]["seats"]] == [None, ["3"], None]
    parts = [seat["parts"] for seat in ended["seats"]]
    assert parts[0] == [
        {"text": "wrong call", "points": 50, "rule": "G8.5"},
        {"text": "halving at a multiple of 50", "points": -25, "rule": "G8.7"},
    ]
    assert parts[1] == [{"text": "0 points", "points": 0, "rule": "G8.5"}]


def test_equal_totals_share_a_place() -> None:
    assert ranking([30, 10, 30, 7.5]) == [(1, 3), (2, 1), (3, 0), (3, 2)]


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"max_turns": 2}, "The round has reached its limit of turns."),
        ({"max_decisions": 5}, "The round has reached its limit of decisions."),
    ],
)
@pytest.mark.parametrize("game", [AURUXXX, GLUECKSGRIFF], ids=lambda game: game.name)
def test_it_is_told_which_limit_ended_a_round(
    game: Game, limits: dict[str, int], said: str
) -> None:
    rules = {"num_players": 2, "rounds" if game is AURUXXX else "max_rounds": 1, **limits}
    settings = game.settings.from_dict(rules)
    log, texts = EventLog(game, settings, 3, None), Texts("en", game, settings, ["p0", "p1"])
    events = []
    while not log.match.over:
        events = log.play(int(np.flatnonzero(log.match.mask)[-1]))
    assert said in [texts.line(event).partition(" (")[0] for event in events]


def test_the_page_s_log_leaves_out_that_no_more_was_laid() -> None:
    log, rng = EventLog(AURUXXX, AURUXXX.settings.from_dict(SHORT), 3, 0), np.random.default_rng(3)
    texts, left_out = Texts("en", AURUXXX, log.match.settings, ("a", "b", "c")), 0
    while not log.match.over:
        events = log.play(int(rng.choice(np.flatnonzero(log.match.mask))))
        shown = [
            each for each in log_data(log, texts)["log"] if each["move"] == len(log.match.moves)
        ]
        told = [event.kind for event in events if event.kind != "no-more"]
        assert [each["kind"] for each in shown] == told
        left_out += len(events) - len(shown)
    assert left_out > 0
