"""Rewrite and generate pages of the site, as Markdown."""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, takewhile
from pathlib import Path
from typing import Any

from nbconvert import MarkdownExporter

from goldgriff.cli.completion import commands_of
from goldgriff.docs.hooks.rulebook import DEFINED, RULE, Place
from goldgriff.envs.engine.game import Game

# Parts in which nothing becomes a link: blocks of code and links; code; headings.
_BLOCKS = r"^```.*?^```$|\[[^\]]*\]\([^)]*\)"
_NO_FILES = re.compile(f"({_BLOCKS})", re.DOTALL | re.MULTILINE)
_NO_RULES = re.compile(rf"({_BLOCKS}|`[^`]*`|^#[^\n]*)", re.DOTALL | re.MULTILINE)
_MENTIONED = re.compile(rf"(?<!\*\*){RULE.pattern}")  # where a rule is defined its id is bold
_PYTHON = re.compile(r"`([\w/]+\.py)`")


def source_of(path: str) -> str:
    """Return the path of the page that shows a file of the repository."""
    return f"source/{path}.md"


def link_rules(markdown: str, page: str, games: Mapping[str, str]) -> str:
    """Make every rule id that a page mentions a link to the rule.

    Args:
        markdown: The text of the page.
        page: The path of the page, relative to `docs`.
        games: The games' names by the letters with which the ids of their rules begin.
    """

    def link(found: re.Match[str]) -> str:
        game = games.get(found[0][0])
        there = _path(f"rules/{game}.md", page)
        return f"[{found[0]}]({there}#{found[0]})" if game else found[0]

    parts = _NO_RULES.split(markdown)  # the parts to keep are those with odd numbers
    parts[::2] = [_MENTIONED.sub(link, part) for part in parts[::2]]
    return "".join(parts)


def link_files(markdown: str, page: str, root: Path) -> str:
    """Make every path of a Python file, relative to the root, a link to its source."""

    def link(found: re.Match[str]) -> str:
        exists = (root / found[1]).is_file()
        return f"[{found[0]}]({_path(source_of(found[1]), page)})" if exists else found[0]

    parts = _NO_FILES.split(markdown)
    parts[::2] = [_PYTHON.sub(link, part) for part in parts[::2]]
    return "".join(parts)


def add_places(
    markdown: str, page: str, code: Mapping[str, list[Place]], tests: Mapping[str, list[Place]]
) -> str:
    """Add an anchor to each rule of a page, and links to the code and the tests that cite it."""
    lines: list[str] = []
    for rule, item in _items(markdown):
        if not rule:
            lines += item
            continue
        while not item[-1]:
            item.pop()
        first, *rest = item
        lines.append(first.replace(f"**{rule}**", f"**{rule}**{{ #{rule} }}", 1))
        # Python-Markdown needs four spaces where other parsers need two.
        lines += [f"  {line}" if line else "" for line in rest]
        where = f"code: {_links(code[rule], page)} · tests: {_links(tests[rule], page)}"
        lines += ["", f"    {where}", "    { .places }", ""]
    return "\n".join(lines)


def action_page(game: Game, ranges: Sequence[Sequence[str]]) -> str:
    """Return the page that lists every action of a game with its number.

    Args:
        game: The game.
        ranges: Rows of the table of actions on the environment's page: numbers, names, meaning.
    """
    lines = [
        f"# Every action of {game.title}",
        "",
        f"All {len(game.actions)} actions of `{game.id}`. A summary is on the "
        f"[page of the environment]({game.name}.md#actions).",
        "",
        "| action | name | belongs to |",
        "|---|---|---|",
    ]
    for numbers, _, meaning in ranges:
        first, *last = (int(number) for number in numbers.split(" - "))
        for action in range(first, (last[0] if last else first) + 1):
            lines.append(f"| {action} | `{game.actions[action]}` | {meaning} |")
    return "\n".join(lines)


def command_page(top: Any) -> str:
    """Return the page that lists every command with its options, made from the parser.

    Args:
        top: The parser of all commands.
    """
    lines = ["# Command line", "", "`goldgriff COMMAND --help` shows the same in the terminal.", ""]
    for name, command in commands_of(top).items():
        example = command.epilog.split("example:\n", 1)[1].splitlines()[0].strip()
        lines += [f"## goldgriff {name}", "", command.description, "", "```", example, "```", ""]
        lines += ["| option | meaning |", "|---|---|"]
        for action in command._actions:
            values = command._get_formatter()._format_args(action, str(action.metavar or ""))
            shown = ", ".join(action.option_strings)
            text = (action.help or "").replace("%(default)s", str(action.default))
            text = text.replace("%%", "%").replace("|", "\\|").replace("*", "\\*")
            lines.append(f"| `{f'{shown} {values}'.strip()}` | {text} |")
        lines.append("")
    return "\n".join(lines)


def notebook_page(notebook: Path) -> tuple[str, dict[str, bytes]]:
    """Return a notebook as Markdown, and its pictures by the names that it has for them."""
    names = {"unique_key": notebook.stem}
    exporter: Any = MarkdownExporter  # nbconvert has no types
    text, resources = exporter().from_filename(str(notebook), resources=names)
    text = re.sub(r"\]\(([^):]+)\.ipynb\)", r"](\1.md)", text)  # to another notebook
    text = re.sub(r"\]\(\.\./docs/(envs|rules)\)", r"](../\1/auruxxx.md)", text)
    return text.replace("](../docs/", "](../"), resources["outputs"]


def rows_of(markdown: str, header: str) -> list[list[str]]:
    """Return the cells of the table below a header line."""
    lines = markdown.split(header + "\n", 1)[1].splitlines()[1:]
    table = takewhile(lambda line: line.startswith("|"), lines)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def source_page(path: str, text: str) -> str:
    """Return the page that shows a file of the repository with line numbers."""
    hidden = "---\nsearch:\n  exclude: true\nhide:\n  - toc\n---\n"
    return f'{hidden}# {path}\n\n`````python linenums="1"\n{text}`````\n'


def reference_page(module: str, page: str, path: str) -> str:
    """Return the page with the reference of a module, made from its docstrings."""
    return f"# {module}\n\n[Source]({_path(source_of(path), page)})\n\n::: {module}\n"


def _items(markdown: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the lines of a page in groups: those of a rule with its id, all others with ""."""
    rule = ""

    def belongs_to(line: str) -> str:
        nonlocal rule
        if found := DEFINED.match(line):
            rule = found[1]
        elif line and not line.startswith(" "):
            rule = ""
        return rule

    for owner, lines in groupby(markdown.splitlines(), belongs_to):
        yield owner, list(lines)


def _links(places: Sequence[Place], page: str) -> str:
    """Return places as links, grouped by file. A test's name is the link's title."""
    return ", ".join(
        f"{posixpath.basename(path)} {' '.join(_link(place, page) for place in group)}"
        for path, group in groupby(places, lambda place: place.path)
    )


def _link(place: Place, page: str) -> str:
    shown = f' "{place.name}"' if place.name else ""
    return (
        f"[{place.line}]({_path(source_of(place.path), page)}#__codelineno-0-{place.line}{shown})"
    )


def _path(target: str, page: str) -> str:
    """Return the relative path from one page to another."""
    return posixpath.relpath(target, posixpath.dirname(page) or ".")
