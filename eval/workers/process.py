"""A process that makes an object and calls its methods; it ends with the process that began it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import Any

import cloudpickle

from ...cli.stopping import Stopped, stoppable
from ...envs.engine import cache
from ...errors import GoldgriffError

MOMENT = 0.1  # seconds between two looks at a process
_PATIENCE = 30.0  # seconds in which a process that is interrupted saves what it has
_LOOK = 1.0  # seconds between two looks at the parent of a process
_DEATH = 1.0  # seconds in which a process that has closed its pipe ends


class ProcessEndedError(GoldgriffError):
    """A process ended while something was due from it.

    Attributes:
        status: Its exit code; the negative number of a signal that ended it.
    """

    def __init__(self, status: int) -> None:
        super().__init__(f"a process ended (exit code {status})")
        self.status = status


class WorkerProcess:
    """An object in a process of its own, whose methods are called there, one at a time.

    The process has a session of its own: signals of the terminal do not reach it, and processes
    that it begins end with it. It ends when its pipe is closed or this process has ended, for
    whatever reason; other processes may have inherited the pipe.

    Args:
        make: Returns the object; like arguments and results it travels by cloudpickle.
        arguments: Its arguments.

    Attributes:
        connection: The pipe to the process; it can be read when an answer has come.
    """

    def __init__(self, make: Callable[..., Any], *arguments: Any) -> None:
        self.start(make, arguments)

    def start(
        self, make: Callable[..., Any], arguments: tuple[Any, ...], files: Sequence[int] = ()
    ) -> None:
        """Start the process; it inherits the descriptors of some files."""
        self._patience = 0.0
        self.connection, theirs = Pipe()
        code = f"from {__name__} import serve; serve({theirs.fileno()}, {os.getpid()})"
        with theirs:  # open here only until the process has it, so that its end is noticed
            self._process = subprocess.Popen(
                [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {code}"],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno(), *files],
                start_new_session=True,
            )
        self.send(make, *arguments)

    def begin(self, *task: Any) -> None:
        """Call the object; `receive` returns what it returns."""
        self.send("__call__", *task)

    def send(self, method: str | Callable[..., Any], *arguments: Any) -> None:
        """Call a method; `receive` returns what it returns."""
        with suppress(OSError):  # the process has ended, as `receive` says
            self.connection.send_bytes(cloudpickle.dumps((method, arguments)))

    def is_ready(self, timeout: float = 0.0) -> bool:
        """Return whether `receive` need not wait: an answer has come, or the process has ended."""
        if self.connection.closed:
            return True
        return self.connection.poll(timeout) or self._process.poll() is not None

    def receive(self) -> Any:
        """Wait for an answer and return it.

        Raises:
            GoldgriffError: As the method or the making of the object. The process ends then.
            ProcessEndedError: There is no answer.
        """
        while not self.is_ready(MOMENT):
            pass
        return self._read()

    def _read(self) -> Any:
        """Return the answer that is there, or raise as `receive`."""
        try:
            if not self.connection.poll():  # a process that it began may have the pipe still
                raise EOFError
            answer = cloudpickle.loads(self.connection.recv_bytes())
        except (EOFError, OSError):
            self._patience = _DEATH
            self.stop()
            raise ProcessEndedError(self._process.returncode) from None
        if isinstance(answer, GoldgriffError):
            raise answer
        return answer

    def interrupt(self) -> None:
        """Ask the process to end; `stop` lets it save what it has."""
        self._patience = _PATIENCE
        self._process.terminate()

    def stop(self) -> None:
        """End the process and those that it began, whatever they are doing."""
        if self.connection.closed:
            return
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(self._patience)
        with suppress(OSError):  # nothing of it is left
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self.connection.close()


def serve(descriptor: int, parent: int) -> None:
    """Make an object and call its methods as messages say: the main function of the process.

    Args:
        descriptor: The pipe.
        parent: The process that began it.
    """
    cache.quiet = True
    connection, messages = Connection(descriptor), SimpleQueue[bytes]()
    Thread(target=_receive, args=(connection, messages, parent), daemon=True).start()
    with suppress(Stopped), stoppable():
        try:
            make, arguments = cloudpickle.loads(messages.get())
            target = make(*arguments)
            while True:
                method, arguments = cloudpickle.loads(messages.get())
                answer = getattr(target, method)(*arguments)
                connection.send_bytes(cloudpickle.dumps(answer))
        except GoldgriffError as error:
            connection.send_bytes(cloudpickle.dumps(error))


def _receive(connection: Connection, messages: SimpleQueue[bytes], parent: int) -> None:
    """Pass messages on until the pipe or the parent is gone; end the process then, busy or not."""
    with suppress(EOFError, OSError):
        while os.getppid() == parent:
            if connection.poll(_LOOK):
                messages.put(connection.recv_bytes())
    os.killpg(0, signal.SIGKILL)
