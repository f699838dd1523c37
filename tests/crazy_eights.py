"""Checks of the game of docs/guides/add-a-game.md; `test_add_a_game.py` runs them in a copy."""

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from starlette.testclient import TestClient

import goldgriff
from goldgriff.cli.main import main, parser
from goldgriff.docs.hooks import pages, rulebook
from goldgriff.envs.engine.deck import TAKEN
from goldgriff.envs.engine.events import EventKind
from goldgriff.envs.engine.game import get_game
from goldgriff.envs.engine.preview import Previewer, action_spec, state_spec
from goldgriff.envs.match import Match, replay
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.play.web.access import Access
from goldgriff.play.web.app import make_app
from goldgriff.play.web.rooms import Rooms

GAME = get_game("crazy_eights")
ROOT = Path(__file__).resolve().parent.parent
EXPECTED_WARNINGS = "Observation (is not|space for each|numpy array is all)"  # see test_environment
DIGEST = "from goldgriff.tests.crazy_eights import digest; print(digest())"


def play_at_random(num_players: int, seed: int) -> Match:
    """Return a finished match of random players."""
    rng = np.random.default_rng(seed)
    match = Match(GAME, GAME.settings.from_dict({"num_players": num_players}))
    match.start(seed)
    while not match.over:
        match.play(str(rng.choice(match.legal)))
    return match


def digest() -> str:
    """Return a digest of some random games."""
    records = [play_at_random(num_players, 1).record() for num_players in (2, 3, 4)]
    return hashlib.sha256("".join(records).encode()).hexdigest()


@pytest.mark.parametrize("num_players", [2, 4])
def test_it_is_a_pettingzoo_environment(num_players: int) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=EXPECTED_WARNINGS)
        api_test(goldgriff.make(GAME, num_players=num_players), num_cycles=500)
        seed_test(lambda: goldgriff.make(GAME, num_players=num_players), num_cycles=100)
    env = goldgriff.make(GAME, num_players=num_players, render_mode="rgb_array")
    env.reset(seed=1)
    assert env.render().shape == (720, 1280, 3)


def test_it_is_a_gymnasium_environment() -> None:
    env = gymnasium.make("goldgriff/Crazy_eights-v0", opponents="expert", disable_env_checker=True)
    observation, _ = env.reset(seed=1)
    assert observation.shape == (GAME.observation_spec.size,)
    vector = gymnasium.make_vec("goldgriff/Crazy_eights-v0", num_envs=3, opponents="random")
    observations, _ = vector.reset(seed=1)
    assert observations.shape == (3, GAME.observation_spec.size)


def test_games_are_scored_and_replayed_from_records_and_positions() -> None:
    for num_players in (2, 3, 4):
        for seed in range(5):
            match = play_at_random(num_players, seed)
            assert sum(match.win_shares()) == pytest.approx(1)
            again = replay(match.record())
            assert again.position() == match.position()
            assert match.score_sheet == [[{}] * num_players] * 3  # it names no entries
            again.start(seed)
            for move in match.moves[: len(match.moves) // 2]:
                again.play(move)
            position = again.position()
            again.start(0, position)
            assert again.position() == position


def test_an_information_state_holds_nothing_hidden() -> None:
    """Exchanging a hidden card for one of the pile changes nothing that a seat sees."""
    rng, pairs = np.random.default_rng(1), 0
    match, twin = (Match(GAME, GAME.settings.from_dict({"num_players": 3})) for _ in range(2))
    for seed in range(3):
        match.start(seed)
        for _ in range(60):
            match.play(str(rng.choice(match.legal)))
            for seat in range(3):
                twin.start(seed + 100)
                state, other = twin.state, (seat + 1) % 3
                twin._states[0] = match.state
                state.seed, state.streams[:] = 1, rng.integers(2**63, size=len(state.streams))
                card = rng.choice(np.flatnonzero(state.hands[other]))
                slot = rng.choice(np.flatnonzero(state.slots < TAKEN))
                drawn = int(state.slots[slot])
                state.hands[other, card] -= 1
                state.hands[other, drawn] += 1
                state.slots[slot] += TAKEN
                state.slots[np.flatnonzero(state.slots == card + TAKEN)[0]] = card
                known = match.information_state(seat)
                assert known.tobytes() == twin.information_state(seat).tobytes()
                assert (match.observe(seat)[0] == twin.observe(seat)[0]).all()
                sampled = match.sample_states(seat, np.arange(1, 4, dtype=np.uint64))
                assert (sampled["hands"][:, seat] == match.state.hands[seat]).all()
                assert (sampled["hands"].sum(axis=2) == match.state.hand_sizes).all()
                pairs += card != drawn
    assert pairs > 400


def test_features_of_actions_need_no_more_than_the_rules() -> None:
    match = Match(GAME, GAME.settings.from_dict({"num_players": 2}))
    changed = {"lay c2": {-1, 1}, "draw": set()}  # chance decides what is drawn
    for hand, changes in ((["c2", "h3"], changed), (["c2"], {"lay c2": set()})):  # hidden: points
        match.start(1, {"hands": [hand, ["d4", "d5"]], "discard": ["h7", "c9"]})
        known = match.observation_batch(information_states=True)
        states: Any = known.information_states
        state, actions = Previewer(GAME).features(states, known.raw, known.masks, np.array([-1]))
        assert state[0, state_spec(GAME).range("win_chances")].tolist() == [120, 120, 0, 0]
        place = action_spec(GAME).start("top_change")
        for k, action in enumerate(actions.actions):
            listed = slice(actions.starts[k], actions.starts[k + 1])
            top = (actions.places[listed] >= place) & (actions.places[listed] < place + 49)
            seen = set(actions.numbers[listed][top].tolist())
            assert seen == changes.get(GAME.actions[action], set())


def test_its_public_events_are_data() -> None:
    match = Match(GAME, GAME.settings.from_dict({"num_players": 2}))
    hands, discard = [["8", "c2", "c3"], ["d4", "d5"]], ["h7", "c9"]
    match.start(1, {"hands": hands, "discard": discard})
    for move in ("draw", "lay 8 diamonds", "draw", "pass"):
        match.play(move)
    own, others = match.events(0), match.events(1)
    kinds = [EventKind.DRAW, EventKind.LAY, EventKind.CHOOSE, EventKind.DRAW, EventKind.PASS]
    assert own["kind"].tolist() == kinds
    assert own["actor"].tolist() == [1, 1, 1, 2, 2]
    assert own["card"][1] == GAME.cards.index("8") + 1
    assert (own["count"][2], own["card"][3], others["card"][0]) == (1, 0, 0)
    assert others["card"][3] > 0
    env = goldgriff.make(GAME, num_players=2, history=4)
    env.reset(options={"position": {"hands": hands, "discard": discard}})
    env.step(GAME.actions.index("lay 8 diamonds"))
    seen = env.observe("player_1")
    assert env.observation_space("player_1").contains(seen)
    assert seen["history"][:, 1].tolist() == [0, 0, EventKind.LAY, EventKind.CHOOSE]


def test_compiled_and_plain_code_play_the_same_games() -> None:
    plain = subprocess.run(
        [sys.executable, "-c", DIGEST],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.strip() == digest()


def test_the_commands_know_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def goldgriff_command(*arguments: object) -> str:
        assert main([str(argument) for argument in arguments]) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    assert "eights last" in goldgriff_command("agents", GAME.name)
    run, games, played = tmp_path / "run", tmp_path / "games", tmp_path / "played"
    small = ("--players", 2, "--rules", "rounds=1")
    for algorithm in ("ppo", "rollout"):
        options = ("--algorithm", algorithm, "--preset", "smoke", "--out", run / algorithm)
        goldgriff_command("train", GAME.name, *options)
    agents = ("--agents", "expert", "random", "search@10", run / "ppo", run / "rollout")
    goldgriff_command(
        *("tournament", GAME.name, *small, *agents),
        *("--deals", 8, "--workers", 1, "--out", games),
    )
    results = json.loads((games / "results.json").read_text())
    assert results["agents"]["expert"]["win_share"] > 0.6
    table = results["by_player_count"]["2"]
    assert table["endings"]["empty_hand"] > 0
    assert table["statistics"]["expert"]["rounds_won"] > 0.6
    assert table["score_sheet"]["expert"] == {}
    assert "score sheet" not in (games / "report.md").read_text()
    assert "As stored" in goldgriff_command("replay", games, 1)
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 1000))
    goldgriff_command("play", GAME.name, *small, "--seed", 1, "--out", played)
    assert "As stored" in goldgriff_command("replay", played, 1)


def test_the_commands_of_the_guide_are_understood() -> None:
    guide = (ROOT / "docs/guides/add-a-game.md").read_text()
    commands = re.findall(r"^goldgriff (.*)$", guide, re.MULTILINE)
    assert len(commands) > 5
    for command in commands:
        parser().parse_args(command.split())


def test_it_is_played_on_the_page(tmp_path: Path) -> None:
    settings = GAME.settings.from_dict({"num_players": 2})
    rooms = Rooms(GAME, settings, (PERSON, "expert"), tmp_path, "expert")
    rooms.open_new(1)
    app = make_app("/game/1", Access("127.0.0.1"), rooms)
    client = TestClient(app, base_url="http://127.0.0.1")
    now = client.get("/api/games/1").json()
    assert now["position"]["text"].startswith("Crazy Eights   round 1 of 3")
    assert client.get("/api/games/1/hint").json()["moves"]
    move = {"version": now["version"], "action": now["legal"][0]["action"]}
    assert client.post("/api/games/1/move", json=move).json()["moves"] == 1


def test_the_docs_find_it() -> None:
    rules = rulebook.rules_of(ROOT, GAME.name)
    assert set(rules) == set(rulebook.find_in_code(ROOT, GAME.name))
    page = pages.action_page(GAME, [(f"0 - {len(GAME.actions) - 1}", "", "")])
    assert "| 53 | `lay 8 spades` |" in page
    assert "rules/crazy_eights.md#C2.2" in pages.link_rules("C2.2", "x.md", {"C": GAME.name})
