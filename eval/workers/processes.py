"""A worker process of a tournament: it makes the agents and plays the shards that it is sent.

What it does stands in memory that it shares with the main process, so that this one knows which
agent hangs, or has ended the process.
"""

import ctypes
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from threading import Lock, Thread
from types import ModuleType
from typing import Any

from ...envs.engine.game import Game
from ...errors import GoldgriffError, describe_error, one_line
from ..tournament.config import TournamentConfig
from ..tournament.guard import Timeout
from ..tournament.shards import Shard, play_shard
from .sources import AgentSource

NONE = -1
MAKING = -2  # in place of a number of decisions: the agent is being made
READY = "ready"  # sent when all agents are made
RETURNED = "returned"  # sent after a call, where the worker is watched closely
_STOPPING = {signal.SIGINT, signal.SIGTERM}
_MAX_MESSAGE = 1 << 30  # bytes
_MOMENT = 1e-4  # seconds

_PROCESSES = multiprocessing.get_context("spawn")
_STARTING = Lock()


@dataclass(frozen=True)
class Broken:
    """The answer of a worker in which a shard cannot be played: the reason."""

    reason: str


class Call(ctypes.Structure):
    """A call of an agent, in memory that a worker shares with the main process.

    Attributes:
        player: Index of the agent, or -1 for none.
        game: Number of its game, or -1 for many.
        decision: Decisions made in that game before; -2 while the agent is made.
    """

    _fields_ = (
        ("player", ctypes.c_int64),
        ("game", ctypes.c_int64),
        ("decision", ctypes.c_int64),
    )


class Status(ctypes.Structure):
    """What a worker is doing, in memory that it shares with the main process.

    Attributes:
        call: The call under way.
        last: The last call of a user's code in this shard.
        since: Time at which the call under way began.
        first: Whether it is the agent's first call in the process.
        finished: Games of the shard that are over.
        sent: Number of the shard that was sent last. The worker may write it when it has the next
            order already, so it counts only if it is that of the shard under way.
        closely: Whether RETURNED is sent after each call of a user's code; the worker goes on when
            the main process has read it. What else it finds is then from this call.
        read: Whether the main process has read it.
    """

    _fields_ = (
        ("call", Call),
        ("last", Call),
        ("since", ctypes.c_double),
        ("first", ctypes.c_bool),
        ("finished", ctypes.c_int64),
        ("sent", ctypes.c_int64),
        ("closely", ctypes.c_bool),
        ("read", ctypes.c_bool),
    )


class Watch:
    """Writes the status of a worker around every call of an agent."""

    def __init__(
        self, status: Status, connection: Connection, agents: Sequence[AgentSource]
    ) -> None:
        self._status = status
        self._connection = connection
        self._file = connection.fileno()
        self._pipe = os.fstat(self._file)
        self._foreign = {number for number, agent in enumerate(agents) if agent.is_code}
        self._returned = set[int]()

    @contextmanager
    def __call__(self, player: int, game: int | None, decision: int) -> Iterator[None]:
        """Note a call, then that it is over; end the process if its pipe is closed then."""
        status, call = self._status, self._status.call
        call.game, call.decision = NONE if game is None else game, decision
        status.first, status.since = player not in self._returned, time.monotonic()
        if player in self._foreign and decision != MAKING:
            status.last = Call(player, call.game, decision)
        call.player = player  # last: from here on the time limit runs
        try:
            yield
        finally:
            if not self._is_connected():
                os._exit(1)  # as the agent's fault
            if status.closely and player in self._foreign:
                self._wait_to_be_read()
            call.player = NONE
            if decision != MAKING:
                self._returned.add(player)

    def _wait_to_be_read(self) -> None:
        """Wait until the main process has read all that was sent."""
        self._status.read = False
        self._connection.send(RETURNED)
        while not self._status.read:
            time.sleep(_MOMENT)

    def _is_connected(self) -> bool:
        """Return whether the pipe to the main process is still open."""
        try:
            return os.path.samestat(os.fstat(self._file), self._pipe)
        except OSError:
            return False


def serve(
    connection: Connection, status: Status, game: Game, agents: tuple[AgentSource, ...]
) -> None:
    """Make the agents, then play the shards that arrive: the main function of a worker."""
    watch = Watch(status, connection, agents)

    def count_finished(games: int) -> None:
        status.finished += games

    def play(order: tuple[TournamentConfig, int, Sequence[Timeout]]) -> Shard | Broken:
        try:
            return play_shard(*order[:2], players, order[2], watch, count_finished)
        except BaseException as error:
            if status.last.player == NONE:
                raise
            return Broken(one_line(f"broke its process: {describe_error(error)}"))

    try:
        players = []
        for number, agent in enumerate(agents):
            with watch(number, None, MAKING):
                players.append(agent.player(game))
        connection.send(READY)
        while True:
            order = connection.recv()
            connection.send(play(order))
            status.sent = order[1]
    except (EOFError, BrokenPipeError):
        return
    except GoldgriffError as error:
        connection.send(error)


@contextmanager
def without_main() -> Iterator[None]:
    """Keep a process that begins from importing the script of the caller.

    Agents of a script travel as bytes. If a worker ran the script as `multiprocessing` does, the
    script would need a main guard.
    """
    with _STARTING:
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = script


def start_process(function: Callable[..., None], *args: Any) -> BaseProcess:
    """Start a process that calls a function; it ends with this one, at the latest.

    What stops all, such as Ctrl+C, reaches this process only, also while the other imports.
    """
    process = _PROCESSES.Process(target=_call, args=(function, args), daemon=True)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)
    try:
        with without_main():
            process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return process


def _call(function: Callable[..., None], args: tuple[Any, ...]) -> None:
    """Call a function in a process of `start_process`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process ends it
    os.setsid()  # so that the processes that it begins end with it
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPPING)
    Thread(target=_end_with_main, daemon=True).start()
    function(*args)


def _end_with_main() -> None:
    """Wait until the main process ends; end this one then, whatever it is doing."""
    main = multiprocessing.parent_process()
    if main is not None:
        main.join()
        os.killpg(0, signal.SIGKILL)


class Worker:
    """A process and the shard it plays; what it sends goes into `inbox`, with this object."""

    def __init__(
        self, game: Game, agents: tuple[AgentSource, ...], inbox: SimpleQueue[Any]
    ) -> None:
        self.status = _PROCESSES.RawValue(Status, (NONE,), (NONE,))
        self.connection, theirs = _PROCESSES.Pipe()
        self.process = start_process(serve, theirs, self.status, game, agents)
        theirs.close()  # so that the end of the process is noticed here
        self.shard: int | None = None
        self.is_late = False
        self._listener = Thread(target=self._listen, args=(inbox,), daemon=True)
        self._listener.start()

    def play(
        self, config: TournamentConfig, shard: int, timeouts: Sequence[Timeout], *, closely: bool
    ) -> None:
        """Begin a shard; see `Status.closely`."""
        self.shard, self.is_late, self.status.closely = shard, False, closely
        self.status.finished, self.status.sent, self.status.last.player = 0, NONE, NONE
        with suppress(OSError):  # it has just ended, which `receive` finds
            self.connection.send((config, shard, tuple(timeouts)))

    def stop(self) -> None:
        """End the process and those that it began, whatever they are doing."""
        if self.process.pid:
            with suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()
        self._listener.join(1)
        self.connection.close()

    def _listen(self, inbox: SimpleQueue[Any]) -> None:
        """Put messages into `inbox`, at the end an empty one: where one breaks off, this waits."""
        with suppress(EOFError, OSError, MemoryError):
            while True:
                inbox.put((self, self.connection.recv_bytes(_MAX_MESSAGE)))
        inbox.put((self, b""))
