"""Running a kernel over many rows, in equal parts on some threads."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.core.errors import SettingsError

WORTH_A_THREAD = 256  # rows; fewer are faster on one thread


class Threads:
    """Up to `count` threads; kernels run beside each other since they hold no interpreter lock.

    Raises SettingsError when `count` is not a whole number from 1.
    """

    def __init__(self, count: int) -> None:
        if type(count) is not int or count < 1:
            raise SettingsError(f"threads must be a whole number from 1, not {count!r}")
        self.count = min(count, os.cpu_count() or 1)
        self._pool: ThreadPoolExecutor | None = None  # made when first needed

    def run(self, work: Callable[..., Any], *by_row: NDArray[Any]) -> list[Any]:
        """Call `work` with all rows of some arrays, or with a part of them on each thread.

        The calling thread does a part, too. Returns what `work` returned for each, in order.
        """
        if self.count == 1 or len(by_row[0]) < WORTH_A_THREAD * self.count:
            return [work(*by_row)]
        self._pool = self._pool or ThreadPoolExecutor(self.count - 1)
        own, *others = zip(*(np.array_split(array, self.count) for array in by_row), strict=True)
        running = [self._pool.submit(work, *part) for part in others]
        return [work(*own), *(part.result() for part in running)]

    def __getstate__(self) -> dict[str, Any]:
        """All but the threads: a copy makes its own."""
        return {"count": self.count, "_pool": None}
