"""Running a kernel over many rows, in equal parts on some threads."""

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import SettingsError
from .compile import COMPILED, kernel
from .intrinsics import load_acquire, store_release
from .state import CACHE_LINE

WORTH_A_THREAD = 512  # decisions; with fewer for each, one thread is as fast
# How often a thread looks for a signal before it sleeps (a spin-wait), for 50 to 100 microseconds:
# to be woken takes as long as hundreds of games need for a step. Uncompiled, it helps nobody.
LOOKS = 200_000 if COMPILED else 0
GIVEN, DONE = (
    CACHE_LINE // 8,
    2 * CACHE_LINE // 8,
)  # places of the signals, in cache lines of their own

Work = Callable[..., Any]
Arrays = Sequence[NDArray[Any]]
Signals = NDArray[np.int64]
Jobs = SimpleQueue[tuple[int, Future[Any], Work, Arrays]]


def cores() -> int:
    """How many cores this process may use, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Threads:
    """Up to `count` threads; kernels run beside each other since they hold no interpreter lock.

    Raises SettingsError when `count` is not a whole number from 1.
    """

    def __init__(self, count: int) -> None:
        if type(count) is not int or count < 1:
            raise SettingsError(f"threads must be a whole number from 1, not {count!r}")
        self.count = min(count, cores())

    def run(self, work: Work, *by_row: NDArray[Any], decisions: int = 1) -> list[Any]:
        """Call `work` with all rows of some arrays, or with a part of them on each thread.

        decisions: what a row takes, roughly, in decisions of a step. The calling thread does a
        part, too. Returns what `work` returned for each, in order; or raises what it raised, when
        no thread is at work any more (unless it is interrupted once more).
        """
        few, lock = len(by_row[0]) * decisions < WORTH_A_THREAD * self.count, _CREW.lock
        if self.count == 1 or few or not lock.acquire(blocking=False):
            return [work(*by_row)]
        begun: list[tuple[Helper, Future[Any]]] = []
        try:
            parts = (np.array_split(array, self.count) for array in by_row)
            own, *others = zip(*parts, strict=True)
            for helper, part in zip(_CREW.helpers(len(others)), others, strict=True):
                begun.append((helper, helper.begin(work, part)))
            first = work(*own)
        finally:
            try:
                for helper, future in begun:
                    helper.finish(future)
            finally:
                lock.release()
        return [first, *(future.result() for _, future in begun)]


class Crew:
    """The helpers of this process, whoever wants something done: more than cores are in the way.

    lock: held by who has them at work; anybody else meanwhile does all his work himself.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin without helpers, whatever they were doing."""
        self.lock = threading.Lock()
        self._helpers: list[Helper] = []

    def helpers(self, count: int) -> "list[Helper]":
        """So many helpers."""
        while len(self._helpers) < count:
            self._helpers.append(Helper())
        return self._helpers[:count]


class Helper:
    """A thread that does one job after the other.

    It sleeps on a queue of jobs. Beside it, the numbers of jobs given and done are signalled, so
    that who waits for the next one may look out for it before he goes to sleep.
    """

    def __init__(self) -> None:
        self._jobs: Jobs = SimpleQueue()
        self._signals: Signals = np.zeros(DONE + CACHE_LINE // 8, np.int64)
        self._given = 0
        say_and_look_out(self._signals, -1)  # is compiled here, where an error is seen
        threading.Thread(target=_serve, args=(self._jobs, self._signals), daemon=True).start()

    def begin(self, work: Work, part: Arrays) -> Future[Any]:
        """Have `work` called with some arrays; returns where the result will be."""
        number, future = self._given + 1, Future[Any]()
        self._jobs.put((number, future, work, part))
        say(self._signals, GIVEN, number)
        self._given = number
        return future

    def finish(self, future: Future[Any]) -> None:
        """Wait until the last job, whose future it is, is done."""
        look_out(self._signals, DONE, self._given)
        future.exception()  # waits for it, too, and raises nothing


def _serve(jobs: Jobs, signals: Signals) -> None:
    """Do all jobs that come, as long as the process lives."""
    while True:
        say_and_look_out(signals, _do_next(jobs))


def _do_next(jobs: Jobs) -> int:
    """Do one job; returns its number. What it holds is let go of before the next is waited for."""
    number, future, work, part = jobs.get()
    try:
        future.set_result(work(*part))
    except BaseException as error:
        future.set_exception(error)
    del future, work, part  # an error's traceback would go on holding them
    return number


@kernel
def say(signals: Signals, place: int, number: int) -> None:
    """Let other threads see a number, and all that was written before."""
    store_release(signals, place, number)


@kernel
def look_out(signals: Signals, place: int, number: int) -> None:
    """Wait for a number, but not for long."""
    for _ in range(LOOKS):
        if load_acquire(signals, place) >= number:
            return


@kernel
def say_and_look_out(signals: Signals, done: int) -> None:
    """Say which job is done and wait for the next one, but not for long.

    In one call, so that whoever waited can have the interpreter's lock at once.
    """
    store_release(signals, DONE, done)
    for _ in range(LOOKS):
        if load_acquire(signals, GIVEN) > done:
            return


_CREW = Crew()
if hasattr(os, "register_at_fork"):  # a copy of the process has none of its threads
    os.register_at_fork(after_in_child=_CREW.forget)
