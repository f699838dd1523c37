"""Runs that are stopped, cut short or damaged: nothing is lost, and one line says what to do."""

import contextlib
import errno
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from goldgriff.cli import stopping
from goldgriff.cli.main import main
from goldgriff.cli.stopping import Stopped, check, deferred, is_requested, stoppable
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.files import FileError
from goldgriff.train.run_folder import SETTINGS, STATE, ResumeError, read_settings
from goldgriff.train.runner import Run

from ..train.small import tiny, train

PPO = tiny("ppo", total_timesteps=256, fixed_opponents=[], eval_every_updates=0)
SMALL = ("n_envs=4", "n_steps=16", "batch_size=16", "hidden=[8]", "checkpoint_every_updates=1000")
TRAIN = ("train", "auruxxx", "--algorithm", "ppo", "--preset", "smoke", "--set", *SMALL)
TOURNAMENT = ("tournament", "auruxxx", "--agents", "expert", "random", "--players", "2")


def start(*arguments: object, **options: Any) -> subprocess.Popen[str]:
    """Start a command in a process of its own, and in a group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "goldgriff", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Wait for a process; return its status and what it said on standard error."""
    said = process.communicate()[1]
    return process.returncode, said


def lines(said: str) -> list[str]:
    """Return the lines on standard error that are neither the notice nor evaluations of a run."""
    return [
        line
        for line in said.splitlines()
        if "compiling the rules" not in line and " timesteps: among " not in line
    ]


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    while not path.exists() and process.poll() is None:
        time.sleep(0.01)
    assert path.exists(), process.communicate()


def wait_for_games(path: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a store holds a tournament: before that there is nothing to go on with."""
    wait_for(path, process)
    with contextlib.closing(sqlite3.connect(path, timeout=60)) as store:
        while process.poll() is None and not store.execute("SELECT 1 FROM runs").fetchone():
            time.sleep(0.01)


@pytest.mark.parametrize(
    ("command", "file", "wait", "number", "status"),
    [
        ((*TRAIN, "--steps", "100000000"), STATE, wait_for, signal.SIGTERM, 143),
        ((*TOURNAMENT, "--deals", "100000"), "games.sqlite", wait_for_games, signal.SIGINT, 130),
    ],
    ids=["train", "tournament"],
)
def test_one_signal_stops_a_command_and_says_how_to_go_on(
    command: tuple[str, ...],
    file: str,
    wait: Callable[[Path, subprocess.Popen[str]], None],
    number: int,
    status: int,
    tmp_path: Path,
) -> None:
    out = tmp_path / "out"
    process = start(*command, "--out", out)
    wait(out / file, process)
    os.killpg(process.pid, number)
    _, said = process.communicate(timeout=100)
    assert process.returncode == status
    (line,) = lines(said)
    go_on = f"goldgriff {command[0]} auruxxx --out {out} --resume"
    name = signal.Signals(number).name
    assert line == f"goldgriff {command[0]}: stopped by {name}; go on with: {go_on}"
    assert not [path for path in out.rglob("*") if ".new" in path.name]
    if command[0] == "train":
        run = Run(AURUXXX, "ppo", read_settings(AURUXXX, out)[1], out)
        run.restore()


def test_an_ignored_interruption_stays_ignored(tmp_path: Path) -> None:
    def ignore() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    process = start(*TOURNAMENT, "--deals", 40, "--out", tmp_path, preexec_fn=ignore)
    wait_for(tmp_path / "games.sqlite", process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=100)
    assert process.returncode == 0
    assert (tmp_path / "results.json").exists()


class ThrownError(Exception):
    """Stands for whatever may end a run as it begins."""


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("begun", ["folder", "settings", "policy", "empty state"])
def test_a_run_that_was_stopped_as_it_began_begins_again(
    begun: str, resume: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    if begun in ("settings", "policy", "empty state"):
        with monkeypatch.context() as patch:
            patch.setattr(Run, "begin" if begun == "settings" else "_state", throw)
            with pytest.raises(ThrownError):
                train(AURUXXX, "ppo", PPO, out)
        assert (out / SETTINGS).exists()
    if begun == "empty state":
        (out / STATE).touch()
    policy = train(AURUXXX, "ppo", PPO, out, resume=resume)
    assert policy.read_bytes() == train(AURUXXX, "ppo", PPO, tmp_path / "whole").read_bytes()


def throw(*_: object) -> None:
    raise ThrownError


def test_the_same_command_goes_on_with_its_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Run, "learn", throw)
        with pytest.raises(ThrownError):
            train(AURUXXX, "ppo", PPO, tmp_path / "out")
    policy = train(AURUXXX, "ppo", PPO, tmp_path / "out")
    assert policy.read_bytes() == train(AURUXXX, "ppo", PPO, tmp_path / "whole").read_bytes()
    content = policy.read_bytes()
    assert train(AURUXXX, "ppo", PPO, tmp_path / "out").read_bytes() == content  # it is finished
    with pytest.raises(ResumeError, match="holds a run; resume it"):
        train(AURUXXX, "ppo", replace(PPO, seed=2), tmp_path / "out")


def test_a_full_disk_at_the_start_leaves_a_run_that_begins_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, room = Path.write_bytes, 2

    def fill_up(path: Path, content: bytes) -> int:
        nonlocal room
        room -= 1
        if room < 0:
            write(path, content[:10])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", fill_up)
        with pytest.raises(FileError, match="No space left on device"):
            train(AURUXXX, "ppo", PPO, tmp_path)
    assert train(AURUXXX, "ppo", PPO, tmp_path, resume=True).exists()


def test_a_flipped_bit_in_the_state_is_found(tmp_path: Path) -> None:
    train(AURUXXX, "ppo", PPO, tmp_path)
    chance, whole = random.Random(3), (tmp_path / STATE).read_bytes()
    run = Run(AURUXXX, "ppo", PPO, tmp_path)
    for _ in range(200):
        damaged = bytearray(whole)
        damaged[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        (tmp_path / STATE).write_bytes(damaged)
        with pytest.raises(ResumeError, match=r"cannot resume from .*state\.pt: it is damaged$"):
            run.restore()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("batch_size=1", "batch_size must be a whole number from 2 to"),
        ("batch_size=73", "batch_size must not leave a single one of the 512 decisions"),
        ("hidden=[100000]", "none above 8192, not [100000]"),
        (f"hidden={[8] * 17}", "at most 16 widths"),
        ("n_envs=99999999999", "n_envs must be a whole number from 1 to 131072"),
        (f"n_envs={'9' * 5000}", "n_envs must be a whole number from 1 to 131072"),
        ("n_steps=1000000", "n_steps must be a whole number from 1 to 65536"),
        ("pool_size=100000000", "pool_size must be a whole number from 1 to 1000"),
    ],
)
def test_sizes_that_cannot_be_are_refused(
    given: str,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["train", "auruxxx", "--algorithm", "maskable", "--preset", "smoke"]
    assert main([*command, "--out", str(tmp_path / "out"), "--set", given]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
    assert len(line) < 400
    assert not list(tmp_path.iterdir())


# --- Signals ----------------------------------------------------------------------------------


def test_a_signal_that_is_caught_stops_the_command_at_its_end() -> None:
    def catch() -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        except BaseException:
            assert is_requested()

    with pytest.raises(Stopped), stoppable():
        catch()
    check()  # it is over


def test_a_signal_waits_for_what_must_not_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    done = []

    def work() -> None:
        with deferred():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)  # passed on by a program around this one
            done.append(is_requested())
        done.append(False)

    with pytest.raises(Stopped), stoppable():
        work()
    assert done == [True]
    monkeypatch.setattr(stopping, "_PATIENCE", 0.0)
    with pytest.raises(Stopped), stoppable():
        work()
    assert done == [True]
