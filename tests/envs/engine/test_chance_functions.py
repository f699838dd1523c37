"""The rules reach the random generator through the functions of `chance.py` only."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from goldgriff.envs.engine.chance import FUNCTIONS
from goldgriff.envs.engine.game import GAMES

CHANCE = {function.__name__ for function in FUNCTIONS}


def faults(source: str) -> Iterator[str]:
    """What a module of rules does with the generator, other than to call those functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            module, names = (node.module or "").split("."), {alias.name for alias in node.names}
            if {"rng", "sampling"} & {*module, *names}:
                yield f"line {node.lineno}: imports from engine.rng or engine.sampling"
            if "chance" in names or ("chance" in module and not names <= CHANCE):
                yield f"line {node.lineno}: imports more than {', '.join(sorted(CHANCE))}"
        elif isinstance(node, ast.Import) and any("rng" in alias.name for alias in node.names):
            yield f"line {node.lineno}: imports engine.rng"
        elif isinstance(node, ast.Attribute) and node.attr in {"streams", "seed"}:
            yield f"line {node.lineno}: touches {node.attr}"


@pytest.mark.parametrize("game", GAMES)
def test_rules_use_the_chance_functions_only(root: Path, game: str) -> None:
    # What a seat knows, in observation.py, is completed to whole states at random.
    files = [file for file in (root / "envs" / game).glob("*.py") if file.stem != "observation"]
    assert len(files) > 8
    found = {file.name: [*faults(file.read_text())] for file in files}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "source",
    [
        "from ..engine.rng import next_bits",
        "from ..engine import rng",
        "from ..engine.sampling import random_below",
        "import goldgriff.envs.engine.rng",
        "from ..engine.chance import scale_bits",
        "from ..engine import chance",
        "def deal(state):\n    state.streams[0] += 1",
        "def deal(state):\n    state.seed = 1",
    ],
)
def test_other_ways_to_the_generator_are_found(source: str) -> None:
    assert [*faults(source)]
