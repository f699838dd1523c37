"""What a tournament plays is compiled before its workers start."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from goldgriff.envs.engine.compile import COMPILED
from goldgriff.envs.engine.threads import cores

COMPILE = """
from goldgriff.envs.engine.compile import times_compiled
from goldgriff.envs.engine.kernels import start_each, step_each
from goldgriff.envs.engine.rollouts import replay_each
from goldgriff.eval import warm_up
from tests.eval.small import AURUXXX
warm_up.compile_for(AURUXXX, AGENTS, (2, 4))
print(*map(times_compiled, (start_each, step_each, replay_each)))
"""
ALL = 'AGENTS = ("champion", "expert")'
ALONE = """
AGENTS = ("random",)
import os
from goldgriff.eval import processes, warm_up
warm_up.start_process = lambda *_: processes.start_process(os._exit, 1)
"""
PLAY = """
from goldgriff.eval.tournament.shards import play_shard
from goldgriff.eval.tournament.config import tournament_config
from tests.eval.small import AURUXXX, players_of
settings = AURUXXX.settings(num_players=4, rounds=1)
config = tournament_config(AURUXXX, ["champion", "expert"], settings, deals=2, seed=1)
play_shard(config, 0, players_of(config))
"""
STOP = """
import os, signal, sys
from goldgriff.cli.main import main
from goldgriff.eval import warm_up
warm_up._compile_rules = lambda _: os.killpg(0, signal.SIGINT)
sys.argv = ["goldgriff", "tournament", "auruxxx", "--agents", "expert", "random", *sys.argv[1:]]
sys.exit(main())
"""

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


def run(root: Path, cache: Path, code: str, *arguments: object) -> tuple[int, str, list[str]]:
    """Run code with a compile cache of its own until no process of it is left.

    Returns:
        Its exit status, what it prints, and its lines on standard error.
    """
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=root,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
    )
    return done.returncode, done.stdout.strip(), done.stderr.splitlines()


def test_a_worker_has_nothing_to_compile(root: Path, tmp_path: Path) -> None:
    """A process that plays a shard after `compile_for` says nothing of compiling.

    Where there are two cores, another process has compiled the start of games. Auruxxx's champion
    is a network of another kind with four players than with two.
    """
    status, compiled, said = run(root, tmp_path, ALL + COMPILE)
    assert (status, compiled) == (0, "0 1 1" if cores() > 1 else "1 1 1")
    assert len(said) == 1
    assert "compiling the rules" in said[0]
    assert run(root, tmp_path, PLAY) == (0, "", [])


def test_what_the_other_process_leaves_is_compiled(root: Path, tmp_path: Path) -> None:
    status, compiled, said = run(root, tmp_path, ALONE + COMPILE)
    assert (status, compiled, len(said)) == (0, "1 1 1", 1)
    assert run(root, tmp_path, ALONE + COMPILE) == (0, "0 0 0", [])


@pytest.mark.skipif(cores() == 1, reason="there is no other process")
def test_a_signal_ends_both_processes(root: Path, tmp_path: Path) -> None:
    """Ctrl+C reaches all processes of a terminal; the other one says nothing and is ended."""
    out = tmp_path / "out"
    status, _, (notice, stopped) = run(root, tmp_path / "cache", STOP, "--out", out)
    assert status == 130
    assert "compiling" in notice
    resume = f"goldgriff tournament auruxxx --out {out} --resume"
    assert stopped == f"goldgriff tournament: stopped by SIGINT; go on with: {resume}"
