"""The rules of a game for people: docs/rules/GAME.md, which is part of the package, in blocks.

What a page says to developers, at its end, and tags of where a rule comes from are left out.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

RULES = Path(__file__).resolve().parents[2] / "docs" / "rules"
FOLDERS = {"en": RULES, "de": RULES / "de"}  # by language
_DEFINED = re.compile(r"- \*\*([A-Z]\d+\.\d+)\*\* ")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_FOR_DEVELOPERS = re.compile(r"^<!-- For developers.*", re.MULTILINE | re.DOTALL)
_TAG = re.compile(r" ?\[(?:BOX|FAQ|RULING)[^\]]*\]")
_ROW_OF_DASHES = re.compile(r"\|[-| ]+\|")


@dataclass(frozen=True)
class Block:
    """A part of the text, without markup.

    Attributes:
        kind: `title`, `heading`, `text`, `item` of a list, `row` of a table, or `rule`, the
            beginning of a rule.
        text: What it says; the cells of a row are divided by tabs.
        rule: Id of the rule that it belongs to, "" where there is none.
    """

    kind: str
    text: str
    rule: str = ""


@cache
def read_rulebook(game: str, language: str) -> tuple[Block, ...]:
    """Return the rules of a game: in English where they are not there in a language.

    They are empty where the game has none.
    """
    path = FOLDERS[language] / f"{game}.md"
    path = path if path.exists() else RULES / f"{game}.md"
    return tuple(_blocks(path.read_text("utf-8"))) if path.exists() else ()


def rules_named(name: str, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Return the blocks of a rule (`A2.6`) or of a section (`A2`); none where there is none."""
    rule = name.upper()
    if of_rule := tuple(block for block in blocks if block.rule == rule):
        return of_rule
    headings = [place for place, block in enumerate(blocks) if block.kind == "heading"]
    for first, after in zip(headings, [*headings[1:], len(blocks)], strict=True):
        if blocks[first].text.split(" ")[0] == rule:
            return blocks[first:after]
    return ()


def _blocks(markdown: str) -> list[Block]:
    """Return the blocks of a page; what is indented goes on with the rule before it."""
    paragraphs: list[list[str]] = []
    for line in _CODE.sub("", _FOR_DEVELOPERS.sub("", markdown)).splitlines():
        begins = line.lstrip().startswith(("#", "|", "- "))
        if not line.strip():
            paragraphs.append([])
        elif begins or not paragraphs or not paragraphs[-1]:
            paragraphs.append([line])
        else:
            paragraphs[-1].append(line.strip())
    blocks, rule = [], ""
    for paragraph in filter(None, paragraphs):
        text = " ".join(paragraph)
        defined = _DEFINED.match(text)
        if defined:
            rule = defined[1]
        elif not text.startswith(" "):
            rule = ""
        if not _LINK.fullmatch(text) and not _ROW_OF_DASHES.fullmatch(text):
            blocks.append(_block(text.strip(), rule, begins=bool(defined)))
    return blocks


def _block(text: str, rule: str, *, begins: bool) -> Block:
    """Return the block of a paragraph, heading, row or item; `begins` says that a rule does."""
    if begins:
        return Block("rule", _plain(_DEFINED.sub("", text, count=1)), rule)
    if text.startswith("#"):
        return Block("heading" if text.startswith("##") else "title", _plain(text.lstrip("# ")))
    if text.startswith("|"):
        cells = (_plain(cell.strip()) for cell in text.strip("|").split("|"))
        return Block("row", "\t".join(cells))
    if text.startswith("- "):
        return Block("item", _plain(text[2:]), rule)
    return Block("text", _plain(text), rule)


def _plain(markdown: str) -> str:
    """Return a text without tags, links, emphasis and code marks."""
    text = _LINK.sub(r"\1", _TAG.sub("", markdown)).replace("**", "").replace("`", "")
    return re.sub(r"\*([^*]+)\*", r"\1", text).strip()
