"""What a run plays is compiled before its actors and its progress bar start."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from goldgriff.envs.engine.compile import COMPILED
from goldgriff.train.algorithms import ALGORITHMS

NOTICE = (
    "goldgriff: compiling the rules that are needed here, for the first time with this version "
    "(up to half a minute on an idle machine)"
)
COMPILE = """
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.train.algorithms import ALGORITHMS
from goldgriff.train.warm_up import compile_for_run
from tests.train.small import tiny
for name in ALGORITHMS:
    compile_for_run(AURUXXX, name, tiny(name))
"""
TRAIN = """
import sys
from goldgriff.train import runner
from tests.train.small import tiny
runner.compile_for_run = lambda *_: None
for name in sys.argv[2:]:
    settings = tiny(name, eval_opponent="expert", eval_every_updates=2, total_timesteps=3 * 128)
    runner.run_training("auruxxx", name, settings, f"{sys.argv[1]}/{name}")
"""

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


def run_python(root: Path, cache: Path, *arguments: object) -> str:
    """Return what a process with a compile cache of its own says on standard error."""
    done = subprocess.run(
        [sys.executable, "-c", *map(str, arguments)],
        cwd=root,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr


def test_a_run_has_nothing_to_compile(root: Path, tmp_path: Path) -> None:
    """After `compile_for_run`, with every algorithm, teacher and evaluation."""
    cache = tmp_path / "cache"
    assert NOTICE in run_python(root, cache, COMPILE)
    assert NOTICE not in run_python(root, cache, TRAIN, tmp_path, *ALGORITHMS)


def shown_on_a_terminal(cache: Path, *arguments: object) -> list[str]:
    """Return the lines that a command writes on a terminal of 80 columns, with control codes."""
    ours, theirs = pty.openpty()
    size = {"COLUMNS": "80", "LINES": "24", "TERM": "xterm"}
    process = subprocess.Popen(
        [sys.executable, "-m", "goldgriff", *map(str, arguments)],
        env={**os.environ, **size, "NUMBA_CACHE_DIR": str(cache)},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:  # the command has ended
            break
        if not more:
            break
        shown += more
    os.close(ours)
    assert process.wait() == 0, shown.decode()
    return shown.decode().replace("\r\n", "\n").split("\n")


def check_notice(lines: list[str], bar: str) -> None:
    """Assert that the notice is a line of its own, once and before the first of a bar."""
    assert lines.count(NOTICE) == 1, lines
    first = next(number for number, line in enumerate(lines) if bar in line)
    assert lines.index(NOTICE) < first


def test_the_notice_is_whole_and_comes_before_the_bar(tmp_path: Path) -> None:
    """First nothing is compiled, then all but what an algorithm needs for itself."""
    cache, out = tmp_path / "cache", str(tmp_path / "played")
    tournament = ["auruxxx", "--agents", "expert", "--players", "2", "--deals", "2"]
    command = ["tournament", *tournament, "--workers", "2", "--out", out]
    check_notice(shown_on_a_terminal(cache, *command), "games")
    for algorithm in ("ppo", "lookahead"):
        run = ["--algorithm", algorithm, "--preset", "smoke", "--steps", "2048"]
        command = ["train", "auruxxx", *run, "--out", str(tmp_path / algorithm)]
        check_notice(shown_on_a_terminal(cache, *command), "training")
