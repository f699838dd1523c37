"""Commands of `goldgriff` that run side by side, each in a process, and can be stopped together."""

import subprocess
import sys
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Lock
from typing import TypeVar

from ...cli.stopping import deferred
from ...errors import GoldgriffError, one_line

T = TypeVar("T")
R = TypeVar("R")
_PATIENCE = 30.0  # seconds in which a command that is to stop saves what it has


class Commands:
    """The commands that are under way."""

    def __init__(self) -> None:
        self._lock, self._running = Lock(), set[subprocess.Popen[str]]()
        self._stopped = False

    def run(self, name: str, words: Sequence[str]) -> bool:
        """Run a command to its end, and return whether it got there: not after `stop`.

        Args:
            name: What it works at, for the message.
            words: Its arguments, after `goldgriff`.

        Raises:
            GoldgriffError: It fails.
        """
        with self._lock:
            if self._stopped:
                return False
            process = subprocess.Popen(
                [sys.executable, "-m", "goldgriff", *words],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            self._running.add(process)
        _, said = process.communicate()
        with self._lock:
            self._running.discard(process)
            if self._stopped:
                return False
        if process.returncode:
            lines = said.strip().splitlines() or [f"ended with status {process.returncode}"]
            raise GoldgriffError(one_line(f"{name}: {lines[-1]}"))
        return True

    def stop(self) -> None:
        """Let all commands save what they have, and wait for them."""
        with self._lock:
            self._stopped = True
            running = list(self._running)
        for process in running:
            process.terminate()
        for process in running:
            try:
                process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()


def run_side_by_side(
    work: Callable[[Commands, T], R | None], tasks: Sequence[T], workers: int
) -> Generator[tuple[T, R], None, None]:
    """Work at tasks in threads, and yield each with its result when it ends.

    Args:
        work: Works at a task by commands; None where it was stopped.
        tasks: The tasks.
        workers: Number of tasks at a time.

    Raises:
        GoldgriffError: What `work` raises; the other commands are stopped.
    """
    commands = Commands()
    with ThreadPoolExecutor(workers) as threads:
        futures: dict[Future[R | None], T] = {
            threads.submit(work, commands, task): task for task in tasks
        }
        try:
            while futures:
                with deferred():
                    ended, _ = wait(futures, 0.2, FIRST_COMPLETED)
                for future in ended:
                    task, result = futures.pop(future), future.result()
                    if result is not None:
                        yield task, result
        finally:
            for future in futures:
                future.cancel()
            commands.stop()
