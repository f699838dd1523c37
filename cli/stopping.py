"""One signal stops a command: SIGINT (Ctrl+C) and SIGTERM end it with what is done so far kept."""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_PATIENCE = 2.0  # seconds after the first signal in which others change nothing


class Stopped(KeyboardInterrupt):
    """A signal has asked the process to end.

    Attributes:
        status: The exit status: 130 for SIGINT, 143 for SIGTERM.
        resume: The command that goes on with what was stopped; empty where there is none.
    """

    def __init__(self, number: int) -> None:
        super().__init__(f"stopped by {signal.Signals(number).name}")
        self.status = 128 + number
        self.resume = ""

    @property
    def line(self) -> str:
        """The message for standard error."""
        return f"{self}; go on with: {self.resume}" if self.resume else str(self)


@dataclass
class _State:
    """The signals of this process: the first one, when it came, and whether it has to wait."""

    number: int | None = None
    since: float = 0.0
    deferred: int = 0


_state = _State()


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """Raise Stopped in this context when a signal comes, at the latest at its end.

    A signal that the process ignores, as a shell lets a command in the background ignore SIGINT,
    stays ignored. Only the main thread receives signals; in others this does nothing.
    """
    global _state  # noqa: PLW0603  (signals belong to the process)
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    outer, _state = _state, _State()
    before: dict[int, Any] = {
        number: signal.signal(number, _handle)
        for number in _SIGNALS
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
        check()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        _state = outer


@contextlib.contextmanager
def deferred() -> Iterator[None]:
    """Let signals wait in this context, which ends soon after `is_requested`.

    Only a second one, some time later, raises Stopped inside. As `stoppable`, it does nothing in
    other threads than the main one.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _state.deferred += 1
    try:
        yield
    finally:
        _state.deferred -= 1
    if not _state.deferred:
        check()


def is_requested() -> bool:
    """Return whether a signal has come."""
    return _state.number is not None


def check() -> None:
    """Raise Stopped if a signal has come."""
    if _state.number is not None:
        raise Stopped(_state.number)


@contextlib.contextmanager
def resumable(command: str | Callable[[], str]) -> Iterator[None]:
    """Name the command that goes on, where a signal stops the body.

    Args:
        command: The command, or a function that returns it: "" where nothing can go on.
    """
    try:
        yield
    except Stopped as stop:
        stop.resume = command if isinstance(command, str) else command()
        raise


def _handle(number: int, _: FrameType | None) -> None:
    if _state.number is None:
        _state.number, _state.since = number, time.monotonic()
        if not _state.deferred:
            raise Stopped(number)
        if os.isatty(2):
            os.write(2, b"\nstopping as soon as what is under way is done; again: at once\n")
    elif time.monotonic() - _state.since > _PATIENCE:  # programs pass on what they get, too
        raise Stopped(_state.number)
