"""A stored game in words, as `goldgriff replay` prints it."""

import re
from pathlib import Path
from typing import Any

import pytest

from goldgriff.cli.main import main
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match
from goldgriff.eval.analysis.analysis import GameAnalysis
from goldgriff.eval.tournament.replay import read_game
from goldgriff.eval.tournament.store import Store
from goldgriff.play.session.event_log import position_of
from goldgriff.play.session.session import Session
from goldgriff.play.terminal.replay import analysis_table, replay_game
from goldgriff.play.texts import LANGUAGES, Texts

from .tables import CASES, SMALL, small_session
from .test_grammar import faults

# Short games, which are analysed fast.
SHORT = {
    "auruxxx": {**SMALL["auruxxx"], "rounds": 1, "max_decisions": 30},
    "gluecksgriff": {**SMALL["gluecksgriff"], "point_limit": 5, "max_decisions": 30},
}
NUMBERED = re.compile(r" *(\d+)\. (.+?)(?:  \[(.*)\])?")
POINTS = re.compile(
    r"(.+?): (-?[\d.]+) points? in this round(?: \[(.+)\])?, ([\d.]+) points? in all"
)


def played(game: Game, rules: dict[str, Any], folder: Path, *names: str) -> Session:
    """Return a stored game of agents, played to its end."""
    settings = game.settings.from_dict(rules)
    others = ["random"] * (settings.num_players - len(names))
    session = Session(game, settings, [*names, *others], 6, folder)
    while not session.over:
        session.step()
    return session


def lines_of(folder: Path, language: str = "en") -> list[str]:
    """Return the lines of the first game of a folder."""
    with Store.open(folder) as store:
        return [str(line) for line in replay_game(store, 1, language)]


def from_start(folder: Path) -> tuple[Match, tuple[int, ...]]:
    """Return the first game of a folder as it was dealt, and its actions."""
    with Store.open(folder) as store:
        stored = read_game(store, 1)
    match = Match(stored.game, stored.settings)
    match.start(stored.seed)
    return match, stored.actions


@pytest.mark.parametrize(("game", "rules"), CASES)
def test_every_move_is_a_sentence_with_the_hand_that_it_leaves(
    game: Game, rules: dict[str, Any], tmp_path: Path
) -> None:
    names = played(game, rules, tmp_path, "expert").names
    match, actions = from_start(tmp_path)
    moves = [found for found in map(NUMBERED.fullmatch, lines_of(tmp_path)) if found]
    assert [int(found[1]) for found in moves] == [*range(1, len(actions) + 1)]
    for action, found in zip(actions, moves, strict=True):
        seat, rounds = match.current_player, len(match.score_sheet)
        match.act(action)
        called = "expert" if seat == 0 else f"random (seat {seat})"
        assert names[seat] in called
        about_all = ("The discard pile was shuffled", "The round has reached its limit")
        assert found[2].startswith((f"{called}: ", *about_all)), found[0]
        if len(match.score_sheet) > rounds:
            assert found[3] is None
        else:
            assert found[3] == (" ".join(position_of(match)["hands"][seat]) or "no card")


@pytest.mark.parametrize(("game", "rules"), CASES)
def test_points_are_what_the_total_rose_by_in_both_games(
    game: Game, rules: dict[str, Any], tmp_path: Path
) -> None:
    played(game, rules, tmp_path)
    match, actions = from_start(tmp_path)
    lines = lines_of(tmp_path)
    told = [found for found in map(POINTS.fullmatch, lines) if found]
    expected = []
    for action in actions:
        rounds = len(match.score_sheet)
        match.act(action)
        if len(match.score_sheet) > rounds:
            expected += [*zip(match.round_points, match.scores, match.round_sheet, strict=True)]
    assert len(told) == len(expected) > 0
    for found, (points, total, sheet) in zip(told, expected, strict=True):
        assert (float(found[2]), float(found[4])) == (points, total)
        parts = found[3].split(", ") if found[3] else []
        values = [re.fullmatch(r".+ (-?[\d.]+) \([AG]\d\.\d\)", part) for part in parts]
        assert [float(value[1]) for value in values if value] == [*filter(None, sheet.values())]
    assert lines.count("The round is over. Few points are good:") == len(match.score_sheet)
    shares = ", ".join(
        f"random (seat {seat}) {share:.0%}" for seat, share in enumerate(match.win_shares())
    )
    assert lines[-1] == f"As stored. Shares of the win: {shares}"


@pytest.mark.parametrize("game", [AURUXXX, GLUECKSGRIFF], ids=lambda game: game.name)
def test_who_plays_and_all_hands_are_shown_before_the_first_move(
    game: Game, tmp_path: Path
) -> None:
    session = played(game, SMALL[game.name], tmp_path, "expert")
    match, _ = from_start(tmp_path)
    title, seats, cards, signs, empty, deal, *table = lines_of(tmp_path)
    assert title == f"Game 1: {game.title}, seed 6"
    assert seats == "Clockwise: expert (seat 0), random (seat 1), random (seat 2)"
    assert cards == f"Names of cards: {game.legend}"
    assert "[...]" in signs
    assert empty == ""
    assert deal.startswith("Round 1. Turned up: ")
    texts = Texts("en", game, session.settings, session.names)
    for seat, hand in enumerate(match.position()["hands"]):
        called = "expert" if seat == 0 else f"random (seat {seat})"
        written = ", ".join(map(texts.card, hand))
        assert f"{called}: {written}  (hand: " in "\n".join(table[:8])


def test_hands_are_shown_again_as_they_were_scored(tmp_path: Path) -> None:
    played(AURUXXX, SMALL["auruxxx"], tmp_path)
    lines = lines_of(tmp_path)
    at = lines.index("The round is over. Few points are good:")
    end = lines[at : at + 12]
    hands = [line for line in end if "(hand: " in line]
    told = [found for found in map(POINTS.fullmatch, end) if found]
    assert len(hands) == len(told) == 3
    for hand, found in zip(hands, told, strict=True):
        held = re.search(r"\(hand: (\d+) points?\)", hand)
        assert held is not None
        assert held[1] == "0" or f"hand {held[1]} (A7.1)" in found[3]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "rules"), CASES)
def test_the_grammar_is_right(
    game: Game, rules: dict[str, Any], language: str, tmp_path: Path
) -> None:
    played(game, rules, tmp_path)
    lines = lines_of(tmp_path, language)
    told = [line for line in lines if "[...]" not in line and "`blanks`" not in line]
    assert len(lines) - len(told) in (1, 2)
    assert faults(told, language) == []


def test_the_command_speaks_german(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played(GLUECKSGRIFF, SMALL["gluecksgriff"], tmp_path)
    assert main(["replay", str(tmp_path), "1", "--language", "de"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Spiel 1: Glücksgriff, Startwert 6\nIm Uhrzeigersinn: ")
    assert "\nRunde 1. Aufgedeckt: " in printed
    assert printed.splitlines()[-2].startswith("Wie gespeichert. Anteile am Sieg: ")
    page = f"goldgriff play gluecksgriff --replay {tmp_path} 1 --language de"
    assert printed.endswith(f"Auf der Seite, Zug für Zug: {page}\n")
    assert main(["replay", str(tmp_path), "1", "--language", "de", "--json"]) == 1
    assert "--language passt nicht zu --json" in capsys.readouterr().err


@pytest.mark.parametrize("game", [AURUXXX, GLUECKSGRIFF], ids=lambda game: game.name)
def test_the_analysis_speaks_both_languages(game: Game, tmp_path: Path) -> None:
    session = played(game, SHORT[game.name], tmp_path, "expert")
    with Store.open(tmp_path / "games.sqlite") as store:
        analysis = GameAnalysis(read_game(store, 1), "expert")
    while not analysis.complete:
        analysis.step()
    found = {language: analysis_table(analysis, language) for language in LANGUAGES}
    for language, table in found.items():
        texts = Texts(language, game, session.settings, session.names)
        seats = {"en": "seat", "de": "Platz"}[language]
        names = ["expert", *(f"random ({seats} {seat})" for seat in (1, 2))]
        for one, row in zip(analysis.decisions, table.rows, strict=True):
            moves = (game.actions[action] for action in (one.played, one.best))
            told = (texts.move(move, one.seat) for move in moves)
            assert row[:4] == [str(one.move), names[one.seat], *told]
            assert row[6].endswith(f"% {one.mark:<2}")
            loss = row[6].split("%")[0].replace(",", ".")
            assert float(loss) == pytest.approx(100 * one.loss, abs=0.051)
        assert len(table.headings) == len(table.rows[0])
        assert faults([table.title, table.note, *table.headings], language) == []
    english, german = found.values()
    assert len(analysis.decisions) > 3
    assert not {*english.headings, english.title} & {*german.headings, german.title}
    assert all("." not in cell for row in german.rows for cell in row[4:])


def test_the_command_analyses_in_german(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played(AURUXXX, SHORT["auruxxx"], tmp_path, "expert")
    given = ["replay", str(tmp_path), "1", "--analyse", "--agent", "expert"]
    assert main([*given, "--language", "de"]) == 0
    printed = capsys.readouterr().out
    assert "Spiel 1: der Wert jeder Entscheidung" in printed
    assert re.search(r"\d,\d\N{NO-BREAK SPACE}%", printed)
    said = set(re.findall(r"[a-z]+", printed.lower()))
    assert not said & {"share", "loss", "win", "lay", "draw", "decision", "seat", "of"}
    assert main(given) == 0
    assert "the value of each decision" in capsys.readouterr().out


def test_a_german_is_told_in_german_that_a_game_can_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small_session(AURUXXX, SMALL["auruxxx"], folder=tmp_path)
    assert main(["replay", str(tmp_path), "1", "--analyse", "--language", "de"]) == 1
    assert "Spiel 1 kann weitergehen" in capsys.readouterr().err


def test_a_game_without_texts_is_told_by_its_own_names(third_game: Game, tmp_path: Path) -> None:
    rules = next(SMALL[game.name] for game, _ in CASES if game.settings is third_game.settings)
    played(third_game, rules, tmp_path)
    lines = lines_of(tmp_path)
    match, actions = from_start(tmp_path)
    assert match.draw().splitlines()[0] in lines
    first = third_game.actions[actions[0]]
    assert any(re.fullmatch(rf" *1\. random \(seat \d\): {first}  \[.*\]", line) for line in lines)
    points = [found for found in map(POINTS.fullmatch, lines) if found]
    assert any(found[3] for found in points)
    assert not any("()" in found[0] for found in points)
