"""Type moves and commands in both languages, and read the help that shows them."""

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.cache import say_once
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.errors import MoveError
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.play.session.session import Session
from goldgriff.play.terminal.conversation import play_in_terminal
from goldgriff.play.terminal.entries import parse_entry
from goldgriff.play.texts import LANGUAGES, Texts

from .tables import CASES, SMALL

# What Germans type beside the words of the list, by a move's name.
TYPED = {
    AURUXXX: {
        "lay r1": ["lege rot 1", "leg Rot 1", "rot 1 legen", "rot 1", "lege r1"],
        "lay y10": ["lege die Gelbe 10", "lege gelb 10"],
        "lay gold": ["lege eine goldene 12", "goldene 12"],
        "draw": ["ziehe", "ziehe eine Karte", "zieh Karte"],
        "pass": ["passe", "passen"],
        "take": ["nimm die Karten", "karten nehmen"],
        "end": ["beende den Zug", "zug beenden", "beende"],
        "blessing": ["lege Kartensegen", "kartensegen"],
        "swap +1": ["tausche Karten mit Anna", "tausche mit Anna"],
    },
    GLUECKSGRIFF: {
        "lay 7": ["lege 7", "leg eine 7", "7 legen"],
        "lay joker": ["lege Gaukler", "gaukler"],
        "knock": ["klopfe", "klopf"],
        "keep": ["behalte die Karte"],
        "sit out": ["setze aus", "aussetzen"],
        "play on": ["spiele weiter"],
        "call": ["rufe Glücksgriff", "glücksgriff rufen!"],
        "take": ["nimm die oberste Karte", "oberste karte nehmen"],
        "hourglass +1": ["gib die Sanduhr Anna", "sanduhr für Anna"],
    },
}


def legal_only(session: Session, *names: str) -> None:
    """Let only some moves be legal, whatever lies on the table."""
    legal = session.match._states["legal"][0]
    legal[:] = 0
    for name in names:
        legal[session.game.actions.index(name)] = 1
    session.match.mask[:] = legal


def begin(game: Game, **rules: object) -> Session:
    settings = game.settings.from_dict({"num_players": 2, **rules})
    return Session(game, settings, [PERSON, "expert"], 3)


@pytest.mark.parametrize("game", [AURUXXX, GLUECKSGRIFF], ids=lambda game: game.name)
def test_germans_type_what_they_would_say(game: Game) -> None:
    session = begin(game)
    texts = Texts("de", game, session.settings, session.names)
    for name, entries in TYPED[game].items():
        legal_only(session, name, *({"draw", "lay 9", "lay r11", "lay b1"} & {*game.actions}))
        for entry in entries:
            assert parse_entry(entry, session, texts) == game.actions.index(name), entry
    legal_only(session, "draw")
    with pytest.raises(MoveError, match="kein möglicher Zug"):
        parse_entry("fliege", session, texts)


def test_words_that_fit_several_moves_or_none_play_nothing() -> None:
    session = begin(AURUXXX)
    texts = Texts("de", AURUXXX, session.settings, session.names)
    legal_only(session, "lay r1", "lay r11", "lay y1")
    with pytest.raises(MoveError, match=r"kann heißen: lay r1, lay r11$"):
        parse_entry("lege rot", session, texts)
    session.match.start(1, {"hands": [["r1", "b4"], ["g1"]], "discard": ["r9"]})
    with pytest.raises(MoveError, match=r": Blau 4 auf Rot 9\. \(A3\.1, A3\.2\)$"):
        parse_entry("lege blau 4", session, texts)
    with pytest.raises(MoveError, match=r" nicht auf deiner Hand: Rot 10"):
        parse_entry("lege rot 10", session, texts)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "rules"), CASES)
def test_every_text_of_the_list_can_be_typed_in_a_whole_game(
    game: Game, rules: dict[str, object], language: str
) -> None:
    settings = game.settings.from_dict(rules)
    session = Session(game, settings, [PERSON, *["random"] * (settings.num_players - 1)], 2)
    texts, chance = Texts(language, game, settings, session.names), np.random.default_rng(1)
    while not session.over:
        if not session.your_turn:
            session.step()
            continue
        action = int(chance.choice(session.legal))
        text = texts.move(game.actions[action], 0)
        if not text.isdecimal():
            assert parse_entry(text, session, texts) == action
        session.play(action)


@pytest.mark.parametrize("game", [AURUXXX, GLUECKSGRIFF], ids=lambda game: game.name)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("asked", ["?", "help"])
def test_help_shows_what_can_be_typed_now(
    game: Game,
    language: str,
    asked: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings = game.settings.from_dict(SMALL[game.name])
    session = Session(game, settings, [PERSON, "random", "random"], 4, tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{asked}\n"))
    play_in_terminal(session, tmp_path, "expert", language)
    prompt = "): " + asked + "\n"
    shown = capsys.readouterr().out.split(prompt)[1].splitlines()
    texts = Texts(language, game, settings, session.names)
    examples = [line.split("  ")[0] for line in shown[:3]]
    assert examples[1].startswith("lay ")
    meant = {parse_entry(example, session, texts) for example in examples}
    assert meant == {game.actions.index(examples[1])}
    assert meant <= {*session.legal}
    typed = [line.split("  ")[0] for line in shown]
    assert (examples[1][4:] in typed) == (game is AURUXXX)  # a number is a place in the list
    (rules,) = (line for line in shown if line.startswith(texts.text("command.rules")))
    assert texts.text("command.rules") + f" {game.id[0].upper()}" in rules


def test_a_line_of_its_own_never_stands_behind_the_prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Print the entry where the input is no terminal: nobody sees a typed line end there."""
    session = Session(
        AURUXXX,
        AURUXXX.settings.from_dict(SMALL["auruxxx"]),
        [PERSON, *["random"] * 2],
        4,
        tmp_path,
    )
    monkeypatch.setattr("sys.stdin", io.StringIO("hint\n"))
    ask = session.hint

    def compiling(name: str) -> object:
        say_once("a test of the prompt", "compiling")
        return ask(name)

    monkeypatch.setattr(session, "hint", compiling)
    monkeypatch.setattr("sys.stderr", sys.stdout)
    play_in_terminal(session, tmp_path, "expert", "en")
    assert (
        "Your move (or help): hint\ngoldgriff: compiling\nexpert would play:"
        in capfd.readouterr().out
    )


def test_on_a_terminal_nothing_is_printed_twice(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = ["play", "auruxxx", "--players", "2", "--seed", "3", "--out", str(tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-m", "goldgriff", *command], stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        os.write(ours, b"rules A9.9\nquit\n")
        printed = b""
        while True:
            try:
                printed += os.read(ours, 4096)
            except OSError:  # the command has ended
                break
        process.wait(60)
    os.close(ours)
    said = printed.decode()
    assert "There is no rule or section 'A9.9'." in said
    assert said.count("rules A9.9") == 1  # the terminal's echo
