"""The score sheet: it adds up in every game, and all ways to play show the same one."""

import json
import random
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from goldgriff.envs.aec import CardGameEnv
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match, replay
from goldgriff.envs.policy import RandomPolicy
from goldgriff.envs.single_agent import SingleAgentEnv
from goldgriff.envs.vector import SingleAgentVectorEnv
from goldgriff.errors import RecordError, SettingsError

from .loops import GAMES, Crafty, Hidden, derive, random_action

both_games = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
# Rounds end every few decisions: several of them within one step.
HASTY: dict[str, dict[str, Any]] = {
    "auruxxx": {"num_players": 4, "rounds": 5, "hand_size": 3, "max_decisions": 3},
    "gluecksgriff": {"num_players": 4, "hand_size": 3, "max_decisions": 3},
}


def random_settings(game: Game, rng: random.Random) -> Any:
    """Settings of which each is drawn at random, numbers near their lower end or the default."""
    given: dict[str, Any] = {}
    for entry in fields(game.settings):
        if "choices" in entry.metadata:
            given[entry.name] = rng.choice(entry.metadata["choices"])
        elif "range" in entry.metadata and rng.random() < 0.5:
            low, high = entry.metadata["range"]
            given[entry.name] = rng.randint(low, min(high, low + 10))
    given["max_decisions"] = rng.choice([1, 7, 30, 150])
    if game is GLUECKSGRIFF and rng.random() < 0.5:
        effects = ("plain", "joker", "sit_out", "draw", "look", "swap")
        given["blanks"] = [{"name": "a", "points": 9, "effect": rng.choice(effects)}]
    try:
        return game.settings.from_dict(given)
    except SettingsError:
        return random_settings(game, rng)


@both_games
def test_entries_sum_to_the_points_of_each_round_in_all_settings(game: Game) -> None:
    rng, written = random.Random(1), dict.fromkeys(game.score_sheet, 0)
    for seed in range(80):
        match, rounds = Match(game, random_settings(game, rng)), 0
        match.start(seed)
        while not match.over and len(match.moves) < 300:
            match.play("call" if "call" in match.legal else rng.choice(match.legal))
            rounds += int(match.state.round_ended)
            sheet = match.score_sheet
            assert len(sheet) == rounds
            if match.state.round_ended:
                assert sheet[-1] == match.round_sheet
                assert [sum(entries.values()) for entries in sheet[-1]] == match.round_points
                for entries in sheet[-1]:
                    assert list(entries) == list(game.score_sheet)
                    for name, points in entries.items():
                        written[name] += points != 0
        by_seat = zip(*match.score_sheet, strict=True) if rounds else [[{}]] * len(match.scores)
        assert [sum(sum(row.values()) for row in seat) for seat in by_seat] == match.scores
    assert min(written.values()) >= 8, written


@both_games
def test_a_match_begins_with_an_empty_sheet_and_hands_out_copies(game: Game) -> None:
    match = played(game)
    first, again = match.score_sheet, match.score_sheet
    assert len(first) > 3
    first[0][0]["hand"] = -99
    assert match.score_sheet == again != first
    match.start(2)
    assert match.score_sheet == []


def played(game: Game, seed: int = 1) -> Match:
    match, rng = Match(game, game.settings.from_dict(HASTY[game.name])), random.Random(seed)
    match.start(seed)
    while not match.over:
        match.play(rng.choice(match.legal))
    return match


# --- Records ------------------------------------------------------------------------------------
@both_games
def test_a_record_holds_the_sheet_and_replay_checks_it(game: Game) -> None:
    match = played(game)
    record = json.loads(match.record())
    assert (record["format"], record["score_sheet"]) == (3, match.score_sheet)
    assert replay(json.dumps(record)).score_sheet == match.score_sheet
    wrong: Any
    for wrong in (record["score_sheet"][:-1], [], None, 7):
        with pytest.raises(RecordError, match="the moves lead to another score_sheet"):
            replay(json.dumps(record | {"score_sheet": wrong}))
    record["score_sheet"][1][2]["hand"] += 0.5
    with pytest.raises(RecordError, match="the moves lead to another score_sheet"):
        replay(json.dumps(record))


@both_games
def test_a_record_may_leave_the_sheet_out(game: Game) -> None:
    match = played(game)
    record = json.loads(match.record())
    del record["score_sheet"]
    assert replay(json.dumps(record)).record() == match.record()
    number: Any
    for number in (2, 4, "3", None):
        with pytest.raises(RecordError, match="format must be 3; other records are not read"):
            replay(json.dumps(record | {"format": number}))


# --- Environments -------------------------------------------------------------------------------
def in_numbers(sheet: list[dict[str, float]]) -> Any:
    return np.array([list(entries.values()) for entries in sheet])


def check_keys(info: dict[str, Any], first: dict[str, Any]) -> None:
    """Buffers such as those of Tianshou 2 want the same keys, types and shapes at every step."""
    assert info.keys() == first.keys()
    for name, value in info.items():
        assert type(value) is type(first[name]), name
        assert np.shape(value) == np.shape(first[name]), name


@both_games
def test_the_infos_of_every_agent_have_the_sheet_of_the_round_that_a_step_ended(game: Game) -> None:
    env, match = CardGameEnv.make(game, **HASTY[game.name]), played(game, seed=5)
    env.reset(seed=5)
    shown, first = [], env.infos["player_1"]
    for action in match.moves:
        env.step(action)
        for info in env.infos.values():
            check_keys(info, first)
            assert info["round_ended"] == bool(env.match.state.round_ended)
            np.testing.assert_equal(info, env.infos["player_0"])
        if info["round_ended"]:
            shown.append(info["score_sheet"])
            assert info["score_sheet"].sum(axis=1).tolist() == info["round_points"]
        else:
            assert not info["score_sheet"].any()
        assert info["scores"] == env.match.scores
    np.testing.assert_equal(shown, [in_numbers(sheet) for sheet in match.score_sheet])


@both_games
def test_what_a_caller_does_to_an_info_stays_there(game: Game) -> None:
    env = CardGameEnv.make(game, **HASTY[game.name])
    for _ in range(2):
        env.reset(seed=5)
        assert not any(info["score_sheet"].any() for info in env.infos.values())
        env.infos["player_0"]["score_sheet"] += 1
        env.infos["player_0"]["win_shares"][0] = 1.0
        assert not env.infos["player_1"]["score_sheet"].any()
        assert not any(env.infos["player_1"]["win_shares"])


OPPONENTS = {
    "compiled": [RandomPolicy(), Crafty(), RandomPolicy()],
    "asked": [Hidden(RandomPolicy()), Hidden(Crafty()), Hidden(RandomPolicy())],
}


@both_games
@pytest.mark.parametrize("opponents", OPPONENTS)
def test_the_sheets_of_all_steps_make_up_that_of_the_game(game: Game, opponents: str) -> None:
    env = SingleAgentEnv.make(game, player=3, opponents=OPPONENTS[opponents], **HASTY[game.name])
    early = 0
    for seed in range(12):
        _, first = env.reset(seed=seed)
        early += int(env.match.state.round_index) > 0
        steps, total, done = 0, np.zeros_like(first["score_sheet"]), False
        while not done:
            action = random_action(env.action_masks(), derive(seed, steps))
            _, reward, terminated, truncated, info = env.step(action)
            check_keys(info, first)
            points = info["score_sheet"].sum(axis=1)
            others = (points.sum() - points[3]) / 3 - points[3]
            assert reward == pytest.approx(others / 100, abs=1e-5)  # it is for just these rounds
            total += info["score_sheet"]
            steps += 1
            done = terminated or truncated
            assert info["win_shares"].any() == done
        np.testing.assert_equal(total, sum(map(in_numbers, env.match.score_sheet)))
        np.testing.assert_equal(info["scores"], env.match.scores)
    assert early > 5


@both_games
@pytest.mark.parametrize("player", [3, None])
def test_the_vector_environment_shows_what_single_ones_would(
    game: Game, player: int | None
) -> None:
    options = {**HASTY[game.name], "player": player, "opponents": OPPONENTS["compiled"]}
    many = SingleAgentVectorEnv.make(game, 5, **options)
    single = SyncVectorEnv(
        [lambda: SingleAgentEnv.make(game, **options)] * 5, autoreset_mode=AutoresetMode.SAME_STEP
    )
    _, infos = many.reset(seed=[1, 2, 3, 4, 5])
    single.reset(seed=[1, 2, 3, 4, 5])
    ends = rounds = 0
    for step in range(120):
        masks = infos["action_mask"]
        actions = np.array([random_action(mask, derive(7, step)) for mask in masks])
        *_, infos = many.step(actions)
        *_, expected = single.step(actions)
        for shown, wanted in ((infos, expected), *finals(infos, expected)):
            np.testing.assert_equal(shown["score_sheet"], wanted["score_sheet"])
            np.testing.assert_equal(shown["_score_sheet"], wanted["_score_sheet"])
            rounds += shown["score_sheet"].any(axis=(1, 2)).sum()
        ends += "final_info" in infos
    assert ends > 5
    assert rounds > 100


def finals(infos: dict[str, Any], expected: dict[str, Any]) -> list[tuple[Any, Any]]:
    assert ("final_info" in infos) == ("final_info" in expected)
    return [(infos["final_info"], expected["final_info"])] if "final_info" in infos else []
