"""The order of the floors: what a module may import. See docs/architecture.md."""

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("cli", "envs", "agents", "eval", "train", "play")
GAMES = tuple(
    folder.name
    for folder in sorted((ROOT / "envs").iterdir())
    if (folder / "state.py").exists() and folder.name != "engine"
)

# From the bottom up. A module belongs to the longest name that fits it. It may import from its own
# group and from every floor below; groups of one floor do not know each other.
FLOORS: tuple[tuple[str, ...], ...] = (
    ("errors",),
    ("files", "naming", "cli.__init__", "cli.stopping"),
    ("cli.options",),
    ("cli.console",),
    ("envs.engine",),
    tuple(f"envs.{game}" for game in GAMES),
    ("envs",),  # the doors on all games: batch, match, aec, ...
    tuple(f"envs.{file.stem}" for file in sorted((ROOT / "envs").glob("*_v*.py"))),
    ("envs.__init__",),
    ("cli.shared_options",),
    ("agents",),
    ("eval", "registration"),
    ("train", "play"),
    ("__init__", "cli.completion"),
    ("cli.main",),
    ("__main__",),
)
FLOOR_OF = {group: number for number, floor in enumerate(FLOORS) for group in floor}


def modules() -> dict[str, Path]:
    """The modules of the library by their names below `goldgriff`."""
    files = [file for name in PACKAGES for file in (ROOT / name).rglob("*.py")]
    files = sorted([*ROOT.glob("*.py"), *files])
    return {".".join(file.relative_to(ROOT).with_suffix("").parts): file for file in files}


MODULES = modules()


def group_of(module: str) -> str:
    parts = module.split(".")
    prefixes = (".".join(parts[:size]) for size in range(len(parts), 0, -1))
    return next((prefix for prefix in prefixes if prefix in FLOOR_OF), module)


def as_module(name: str) -> str | None:
    """The module that an import of `name` reads: the name itself, or the package's `__init__`."""
    package = f"{name}.__init__" if name else "__init__"
    return next((found for found in (name, package) if found in MODULES), None)


def imports_of(module: str) -> Iterator[str]:
    """The modules of the library that a module imports, at its top or in a function."""
    package = module.split(".")[:-1]
    for node in ast.walk(ast.parse(MODULES[module].read_text())):
        if isinstance(node, ast.ImportFrom):
            name = node.module or ""
            if node.level:
                above = package[: len(package) - node.level + 1]
                name = ".".join([*above, *filter(None, [name])])
            elif name.split(".")[0] == "goldgriff":
                name = name.removeprefix("goldgriff").removeprefix(".")
            else:
                continue
            for alias in node.names:  # `from . import kernels` is a module, `import Batch` a name
                found = as_module(f"{name}.{alias.name}".lstrip(".")) or as_module(name)
                assert found, f"{module} imports {name}, which is not there"
                if found != module:
                    yield found


def test_every_module_has_a_floor() -> None:
    assert [module for module in MODULES if group_of(module) not in FLOOR_OF] == []


def test_modules_import_from_their_own_group_and_from_below() -> None:
    wrong = [
        f"{module} imports {imported}"
        for module in MODULES
        for imported in imports_of(module)
        if group_of(imported) != group_of(module)
        and FLOOR_OF[group_of(imported)] >= FLOOR_OF[group_of(module)]
    ]
    assert wrong == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    TopologicalSorter({module: set(imports_of(module)) for module in MODULES}).prepare()


def test_the_environments_know_no_agents() -> None:
    """Not even in a text that somebody imports later, such as an entry point."""
    envs = [module for module in MODULES if group_of(module).startswith("envs")]
    assert [module for module in envs if "goldgriff.agents" in MODULES[module].read_text()] == []


def test_imports_inside_the_package_are_relative() -> None:
    absolute = re.compile(r"^\s*(from|import) goldgriff", re.MULTILINE)
    found = [module for module, file in MODULES.items() if absolute.search(file.read_text())]
    # Pytest imports the root's `__init__.py` under the checkout's name, too.
    assert set(found) <= {"__init__", "__main__"}
