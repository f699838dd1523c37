"""Packaging, imports, and that documentation and code agree."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest

from goldgriff.docs.hooks import pages, rulebook
from goldgriff.envs.engine.catalog import VERSIONS, find_versions
from goldgriff.envs.engine.events import EventKind
from goldgriff.envs.engine.game import GAMES

# Kinds of events that rules emit by a function of the engine.
EMITTED_BY = {
    "steal": "STEAL",
    "swap_hands": "SWAP",
    "look_at_hand": "LOOK",
    "turn_over": "SHUFFLE",
}
TOP_LEVEL = ("cli", "envs", "agents", "train", "eval", "play")


def python(code: str, *, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=False
    )


def config(root: Path) -> dict[str, dict[str, dict[str, list[str]]]]:
    return tomllib.loads((root / "pyproject.toml").read_text())


def test_the_list_of_packages_is_the_tree(root: Path) -> None:
    found = sorted(
        "goldgriff." + ".".join(file.parent.relative_to(root).parts)
        for top in sorted(TOP_LEVEL)
        for file in (root / top).rglob("__init__.py")
    )
    assert config(root)["tool"]["setuptools"]["packages"] == ["goldgriff", *found]


def test_importing_environments_brings_neither_torch_nor_matplotlib() -> None:
    code = "import sys, goldgriff.envs, goldgriff.agents.registry;"
    code += "import goldgriff.eval.tournament.tournament;"
    done = python(code + "print(sorted({'torch', 'matplotlib', 'sb3_contrib'} & set(sys.modules)))")
    assert done.stdout.strip() == "[]", done.stderr


HEAVY = ("numba", "torch", "scipy", "pandas", "matplotlib", "rich", "goldgriff.envs.engine.compile")


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("import goldgriff", HEAVY),
        ("import goldgriff.envs.engine.catalog, pettingzoo, gymnasium", HEAVY),
        ("import goldgriff.cli.main as c; c.parser([]).format_help()", {*HEAVY} - {"rich"}),
        ("import goldgriff; goldgriff.make('auruxxx_v0')", ("goldgriff.envs.gluecksgriff",)),
    ],
)
def test_nothing_is_imported_before_it_is_used(code: str, heavy: Iterable[str]) -> None:
    """`import goldgriff` and `goldgriff --help` are quick; a game loads at its first use."""
    left = f"[name for name in {sorted(heavy)} if name in sys.modules]"
    done = python(f"{code}; import sys; print({left})")
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_known_by_its_file_before_it_is_imported(game: str) -> None:
    assert GAMES[game].id == f"{game}_v{VERSIONS[game]}"
    assert import_module(f"goldgriff.envs.{GAMES[game].id}").env is not None


def test_the_newest_version_of_a_game_is_found(tmp_path: Path) -> None:
    for name in ("a_game_v2.py", "a_game_v10.py", "a_game_v9.py", "b_v0.py", "c_vx.py", "batch.py"):
        (tmp_path / name).touch()
    assert find_versions(tmp_path) == {"a_game": 10, "b": 0}


@pytest.mark.parametrize("name", TOP_LEVEL)
def test_bare_imports_are_refused(root: Path, name: str) -> None:
    done = python(f"import {name}", cwd=root)
    assert done.returncode == 1
    assert f"ImportError: import this package as goldgriff.{name}" in done.stderr


@pytest.mark.slow
def test_wheel_and_sdist_hold_the_whole_library(
    root: Path, copy_source: Callable[[Path], Path], tmp_path: Path
) -> None:
    copy_source(tmp_path / "source")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(tmp_path)]
    subprocess.run([*build, str(tmp_path / "source")], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    assert {"LICENSE", "README.md", "__init__.py", "agents/model_card.md.jinja"} <= set(names)
    assert [name for name in names if name.startswith("tests")] == []  # all of them, or none
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    shipped = {
        path.relative_to(tmp_path / "site" / "goldgriff")
        for path in (tmp_path / "site").rglob("*.py")
    }
    modules = {path.relative_to(root) for top in TOP_LEVEL for path in (root / top).rglob("*.py")}
    assert shipped == modules | {path.relative_to(root) for path in root.glob("*.py")}
    assert (tmp_path / "site" / "goldgriff" / "py.typed").exists()
    for data in (
        "messages.toml",
        "play/web/static/*",
        "play/texts/*.toml",
        "docs/rules/*.md",
        "docs/rules/de/*.md",
    ):
        packed = {file.name for file in (tmp_path / "site" / "goldgriff").glob(data)}
        assert packed == {file.name for file in root.glob(data)} != set(), data
    done = subprocess.run(
        [sys.executable, "-c", "import goldgriff, sys; print(goldgriff.__file__)"],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(str(tmp_path))


def test_the_classifiers_name_the_versions_that_are_tested(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    tested = re.search(r"python: \[(.+)\]", (root / ".github/workflows/check.yml").read_text())
    assert tested is not None
    named = re.findall(r":: Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    assert named == re.findall(r'"([\d.]+)"', tested[1])
    assert project["requires-python"] == f">={named[0]}"


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_tested_and_found_in_the_code(root: Path, game: str) -> None:
    rules = rulebook.rules_of(root, game)
    assert len(rules) == len(set(rules)) > 40
    played, cited = rulebook.find_in_tests(root, game), rulebook.find_in_code(root, game)
    assert sorted(set(rules) - set(played)) == []
    assert sorted(set(played) - set(rules)) == []
    assert sorted(set(rules) - set(cited)) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_table_of_observations_is_the_declared_one(root: Path, game: str) -> None:
    page = (root / "docs" / "envs" / f"{game}.md").read_text()
    header = "| field | from | size | highest | divided by | meaning |"
    declared = [
        [
            entry.name,
            str(GAMES[game].observation_spec.start(entry.name)),
            str(entry.size),
            str(entry.high),
            f"{entry.scale:g}",
            entry.meaning,
        ]
        for entry in GAMES[game].observation_spec
    ]
    assert pages.rows_of(page, header) == declared


@pytest.mark.parametrize("game", GAMES)
def test_the_table_of_actions_is_the_declared_one(root: Path, game: str) -> None:
    page = (root / "docs" / "envs" / f"{game}.md").read_text()
    actions = GAMES[game].actions
    following = 0
    for numbers, names, _ in pages.rows_of(page, "| actions | names | rules |"):
        first, *last = (int(number) for number in numbers.split(" - "))
        named = [name.strip("`") for name in names.split(" - ")]
        assert first == following
        assert actions[first] == named[0]
        assert actions[last[0] if last else first] == named[-1]
        following = (last[0] if last else first) + 1
    assert following == len(actions)


@pytest.mark.parametrize("game", GAMES)
def test_the_table_of_settings_is_the_declared_one(root: Path, game: str) -> None:
    page = (root / "docs" / "rules" / f"{game}.md").read_text()
    shown = pages.rows_of(page, "| Name | Default | Range | What it sets | Rule |")
    settings = GAMES[game].settings
    defaults = settings.from_dict({}).to_dict()
    assert [row[0].strip("`") for row in shown] == list(defaults)
    for entry, (_, default, allowed, _, rules) in zip(fields(settings), shown, strict=True):
        assert default.strip('`"') == str(defaults[entry.name]), entry.name
        declared = entry.metadata
        if declared:  # blank cards are a list of their own kind
            values = declared.get("choices") or ["-".join(map(str, declared["range"]))]
            assert [value.strip('`"') for value in allowed.split(", ")] == list(map(str, values))
            assert rulebook.RULE.findall(declared["meaning"]) == rules.split(", ")


def test_the_tables_of_events_are_the_declared_ones(root: Path) -> None:
    """Every kind is on the page of a game that has it, but one for other games."""
    listed = dict[str, str]()
    for game in GAMES:
        page = (root / "docs" / "envs" / f"{game}.md").read_text()
        rows = pages.rows_of(page, "| kind | number | what happens | rules |")
        listed |= {kind.strip("`"): number for kind, number, *_ in rows}
        code = "".join(file.read_text() for file in (root / "envs" / game).glob("*.py"))
        emitted = {*re.findall(r"EventKind\.(\w+)", code)}
        emitted |= {kind for helper, kind in EMITTED_BY.items() if helper in code}
        assert {kind.strip("`") for kind, *_ in rows} == emitted, game
    assert listed == {kind.name: str(kind.value) for kind in EventKind if kind.name != "CHOOSE"}


@pytest.mark.parametrize("game", GAMES)
def test_the_table_of_presets_is_the_declared_one(root: Path, game: str) -> None:
    page = (root / "docs" / "rules" / f"{game}.md").read_text()
    shown = pages.rows_of(page, "| Preset | Settings | What it plays |")
    declared = {
        name: ", ".join(f"`{setting}={value!r}`" for setting, value in meaning.items())
        for name, meaning in GAMES[game].settings.PRESETS.items()
    }
    assert [row[0].strip("`") for row in shown] == list(declared)
    for row in shown:
        assert row[1].replace('"', "'") == (declared[row[0].strip("`")] or "the defaults")


def test_the_module_is_the_command_line(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "goldgriff", "--version"], capture_output=True, text=True, check=True
    )
    version = re.search(r"^version: (.+)$", (root / "CITATION.cff").read_text(), re.MULTILINE)
    assert version is not None
    assert done.stdout == f"goldgriff {version[1]}\n"


def test_every_dependency_is_explained(root: Path) -> None:
    project = config(root)["project"]
    listed = [*project["dependencies"]]
    for extra in project["optional-dependencies"].values():
        listed += extra
    listed += (root / "benchmarks" / "requirements.txt").read_text().splitlines()
    names = {re.split(r"[<>=\[]", entry)[0] for entry in listed} - {"goldgriff"}
    page = (root / "docs" / "dependencies.md").read_text()
    assert (
        set(re.findall(r"^\| ([a-z0-9_-]+) \| (?!for)", page, re.MULTILINE)) - {"package"} == names
    )
