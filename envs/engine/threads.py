"""Running a kernel over many rows, in equal parts on some threads."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .reading import read_whole

MIN_DECISIONS = 2048  # for each thread; with fewer, one thread is as fast


def cores() -> int:
    """Return how many cores this process may use, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    """Return the threads of this process beside the calling one."""
    return ThreadPoolExecutor(max(1, cores() - 1), "goldgriff")


if hasattr(os, "register_at_fork"):  # a copy of the process has none of its threads
    os.register_at_fork(after_in_child=_pool.cache_clear)


class Threads:
    """Up to `count` threads; kernels run beside each other since they release the interpreter lock.

    Raises:
        SettingsError: `count` is not a whole number from 1.
    """

    def __init__(self, count: int) -> None:
        self.count = min(read_whole("threads", count, 1), cores())

    def run(self, work: Callable[..., Any], *by_row: NDArray[Any], decisions: int = 1) -> list[Any]:
        """Call `work` with all rows of some arrays, or with a part of them on each thread.

        Args:
            work: Called with a part of each array. The calling thread does a part, too.
            *by_row: Arrays of equal length.
            decisions: Roughly what a row takes, in decisions of a step.

        Returns:
            What `work` returned for each part, in order. An error is raised when no thread is at
            work any more.
        """
        parts = min(self.count, len(by_row[0]) * decisions // MIN_DECISIONS)
        if parts < 2:
            return [work(*by_row)]
        own, *others = zip(*(np.array_split(array, parts) for array in by_row), strict=True)
        futures = [_pool().submit(work, *arrays) for arrays in others]
        try:
            first = work(*own)
        finally:
            wait(futures)
        return [first, *(future.result() for future in futures)]
