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
compile_for(AURUXXX, ("champion", "expert"), (2, 4))
"""
PLAY = """
from goldgriff.eval.shards import play_shard
from goldgriff.eval.config import tournament_config
from tests.eval.small import AURUXXX, players_of
settings = AURUXXX.settings(num_players=4, rounds=1)
config = tournament_config(AURUXXX, ["champion", "expert"], settings, deals=2, seed=1)
play_shard(config, 0, players_of(config))
"""


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_worker_has_nothing_to_compile(root: Path, tmp_path: Path) -> None:
    """A process that plays a shard after `compile_for` says nothing of compiling.

    Auruxxx's champion is a network of another kind with four players than with two.
    """
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
