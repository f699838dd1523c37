"""The guide to adding a game: its code, put into a copy of the library, is a complete game."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

FILE = re.compile(r"^### `([\w/.]+)`\n\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FOLDERS = ("docs/rules", "envs/crazy_eights", "agents/heuristics/crazy_eights")


@pytest.fixture(scope="module")
def copy(
    root: Path, copy_source: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A copy of the library with the game of the guide."""
    folder = copy_source(tmp_path_factory.mktemp("library") / "goldgriff")
    for name, content in FILE.findall((root / "docs/guides/add-a-game.md").read_text()):
        file = folder / name
        assert name.startswith(FOLDERS)
        assert not file.exists()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    return folder


def run(copy: Path, *arguments: str) -> None:
    """Run a Python module in the copy."""
    cache = str(copy.parent / "numba")
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy.parent), "NUMBA_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_code_of_the_guide_is_clean(copy: Path) -> None:
    folders = [folder for folder in FOLDERS if not folder.startswith("docs")]
    run(copy, "ruff", "check", "--no-cache", *folders)
    run(copy, "ruff", "format", "--no-cache", "--check", *folders)


def test_the_game_of_the_guide_is_complete(copy: Path) -> None:
    """No file of the library is changed, so whatever works with all games works with this one."""
    run(copy, "pytest", "-q", "-p", "no:cacheprovider", "tests/crazy_eights.py")
