"""Shared by all tests."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

os.environ["HF_HUB_OFFLINE"] = "1"  # no test asks the Hub, and no process that a test starts
# Ray listens on loopback only, and sends nothing; it reads this when it is imported.
os.environ |= {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_USAGE_STATS_ENABLED": "0"}


# Files and folders of slow tests: clients, documentation, types, whole trees of small games.
SLOW = {
    "examples",
    "typing",
    "test_add_a_game",
    "test_beliefs",
    "test_bench",
    "test_bots",
    "test_device",
    "test_docs",
    "test_efg",
    "test_exploit",
    "test_fields",
    "test_json",
    "test_kills",
    "test_notebooks",
    "test_oldest_versions",
    "test_tree",
    "test_warm_up",
}
# Files that take longest begin, so that no process works alone at the end.
LONGEST = (
    "test_reference",
    "test_cli",
    "test_properties",
    "test_refusals",
    "test_workers",
    "test_invariants",
    "test_pairs",
    "test_server",
    "test_runs",
    "test_browser",
    "test_gluecksgriff",
    "test_auruxxx",
    "test_search",
    "test_sweep",
)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave slow files out before they import other libraries."""
    return True if collection_path.stem in SLOW and "not slow" in config.option.markexpr else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark slow tests; put the longest files first."""
    for item in items:
        in_browser = "browser" in getattr(item, "fixturenames", ())
        if in_browser and item.get_closest_marker("flow") is None:
            item.add_marker(pytest.mark.slow)
        if not SLOW.isdisjoint((item.path.stem, item.path.parent.name)):
            item.add_marker(pytest.mark.slow)
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.stem, len(places)))


@pytest.fixture(scope="session", autouse=True)
def _interruptible() -> None:
    """Let SIGINT stop what the tests stop, also where they run in the background of a shell."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """An empty folder whose path is short enough to stand whole in a message, unlike pytest's."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def run_fresh(root: Path) -> Callable[..., str]:
    """Runs code in a process of its own, as plain Python unless `compiled`; returns its output."""

    def run(code: str, *, compiled: bool = False) -> str:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            cwd=root,
            env={**os.environ, "NUMBA_DISABLE_JIT": str(int(not compiled))},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    from playwright import sync_api  # noqa: PLC0415

    from .play.pages import BROWSERS, FOUND  # noqa: PLC0415

    if FOUND is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is installed")
    with sync_api.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=FOUND, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def copy_source(root: Path) -> Callable[[Path], Path]:
    """Copies what git keeps, or would, into a new folder: no runs, no results, no environment."""

    def copy(to: Path) -> Path:
        kept = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(kept, cwd=root, capture_output=True, text=True, check=True).stdout
        for name in filter(None, names.split("\0")):
            if (root / name).is_file():
                (to / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(root / name, to / name)
        return to

    return copy
