"""The grammar of what people read, in both languages."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from goldgriff.envs.engine.game import GAMES, Game
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.play.narrators.lines import Line
from goldgriff.play.reasons import explain_card, explain_move, explain_table, see
from goldgriff.play.session.session import Session
from goldgriff.play.terminal.screen import Screen
from goldgriff.play.texts import LANGUAGES, Texts, read_texts

from .tables import CASES, SMALL, play_by_chance, small_session

# What no text may contain: the person in the third person, or in the wrong case, 1 in the plural.
WRONG = {
    "en": re.compile(
        r"\b[Yy]ou:? (has|is|was|holds)\b|\b[Yy]ou's|\b(of|from|with|to|on|by|challenged) You\b"
        r"|\b(hand|card) of you\b|(?<![\d.])1 (points|cards)\b"
    ),
    "de": re.compile(
        r"\b[Dd]u:? (hat|ist|war)\b"  # codespell:ignore ist
        r"|\b(von|mit|an|vor|gegen|bei|aus|auf|für) Du\b"  # codespell:ignore vor
        r"|(?<![\d,])1 (Punkte|Punkten|Karten)\b"
    ),
}
BROKEN = re.compile(r"[{}]|\bNone\b| [,.;]")


def faults(lines: list[str], language: str) -> list[str]:
    """Return the lines that are wrong."""
    patterns = (WRONG[language], BROKEN)
    return [line for line in lines if any(pattern.search(line) for pattern in patterns)]


def lines_of(session: Session, texts: Texts) -> Iterator[str]:
    """Return what can be read of a position: moves, notes, and why something cannot be done."""
    seen, position = see(session), session.log.visible_position()
    for action in session.legal:
        yield texts.move(session.game.actions[action], 0)
    for notes in (position["notes"], *(seat["notes"] for seat in position["seats"])):
        yield from map(texts.note, notes)
    reasons = [explain_card(seen, card) for card in session.game.cards]
    reasons += [explain_move(seen, name) for name in session.game.actions]
    reasons += explain_table(seen).values()
    yield from {texts.note(reason) for reason in reasons if reason}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "rules"), CASES)
def test_what_a_person_reads_in_random_games(
    game: Game, rules: dict[str, Any], language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    session = small_session(game, rules, seed=4)
    texts = Texts(language, game, session.settings, session.names)
    screen, lines = Screen(session, texts), set[str]()
    for number, _ in enumerate(play_by_chance(session)):
        if number % 3 == 0:
            lines |= set(lines_of(session, texts))
            screen.table()
            screen.moves()
    screen.score_sheet()
    lines |= {texts.line(event) for events in session.log.lines for event in events}
    assert len(lines) > 80
    assert [line for line in lines if "  " in line or line != line.strip()] == []
    assert faults([*lines, *capsys.readouterr().out.splitlines()], language) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES.values())
def test_every_event_can_be_told_of_the_person_and_to_it(game: Game, language: str) -> None:
    settings = game.settings.from_dict(SMALL[game.name])
    texts = Texts(language, game, settings, [PERSON, "Ann", "Ben"])
    keys = [key for key in read_texts("shared") | read_texts(game.name) if key.startswith("event.")]
    kinds = {key[6:].removesuffix(".bare").removesuffix(".one") for key in keys}
    lines = [
        texts.line(Line(kind, seat, (), cards, 1 - seat, number, number))
        for kind in kinds
        for seat in (0, 1)
        for cards in (game.cards[:1], *([()] if f"event.{kind}.bare" in keys else []))
        for number in (0, 1, 2, 24.5)
    ]
    assert len(kinds) > 15
    assert [line for line in lines if "  " in line] == []
    assert faults(lines, language) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_german_event_ends_with_its_verb(game: str) -> None:
    early = re.compile(
        r"(gezogen|gegeben|genommen|gespielt|getauscht|hingelegt) (von|an|aus|gegen|mit) "
    )
    texts = read_texts("shared") | read_texts(game)
    german = [each[1] for key, each in texts.items() if key.startswith("event.")]
    assert len(german) > 20
    assert [text for text in german if early.search(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_is_no_plural(language: str) -> None:
    game, rules = CASES[0]
    texts = Texts(language, game, game.settings.from_dict(rules), [PERSON, "Ann", "Ben"])
    expected = {"en": ("1 point", "2 points", "1 card"), "de": ("1 Punkt", "2 Punkte", "1 Karte")}
    made = texts.count("point", 1), texts.count("point", 2), texts.count("card", 1)
    assert made == expected[language]
