"""Find where each numbered rule is implemented and tested.

As a script, print the share of rules that a test cites: `python docs/hooks/rulebook.py`. It needs
the standard library only.
"""

import ast
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

RULE = re.compile(r"\b[A-Z]\d+\.\d+\b")
DEFINED = re.compile(r"^- \*\*([A-Z]\d+\.\d+)\*\*", re.MULTILINE)


@dataclass(frozen=True)
class Place:
    """A line of a file.

    Attributes:
        path: The file, relative to the root of the repository.
        line: Its number, from 1.
        name: The name of the test that begins there, or "".
    """

    path: str
    line: int
    name: str = ""


def rules_of(root: Path, game: str) -> list[str]:
    """Return the ids that a game's page of rules defines, in their order."""
    return DEFINED.findall((root / "docs" / "rules" / f"{game}.md").read_text())


def prefix_of(root: Path, game: str) -> str:
    """Return the letter with which the ids of a game's rules begin."""
    return rules_of(root, game)[0][0]


def find_in_code(root: Path, game: str) -> dict[str, list[Place]]:
    """Return, by rule id, the lines of a game's modules that name it."""
    found = defaultdict(list)
    for file in sorted((root / "envs" / game).glob("*.py")):
        for number, line in enumerate(file.read_text().splitlines(), start=1):
            for rule in sorted(set(RULE.findall(line))):
                found[rule].append(Place(file.relative_to(root).as_posix(), number))
    return found


def find_in_tests(root: Path, game: str) -> dict[str, list[Place]]:
    """Return, by rule id, the tests marked with it: `@pytest.mark.rule("A2.4")`."""
    found, prefix = defaultdict(list), prefix_of(root, game)
    for file in sorted((root / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef):
                place = Place(file.relative_to(root).as_posix(), node.lineno, node.name)
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                        for argument in mark.args:
                            rule = ast.literal_eval(argument)
                            if rule.startswith(prefix):
                                found[rule].append(place)
    return found


def print_share(root: Path) -> None:
    """Print how many rules a test cites, and the ids of those that none cites."""
    games = sorted(file.stem for file in (root / "docs" / "rules").glob("*.md"))
    rules = [rule for game in games for rule in rules_of(root, game)]
    cited = {rule for game in games for rule in find_in_tests(root, game)}
    print(f"rules cited by tests: {len(cited.intersection(rules))} of {len(rules)}")
    for rule in rules:
        if rule not in cited:
            print(f"  no test cites {rule}")


if __name__ == "__main__":
    print_share(Path(__file__).resolve().parents[2])
