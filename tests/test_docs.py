"""The documentation: that it builds without a warning, and that what it shows works."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from lunr import lunr
from PIL import Image, ImageSequence

from goldgriff.cli.main import COMMANDS, parser
from goldgriff.docs.hooks import pages, rulebook
from goldgriff.envs.engine.game import GAMES

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    file.relative_to(ROOT).as_posix()
    for file in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
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
    code, tests = rulebook.find_in_code(ROOT, game), rulebook.find_in_tests(ROOT, game)
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


def test_the_readme_has_a_short_moving_picture() -> None:
    (name,) = re.findall(r"\((docs/assets/\S+\.webp)\)", (ROOT / "README.md").read_text())
    assert (ROOT / name).stat().st_size < 600_000
    with Image.open(ROOT / name) as film:
        assert len(list(ImageSequence.Iterator(film))) > 10


def test_search_finds_pages_before_internals(site: Path) -> None:
    """With lunr's own ranking, which the site's search is built on."""
    index = json.loads((site / "search" / "search_index.json").read_text())
    title = {"field_name": "title", "boost": index["config"]["fields"]["title"]["boost"]}
    documents = [(entry, {"boost": entry.get("boost", 1)}) for entry in index["docs"]]
    found = lunr("location", (title, "text"), documents)
    for query, page in (
        ("install", "quick-start.html"),
        ("quick start", "quick-start.html"),
        ("cite", "cite.html"),
        ("citation", "cite.html"),
        ("hint", "guides/play.html"),
        ("undo", "guides/play.html"),
        ("lobby", "guides/play.html"),
        ("mistakes", "commands.html"),
        ("command line", "commands.html"),
        ("replay", "commands.html"),
        ("tournament", "guides/tournaments.html"),
        ("report", "guides/tournaments.html"),
        ("knock", "rules/gluecksgriff.html"),
        ("exploit", "agents/champions.html"),
        ("nashconv", "guides/game-theory.html"),
        ("champion", "agents/champions.html"),
        ("train", "guides/training.html"),
        ("tensorboard", "guides/training.html"),
        ("dmc", "algorithms/dmc.html"),
        ("nfsp", "algorithms/nfsp.html"),
        ("token", "guides/play.html"),
    ):
        first, *_ = (result["ref"].partition("#")[0] for result in found.search(query))
        assert first == page, query


def test_the_notebooks_are_pages_with_their_pictures(site: Path) -> None:
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        page = (site / "notebooks" / f"{notebook.stem}.html").read_text()
        for picture in re.findall(r'<img[^>]*src="([^"]+)"', page):
            assert (site / "notebooks" / picture).is_file()
    assert "<img" in (site / "notebooks" / "3-tournament.html").read_text()


def test_every_command_is_described(site: Path) -> None:
    page = (site / "commands.html").read_text()
    for command in COMMANDS:
        assert f"goldgriff {command}" in page
    assert "--until" in page


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


def test_what_the_page_says_can_be_imported() -> None:
    rows = pages.rows_of(
        (ROOT / "docs" / "guides" / "python.md").read_text(), "| what | from | for |"
    )
    assert len(rows) > 15
    for what, places, _ in rows:
        names, modules = (re.findall(r"`([\w.]+)`", cell) for cell in (what, places))
        for name in names:
            assert any(hasattr(import_module(module), name) for module in modules), name


def test_the_rule_of_your_own_is_played(
    copy_source: Callable[[Path], Path], tmp_path: Path
) -> None:
    """As a reader would: the changes that the guide shows, made in a copy."""
    copy = copy_source(tmp_path / "goldgriff")
    guide = (ROOT / "docs" / "guides" / "house-rules.md").read_text()
    told = re.compile(r"`(envs/[\w/]+\.py)`|^```diff\n(.*?)^```$", re.DOTALL | re.MULTILINE)
    changes, place = 0, ""
    for path, change in told.findall(guide):
        place = path or place
        if change:
            lines = change.splitlines(keepends=True)
            before = "".join(line[1:] for line in lines if line[0] != "+")
            after = "".join(line[1:] for line in lines if line[0] != "-")
            source = (copy / place).read_text()
            assert source.count(before) == 1, (place, before)
            (copy / place).write_text(source.replace(before, after))
            changes += 1
    play = (
        "from goldgriff.envs.auruxxx import AURUXXX\n"
        "from goldgriff.envs.match import Match\n"
        "for rule in (False, True):\n"
        "    match = Match(AURUXXX, AURUXXX.settings(pass_draws=rule))\n"
        "    match.start(1)\n"
        "    before = match.state.pile_size\n"
        "    match.play('pass')\n"
        "    print(before - match.state.pile_size)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", play],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (changes, done.stdout.split()) == (4, ["0", "1"]), done.stderr


@pytest.mark.parametrize("page", [page for page in PAGES if commands_of(page)])
def test_commands_are_understood(page: str) -> None:
    for arguments in commands_of(page):
        if "--help" not in arguments:  # which leaves at once
            parser().parse_args(arguments)
