"""Presets of rules: what each stands for, every way to give one, and that all agents play them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

import goldgriff
from goldgriff.agents.registry import AGENTS, load_agent
from goldgriff.cli.main import main
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import Action
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.engine.game import Game
from goldgriff.envs.engine.settings import GameSettings, number
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import replay
from goldgriff.envs.policy import observation_batch
from goldgriff.errors import SettingsError
from goldgriff.eval.tournament.config import TournamentConfig
from goldgriff.eval.tournament.store import Store

MEANINGS: dict[Game, dict[str, dict[str, Any]]] = {
    AURUXXX: {
        "german": {},
        "english": {"after_action": "lay"},
        "web": {"edition": "web"},
        "italian": {"edition": "italian"},
    },
    GLUECKSGRIFF: {
        "book": {"penalties": True},
        "experts": {"penalties": True, "bluffing": True, "late_knock": 10},
    },
}
# Those of games that can be solved: the number of players, the cards of the deck, and the turns.
RESEARCH: dict[Game, dict[str, tuple[int, int, int]]] = {
    AURUXXX: {
        "tiny-a": (2, 8, 4),
        "tiny-b": (2, 5, 6),
        "tiny-c": (3, 5, 6),
        "small-a": (2, 5, 10),
    },
    GLUECKSGRIFF: {
        "tiny-a": (2, 7, 4),
        "tiny-b": (2, 7, 3),
        "tiny-c": (3, 9, 3),
        "small-a": (2, 7, 7),
    },
}
BOTH = [(AURUXXX, "web"), (GLUECKSGRIFF, "experts")]
in_both_games = pytest.mark.parametrize(("game", "preset"), BOTH, ids=[p for _, p in BOTH])


@pytest.mark.rule("A0.7", "A2.6", "A5.2", "A5.8", "G0.4")
@pytest.mark.parametrize("game", MEANINGS, ids=lambda game: game.name)
def test_a_preset_fills_in_defaults(game: Game) -> None:
    assert list(game.settings.PRESETS) == [*MEANINGS[game], *RESEARCH[game]]
    for preset, meaning in MEANINGS[game].items():
        assert game.settings.from_dict({"preset": preset}) == game.settings(**meaning)
        given = {"preset": preset, "num_players": 2}
        assert game.settings.from_dict(given) == game.settings(num_players=2, **meaning)


@pytest.mark.rule("A0.7", "A7.5", "A8.1", "G0.4", "G8.8", "G8.9")
@pytest.mark.parametrize("game", RESEARCH, ids=lambda game: game.name)
def test_a_preset_for_research_fixes_players_and_rounds(game: Game) -> None:
    rounds = {"rounds": 2} if game is AURUXXX else {"max_rounds": 2}
    for preset, (players, *expected) in RESEARCH[game].items():
        settings = game.settings.from_dict({"preset": preset})
        numbers: dict[str, Any] = settings.to_dict()
        assert settings.num_players == players
        assert [sum(dict(numbers["deck"]).values()), numbers["max_turns"]] == expected
        assert game.settings.from_dict({"preset": preset, "num_players": players}) == settings
        message = f"preset {preset} is for num_players={players}, not {5 - players}"
        with pytest.raises(SettingsError, match=message):
            game.settings.from_dict({"preset": preset, "num_players": 5 - players})
        with pytest.raises(SettingsError, match=f"preset {preset} is for .*rounds=1, not 2"):
            game.settings.from_dict({"preset": preset, **rounds})
        longer = game.settings.from_dict({"preset": preset, "max_turns": 9, "hand_size": 1})
        assert longer.to_dict() == numbers | {"max_turns": 9, "hand_size": 1}


@pytest.mark.parametrize("game", RESEARCH, ids=lambda game: game.name)
def test_commands_take_the_players_of_a_preset(
    game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = ["--rules", "preset=tiny-c"]
    command = ["tournament", game.name, "--agents", "random", "--deals", "2", "--workers", "1"]
    assert main([*command, *rules, "--out", str(tmp_path / "three")]) == 0
    assert json.loads((tmp_path / "three/results.json").read_text())["player_counts"] == [3]
    assert main(["bound", game.name, "--deals", "2", "--iterations", "2", *rules]) == 0
    play = ["play", game.name, "--agents", "random", "--seat", "none"]
    assert main([*play, "--out", str(tmp_path / "played"), *rules]) == 0
    result = goldgriff.play_tournament(
        game, ["random"], deals=2, rules={"preset": "tiny-c"}, out=tmp_path / "played too"
    )
    assert result.to_dict()["player_counts"] == [3]
    capsys.readouterr()
    for refused in (
        [*command, *rules, "--out", str(tmp_path / "no"), "--players", "3", "2"],
        ["train", game.name, *rules, "--players", "4", "--out", str(tmp_path / "no")],
    ):
        assert main(refused) == 1
        assert "preset tiny-c is for --players=3, not" in capsys.readouterr().err
    with pytest.raises(SettingsError, match="preset tiny-c is for num_players=3, not 2"):
        goldgriff.play_tournament(game, ["random"], num_players=[3, 2], rules={"preset": "tiny-c"})


@pytest.mark.parametrize("game", RESEARCH, ids=lambda game: game.name)
def test_training_takes_the_players_of_a_preset(game: Game, tmp_path: Path) -> None:
    run = goldgriff.train_agent(
        game,
        "ppo",
        preset="quick",
        out=tmp_path,
        total_timesteps=1,
        n_envs=2,
        n_steps=2,
        rules={"preset": "tiny-c"},
        eval_opponent="random",
        eval_deals=2,
    )
    assert json.loads((tmp_path / "settings.json").read_text())["players"] == [3], run


@pytest.mark.parametrize(
    ("game", "given", "meant"),
    [
        (AURUXXX, {"preset": "english", "after_action": "free"}, {}),
        (
            AURUXXX,
            {"blessing_draws": "all", "preset": "italian"},
            {"edition": "italian", "blessing_draws": "all"},
        ),
        (GLUECKSGRIFF, {"preset": "book", "penalties": False}, {}),
        (
            GLUECKSGRIFF,
            {"late_knock": 3, "preset": "experts"},
            {"penalties": True, "bluffing": True, "late_knock": 3},
        ),
    ],
)
def test_a_setting_given_beside_a_preset_wins(
    game: Game, given: dict[str, Any], meant: dict[str, Any]
) -> None:
    assert game.settings.from_dict(given) == game.settings(**meant)


@pytest.mark.parametrize("wrong", ["french", "", "experts", None, 3, ["web"], {"web": 1}])
def test_an_unknown_preset_is_named_with_those_there_are(wrong: Any) -> None:
    names = "german, english, web, italian, tiny-a, tiny-b, tiny-c, small-a"
    message = f"unknown preset {wrong!r}; there are {names}"
    for make in (
        lambda: AURUXXX.settings.from_dict({"preset": wrong}),
        lambda: goldgriff.make("auruxxx_v0", preset=wrong),
        lambda: gymnasium.make("goldgriff/Auruxxx-v0", preset=wrong),
        lambda: TournamentConfig(AURUXXX, {"preset": wrong}, (4,), ("random",), 2, 1),
    ):
        with pytest.raises(SettingsError) as refused:
            make()
        assert str(refused.value) == message


def test_a_game_without_presets_knows_no_such_setting() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Plain(GameSettings):
        num_players: int = number(2, 2, 2, "players")

    with pytest.raises(SettingsError, match="unknown setting 'preset'; known are num_players"):
        Plain.from_dict({"preset": "german"})


# --- Every way to give one ----------------------------------------------------------------------
@in_both_games
def test_every_environment_takes_a_preset(game: Game, preset: str) -> None:
    settings = game.settings(num_players=3, **MEANINGS[game][preset])
    options: dict[str, Any] = {"preset": preset, "num_players": 3}
    single_id = f"goldgriff/{game.name.capitalize()}-v{game.version}"
    for env in (
        goldgriff.make(game, **options),
        pettingzoo.make("aec", f"goldgriff/{game.id}", **options),
    ):
        assert env.unwrapped.match.settings == settings
    single: Any = gymnasium.make(single_id, **options).unwrapped
    vector: Any = gymnasium.make_vec(single_id, num_envs=2, **options)
    for made in (single, vector):
        assert made.games.batches[0].settings == settings


@in_both_games
def test_records_hold_the_resolved_settings(game: Game, preset: str) -> None:
    env = goldgriff.make(game, preset=preset)
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    record = env.unwrapped.match.record()
    settings = json.loads(record)["settings"]
    assert "preset" not in settings
    assert MEANINGS[game][preset].items() <= settings.items()
    assert replay(record).position() == env.unwrapped.match.position()


@in_both_games
def test_tournaments_and_stores_hold_the_resolved_settings(
    game: Game, preset: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = {"rounds": 1} if game is AURUXXX else {"point_limit": 5}
    meaning = MEANINGS[game][preset] | short
    by_hand = TournamentConfig(game, {"preset": preset} | short, (4,), ("random",), 2, 1)
    assert by_hand.rules == meaning
    command = ["tournament", game.name, "--agents", "random", "--players", "2", "--deals", "2"]
    command += ["--workers", "1", "--out", str(tmp_path), "--rules"]
    words = [f"{name}={json.dumps(value)}" for name, value in short.items()]
    assert main([*command, f"preset={preset}", *words]) == 0
    stored = json.loads((tmp_path / "results.json").read_text())["settings"]
    assert "preset" not in stored
    assert meaning.items() <= stored.items()
    with Store.open(tmp_path) as store:
        assert "preset" not in store.rules
        assert meaning.items() <= store.rules.items()
    assert main(["replay", str(tmp_path), "1"]) == 0
    # The same settings, each by its name, are the same rules; others are not.
    words = [f"{name}={json.dumps(value)}" for name, value in meaning.items()]
    assert main([*command, *words, "--seed", "2"]) == 0
    capsys.readouterr()
    assert main([*command, *words[1:], "--seed", "3"]) == 1
    assert "holds games with other rules" in capsys.readouterr().err


def test_a_bound_takes_a_preset() -> None:
    small = ["--players", "2", "--deals", "2", "--iterations", "4"]
    assert main(["bound", "auruxxx", *small, "--rules", "preset=web", "rounds=1"]) == 0


def test_a_person_plays_a_preset(tmp_path: Path) -> None:
    command = ["play", "auruxxx", "--agents", "random", "--seat", "none", "--out", str(tmp_path)]
    assert main([*command, "--rules", "preset=web", "rounds=1"]) == 0
    with Store.open(tmp_path) as store:
        assert (store.rules["edition"], "preset" in store.rules) == ("web", False)


@pytest.mark.parametrize("command", ["train", "tournament", "bound", "play"])
def test_help_names_the_presets(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "preset=NAME" in shown
    for game in MEANINGS:
        assert f"{', '.join(game.settings.PRESETS)} ({game.name})" in shown


# --- Agents -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("game", "preset"), [(game, preset) for game in MEANINGS for preset in game.settings.PRESETS]
)
def test_every_agent_plays_every_preset(game: Game, preset: str) -> None:
    small: dict[str, Any] = (
        {"hand_size": 3, "colours": 4, "blessings": 9, "steals": 9, "swaps": 9}
        if game is AURUXXX
        else {}
    )
    small = {} if preset in RESEARCH[game] else {"num_players": 3, **small}
    rules = {"preset": preset, **small}
    forced = 0
    for entry in AGENTS:
        if entry.game != game.name:
            continue
        name = "search@4" if entry.name == "search" else entry.name
        policy, batch = load_agent(name, game), Batch(game, game.settings.from_dict(rules), 4)
        batch.start(derive_seeds(1, 4))
        for turn in range(30):
            rows = np.flatnonzero(~batch.over)
            bits = derive_seeds(turn, len(rows))
            seen = observation_batch(batch, rows, bits, information_states=True)
            batch.step(policy.act(seen), rows)  # refuses what is illegal
            if game is AURUXXX:
                forced += int((~seen.masks[:, : Action.LAY].any(axis=1)).sum())
    assert (forced > 0) == (preset in ("english", "web"))
