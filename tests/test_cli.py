"""The command line, as a user meets it."""

import argparse
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from goldgriff.cli.main import main
from goldgriff.cli.options import Options, option
from goldgriff.errors import SettingsError
from goldgriff.eval.tournament.api import play_tournament
from goldgriff.train.algorithms import ALGORITHMS


def run(*arguments: object) -> int:
    """The exit status of a command; argparse leaves by SystemExit."""
    try:
        return main([str(argument) for argument in arguments])
    except SystemExit as left:
        return int(left.code or 0)


def test_help_shows_every_command_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--help") == 0
    shown = capsys.readouterr().out
    for command in ("agents", "train", "tournament", "bound", "leaderboard", "replay", "play"):
        assert f"  goldgriff {command}" in shown
        assert run(command, "--help") == 0
        assert f"example:\n  goldgriff {command}" in capsys.readouterr().out


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    shown = capsys.readouterr().out
    assert run("--help") == 0
    assert capsys.readouterr().out == shown


def test_help_of_a_command_and_the_version_are_there_in_short(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def shown(*arguments: str) -> str:
        assert run(*arguments) == 0
        return capsys.readouterr().out

    assert shown("help") == shown("--help")
    assert shown("help", "train") == shown("train", "--help")
    assert shown("-V") == shown("--version")


def test_settings_of_a_game_and_of_an_algorithm_are_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every one has a meaning, so none is left out of the docstrings."""

    def listed(*arguments: str) -> dict[str, dict[str, Any]]:
        assert run("settings", *arguments, "--json") == 0
        rows = json.loads(capsys.readouterr().out)
        assert all(row["meaning"] for row in rows)
        return {row["setting"]: row for row in rows}

    assert listed("Auruxxx")["hand_size"] == {
        "setting": "hand_size",
        "value": 12,
        "allowed": "a whole number from 1 to 40",
        "meaning": "cards dealt to each player (A1.1)",
    }
    assert listed("auruxxx", "--preset", "web")["edition"]["value"] == "web"
    assert listed("gluecksgriff")["bluffing"]["allowed"] == "False or True"
    for name, algorithm in ALGORITHMS.items():
        found = listed(name, "--preset", "smoke")
        assert found.keys() == algorithm.settings.__dataclass_fields__.keys()
        assert found["total_timesteps"]["value"] == algorithm.preset("smoke").total_timesteps
    assert run("settings", "ppo") == 0
    assert "checkpoint_every_updates" in capsys.readouterr().out


def test_a_folder_of_tournaments_has_leaderboards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each game and its rules have one; a game that two tournaments played counts once."""
    results = tmp_path / "results"

    def play(out: str, game: str, *agents: str, **rules: int) -> None:
        play_tournament(game, agents, num_players=2, deals=3, rules=rules, out=results / out)

    def read(*arguments: object) -> Any:
        capsys.readouterr()
        assert run(*arguments) == 0
        return json.loads(capsys.readouterr().out)

    play("a", "auruxxx", "expert", "random", rounds=1)
    (one,) = read("leaderboard", results, "--json")
    assert one["stores"] == [str(results / "a" / "games.sqlite")]
    assert one == read("leaderboard", results / "a", "--json")
    play("b", "auruxxx", "random", "expert", "thief", rounds=1)
    play("c", "auruxxx", "expert", "random", rounds=2)
    play("d", "gluecksgriff", "expert", "random", max_rounds=1)
    (results / "not a tournament").mkdir()
    rated = read("leaderboard", results, "--json")
    assert [Path(store).parent.name for one in rated for store in one["stores"]] == [*"abcd"]
    assert [len(one["stores"]) for one in rated] == [2, 1, 1]
    assert [one["game"] for one in rated] == ["auruxxx_v0", "auruxxx_v0", "gluecksgriff_v1"]
    games = {name: agent["games"] for name, agent in rated[0]["ratings"].items()}
    assert games == {"expert": 12, "random": 12, "thief": 12}  # 3 deals of 3 pairs, both seatings
    assert rated[1]["ratings"]["random"]["games"] == 6
    assert run("leaderboard", results) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Die Goldene 12: leaderboard of a, b" in shown
    assert "Glücksgriff: leaderboard of d" in shown
    assert run("replay", results, 1) == 1
    near = ", ".join(str(results / name) for name in "abcd")
    assert f"there is no store of games at {results / 'games.sqlite'}; there is one in {near}" in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("results/auruxx", "results/auruxxx"),
        ("resultss/auruxx", "results/auruxxx"),
        ("results/Auruxxx/game.sqlite", "results/auruxxx/games.sqlite"),
        ("results/chess", None),
    ],
)
def test_a_mistyped_folder_of_games_is_told_from_what_is_there(
    typed: str,
    meant: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results" / "auruxxx").mkdir(parents=True)
    (tmp_path / "results" / "auruxxx" / "games.sqlite").write_text("games")
    for folder in (Path(), tmp_path):
        for command in (("leaderboard", folder / typed), ("replay", folder / typed, 1)):
            assert run(*command) == 1
            said = capsys.readouterr().err
            assert "there is no store of games at " in said
            hint = f"; there is one in {folder / 'results' / 'auruxxx'}"
            if meant:
                hint = f" (did you mean {str(folder / meant)!r}?)"
            assert said.endswith(f"{hint}\n")
    assert run("leaderboard", "nowhere/at/all") == 1
    assert capsys.readouterr().err.endswith(" at nowhere/at/all\n")


@pytest.mark.parametrize("command", ["solve", "exploit"])
def test_help_says_that_a_preset_fixes_the_number_of_players(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command, "--help") == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "number of players (default: the preset's, or 4)" in shown


def test_help_of_training_names_every_algorithm(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("train", "--help") == 0
    shown = capsys.readouterr().out.split()
    for name in ALGORITHMS:
        assert name in shown


def test_agents_are_listed_with_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("agents", "Auruxxx") == 0
    shown = capsys.readouterr().out
    assert "random" in shown
    assert "expert" in shown


def test_a_trained_agent_meets_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent, report = tmp_path / "run", tmp_path / "report"
    game = ("--players", 3, "--rules", "rounds=1", "edition=italian")
    kind = ("--algorithm", "maskable", "--preset", "smoke")
    assert run("train", "auruxxx", *kind, "--out", agent, *game) == 0
    trained, time, strength, play, compare = capsys.readouterr().out.splitlines()
    assert trained == f"trained: {agent}/model.safetensors"
    assert re.fullmatch(r"2,048 timesteps in \d+ min \d+ s", time)
    assert re.fullmatch(r"among 2 experts it wins .*, each expert .*; even is 33.3 %", strength)
    same_game = "--players 3 --rules rounds=1 edition=italian"
    assert play == f"play against it: goldgriff play auruxxx --agents {agent} {same_game}"
    measured = "expert --players 3 --deals 500 --rules rounds=1 edition=italian"
    assert compare == f"compare it: goldgriff tournament auruxxx --agents {agent} {measured}"
    assert run("train", "auruxxx", "--out", agent, "--resume", "--steps", 4096) == 0
    assert "\n4,096 timesteps, the last 2,048 in " in capsys.readouterr().out
    field = (agent, "expert", "random", "tests.players:First")
    options = ("--deals", 4, "--seed", 2, "--out", report, *game)
    assert run("tournament", "auruxxx", "--agents", *field, *options) == 0
    assert "expert" in capsys.readouterr().out
    stored = json.loads((report / "results.json").read_text())
    assert set(stored["agents"]) == {str(name) for name in field}
    assert stored["settings"]["edition"] == "italian"
    assert stored["games"] == 4 * 4 * 6
    assert sorted(path.name for path in report.iterdir()) == [
        "chart-column.pdf",
        "chart.pdf",
        "chart.png",
        "chart.svg",
        "games.csv",
        "games.sqlite",
        "report.html",
        "report.md",
        "results.json",
        "run.json",
        "standings.tex",
    ]
    assert run("leaderboard", report) == 0
    assert "alpha-rank" in capsys.readouterr().out
    assert run("replay", report, 5) == 0
    assert "As stored. Shares of the win" in capsys.readouterr().out
    assert run("replay", report, 97) == 1
    assert "has no game 97; it has games 1 to 96" in capsys.readouterr().err
    for number in (10**30, -(10**30)):
        assert run("replay", report, "--", number) == 1
        assert f"has no game {number}; it has" in capsys.readouterr().err


def test_a_run_without_a_folder_gets_one_by_its_algorithm_and_preset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    kind = ("--algorithm", "ppo", "--preset", "smoke")
    assert run("train", "auruxxx", *kind) == 0
    assert run("train", "auruxxx", *kind, "--resume", "--steps", "5e3") == 0
    assert "runs/auruxxx-ppo-smoke/model.safetensors" in capsys.readouterr().out
    settings = json.loads((tmp_path / "runs/auruxxx-ppo-smoke/settings.json").read_text())
    assert settings["total_timesteps"] == 5000
    elsewhere = ("--out", "runs/auruxxx-ppo-smoke")
    for wrong, message in (
        ((*kind, *elsewhere), "--resume goes on as begun"),
        ((), "no run to resume in runs/auruxxx-rollout-quick: settings.json"),
        ((*kind, "--steps", "1e30"), "--steps must be a whole number from 1 to"),
    ):
        assert run("train", "auruxxx", "--resume", *wrong) == 1
        assert message in capsys.readouterr().err


def test_blank_cards_come_as_json(tmp_path: Path) -> None:
    blank = {"name": "Spyglass", "points": 5, "effect": "look", "amount": 1}
    rules = ("--players", 2, "--rules", "point_limit=5", f"blanks=[{json.dumps(blank)}]")
    game = ("tournament", "gluecksgriff", "--agents", "expert", "random", "--deals", 2)
    assert run(*game, *rules, "--workers", 1, "--out", tmp_path) == 0
    stored = json.loads((tmp_path / "results.json").read_text())
    assert stored["settings"]["blanks"] == [blank]


@pytest.mark.slow
def test_a_bound_is_shown_beside_the_search_without_it(capsys: pytest.CaptureFixture[str]) -> None:
    small = ("--players", 2, "--deals", 2, "--iterations", 5, "--rules", "rounds=1")
    assert run("bound", "auruxxx", *small) == 0
    shown = capsys.readouterr().out
    assert "search@5 against `expert` in all other seats, 2 players, 2 deals" in " ".join(
        shown.split()
    )
    assert "all hands" in shown
    assert run("bound", "auruxxx", *small, "--deals", 1) == 1
    assert "deals must be a whole number from 2 to 100000, not 1" in capsys.readouterr().err
    assert run("bound", "auruxxx", *small, "--iterations", 0) == 1
    assert "iterations must be a whole number from 1, not 0" in capsys.readouterr().err


def test_the_second_game_is_played_the_same_way(tmp_path: Path) -> None:
    agent, report = tmp_path / "run", tmp_path / "report"
    game = ("--players", 3, "--rules", "point_limit=30", "bluffing=true")
    ppo = ("--algorithm", "ppo", "--set", "hidden=[16]", 'fixed_opponents=["expert"]', "n_epochs=1")
    assert run("train", "gluecksgriff", "--preset", "smoke", "--out", agent, *ppo, *game) == 0
    settings = json.loads((agent / "settings.json").read_text())
    assert settings["algorithm"] == "ppo"
    assert settings["players"] == [3]
    assert settings["rules"] == {"point_limit": 30, "bluffing": True}
    assert (settings["hidden"], settings["fixed_opponents"]) == ([16], ["expert"])
    options = ("--deals", 4, "--out", report, *game)
    assert run("tournament", "gluecksgriff", "--agents", agent, "expert", "random", *options) == 0
    stored = json.loads((report / "results.json").read_text())
    assert stored["game"] == "gluecksgriff_v1"
    assert stored["settings"]["bluffing"] is True
    assert stored["games"] == 4 * 6


def test_a_tournament_is_resumed_and_a_ladder_climbed(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    game = ("tournament", "auruxxx", "--out", tmp_path)
    rules = ("--players", 2, 3, "--rules", "rounds=1")
    assert run(*game, "--agents", "expert", "random", "--deals", 3, *rules) == 0
    stored = (tmp_path / "results.json").read_bytes()
    assert json.loads(stored)["player_counts"] == [2, 3]
    assert run(*game, "--resume") == 0
    assert (tmp_path / "results.json").read_bytes() == stored
    ladder = ("--format", "ladder", "--agents", "tests.players:First", "--deals", 3, *rules)
    assert run(*game, *ladder) == 0
    assert run("leaderboard", tmp_path) == 0
    assert "tests.players:First" in capsys.readouterr().out
    for wrong, message in (
        (("--resume", "--deals", 9), "--resume goes on as begun"),
        (("--agents", "random", "--rules", "rounds=2"), "holds games with other rules"),
    ):
        assert run(*game, *wrong) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert message in line


def test_who_cheats_is_named_at_the_end(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    rules = ("--players", 2, "--rules", "rounds=1")
    field = ("--agents", "tests.players:Cheat", "random")
    assert run("tournament", "auruxxx", *field, "--deals", 2, "--out", tmp_path, *rules) == 0
    shown = capsys.readouterr().out
    assert "Forfeits" in shown
    assert "there is no action 87" in " ".join(shown.split())


TOURNAMENT = ("tournament", "auruxxx", "--agents")
BLANKS = ("tournament", "gluecksgriff", "--agents", "random", "--rules")
TRAIN_PPO = ("train", "auruxxx", "--algorithm", "ppo", "--set")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("dance",), 2, "unknown command 'dance'; there are agents, train"),
        (("trainn", "auruxxx"), 2, "(did you mean 'train'?)"),
        (("train", "auruxxx", "--steeps", 9), 2, "unknown option --steeps (did you mean --steps?)"),
        (("-v",), 2, "unknown option -v (did you mean -V?)"),
        (("settings", "pp"), 1, "unknown game or algorithm 'pp' (did you mean 'ppo'?)"),
        (("train", "auruxxx", "--set", "rounds=1"), 1, "give it in rules (--rules rounds=...)"),
        (("train", "auruxxx", "9"), 2, "goldgriff train: unexpected argument '9'"),
        ((*TOURNAMENT, "random", "--format", "robin"), 2, "unknown format 'robin' (did you mean"),
        (("play", "auruxxx", "--language", "fr"), 2, "unknown language 'fr'; there are en, de"),
        (("completion", "csh"), 2, "unknown shell 'csh'"),
        (("train", "chess"), 2, "unknown game 'chess'; there are auruxxx"),
        (TOURNAMENT, 2, "expected at least one argument"),
        ((*TOURNAMENT, "grandmaster"), 1, "unknown agent 'grandmaster'; give random, expert"),
        ((*TOURNAMENT, "random", "--players", 1), 1, "--players must be a whole number from 2"),
        ((*TOURNAMENT, "random", "--players", 7), 1, "--players must be a whole number from 2"),
        ((*TOURNAMENT, "random", "--deals", 0), 1, "deals must be a whole number from 2"),
        ((*TOURNAMENT, "random", "--rules", "rounds"), 1, "--rules takes NAME=VALUE, not 'rounds'"),
        ((*TOURNAMENT, "random", "--rules", "round=1"), 1, "unknown setting 'round'"),
        ((*TOURNAMENT, "README.md"), 1, "cannot read checkpoint README.md"),
        (("tournament", "auruxxx"), 1, "needs at least one agent: --agents expert random, say"),
        (("train", "auruxxx", "--steps", "x"), 2, "--steps: a whole number is needed, not 'x'"),
        ((*TOURNAMENT, "random", "--until", "x"), 2, "--until: a number is needed, not 'x'"),
        (("replay", "nowhere"), 2, "the following arguments are required: NUMBER"),
        ((*TOURNAMENT, "random", "--players", 2, 2), 1, "players must be different numbers"),
        ((*TOURNAMENT, "random", "--until", 0.1), 1, "until needs two different agents"),
        ((*TOURNAMENT, "random", "--time-limit", 0), 1, "the time limit must be above 0"),
        ((*TOURNAMENT, "random", "--format", "ladder"), 1, "there is no store of games at"),
        (("tournament", "auruxxx", "--resume"), 1, "there is no store of games at"),
        (("leaderboard", "nowhere"), 1, "there is no store of games at nowhere"),
        (("replay", "nowhere", 1), 1, "there is no store of games at nowhere"),
        (("train", "auruxxx", "--preset", "tiny"), 1, "unknown preset 'tiny'; there are"),
        (("train", "auruxxx", "--players", 9), 1, "train: --players must be a whole number from 2"),
        (("train", "auruxxx", "--steps", 0), 1, "train: --steps must be a whole number"),
        (("train", "auruxxx", "--steps", "1.5e0"), 2, "a whole number is needed, not '1.5e0'"),
        (("train", "auruxxx", "--steps=0e0"), 1, "train: --steps must be a whole number"),
        (("train", "auruxxx", "--set", "total_timesteps=0"), 1, "train: total_timesteps must be"),
        (("train", "auruxxx", "--resume"), 1, "no run to resume"),
        (("train", "auruxxx", "--resume", "--seed", 3), 1, "--resume goes on as begun"),
        (("train", "auruxxx", "--seed", -1), 1, "seed must be a whole number from 0"),
        (("train", "auruxxx", "--algorithm", "sarsa"), 1, "unknown algorithm 'sarsa'; there are"),
        (("train", "auruxxx", "--set", "speed"), 1, "--set takes NAME=VALUE, not 'speed'"),
        (("train", "auruxxx", "--set", "speed=1"), 1, "unknown setting 'speed'"),
        (("train", "auruxxx", "--set", "pool_size=-1"), 1, "pool_size must be a whole number"),
        (
            ("train", "auruxxx", "--set", "fixed_opponents=[1]"),
            1,
            "fixed_opponents must be a list of agents",
        ),
        (("train", "auruxxx", "--set", 'fixed_opponents=["x"]'), 1, "unknown agent 'x'"),
        (("train", "auruxxx", "--set", "eval_opponent=x"), 1, "unknown agent 'x'"),
        (("train", "auruxxx", "--set", "seed=2", "--seed", 3), 1, "seed is given twice"),
        (("train", "auruxxx", "--set", "seed=2", "seed=3"), 1, "seed is given twice"),
        (("train", "auruxxx", "--players", 3, 9), 1, "--players must be a whole number from 2"),
        (
            ("train", "auruxxx", "--players", 3, 4, "--set", "n_envs=1"),
            1,
            "n_envs must be at least",
        ),
        (
            ("train", "auruxxx", "--players", 3, "--rules", "num_players=4"),
            1,
            "num_players is given twice",
        ),
        ((*TRAIN_PPO, "device=quantum"), 1, "device 'quantum' cannot be used"),
        (
            (*TRAIN_PPO, "teacher=random", "teacher_timesteps=0"),
            1,
            "teacher and teacher_timesteps go together",
        ),
        ((*TRAIN_PPO, "teacher=x", "teacher_timesteps=5"), 1, "unknown agent 'x'"),
        ((*TRAIN_PPO, 'rules={"num_players":3}'), 1, "rules must leave out num_players"),
        ((*TOURNAMENT, "random", "--seed", -1), 1, "seed must be a whole number from 0"),
        ((*TOURNAMENT, "random", "--rules", "rounds=1", "rounds=2"), 1, "rounds is given twice"),
        ((*TOURNAMENT, "random", "--rules", "rounds=²"), 1, "rounds must be a whole number"),
        ((*TOURNAMENT, "random", "--rules", "preset=french"), 1, "unknown preset 'french'; there"),
        (
            ("train", "auruxxx", "--rules", "preset=book"),
            1,
            "unknown preset 'book'; there are german",
        ),
        ((*TOURNAMENT, "x" * 5000), 1, "unknown agent"),
        ((*TOURNAMENT, "random", "--workers", 0), 1, "workers must be a whole number from 1"),
        ((*TOURNAMENT, "random", "--rules", f"rounds={'[' * 5000}"), 1, "rounds must be a whole"),
        ((*BLANKS, "blanks=plain"), 1, "blanks must be a list, not 'plain'"),
        ((*BLANKS, 'blanks=["plain"]'), 1, "a blank is an object of name, points, effect, amount"),
        ((*BLANKS, 'blanks=[{"name": "a"}]'), 1, "a blank is an object of name, points, effect"),
    ],
)
def test_bad_input_is_one_clear_line(
    arguments: tuple[object, ...],
    status: int,
    message: str,
    tmp_path: Path,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(root)
    out = (
        ("--out", tmp_path / "out") if arguments and arguments[0] in ("train", "tournament") else ()
    )
    assert run(*arguments, *out) == status
    said = capsys.readouterr().err.splitlines()
    (line,) = (line for line in said if "compiling the rules" not in line)
    assert message in line
    assert not any(path.is_file() for path in tmp_path.rglob("*"))


@pytest.mark.parametrize("command", ["train", "tournament"])
def test_a_folder_that_cannot_be_written_is_named(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("mine")
    players = ("--agents", "random") if command == "tournament" else ()
    assert run(command, "auruxxx", *players, "--out", tmp_path / "file" / "out") == 1
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "cannot write to folder" in line
    assert (tmp_path / "file").read_text() == "mine"


@dataclass(kw_only=True)
class Brewing(Options):
    """Options of a command that brews tea.

    Attributes:
        leaf: Name of the leaf.
        minutes: Minutes until 95% of the taste is there.
        guests: Names of guests.
        sweet: Add sugar.
        cups: Cups to fill (default: one a guest).
    """

    leaf: str
    minutes: float = 3.0
    guests: list[str] = option(())
    sweet: bool = False
    cups: int | None = None


def test_fields_become_options() -> None:
    parser = argparse.ArgumentParser()
    Brewing.add_to(parser)

    def read(*words: str) -> Brewing:
        return Brewing.read(parser.parse_args(words))

    assert read("mint") == Brewing(leaf="mint", minutes=3.0, guests=[], sweet=False, cups=None)
    typed = read("mint", "--guests", "a", "b", "--sweet", "--guests", "c", "--cups", "4")
    assert typed == Brewing(leaf="mint", guests=["a", "b", "c"], sweet=True, cups=4)
    assert read("mint").guests == []  # the default is not the list that was extended
    shown = " ".join(parser.format_help().split())
    assert "LEAF name of the leaf" in shown
    assert "--minutes X minutes until 95% of the taste is there (default: 3)" in shown
    assert "--guests NAME [NAME ...] names of guests" in shown
    assert "--cups N cups to fill (default: one a guest)" in shown


def test_a_resumed_command_takes_some_options_only() -> None:
    Brewing(leaf="mint", guests=[], cups=2).check_resumed("cups", "minutes")
    for brewing in (Brewing(leaf="mint", sweet=True), Brewing(leaf="mint", guests=["a"])):
        with pytest.raises(SettingsError, match=r"begun: it takes --cups and --minutes only$"):
            brewing.check_resumed("cups", "minutes")
