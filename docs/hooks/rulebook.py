"""Where each rule stands: the lines of the code that name it, the tests that play it."""

import ast
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

RULE = re.compile(r"\b[AG]\d+\.\d+\b")
DEFINED = re.compile(r"^- \*\*([AG]\d+\.\d+)\*\*", re.MULTILINE)


@dataclass(frozen=True)
class Place:
    """A line of a file, whose path begins at the root; of a test also its name."""

    path: str
    line: int
    name: str = ""


def rules_of(root: Path, game: str) -> list[str]:
    """The ids that a game's page of rules defines, in its order."""
    return DEFINED.findall((root / "docs" / "rules" / f"{game}.md").read_text())


def found_in_code(root: Path, game: str) -> dict[str, list[Place]]:
    """By rule id, the lines of a game's modules that name it."""
    found = defaultdict(list)
    for file in sorted((root / "envs" / game).glob("*.py")):
        for number, line in enumerate(file.read_text().splitlines(), start=1):
            for rule in sorted(set(RULE.findall(line))):
                found[rule].append(Place(file.relative_to(root).as_posix(), number))
    return found


def found_in_tests(root: Path, game: str) -> dict[str, list[Place]]:
    """By rule id, the tests of a game that are marked with it: `@pytest.mark.rule("A2.4")`."""
    found = defaultdict(list)
    for file in sorted((root / "tests" / game).rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef):
                place = Place(file.relative_to(root).as_posix(), node.lineno, node.name)
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                        for argument in mark.args:
                            found[ast.literal_eval(argument)].append(place)
    return found
