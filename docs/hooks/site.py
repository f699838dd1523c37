"""What MkDocs calls while it builds the site: pages that follow from the code join the others."""

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

import goldgriff.envs  # noqa: F401  (brings the games)
from goldgriff.docs.hooks import pages, rulebook
from goldgriff.envs.engine.game import GAMES

# The package as it is installed: the root holds more folders than those, and a link to itself.
_PACKAGE = TemporaryDirectory(prefix="goldgriff-docs-")
ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
_PLACES = {
    game: (rulebook.found_in_code(ROOT, game), rulebook.found_in_tests(ROOT, game))
    for game in GAMES
}


@event_priority(100)  # before mkdocstrings looks where modules are
def on_config(config: MkDocsConfig) -> None:
    """Put the API reference into the navigation, package by package; show griffe the package."""
    for path in _modules():
        copy = Path(_PACKAGE.name, "goldgriff", path)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, copy)
    config.plugins["mkdocstrings"].config["handlers"]["python"]["paths"] = [_PACKAGE.name]
    packages: dict[str, list[Any]] = {}
    for path, page in _modules().items():
        package, name = ".".join(("goldgriff", *Path(path).parent.parts)), Path(path).stem
        # A page without a title in front is the package's own.
        packages.setdefault(package, []).append(page if name == "__init__" else {name: page})
    assert config.nav is not None
    config.nav.append({"API reference": [{package: those} for package, those in packages.items()]})


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the generated pages: actions, changelog, API reference, sources."""
    made = {"changelog.md": (ROOT / "CHANGELOG.md").read_text()}
    for name, game in GAMES.items():
        described = (ROOT / "docs" / "envs" / f"{name}.md").read_text()
        ranges = pages.rows_of(described, "| actions | names | rules |")
        made[f"envs/{name}-actions.md"] = pages.action_page(game, ranges)
    for path, page in _modules().items():
        made[page] = pages.reference_page(_module_of(path), page, path)
    for path in _sources():
        made[pages.source_of(path)] = pages.source_page(path, (ROOT / path).read_text())
    for page, content in made.items():
        files.append(File.generated(config, page, content=content))


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Link what pages mention: rules, and files of the repository."""
    name = page.file.src_uri
    if name.startswith(("source/", "reference/")):
        return markdown
    markdown = pages.link_files(pages.link_rules(markdown, name), name, ROOT)
    if name.startswith("rules/"):
        markdown = pages.add_places(markdown, name, *_PLACES[Path(name).stem])
    return markdown


def on_page_content(html: str, page: Page, **_: Any) -> None:
    """Tell MkDocs the lines of a source, which it does not see, so that it checks links to them."""
    if page.file.src_uri.startswith("source/"):
        page.present_anchor_ids = page.present_anchor_ids or set()
        page.present_anchor_ids |= set(re.findall(r'id="(__codelineno-0-\d+)"', html))


def _sources() -> list[str]:
    """The files of the library and its tests, from the root."""
    tests = sorted((ROOT / "tests").rglob("*.py"))
    return [*_modules(), *(file.relative_to(ROOT).as_posix() for file in tests)]


def _modules() -> dict[str, str]:
    """The library's modules, as paths from the root, and the pages of their reference."""
    folders = [ROOT.joinpath(*package.split(".")[1:]) for package in _PACKAGES]
    found = [file for folder in folders for file in sorted(folder.glob("*.py"))]
    paths = [file.relative_to(ROOT).as_posix() for file in found]
    return {path: f"reference/{_module_of(path)}.md" for path in paths}


def _module_of(path: str) -> str:
    """The dotted name of a module."""
    parts = Path(path).with_suffix("").parts
    return ".".join(("goldgriff", *(part for part in parts if part != "__init__")))
