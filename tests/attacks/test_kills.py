"""Commands that are killed at random and at first moments, or run out of room: all goes on.

A failure names the seed; `pytest -m long tests/attacks/test_kills.py -k SEED` tries it again.
"""

import random
import resource
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest

from goldgriff.agents.model_folder import CHECKPOINT
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.files import is_filled
from goldgriff.train.algorithms import ALGORITHMS
from goldgriff.train.run_folder import SETTINGS, STATE, read_settings
from goldgriff.train.runner import Run

from ..eval.test_process import is_alive
from .test_runs import TOURNAMENT, TRAIN, finish, lines, start, wait_for

COMMANDS = {
    "train": (*TRAIN, "--steps", "2048"),
    "tournament": (*TOURNAMENT, "--deals", "600", "--workers", "2"),
}
LONG_TRAIN = ("--preset", "smoke", "--steps", "100000000")
LONG_TOURNAMENT = ("--agents", "search@2000", "random", "--players", "2", "--deals", "10000")
ACTORS = ("train", "auruxxx", "--algorithm", "ppo", *LONG_TRAIN, "--set", "actors=2")
BUSY = {  # for long, in processes that each begins
    "sweep": ("sweep", "auruxxx", *LONG_TRAIN, "--seeds", "1", "2", "--workers", "2"),
    "train": ACTORS,
    "tournament": ("tournament", "auruxxx", *LONG_TOURNAMENT, "--workers", "2"),
    "ray": ("tournament", "auruxxx", *LONG_TOURNAMENT, "--ray"),
    "ray sweep": ("sweep", "auruxxx", *LONG_TRAIN, "--seeds", "1", "2", "--ray"),
    "ray train": (*ACTORS, "--ray"),
}
WORKERS = {"ray sweep": b"ray::call_on_node", "ray train": b"ray::_Remote"}  # not `WorkerProcess`
RESULTS = {"train": CHECKPOINT, "tournament": "results.json"}
SEEDS = [
    pytest.param(301, id="301"),
    *(pytest.param(seed, id=str(seed), marks=pytest.mark.long) for seed in range(401, 405)),
]
each = pytest.mark.parametrize("name", COMMANDS)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What the commands give when nobody stops them."""
    found = {}
    for name, command in COMMANDS.items():
        out = tmp_path_factory.mktemp(name)
        assert finish(start(*command, "--out", out))[0] == 0
        found[name] = (out / RESULTS[name]).read_bytes()
    return found


def go_on(name: str, out: Path, whole: dict[str, bytes], chance: random.Random) -> None:
    """Go on by the same command or `--resume`, and come to what was to come."""
    same = (*COMMANDS[name], "--out", out)
    resume = (name, "auruxxx", "--resume", "--out", out)
    # Where not even the settings were written, `train --resume` would begin with its defaults.
    known = out.exists() and (name != "train" or is_filled(out / SETTINGS))
    status, said = finish(start(*(chance.choice([same, resume]) if known else same)))
    if status == 1 and ("begins one" in said or "no run to resume" in said):
        status, said = finish(start(*same))  # nothing was there to resume
    finished = "has made 2048 timesteps" in said or "holds a run" in said
    assert status == 0 or finished, said
    assert "Traceback" not in said
    assert (out / RESULTS[name]).read_bytes() == whole[name]


@each
@pytest.mark.parametrize("seed", SEEDS)
def test_commands_that_are_killed_go_on(
    name: str, seed: int, whole: dict[str, bytes], tmp_path: Path
) -> None:
    """Half of them within the first moments, the others somewhere."""
    chance = random.Random(seed)
    for number in range(1 if seed < 400 else 5):
        out = tmp_path / str(number)
        process = start(*COMMANDS[name], "--out", out)
        if chance.random() < 0.6:
            while not out.exists() and process.poll() is None:
                time.sleep(0.001)
            time.sleep(chance.choice([0, 0.01, 0.03, 0.1]))
        else:
            time.sleep(chance.uniform(0, 8))
        process.send_signal(chance.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
        said = finish(process)[1]
        assert "Traceback" not in said
        assert len(lines(said)) <= 1
        go_on(name, out, whole, chance)
        shutil.rmtree(out)


def descendants(process: int) -> set[int]:
    """Return the numbers of the processes that a process has begun, and of those they began."""
    parents = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(file.parent.name)] = int(file.read_text().rpartition(") ")[2].split()[1])
    found, newest = set[int](), {process}
    while newest:
        newest = {child for child, parent in parents.items() if parent in newest}
        found |= newest
    return found


def workers_of(process: int, command: bytes) -> set[int]:
    """Return the numbers of the descendants of a process that have this in their command line."""
    workers = set()
    for number in descendants(process):
        with suppress(OSError):
            if command in Path(f"/proc/{number}/cmdline").read_bytes():
                workers.add(number)
    return workers


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.ray] * name.startswith("ray")) for name in BUSY]
)
def test_the_processes_of_a_killed_command_end(name: str, tmp_path: Path) -> None:
    """Ray's own agents go on for a minute."""
    command = WORKERS.get(name, b"workers.process import serve")
    with start(*BUSY[name], "--out", tmp_path / "out") as process:
        try:
            while len(workers := workers_of(process.pid, command)) < 2:
                assert process.poll() is None, finish(process)
                time.sleep(0.1)
        finally:
            process.kill()
    deadline = time.monotonic() + 30
    while left := set(filter(is_alive, workers)):
        assert time.monotonic() < deadline, left
        time.sleep(0.1)


@each
@pytest.mark.long
@pytest.mark.parametrize("room", [0, 100, 1000, 5_000, 20_000, 60_000, 200_000])
def test_commands_without_room_for_their_files_go_on_later(
    name: str, room: int, whole: dict[str, bytes], tmp_path: Path
) -> None:
    """A limit on the size of files fails where a full disk and a quota do."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    status, said = finish(start(*COMMANDS[name], "--out", tmp_path / "out", preexec_fn=limit))
    assert status in (0, 1)
    assert len([line for line in lines(said) if "the cache of compiled code" not in line]) == status
    go_on(name, tmp_path / "out", whole, random.Random(room))


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_signal_stops_every_algorithm_with_its_state_saved(
    algorithm: str, number: int, tmp_path: Path
) -> None:
    out, chance = tmp_path / "out", random.Random(f"{algorithm} {number}")
    train = ("train", "auruxxx", "--algorithm", algorithm, "--preset", "smoke", "--out", out)
    process = start(*train, "--steps", "100000000")
    wait_for(out / STATE, process)
    time.sleep(chance.uniform(0, 6))
    process.send_signal(number)
    status, said = finish(process)
    assert status == 128 + number
    (line,) = lines(said)
    assert line.endswith(f"; go on with: goldgriff train auruxxx --out {out} --resume")
    run = Run(AURUXXX, algorithm, read_settings(AURUXXX, out)[1], out)
    run.restore()
    done = run.learner.num_timesteps
    assert done > 0
    assert finish(start("train", "auruxxx", "--out", out, "--resume", "--steps", done + 1))[0] == 0
