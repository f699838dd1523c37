"""The rules as the page and the terminal show them."""

import re
from pathlib import Path

import pytest

from goldgriff.envs.engine.game import GAMES
from goldgriff.play.rulebook import read_rulebook
from goldgriff.play.texts import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_there_with_its_whole_text(game: str, language: str, root: Path) -> None:
    page = root / "docs" / "rules" / ("de" if language == "de" else "") / f"{game}.md"
    defined = re.findall(r"^- \*\*([A-Z]\d+\.\d+)\*\*", page.read_text(), re.MULTILINE)
    blocks = read_rulebook(game, language)
    assert [block.rule for block in blocks if block.kind == "rule"] == defined
    markdown = re.sub(r"```.*?```|\]\([^)]*\)", " ", page.read_text(), flags=re.DOTALL)
    shown = " ".join(f"{block.rule} {block.text}" for block in blocks)
    missing = set(re.findall(r"\w+", markdown)) - set(re.findall(r"\w+", shown))
    assert missing <= {"Deutsch"}  # the link to the other language
    assert not any(mark in block.text for block in blocks for mark in ("**", "`", "]("))


def test_a_rule_has_its_notes_and_ends_where_the_next_begins() -> None:
    texts = [block for block in read_rulebook("auruxxx", "en") if block.rule == "A2.4"]
    assert [block.kind for block in texts] == ["rule", "text"]
    assert texts[0].text.startswith("A turn ends with a pass, with laying")
    assert texts[1].text.startswith("Fixed choice of the library: a multiple (A3.3) is laid")
    after = [block for block in read_rulebook("auruxxx", "en") if block.kind == "heading"]
    assert {block.rule for block in after} == {""}


def test_a_game_without_rules_has_none() -> None:
    assert read_rulebook("third", "de") == ()
