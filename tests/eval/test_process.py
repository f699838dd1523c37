"""Processes of work: answers and errors come back, and none outlives the one that began it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from goldgriff.errors import GoldgriffError, SettingsError
from goldgriff.eval.workers.process import ProcessEndedError, WorkerProcess
from goldgriff.eval.workers.tasks import in_processes, run_tasks

MAIN = """
import os, pathlib, subprocess, sys, time
from functools import partial
from goldgriff.eval.workers.process import WorkerProcess

def work(path):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    path.with_suffix(".tmp").write_text(f"{os.getpid()} {child.pid}")
    path.with_suffix(".tmp").rename(path)
    while True:
        pass

path = pathlib.Path(sys.argv[1])
process = WorkerProcess(partial, work)
process.send("__call__", path)
while not path.exists():
    time.sleep(0.05)
if sys.argv[2] == "stop":
    process.stop()
elif sys.argv[2] == "fork" and os.fork() == 0:  # inherits the pipe, and lives on
    path.with_suffix(".fork").write_text(str(os.getpid()))
    time.sleep(600)
else:
    os.kill(os.getpid(), 9)
"""


def host_class() -> Any:
    """Return a class that travels as it is, since no process can import it."""

    class Host:
        def __init__(self, greeting: str) -> None:
            if not greeting:
                raise SettingsError("a greeting is needed")
            self.greeting = greeting

        def greet(self, name: str) -> str:
            return f"{self.greeting}, {name}"

        def fail(self) -> None:
            raise GoldgriffError("not today")

        def leave(self, status: int) -> None:
            os._exit(status)

    return Host


def is_alive(process: int) -> bool:
    """Return whether a process runs; one that has ended and is not waited for does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2]
    except FileNotFoundError:
        return False
    return state[0] != "Z"


def wait_until_ended(path: Path) -> None:
    """Wait until the processes whose numbers a file holds have ended."""
    deadline = time.monotonic() + 10
    processes = [int(word) for word in path.read_text().split()]
    assert len(processes) == 2
    while any(map(is_alive, processes)):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_answers_and_errors_come_back() -> None:
    process = WorkerProcess(host_class(), "hello")
    process.send("greet", "Ada")
    assert process.receive() == "hello, Ada"
    process.send("fail")
    with pytest.raises(GoldgriffError, match=r"^not today$"):
        process.receive()
    process.stop()
    process = WorkerProcess(host_class(), "")
    process.send("greet", "Ada")
    with pytest.raises(SettingsError, match=r"^a greeting is needed$"):
        process.receive()
    process.stop()


def test_a_process_that_ends_is_noticed_with_its_exit_code() -> None:
    process = WorkerProcess(host_class(), "hello")
    process.send("leave", 3)
    with pytest.raises(ProcessEndedError, match=r"^a process ended \(exit code 3\)$"):
        process.receive()
    assert process.is_ready()
    process.stop()


@pytest.mark.parametrize("end", ["stop", "kill", "fork"])
def test_a_process_ends_with_those_it_began(end: str, tmp_path: Path) -> None:
    """It is busy when it is stopped, or when the process that began it is killed."""
    numbers = tmp_path / "numbers"
    main = subprocess.run([sys.executable, "-c", MAIN, str(numbers), end], check=False, timeout=60)
    assert main.returncode == (0 if end == "stop" else -signal.SIGKILL)
    try:
        wait_until_ended(numbers)
    finally:
        if end == "fork":
            while not (fork := numbers.with_suffix(".fork")).exists():
                time.sleep(0.05)
            os.kill(int(fork.read_text()), signal.SIGKILL)


def test_tasks_are_begun_no_further_ahead_than_allowed() -> None:
    """The first task waits for the last that may be begun before it ends."""
    begun: list[int] = []

    class Executor:
        capacity = 2

        def begin(self, number: int) -> int:
            begun.append(number)
            return number

        def wait(self, running: Sequence[int]) -> list[tuple[int, str]]:
            first = begun[-1] == 5
            return [(number, str(number)) for number in running if number > 0 or first]

        def stop(self, running: Sequence[int]) -> None:
            assert not running

    executor: Any = Executor()
    ended = list(run_tasks(executor, [(number,) for number in range(9)], ahead=3))
    assert [number for number, _ in ended] == [1, 2, 3, 4, 0, 5, 6, 7, 8]
    assert all(result == str(number) for number, result in ended)


def test_functions_are_called_in_processes() -> None:
    tasks = [(number, 2) for number in range(5)]
    assert dict(run_tasks(in_processes(pow, 2), tasks)) == {0: 0, 1: 1, 2: 4, 3: 9, 4: 16}


POOL = """
import multiprocessing, sys
import goldgriff as gg

def play(out):
    agents = ["random", "random"]
    result = gg.play_tournament("auruxxx", agents, num_players=2, deals=4, seed=1, workers=2)
    return result.results.deals

def train(out):
    run = gg.train_agent(
        "auruxxx", "ppo", preset="smoke", total_timesteps=256, n_envs=4, n_steps=16,
        batch_size=16, hidden=[8], eval_every_updates=0, actors=2, out=out,
    )
    return int(run.figures[-1]["timesteps"])

if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(globals()[sys.argv[1]], [sys.argv[2]]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(("call", "printed"), [("play", "[4]"), ("train", "[256]")])
def test_workers_may_begin_in_a_process_of_a_pool(call: str, printed: str, tmp_path: Path) -> None:
    """Processes of a pool are daemons, which `multiprocessing` lets begin no processes."""
    script = tmp_path / "script.py"
    script.write_text(POOL)
    done = subprocess.run(
        [sys.executable, script, call, tmp_path / "out"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.stdout.splitlines()[-1:] == [printed], done.stderr


def test_a_worker_announces_no_compiling() -> None:
    """Its main process has said it."""
    code = (
        "from functools import partial\n"
        "from goldgriff.eval.workers.process import WorkerProcess\n"
        "def work():\n"
        "    from goldgriff.envs.engine.cache import say_once\n"
        "    say_once('cache', 'compiling anew')\n"
        "process = WorkerProcess(partial, work)\n"
        "process.begin()\n"
        "process.receive()\n"
        "process.stop()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
