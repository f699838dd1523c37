"""What a tournament plays is compiled before its workers start."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from goldgriff.envs.engine.compile import COMPILED

COMPILE = """
from goldgriff.eval.warm_up import compile_for
from tests.eval.small import AURUXXX
compile_for(AURUXXX, ("expert", "random"), 2)
"""
PLAY = """
from goldgriff.eval.shards import play_shard
from tests.eval.small import players_of, small_config
config = small_config("expert", "random", players=4)
play_shard(config, 0, players_of(config))
"""


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_worker_has_nothing_to_compile(root: Path, tmp_path: Path) -> None:
    """A process that plays a shard after `compile_for` says nothing of compiling."""
    said = []
    for code in (COMPILE, PLAY):
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=root,
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        said.append(done.stderr.splitlines())
    assert [len(lines) for lines in said] == [1, 0]
    assert "compiling the rules" in said[0][0]
