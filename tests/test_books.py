"""The pages that follow the rulebooks sentence by sentence: complete, and true to the rules."""

import re
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

from goldgriff.docs.hooks import pages, rulebook
from goldgriff.envs.engine.game import GAMES

BOOKS = {
    "german": "auruxxx",
    "english": "auruxxx",
    "web": "auruxxx",
    "italian": "auruxxx",
    "gluecksgriff": "gluecksgriff",
}
SECTION = re.compile(r"^## (\d+) [^\n]* \((\d+) sentences?\)\n(.*?)(?=^## |\Z)", re.DOTALL | re.M)
TABLE = "| Sentence | What it says | Rules | Remark |"
NO_RULE = "-"


class Sentence(NamedTuple):
    """A row of a page."""

    number: str
    says: str
    rules: str
    remark: str


def read(root: Path, page: str) -> str:
    return (root / "docs" / "rules" / "books" / f"{page}.md").read_text()


def in_section(text: str) -> list[Sentence]:
    return [Sentence(*row) for row in pages.rows_of(text, TABLE)] if TABLE in text else []


def sentences_of(root: Path, book: str) -> list[Sentence]:
    return [row for *_, text in SECTION.findall(read(root, book)) for row in in_section(text)]


def unplayed(root: Path, book: str) -> dict[str, list[str]]:
    """The numbers of the sentences without a rule, by the reason that their row begins with."""
    found = defaultdict(list)
    for sentence in sentences_of(root, book):
        if sentence.rules == NO_RULE:
            found[re.split("[:,]", sentence.remark)[0]].append(sentence.number)
    return found


@pytest.mark.parametrize("book", BOOKS)
def test_sentences_are_numbered_without_gaps(root: Path, book: str) -> None:
    sections = SECTION.findall(read(root, book))
    first = int(sections[0][0])
    assert [int(section) for section, *_ in sections] == list(range(first, first + len(sections)))
    assert len(sections) == read(root, book).count("\n## ")
    for section, count, text in sections:
        numbers = [sentence.number for sentence in in_section(text)]
        assert numbers == [f"{section}.{number + 1}" for number in range(int(count))]


@pytest.mark.parametrize("book", BOOKS)
def test_every_sentence_has_a_rule_that_is_tested_or_a_reason(root: Path, book: str) -> None:
    rules = rulebook.rules_of(root, BOOKS[book])
    tested = rulebook.find_in_tests(root, BOOKS[book])
    reasons = [reason for reason, _ in pages.rows_of(read(root, "README"), "| Reason | Meaning |")]
    assert set(unplayed(root, book)) <= set(reasons)
    for sentence in sentences_of(root, book):
        assert sentence.says.endswith("."), sentence
        cited = rulebook.RULE.findall(sentence.rules)
        assert sentence.rules == (", ".join(cited) or NO_RULE), sentence
        assert set(cited) <= set(rules), sentence
        assert all(tested[rule] for rule in cited), sentence


@pytest.mark.parametrize("book", BOOKS)
def test_the_list_of_what_no_setting_plays_is_complete(root: Path, book: str) -> None:
    rows = pages.rows_of(read(root, "README"), "| Book | Reason | Sentences |")
    listed = {reason: numbers.split(", ") for page, reason, numbers in rows if page == book}
    assert listed == unplayed(root, book)


def test_the_table_of_books_counts_the_sentences(root: Path) -> None:
    rows = pages.rows_of(read(root, "README"), "| Book | Page | Preset | Sentences | Played |")
    for book, (_, page, presets, count, played) in zip(BOOKS, rows, strict=True):
        assert page == f"[{book}]({book}.md)"
        rules = [sentence.rules for sentence in sentences_of(root, book)]
        assert [int(count), int(played)] == [len(rules), len(rules) - rules.count(NO_RULE)], book
        for preset in re.findall(r"`preset=(\w+)`", presets):
            GAMES[BOOKS[book]].settings.from_dict({"preset": preset})


def test_the_example_is_a_row_of_its_book(root: Path) -> None:
    (example,) = in_section(read(root, "README"))
    assert example in sentences_of(root, "english")


def test_sentences_that_differ_from_the_defaults_are_there(root: Path) -> None:
    header = "| Book | Sentences | What the book says | The default | Why |"
    rows = pages.rows_of(read(root, "README"), header)
    for books, numbers, *_ in rows:
        named, cited = books.split(", "), numbers.split(", ")
        if len(named) == 1:
            named *= len(cited)
        for book, number in zip(named, cited, strict=True):
            assert number in [sentence.number for sentence in sentences_of(root, book)], book


@pytest.mark.parametrize("page", ["README", *BOOKS])
def test_settings_named_there_are_settings(root: Path, page: str) -> None:
    header = "| Name | Default | Range | What it sets | Rule |"
    games = [BOOKS[page]] if page in BOOKS else list(GAMES)
    allowed: dict[str, list[str]] = {}
    for game in games:
        settings = (root / "docs" / "rules" / f"{game}.md").read_text()
        for name, _, values, *_ in pages.rows_of(settings, header):
            allowed[name.strip("`")] = re.findall(r"\w+", values)
    for name, value in re.findall(r"`(?!preset)(\w+)=(\w+)`", read(root, page)):
        assert value in allowed.get(name, []), (name, value)


@pytest.mark.parametrize("game", GAMES)
def test_the_german_rules_are_the_same_rules(root: Path, game: str) -> None:
    folder = root / "docs" / "rules"
    english, german = ((folder / name / f"{game}.md").read_text() for name in ("", "de"))
    first_cell = re.compile(r"^\| `([^|]+)` \|", re.MULTILINE)  # moves, settings, presets
    for found in (rulebook.DEFINED, first_cell):
        assert found.findall(german) == found.findall(english) != []
