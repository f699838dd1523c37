"""What the rules emit: one stream, from which histories, counts and narrations are read."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from goldgriff.docs.hooks import rulebook
from goldgriff.envs.engine.events import EventKind, Unrecorded
from goldgriff.envs.engine.game import Game
from goldgriff.envs.match import Match

from ..attacks.settings import GAMES, random_settings

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
DRAWS = (EventKind.DRAW, EventKind.TAKE_DEMAND, EventKind.PENALTY)


def of_kind(events: Any, kind: int) -> Any:
    return events[events["kind"] == kind]


@EVERY_GAME
def test_a_reader_shows_what_each_decision_did(game: Game) -> None:
    """The states of reader and match are the same, but for hands that were scored."""
    rng, seen = random.Random(1), Counter[int]()
    for seed in range(12):
        match = Match(game, random_settings(game, rng))
        match.start(seed)
        reader, seats, before = match.reader(), match.settings.num_players, [0.0] * 6
        for _ in range(150):
            if match.over:
                break
            number, hands = int(match.state.round_index) + 1, match.state.hands.copy()
            action = rng.choice(np.flatnonzero(match.mask).tolist())
            ended = match.act(action)
            events = reader.play(action)
            seen.update(events["kind"].tolist())
            ends = of_kind(events, Unrecorded.ROUND_ENDED)
            assert len(ends) == bool(ended)
            drawn = events[np.isin(events["kind"], DRAWS) & (events["count"] > 0)]
            assert (drawn["count"] == 1).all()
            assert (drawn["knowers"] >> drawn["actor"] & 1).all()
            for event in drawn:
                assert reader.state.hands[event["actor"], event["card"]] > 0
            if ended:
                assert ends["actor"].tolist() == [match.round_winner]
                assert 0 <= ends["count"][0] < len(game.endings)
                points = [0.0] * seats
                for event in of_kind(events, Unrecorded.SCORE):
                    points[event["actor"]] += float(event["count"]) / 2
                assert points == match.round_points
                assert [total + rise for total, rise in zip(before, points, strict=False)] == (
                    match.scores
                )
                before = match.scores
                moved = events[events["kind"] < 64]
                if len(moved) == 1 and moved["kind"][0] in (EventKind.END, EventKind.PASS):
                    assert (reader.state.hands == hands).all()  # they were not collected
                assert len(of_kind(events, Unrecorded.GAME_OVER)) == match.over
                dealt = reader.deal_next()
                assert len(reader.deal_next()) == 0  # once only
                assert len(dealt) == (not match.over)
                if not match.over:
                    assert dealt["kind"][0] == Unrecorded.DEAL
                    assert dealt["count"][0] == number + 1
                    assert dealt["other"][0] == match.current_player
                    assert dealt["card"][0] == match.state.discards[0]
            for name in ("hands", "slots", "streams", "discards", "known", "scores", "decisions"):
                assert (reader.state[name] == match.state[name]).all(), name
    assert seen[Unrecorded.ROUND_ENDED] > 5
    assert len(seen) > 12


@EVERY_GAME
def test_every_event_has_a_rule_that_there_is(game: Game, root: Any) -> None:
    """So has every legal move."""
    rules, rng, events = rulebook.rules_of(root, game.name), random.Random(2), Counter[str]()
    for seed in range(25):
        match = Match(game, random_settings(game, rng))
        match.start(seed)
        reader = match.reader()
        for _ in range(80):
            if match.over:
                break
            legal = np.flatnonzero(match.mask).tolist()
            assert all(game.cite(game.rule_of(match.state, action)) in rules for action in legal)
            action = rng.choice(legal)
            match.act(action)
            events.update(game.cite(int(rule)) for rule in reader.play(action)["rule"])
            events.update(game.cite(int(rule)) for rule in reader.deal_next()["rule"])
    assert set(events) <= set(rules)
    assert len(events) > 20
    assert game.cite(0) == ""


@EVERY_GAME
def test_games_that_a_seat_cannot_tell_apart_have_equal_histories(game: Game) -> None:
    """Worlds of an information state are played on with the same moves, while it stays the same."""
    rng, compared = random.Random(3), Counter[str]()
    for seed in range(60):
        match = Match(game, random_settings(game, rng))
        match.start(seed)
        for _ in range(rng.randint(2, 40)):
            legal = [name for name in match.legal if name != "call"] or match.legal
            match.play(rng.choice(legal))
            if match.over:
                match.start(rng.randrange(2**64))
        seat = rng.randrange(match.settings.num_players)
        bits = np.array([rng.randrange(2**64) for _ in range(2)], np.uint64)
        worlds = match.sample_states(seat, bits)
        pair = [Match.from_state(game, match.settings, state) for state in worlds]
        different = (pair[0].state.hands != pair[1].state.hands).any()
        for _ in range(12):
            both = sorted(set(pair[0].legal) & set(pair[1].legal))
            if not both:
                break
            move = rng.choice(both)
            for side in pair:
                side.play(move)
            if len({side.information_state(seat).tobytes() for side in pair}) == 2:
                break
            histories = [side.events(seat) for side in pair]
            assert histories[0].tolist() == histories[1].tolist(), (seed, move)
            compared["decisions"] += 1
            compared["in different games"] += bool(different)
            compared["hidden draws"] += bool((histories[0]["card"] == 0).any())
    assert compared["in different games"] > 150
    assert compared["hidden draws"] > 100
