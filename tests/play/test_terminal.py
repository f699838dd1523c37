"""Playing in the terminal: what is typed, what comes of it, and what is kept."""

import io
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from goldgriff.cli.main import main
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.errors import AgentError, MoveError
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.eval.tournament.store import Store
from goldgriff.play.session.session import Session
from goldgriff.play.terminal.conversation import play_in_terminal
from goldgriff.play.terminal.entries import command_names, parse_entry
from goldgriff.play.terminal.replay import replay_game
from goldgriff.play.terminal.screen import Screen
from goldgriff.play.texts import LANGUAGES, Texts

Play = Callable[..., str]


def sit_down(game: Game, folder: Path, *agents: str, **rules: Any) -> Session:
    """Return a session of a person and agents; the seed is always the same."""
    settings = game.settings.from_dict({"num_players": len(agents) + 1, **rules})
    return Session(game, settings, [PERSON, *agents], 3, folder)


@pytest.fixture
def play(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Play:
    """Play a session with the given lines typed, then the end of input; return what was printed."""

    def typed(session: Session, *lines: str, language: str = "en") -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        play_in_terminal(session, tmp_path, "expert", language)
        return capsys.readouterr().out

    return typed


def test_that_somebody_lays_no_more_is_not_said(play: Play, tmp_path: Path) -> None:
    session = sit_down(AURUXXX, tmp_path, "expert", "random")
    printed = play(session, "pass")
    assert "no-more" in [event.kind for events in session.log.lines for event in events]
    assert "laid no more" not in printed


@pytest.mark.parametrize(
    ("game", "language", "rules", "expected"),
    [
        (AURUXXX, "en", {"rounds": 1}, ("won the game", "total")),
        (GLUECKSGRIFF, "de", {"point_limit": 20}, ("gewonnen", "gesamt")),
    ],
)
def test_a_whole_game_is_played_kept_and_replays(
    game: Game,
    language: str,
    rules: dict[str, int],
    expected: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    session = sit_down(game, tmp_path, "expert", "random", **rules)

    def best_move(_prompt: str) -> str:
        return session.game.actions[next(iter(session.hint("expert").probabilities))]

    monkeypatch.setattr("builtins.input", best_move)
    play_in_terminal(session, tmp_path, "expert", language)
    printed = capsys.readouterr().out
    assert session.match.over
    assert all(word in printed for word in expected)
    totals = printed.splitlines()[-4]
    assert [float(total) for total in totals.split("│")[2:-1]] == session.match.scores
    assert f"goldgriff replay {tmp_path} 1" in printed
    with Store.open(tmp_path) as store:
        assert "As stored" in list(replay_game(store, 1))[-1]


def test_a_wrong_entry_is_answered_in_one_line_and_changes_nothing(
    tmp_path: Path, play: Play
) -> None:
    session = sit_down(AURUXXX, tmp_path, "expert")
    printed = play(session, "nonsense", "99", "lay ")
    _, *answers = (part.splitlines() for part in printed.split("Your move (or help): "))
    assert [answer[0] for answer in answers[:3]] == ["nonsense", "99", "lay "]
    assert "'nonsense' is none of your moves" in answers[0][1]
    assert "'99' is none of your moves: type a number from 1 to" in answers[1][1]
    assert "'lay ' may mean: " in answers[2][1]
    assert all(move in answers[2][1] for move in session.match.legal if move.startswith("lay "))
    assert session.match.moves == []


def test_a_move_that_is_not_legal_is_answered_with_the_rule(tmp_path: Path, play: Play) -> None:
    session = sit_down(AURUXXX, tmp_path, "expert")
    session.match.start(1, {"hands": [["r1", "b4"], ["g1"]], "discard": ["r9"]})
    printed = play(session, "LAY B4", "blue 4", "b5", "end", language="en")
    assert printed.count("Does not fit: blue 4 on red 9. (A3.1, A3.2)") == 2
    assert "This card is not in your hand: blue 5. (A2.3)" in printed
    assert "A turn may end without laying only after all its draws. (A2.4)" in printed
    assert ": Blau 4 auf Rot 9. (A3.1, A3.2)" in play(session, "blau 4", language="de")
    assert session.match.moves == []


def test_a_game_is_given_up(tmp_path: Path, play: Play) -> None:
    session = sit_down(AURUXXX, tmp_path, "expert")
    for kept in (["auf"], ["aufgeben", "nein"]):  # a beginning, and a change of mind
        play(session, *kept, language="de")
        assert not session.over
    printed = play(session, "aufgeben", "aufgeben", language="de")
    assert f"goldgriff replay {tmp_path} 1" in printed
    with Store.open(tmp_path) as store:
        assert str(list(replay_game(store, 1, "de"))[-1]) == "Du hast aufgegeben"
    assert Session.resume(tmp_path, 1).over


def test_the_rules_are_at_hand(tmp_path: Path, play: Play) -> None:
    session = sit_down(AURUXXX, tmp_path, "expert")
    one = play(session, "rules a2.1").split("Your move (or help): rules a2.1\n")[1]
    assert one.startswith("A2.1 Passing (pass) is possible only as the very first thing in a turn")
    assert "A2.2" not in one
    printed = play(session, "rules", "rules A9.9")
    assert all(f"\nA{chapter}.1 " in printed for chapter in range(9))
    assert "There is no rule or section 'A9.9'." in printed
    part = play(session, "rules A4", "rules a10").split("Your move (or help): ")
    assert "\nA4 The 2" in part[1]
    assert [f"A4.{k} " in part[1] for k in range(1, 6)] == [True] * 4 + [False]
    assert "A3." not in part[1].replace("(A3.", "")
    assert "A5 " not in part[1]
    assert "There is no rule or section 'a10'." in part[2]
    german = play(session, "regeln A2.1", "rules A2.2", "regeln A4", language="de")
    assert "\nA4 Die 2" in german
    assert "A2.1 Passen (pass) geht nur ganz zu Anfang" in german
    assert "A2.2 Ziehen (draw) bringt" in german


def test_german_commands_do_what_the_english_ones_do(tmp_path: Path, play: Play) -> None:
    session = sit_down(AURUXXX, tmp_path, "expert")
    printed = play(session, "hilfe", "pass", "zurück", "pass", "undo", "tipp", language="de")
    assert re.search("zurück +deinen letzten Zug zurücknehmen", printed)
    assert printed.count("Zurückgenommen: wieder dein Zug.") == 2
    assert "expert würde spielen:" in printed
    left = play(session, "schluss", "pass", language="de")
    assert "gepasst" not in left.split("hilfe): ")[1]
    german = Texts("de", session.game, session.settings, session.names)
    assert parse_entry("hil", session, german) == "help"
    with pytest.raises(MoveError, match="kann heißen: hilfe, tipp"):
        parse_entry("h", session, german)
    english = Texts("en", session.game, session.settings, session.names)
    typed = {
        "help": ("hilfe", "help"),
        "undo": ("zurück", "Undo"),
        "rules": ("regel", "regeln", "rules", "rule"),
        "quit": ("ende", "exit", "quit", "schluss"),
    }
    for texts in (german, english):
        for command, entries in typed.items():
            for entry in entries:
                assert parse_entry(entry, session, texts) == command
    with pytest.raises(MoveError, match=r"\(did you mean quit\?\)$"):
        parse_entry("qiut", session, english)
    with pytest.raises(MoveError, match=r"\(gemeint .* vielleicht: hilfe\)$"):
        parse_entry("hilffe", session, german)
    with pytest.raises(MoveError, match=r"\(gemeint .* vielleicht: karte ziehen\)$"):
        parse_entry("kratezeihen", session, german)
    with pytest.raises(MoveError, match=r"hilfe eingeben$"):
        parse_entry("0815", session, german)


def test_a_synonym_never_hides_a_move(tmp_path: Path) -> None:
    """In Auruxxx `end` is a move: who types `ende` then is asked which is meant."""
    session = sit_down(AURUXXX, tmp_path, "expert")
    german = Texts("de", session.game, session.settings, session.names)
    with pytest.raises(MoveError, match=r"\(A2\.4\)$"):
        parse_entry("end", session, german)
    legal_end = session.match._states["legal"][0]
    legal_end[AURUXXX.actions.index("end")] = 1
    session.match.mask[:] = legal_end
    assert parse_entry("end", session, german) == AURUXXX.actions.index("end")
    with pytest.raises(MoveError, match="'ende' kann heißen: end, schluss"):
        parse_entry("ende", session, german)


def test_no_command_is_taken_for_a_move() -> None:
    for game in (AURUXXX, GLUECKSGRIFF):
        for language in LANGUAGES:
            texts = Texts(language, game, game.settings.from_dict({}), [PERSON] * 4)
            moves = {each for name in game.actions for each in (name, texts.move(name, 0).lower())}
            moves |= {texts.card(card).lower() for card in game.cards}
            for command in command_names(texts):
                for move in moves:
                    assert not command.startswith(move), command
                    assert not move.startswith(command), command


def test_undo_takes_back_the_last_move_and_the_answers_to_it(tmp_path: Path, play: Play) -> None:
    session = sit_down(AURUXXX, tmp_path, "expert")
    before = session.match.position()
    printed = play(session, "undo", "pass", "undo")
    assert "There is no move to take back." in printed
    assert "You: passed; crosses: 1 (A2.1)" in printed
    assert "Anna: " in printed.split("You: passed")[1]
    assert session.match.position() == before
    assert not session.can_undo


def test_a_hint_shows_what_the_agent_would_play(tmp_path: Path, play: Play) -> None:
    session = sit_down(AURUXXX, tmp_path, "expert")
    best, probability = next(iter(session.hint("expert").probabilities.items()))
    printed = play(session, "hint").split("expert would play:")[1]
    texts = Texts("en", session.game, session.settings, session.names)
    line = printed.splitlines()[2]
    assert line.strip().startswith(f"{probability:.0%} ")
    assert texts.move(AURUXXX.actions[best], 0) in line
    assert "█" in line


def test_a_game_that_was_left_is_continued(tmp_path: Path, play: Play) -> None:
    session = sit_down(GLUECKSGRIFF, tmp_path, "expert")
    printed = play(session, "1", "quit")
    assert f"goldgriff play gluecksgriff --out {tmp_path} --resume 1" in printed
    again = Session.resume(tmp_path, 1)
    assert again.match.moves == session.match.moves != []
    assert "Round 1. Turned up" in play(again)  # what happened in this round is told once more
    assert f"--out {tmp_path} --resume 1 --language de" in play(again, "quit", language="de")


@pytest.mark.parametrize("leave", [EOFError, KeyboardInterrupt])
def test_whatever_ends_the_input_the_game_is_kept(
    leave: type[BaseException],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    session = sit_down(AURUXXX, tmp_path, "expert")
    entries: Iterator[str] = iter(["pass"])

    def leaving(_prompt: str) -> str:
        for entry in entries:
            return entry
        raise leave

    monkeypatch.setattr("builtins.input", leaving)
    play_in_terminal(session, tmp_path, "expert", "en")
    assert "The game is kept" in capsys.readouterr().out
    assert Session.resume(tmp_path, 1).match.moves == session.match.moves != []


def test_an_agent_that_fails_ends_the_game_with_one_line(
    tmp_path: Path, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = sit_down(AURUXXX, tmp_path, "expert")

    def fail(_name: str) -> int:
        raise AgentError("forgets how to play")

    monkeypatch.setattr(session, "_ask", fail)
    for language, fault in (("en", "failed or chose an illegal"), ("de", ".* ausgefallen")):
        with pytest.raises(AgentError, match=f"gent 'expert' {fault}"):
            play(session, "pass", language=language)


def test_a_move_may_be_typed_in_many_ways(tmp_path: Path) -> None:
    session = sit_down(AURUXXX, tmp_path, "expert")
    english, german = (
        Texts(language, session.game, session.settings, session.names) for language in LANGUAGES
    )
    name = next(m for m in session.match.legal if m.startswith("lay ") and m != "lay gold")
    action = AURUXXX.actions.index(name)
    card = name[4:]
    for entry in (name, name.upper(), card, f"  {english.move(name, 0)} "):
        assert parse_entry(entry, session, english) == action
    assert parse_entry(german.move(name, 0), session, german) == action
    assert parse_entry(str(session.legal.index(action) + 1), session, english) == action
    assert parse_entry("und", session, english) == "undo"
    assert parse_entry("dr", session, english) == AURUXXX.actions.index("draw")
    with pytest.raises(MoveError, match="may mean: help, hint"):
        parse_entry("h", session, english)


def test_a_number_is_always_a_place_in_the_list(tmp_path: Path, play: Play) -> None:
    """In Glücksgriff cards are numbers too: they never stand for a move of another place."""
    session = sit_down(GLUECKSGRIFF, tmp_path, "expert")
    texts = Texts("de", session.game, session.settings, session.names)
    assert f"1) {texts.move(GLUECKSGRIFF.actions[session.legal[0]], 0)}" in play(
        session, language="de"
    )
    for place, action in enumerate(session.legal, start=1):
        assert parse_entry(str(place), session, texts) == action
    for number in (0, len(session.legal) + 1, 14):
        if number > len(session.legal) or number == 0:
            with pytest.raises(MoveError, match="kein möglicher Zug"):
                parse_entry(str(number), session, texts)


def test_a_game_with_agents_that_are_code_goes_on_by_the_command_that_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    options = ["--players", "2", "--agents", "tests.attacks.agents:First"]
    assert main(["play", "auruxxx", *options, "--out", str(tmp_path / "a folder")]) == 0
    (shown,) = (line for line in capsys.readouterr().out.splitlines() if "--resume" in line)
    goldgriff, *go_on = shlex.split(shown)
    assert goldgriff == "goldgriff"
    assert go_on[-1] == "--trust"
    assert main(go_on) == 0
    assert "The game is kept" in capsys.readouterr().out


def test_the_others_hands_are_not_shown(tmp_path: Path, play: Play) -> None:
    session = sit_down(AURUXXX, tmp_path, "expert")
    printed = play(session)
    texts = Texts("en", session.game, session.settings, session.names)
    mine, theirs = session.match.position()["hands"]
    hidden = {texts.card(card) for card in set(theirs) - set(mine)}
    hidden -= {texts.card(card) for card in session.match.position()["discard"]}
    assert len(hidden) > 5
    shown = printed.replace("What you can do", "").replace(",", "\n").splitlines()
    assert not hidden & {part.strip() for part in shown}
    assert any(texts.card(mine[0]) in part for part in shown)


def test_the_command_plays_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(typed: str, *arguments: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        assert main(["play", "auruxxx", "--out", str(tmp_path), *arguments]) == 0
        return capsys.readouterr().out

    begun = run("pass\n", "--players", "3", "--seat", "1", "--seed", "5", "--rules", "rounds=1")
    assert f"goldgriff play auruxxx --out {tmp_path} --resume 1" in begun
    gone_on = run("undo\ndraw\nquit\n", "--resume", "1", "--language", "de", "--hints", "random")
    assert "Du: gepasst; Kreuzchen: 1 (A2.1)" in gone_on
    assert "Zurückgenommen" in gone_on
    assert f"--out {tmp_path} --resume 1 --language de --hints random" in gone_on
    assert main(["replay", str(tmp_path), "1"]) == 0
    replayed = capsys.readouterr().out
    assert "You (seat 1)" in replayed
    match = Session.resume(tmp_path, 1).match
    moves = zip(match.moves, match.players, strict=True)
    mine = [AURUXXX.actions[action] for action, seat in moves if seat == 1]
    assert "draw" in mine
    assert "pass" not in mine


def test_agents_alone_play_to_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alone = ["--seat", "none", "--players", "2", "--seed", "1", "--rules", "rounds=1"]
    assert main(["play", "auruxxx", *alone, "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "won the game" in printed
    assert f"goldgriff replay {tmp_path} 1" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["auruxxx", "--resume", "7"], "has no game 7; it has games 1 to 1"),
        (["auruxxx", "--resume", "1", "--seed", "2"], "--resume goes on as begun: it takes"),
        (["gluecksgriff", "--resume", "1"], "holds games of auruxxx, not gluecksgriff"),
        (["auruxxx", "--hints", "nobody"], "nobody"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(AURUXXX, tmp_path, "random")
    assert main(["play", *arguments, "--out", str(tmp_path)]) == 1
    errors = capsys.readouterr().err
    assert errors.startswith("goldgriff play: ")
    assert message in errors
    assert errors.count("\n") == 1


def test_a_terminal_breaks_lines_between_words(tmp_path: Path) -> None:
    session, said = sit_down(AURUXXX, tmp_path, "expert"), io.StringIO()
    screen = Screen(session, Texts("de", AURUXXX, session.settings, session.names))
    screen._console = Console(file=said, force_terminal=True, width=80, color_system=None)
    text = "Bei der Goldenen Zwölf passt heute wirklich jede Karte " * 5  # codespell:ignore
    screen.line(text.strip())
    lines = said.getvalue().splitlines()
    assert len(lines) > 3
    assert max(map(len, lines)) <= 80
    assert " ".join(line.strip() for line in lines) == text.strip()
    screen.line("  " + "x " * 90, whole=True)  # a command that is copied
    assert len(said.getvalue().splitlines()) == len(lines) + 1
