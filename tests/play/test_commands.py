"""`goldgriff play` as a user meets it, as far as it comes without a person."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from goldgriff.cli.main import main
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.play.session.session import Session
from goldgriff.play.web.server import bind

from .tables import SMALL, small_session


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--seat", "4"], "--seat must be 0 to 3 or 'none', not '4'"),
        (["--seat", "-1"], "--seat must be 0 to 3 or 'none', not '-1'"),
        (["--players", "2", "--agents", "expert", "random"], "2 agents are given for 1 seat"),
        (["--agents", "nobody"], "unknown agent 'nobody'"),
        (["--hints", "nobody"], "unknown agent 'nobody'"),
        (["--rules", "rounds=0"], "rounds must be a whole number from 1 to 100, not 0"),
        (["--seed", "-1"], "--seed must be a whole number from 0 to 2**64 - 1, not -1"),
        (["--port", "70000"], "port must be from 0 to 65535, not 70000"),
        (["--people", "5"], "--people must be 1 to 4, not 5"),
        (["--people", "0"], "--people must be 1 to 4, not 0"),
        (["--people", "1", "--seat", "none"], "--people needs a --seat from 0 to 3, not 'none'"),
        (["--people", "3", "--agents", "random", "random"], "2 agents are given for 1 seat"),
        (["--replay", "nowhere", "1"], "there is no store of games at nowhere"),
        (["--replay", "nowhere", "first"], "--replay takes a folder and the number of a game"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(
    options: list[str],
    fault: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["play", "auruxxx", "--browser", "--no-open", *options]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"goldgriff play: {fault}")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--seat", "9"], "--seat: möglich "),
        (["--people", "5"], "--people: möglich "),
        (["--people", "2"], "2 Personen spielen auf der Seite: Dazu gehört --browser."),
        (["--agents", "nobody"], "Den Agenten 'nobody' gibt es nicht."),
        (["--rules", "rounds=0"], "Runden: nötig "),
        (["--rules", "foo"], "--rules braucht NAME=VALUE, nicht 'foo'."),
        (["--rules", "rounds=1", "rounds=2"], "rounds ist zweimal angegeben."),
        (["--resume", "1", "--seed", "3"], "--resume setzt ein Spiel so fort, wie "),
        (["--seed", "-1"], "Der Startwert "),
        (["--browser", "--port", "70000"], "--port: möglich "),
        (["--replay", "nowhere", "1"], "Unter nowhere"),  # codespell:ignore
    ],
)
def test_errors_are_in_the_language_that_is_asked_for(
    options: list[str],
    fault: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["play", "auruxxx", "--no-open", "--language", "de", *options]) == 1
    assert capsys.readouterr().err.startswith(f"goldgriff play: {fault}")
    assert main(["replay", "nowhere", "1", "--language", "de"]) == 1
    assert "sind keine Spiele gespeichert." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ("auruxxx --agent", "--agents: Dazu gehört mindestens ein Wert."),
        ("auruxxx --foo", "Die Option --foo gibt es nicht. Gemeint ist vielleicht --out."),
        ("auruxxx --foolishness", "Die Option --foolishness gibt es nicht."),
        ("auruxxx --h", "--h ist nicht eindeutig: Möglich ist --help, --hints, --host."),
        ("auruxxx --no-open=3", "--no-open: Dazu gehört kein Wert, auch nicht '3'."),
        ("auruxxx --players", "--players: Dazu gehört ein Wert."),
        ("auruxxx --players x", "--players: Nötig ist eine ganze Zahl, nicht 'x'."),
        ("auruxxx --replay x", "--replay: Dazu gehören 2 Werte."),
        ("auruxxx 9", "'9' ist zu viel."),
        ("auruxx", "GAME: Das Spiel 'auruxx' gibt es nicht. Gemeint ist vielleicht 'auruxxx'."),
        ("x", "GAME: Das Spiel 'x' gibt es nicht. Es gibt auruxxx, gluecksgriff."),
        ("", "Es fehlt GAME."),
    ],
)
def test_wrong_arguments_are_refused_in_the_language_that_is_asked_for(
    options: str, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for language in ("--language=de", "--language de"):
        with pytest.raises(SystemExit, match="2"):
            main(["play", *options.split(), *language.split()])
        line = capsys.readouterr().err
        assert line == f"goldgriff play: {fault} Hilfe: goldgriff play --help\n"
    with pytest.raises(SystemExit, match="2"):
        main(["play", *options.split()] if options else ["play", "--foo"])
    assert "(see goldgriff play --help)" in capsys.readouterr().err


def test_an_address_that_is_taken_leaves_no_game_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with bind("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        options = ["--browser", "--no-open", "--port", port, "--out", str(tmp_path)]
        assert main(["play", "auruxxx", *options]) == 1
    assert f"cannot listen at 127.0.0.1:{port}" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_one_interrupt_ends_the_server_while_an_agent_thinks(tmp_path: Path) -> None:
    options = ["--browser", "--no-open", "--port", "0", "--players", "2", "--seat", "1"]
    options += ["--agents", "tests.play.players:Idle", "--out", str(tmp_path)]
    code = "import sys; from goldgriff.cli.main import main; sys.exit(main())"
    server = subprocess.Popen(
        [sys.executable, "-c", code, "play", "auruxxx", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdout
    game = server.stdout.readline().split()[2].replace("/game/", "/api/games/")
    with urlopen(game) as answer:
        version = json.load(answer)["version"]
    with pytest.raises(TimeoutError):  # the agent never answers
        urlopen(f"{game}/step", json.dumps({"version": version}).encode(), timeout=2)
    server.send_signal(signal.SIGINT)
    _, errors = server.communicate(timeout=30)
    assert server.returncode == 130
    (line,) = (one for one in errors.splitlines() if "compiling the rules" not in one)
    assert line.startswith("goldgriff play: stopped by SIGINT; go on with: goldgriff play auruxxx ")
    assert line.endswith(f"--out {tmp_path} --resume 1 --browser --no-open --port 0 --trust")


@pytest.mark.parametrize("agent", ["random", "tests.attacks.agents:Teller"])
def test_the_terminal_opens_no_game_that_can_go_on(
    agent: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = AURUXXX.settings.from_dict(SMALL["auruxxx"])
    session = Session(AURUXXX, settings, [PERSON, agent, agent], 1, tmp_path)
    session.play(session.legal[0])
    session.step()
    replay = ["replay", str(tmp_path), "1"]
    assert main(replay) == 0
    head, players, about, fault, page = capsys.readouterr().out.splitlines()
    assert head == "Game 1: Auruxxx - Die Goldene 12"  # no seed, which deals the cards
    assert players.startswith("Clockwise: You (seat 0), ")
    assert about == "The game can go on: its moves, with all hands, are shown at its end."
    failed = "forfeits the game: failed: RuntimeError"
    assert (failed if session.progress.failed else "The game was not finished") in fault
    assert page.startswith("On the page, step by step: ")
    for more, done in (([], "shown"), (["--analyse"], "analysed")):
        given = [*replay, *more, *([] if more else ["--json"])]
        assert main(given) == 1
        out, said = capsys.readouterr()
        assert (out, said) == ("", f"goldgriff replay: game 1 can go on: it is {done} at its end\n")


def test_a_game_of_agents_alone_that_can_go_on_is_shown_but_not_analysed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = AURUXXX.settings.from_dict(SMALL["auruxxx"])
    Session(AURUXXX, settings, ["random"] * 3, 1, tmp_path).step()
    replay = ["replay", str(tmp_path), "1"]
    assert main(replay) == 0
    assert "\n1. random (seat 0): " in capsys.readouterr().out
    assert main([*replay, "--analyse"]) == 1
    assert main([*replay, "--json"]) == 0


def test_a_store_keeps_one_game_with_one_set_of_rules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small_session(AURUXXX, SMALL["auruxxx"], folder=tmp_path)
    folder = str(tmp_path)
    given = ["--browser", "--no-open", "--port", "0", "--out", folder]
    assert main(["play", "auruxxx", *given]) == 1
    assert "holds games with other rules; use another folder" in capsys.readouterr().err
    assert main(["play", "gluecksgriff", "--replay", folder, "1"]) == 1
    assert "holds games of auruxxx, not gluecksgriff" in capsys.readouterr().err
    assert main(["play", "auruxxx", "--replay", folder, "2"]) == 1
    assert "has no game 2; it has games 1 to 1" in capsys.readouterr().err
