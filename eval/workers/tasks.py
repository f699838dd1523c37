"""Tasks that are worked at side by side: in processes of this machine, or on a Ray cluster."""

from collections.abc import Callable, Generator, Iterable, Sequence
from functools import partial
from multiprocessing.connection import wait
from typing import Any

from ...envs.engine.reading import read_whole
from .process import MOMENT, WorkerProcess
from .ray import RayTasks

MAX_WORKERS = 1024


def check_workers(workers: int) -> None:
    """Raise SettingsError unless `workers` is a whole number from 1 to MAX_WORKERS."""
    read_whole("workers", workers, 1, MAX_WORKERS)


class Processes:
    """Works at tasks in processes of this machine.

    Args:
        start: Starts a process.
        capacity: Number of processes; they start when there is a task for them.

    Attributes:
        workers: The processes.
    """

    def __init__(self, start: Callable[[], WorkerProcess], capacity: int) -> None:
        self._start, self.capacity = start, capacity
        self.workers: list[WorkerProcess] = []
        self._idle: list[WorkerProcess] = []

    def begin(self, *task: Any) -> WorkerProcess:
        """Begin a task in a process that is idle or new."""
        if self._idle:
            worker = self._idle.pop()
        else:
            worker = self._start()
            self.workers.append(worker)
        worker.begin(*task)
        return worker

    def wait(self, running: Sequence[WorkerProcess]) -> Iterable[tuple[WorkerProcess, Any]]:
        """Wait a moment; yield the processes whose task has ended, and its result."""
        wait([worker.connection for worker in running], MOMENT)
        for worker in running:
            if worker.is_ready():
                self._idle.append(worker)
                yield worker, worker.receive()

    def stop(self, running: Sequence[WorkerProcess]) -> None:
        """Let the tasks under way save what they have, and end all processes."""
        for worker in running:
            worker.interrupt()
        for worker in self.workers:
            worker.stop()


def in_processes(function: Callable[..., Any], workers: int) -> Processes:
    """Return what calls a function with the arguments of each task, in so many processes."""
    return Processes(partial(WorkerProcess, partial, function), workers)


def run_tasks(
    executor: Processes | RayTasks,
    tasks: Sequence[tuple[Any, ...]],
    *,
    ahead: int | None = None,
    on_wait: Callable[[], object] = lambda: None,
) -> Generator[tuple[int, Any], None, None]:
    """Work at tasks, and yield the number and the result of each when it ends.

    Args:
        executor: Works at them.
        tasks: The arguments of each task.
        ahead: How many times its capacity a task may come after the first that has not ended; by
            default any number of times.
        on_wait: Called every moment.

    Raises:
        GoldgriffError: A task failed; the others are stopped.
    """
    running = dict[Any, int]()
    begun = 0
    try:
        while begun < len(tasks) or running:
            window = len(tasks) if ahead is None else ahead * executor.capacity
            while (
                begun < len(tasks)
                and len(running) < executor.capacity
                and begun < min(running.values(), default=begun) + window
            ):
                running[executor.begin(*tasks[begun])] = begun
                begun += 1
            for handle, result in executor.wait(list(running)):
                yield running.pop(handle), result
            on_wait()
    finally:
        executor.stop(list(running))
