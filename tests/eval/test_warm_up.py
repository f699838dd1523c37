"""What a tournament plays is compiled before its workers start."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from goldgriff.envs.engine.compile import COMPILED

COMPILE = """
from goldgriff.envs.engine.kernels import start_each, step_each
from goldgriff.envs.engine.rollouts import replay_each
from goldgriff.eval.workers.warm_up import compile_for
from tests.eval.small import AURUXXX
compile_for(AURUXXX, ("champion", "expert"), (2, 4))
print(*(sum(k.stats.cache_misses.values()) for k in (start_each, step_each, replay_each)))
"""
PLAY = """
from goldgriff.eval.tournament.shards import play_shard
from goldgriff.eval.tournament.config import tournament_config
from tests.eval.small import AURUXXX, players_of
settings = AURUXXX.settings(num_players=4, rounds=1)
config = tournament_config(AURUXXX, ["champion", "expert"], settings, deals=2, seed=1)
play_shard(config, 0, players_of(config))
"""
pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


def run(root: Path, cache: Path, code: str) -> tuple[int, str, list[str]]:
    """Run code with a compile cache of its own.

    Returns:
        Its exit status, what it prints, and its lines on standard error.
    """
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.strip(), done.stderr.splitlines()


@pytest.mark.slow
def test_a_worker_has_nothing_to_compile(root: Path, tmp_path: Path) -> None:
    """A process that plays a shard after `compile_for` says nothing of compiling.

    Auruxxx's champion is a network of another kind with four players than with two.
    """
    status, compiled, messages = run(root, tmp_path, COMPILE)
    assert (status, compiled, len(messages)) == (0, "1 1 1", 1)
    assert "compiling the rules" in messages[0]
    assert run(root, tmp_path, PLAY) == (0, "", [])
    assert run(root, tmp_path, COMPILE) == (0, "0 0 0", [])
