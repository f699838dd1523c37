"""Hooks that MkDocs calls while it builds the site. They add the pages made from the code."""

import re
import shutil
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from goldgriff.cli.main import parser
from goldgriff.docs.hooks import pages, rulebook
from goldgriff.envs.engine.game import GAMES

# Griffe reads a copy of the package: the root holds other folders too, and a link to itself.
_PACKAGE = TemporaryDirectory(prefix="goldgriff-docs-")
ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
# Games with a page of rules; one that has none yet is played, but not on the site.
_GAMES = {
    name: game for name, game in GAMES.items() if (ROOT / "docs" / "rules" / f"{name}.md").exists()
}
_PLACES = {
    game: (rulebook.find_in_code(ROOT, game), rulebook.find_in_tests(ROOT, game)) for game in _GAMES
}
_PREFIXES = {rulebook.prefix_of(ROOT, game): game for game in _GAMES}
_NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
# What the search's score of a page is multiplied with, by the beginning of its path: guides come
# before the history and the internals. A match in a title scores a thousand times one in a text.
_BOOSTS = {
    "reference/": 1e-5,
    "changelog": 1e-4,
    "dependencies": 0.01,
    "architecture": 0.01,
    "contributing": 0.01,
    "rules/books/": 0.1,
    "guides/add-a-game": 0.5,
    "notebooks/": 0.5,
}
_PAGES_OF_A_GAME = {
    "Rules": "rules/{}.md",
    "Regeln": "rules/de/{}.md",
    "Environment": "envs/{}.md",
    "Every action": "envs/{}-actions.md",
    "Agents": "agents/{}.md",
}


@event_priority(100)  # before mkdocstrings reads the paths of modules
def on_config(config: MkDocsConfig) -> None:
    """Add the games and the API reference to the navigation, and tell griffe where to look."""
    for path in _modules():
        copy = Path(_PACKAGE.name, "goldgriff", path)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, copy)
    config.plugins["mkdocstrings"].config["handlers"]["python"]["paths"] = [_PACKAGE.name]
    assert config.nav is not None
    for place, (name, game) in enumerate(_GAMES.items(), start=1):
        shown = {title: path.format(name) for title, path in _PAGES_OF_A_GAME.items()}
        if not (ROOT / "docs" / shown["Regeln"]).exists():  # a game need not have German rules
            del shown["Regeln"]
        config.nav.insert(place, {game.title: [{title: path} for title, path in shown.items()]})
    notebooks = [f"notebooks/{notebook.stem}.md" for notebook in _NOTEBOOKS]
    config.nav.insert(len(config.nav) - 2, {"Notebooks": notebooks})
    packages: dict[str, list[Any]] = {}
    for path, page in _modules().items():
        package, name = ".".join(("goldgriff", *Path(path).parent.parts)), Path(path).stem
        # A page without a title in front is the package's own.
        packages.setdefault(package, []).append(page if name == "__init__" else {name: page})
    reference = [{package: modules} for package, modules in packages.items()]
    config.nav.append({"API reference": reference})


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the generated pages: actions, changes, API reference, sources."""
    made = {  # whose links begin at the root
        f"{name.lower()}.md": (ROOT / f"{name}.md").read_text().replace("](docs/", "](")
        for name in ("CHANGELOG", "CONTRIBUTING")
    }
    for name, game in _GAMES.items():
        described = (ROOT / "docs" / "envs" / f"{name}.md").read_text()
        ranges = pages.rows_of(described, "| actions | names | rules |")
        made[f"envs/{name}-actions.md"] = pages.action_page(game, ranges)
    for notebook in _NOTEBOOKS:
        made[f"notebooks/{notebook.stem}.md"], pictures = pages.notebook_page(notebook)
        for name, picture in pictures.items():
            files.append(File.generated(config, f"notebooks/{name}", content=picture))
    made["commands.md"] = pages.command_page(parser())
    for path, page in _modules().items():
        made[page] = pages.reference_page(_module_of(path), page, path)
    for path in _sources():
        made[pages.source_of(path)] = pages.source_page(path, (ROOT / path).read_text())
    for page, content in made.items():
        files.append(File.generated(config, page, content=content))


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Turn rule ids and paths of Python files into links, and give the search the page's rank."""
    name = page.file.src_uri
    boosts = [boost for place, boost in _BOOSTS.items() if name.startswith(place)]
    if boosts:
        page.meta["search"] = {"boost": boosts[0]}
    if name.startswith(("source/", "reference/", "notebooks/")):
        return markdown
    markdown = pages.link_files(pages.link_rules(markdown, name, _PREFIXES), name, ROOT)
    for game, places in _PLACES.items():
        if name == f"rules/{game}.md":
            markdown = pages.add_places(markdown, name, *places)
    return markdown


def on_page_content(html: str, page: Page, **_: Any) -> None:
    """Tell MkDocs the line anchors of a source, so that it can check links to them."""
    if page.file.src_uri.startswith("source/"):
        page.present_anchor_ids = page.present_anchor_ids or set()
        page.present_anchor_ids |= set(re.findall(r'id="(__codelineno-0-\d+)"', html))


def _sources() -> list[str]:
    """Return the paths of all modules, of the examples and of the tests, relative to the root."""
    others = [
        file for folder in ("examples", "tests") for file in sorted((ROOT / folder).rglob("*.py"))
    ]
    return [*_modules(), *(file.relative_to(ROOT).as_posix() for file in others)]


def _modules() -> dict[str, str]:
    """Return the pages of the reference by the paths of the modules, relative to the root."""
    folders = [ROOT.joinpath(*package.split(".")[1:]) for package in _PACKAGES]
    found = [file for folder in folders for file in sorted(folder.glob("*.py"))]
    paths = [file.relative_to(ROOT).as_posix() for file in found]
    return {path: f"reference/{_module_of(path)}.md" for path in paths}


def _module_of(path: str) -> str:
    """Return the dotted name of a module."""
    parts = Path(path).with_suffix("").parts
    return ".".join(("goldgriff", *(part for part in parts if part != "__init__")))
