"""Threads: parts in order, whoever asks, and after errors and forks, too."""

import contextlib
import gc
import multiprocessing
import os
import threading
import weakref
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from goldgriff.envs.engine import threads as threads_module
from goldgriff.envs.engine.threads import Threads
from goldgriff.errors import SettingsError

Numbers = NDArray[np.int64]
every_core = threads_module.cores  # before the fixture replaces it


@pytest.fixture(autouse=True)
def many_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads for few rows, too, and on any machine."""
    monkeypatch.setattr(threads_module, "MIN_DECISIONS", 1)
    monkeypatch.setattr("goldgriff.envs.engine.threads.cores", lambda: 8)
    threads_module._pool.cache_clear()


def test_no_more_threads_than_cores_that_may_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process may be kept to a few of the machine's cores."""
    monkeypatch.setattr("goldgriff.envs.engine.threads.cores", every_core)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert Threads(4).count == 1
    monkeypatch.delattr(os, "sched_getaffinity")
    assert Threads(4).count == 4


def first_and_thread(numbers: Numbers) -> tuple[int, int]:
    return int(numbers[0]), threading.get_ident()


def test_results_come_in_order_and_the_caller_does_the_first_part() -> None:
    for _ in range(50):
        results = Threads(3).run(first_and_thread, np.arange(30))
        assert [first for first, _ in results] == [0, 10, 20]
        assert results[0][1] == threading.get_ident()


def test_arrays_are_split_alike() -> None:
    def both(left: Numbers, right: Numbers) -> list[tuple[int, int]]:
        return list(zip(left.tolist(), right.tolist(), strict=True))

    parts = Threads(2).run(both, np.arange(5), np.arange(5, 10))
    assert parts == [[(0, 5), (1, 6), (2, 7)], [(3, 8), (4, 9)]]


def test_work_is_done_once() -> None:
    out = np.zeros(1000, np.int64)

    def add(numbers: Numbers, sums: Numbers) -> None:
        sums += numbers

    for _ in range(200):
        Threads(4).run(add, np.arange(1000), out)
    assert (out == 200 * np.arange(1000)).all()


@pytest.mark.parametrize("where", [0, 10])
def test_an_error_is_raised_and_the_next_call_works(where: int) -> None:
    """In the own part, and in a helper's."""

    def fail(numbers: Numbers) -> int:
        if numbers[0] == where:
            raise KeyError(where)
        return int(numbers[0])

    with pytest.raises(KeyError):
        Threads(2).run(fail, np.arange(20))
    assert Threads(2).run(fail, np.arange(100, 120)) == [100, 110]


def test_when_an_error_is_raised_nobody_is_at_work_any_more() -> None:
    done: list[int] = []

    def fail_or_take_long(numbers: Numbers) -> None:
        if numbers[0] == 0:
            raise KeyError
        done.append(sum(range(2_000_000)))

    with pytest.raises(KeyError):
        Threads(3).run(fail_or_take_long, np.arange(30))
    assert len(done) == 2


def test_many_may_ask_at_once() -> None:
    failures: list[Any] = []

    def ask() -> None:
        for _ in range(200):
            total = sum(Threads(2).run(lambda numbers: int(numbers.sum()), np.arange(100)))
            if total != 4950:
                failures.append(total)

    askers = [threading.Thread(target=ask) for _ in range(4)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert not failures


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_process_has_helpers_of_its_own() -> None:
    def use(_: int = 0) -> None:
        assert Threads(2).run(len, np.arange(20)) == [10, 10]

    use()
    child = multiprocessing.get_context("fork").Process(target=use)
    child.start()
    child.join(timeout=60)
    assert child.exitcode == 0


@pytest.mark.parametrize("fails", [False, True])
def test_what_a_part_holds_is_let_go_of(fails: bool) -> None:
    """A helper that waits for its next job keeps nothing alive."""

    class Held:
        def __call__(self, numbers: Numbers) -> None:
            if fails:
                raise KeyError(len(numbers))

    def use() -> weakref.ref[Held]:
        work = Held()
        with contextlib.suppress(KeyError):
            Threads(2).run(work, np.arange(20))
        return weakref.ref(work)

    gone = use()
    gc.collect()  # an error and its traceback hold each other
    assert gone() is None


@pytest.mark.parametrize("count", [0, -1, 1.0, True, "2"])
def test_a_count_that_is_none_is_refused(count: Any) -> None:
    with pytest.raises(SettingsError, match="threads must be a whole number from 1"):
        Threads(count)
