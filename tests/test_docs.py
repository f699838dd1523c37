"""The documentation: that it builds without a warning, and that what it shows works."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import goldgriff.envs  # noqa: F401  (brings the games)
from goldgriff.cli import parser
from goldgriff.docs.hooks import pages, rulebook
from goldgriff.envs.core.game import GAMES

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    file.relative_to(ROOT).as_posix()
    for file in (ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md"))
)
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SHELL = ("", "sh")


def blocks_of(page: str, *languages: str) -> list[str]:
    """The blocks of code on a page that are in some languages."""
    return [code for kind, code in FENCED.findall((ROOT / page).read_text()) if kind in languages]


def commands_of(page: str) -> list[list[str]]:
    """The arguments of each `goldgriff` command on a page: in blocks and, with options, in text."""
    shown = [line for block in blocks_of(page, *SHELL) for line in block.splitlines()]
    text = FENCED.sub("", (ROOT / page).read_text())
    shown += re.findall(r"`(goldgriff [^`]*--[^`]*)`", text)
    calls = [call for line in shown for call in re.split(r"&&|\|", line) if "goldgriff " in call]
    words = [shlex.split(call.replace("GAME", "auruxxx"), comments=True) for call in calls]
    return [rest for first, *rest in filter(None, words) if Path(first).name == "goldgriff"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as CI does, with warnings taken for errors."""
    folder = tmp_path_factory.mktemp("docs") / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    # Material's notice is about its own future, not about these pages.
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not re.search("warning|error", done.stdout + done.stderr, re.IGNORECASE), done.stderr
    return folder


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_leads_to_its_code_and_its_tests(site: Path, game: str) -> None:
    page = (site / "rules" / f"{game}.html").read_text()
    code, tests = rulebook.found_in_code(ROOT, game), rulebook.found_in_tests(ROOT, game)
    for rule in rulebook.rules_of(ROOT, game):
        assert f'id="{rule}"' in page
        for place in (*code[rule], *tests[rule]):
            target = f"source/{place.path}.html#__codelineno-0-{place.line}"
            assert f'href="../{target}"' in page, (rule, target)
    # MkDocs has checked that the lines are there; here one is read.
    (first, *_) = tests[rulebook.rules_of(ROOT, game)[0]]
    assert first.name in (site / "source" / f"{first.path}.html").read_text()


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = re.findall(
            r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=\"?([^\s\">]+)", page.read_text()
        )
        assert [address for address in loaded if "//" in address] == [], page
    for sheet in site.rglob("*.css"):
        assert "url(http" not in sheet.read_text(), sheet


@pytest.mark.parametrize("game", GAMES)
def test_every_action_is_listed(site: Path, game: str) -> None:
    page = (site / "envs" / f"{game}-actions.html").read_text()
    listed = re.findall(r"<td>(\d+)</td>\s*<td><code>([^<]+)</code></td>", page)
    assert [name for _, name in listed] == list(GAMES[game].actions)
    assert [int(number) for number, _ in listed] == list(range(len(listed)))


def test_the_reference_shows_every_module(site: Path) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    for package in settings["packages"]:
        for file in ROOT.joinpath(*package.split(".")[1:]).glob("[!_]*.py"):
            page = (site / "reference" / f"{package}.{file.stem}.html").read_text()
            assert f'href="../source/{file.relative_to(ROOT).as_posix()}.html"' in page


@pytest.mark.parametrize("game", GAMES)
def test_the_version_history_ends_with_the_present(game: str) -> None:
    page = (ROOT / "docs" / "envs" / f"{game}.md").read_text()
    (version, *_), *_ = pages.rows_of(page, "| version | since | what changed |")
    assert version == f"`{GAMES[game].id}`"


@pytest.mark.parametrize("page", [page for page in PAGES if blocks_of(page, "python")])
def test_examples_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {"__name__": "example"}
    for example in blocks_of(page, "python"):
        exec(compile(example, page, "exec"), scope)


@pytest.mark.parametrize("page", [page for page in PAGES if commands_of(page)])
def test_commands_are_understood(page: str) -> None:
    for arguments in commands_of(page):
        if "--help" not in arguments:  # which leaves at once
            parser().parse_args(arguments)
