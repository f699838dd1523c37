"""The rules as the page and the terminal show them."""

import re
from pathlib import Path

import pytest

from goldgriff.envs.engine.game import GAMES
from goldgriff.play.texts import LANGUAGES
from goldgriff.play.texts.rulebook import read_rulebook

MARK = "<!-- For developers"
# What only developers need: folders and files, the library and its words, tags of sources.
FOR_DEVELOPERS = re.compile(
    r"\w/|\.py\b|\b(code|agents?|library|program|research|JSON|truncations)\b"
    r"|\b(Code|Agent(en)?|Bibliothek|Programm|Forschung)\b|\[[A-Z]+"  # codespell:ignore programm
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_there_with_its_whole_text(game: str, language: str, root: Path) -> None:
    page = root / "docs" / "rules" / ("de" if language == "de" else "") / f"{game}.md"
    for_players, mark, _ = page.read_text().partition(MARK)
    assert mark
    defined = re.findall(r"^- \*\*([A-Z]\d+\.\d+)\*\*", page.read_text(), re.MULTILINE)
    blocks = read_rulebook(game, language)
    assert [block.rule for block in blocks if block.kind == "rule"] == defined
    left_out = r"^\[.*\)$|\[[A-Z]{3}[^]]*\]|\]\([^)]*\)"  # links alone, tags, addresses
    words = re.sub(left_out, " ", for_players, flags=re.MULTILINE)
    shown = " ".join(f"{block.rule} {block.text}" for block in blocks)
    assert set(re.findall(r"\w+", words)) - set(re.findall(r"\w+", shown)) == set()
    assert not any(mark in block.text for block in blocks for mark in ("**", "`", "](", "  "))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_players_read_the_rules_first_and_nothing_for_developers(game: str, language: str) -> None:
    blocks = read_rulebook(game, language)
    assert [block.kind for block in blocks[:5]] == ["title", "text", "text", "heading", "rule"]
    assert [block.text for block in blocks if FOR_DEVELOPERS.search(block.text)] == []


def test_a_rule_has_its_notes_and_ends_where_the_next_begins() -> None:
    texts = [block for block in read_rulebook("auruxxx", "en") if block.rule == "A2.4"]
    assert [block.kind for block in texts] == ["rule", "text"]
    assert texts[0].text.startswith("A turn ends with a pass, with laying")
    assert texts[1].text.startswith("Fixed choice: a multiple (A3.3) is laid")
    after = [block for block in read_rulebook("auruxxx", "en") if block.kind == "heading"]
    assert {block.rule for block in after} == {""}


def test_a_game_without_rules_has_none() -> None:
    assert read_rulebook("third", "de") == ()
