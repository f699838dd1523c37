"""Play shards in worker processes, where an agent that hangs or crashes can be stopped.

Processes rather than threads: only a process can be ended while an agent hangs in it, and agents
that hold Python's global lock run side by side.
"""

import ctypes
import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait

from ..agents.registry import load_agent
from ..errors import AgentError, GoldgriffError, SettingsError
from .config import TournamentConfig
from .guard import Player, Timeout
from .shards import Shard, play_shard

TIME_LIMIT = 10.0  # seconds for one call of `act`
FIRST_CALL = 300.0  # at least, for an agent's first in a process: it may have to compile or load
_POLL_SECONDS = 0.1
_AHEAD = 2  # finished shards for each worker that may wait for an earlier one
_NONE = -1

Progress = Callable[[int], None]
_PROCESSES = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class TimeLimit:
    """Limits on one call of `act`, in seconds; an agent's first in a process has at least `first`.

    Raises:
        GoldgriffError: The limit is not positive or above a million seconds.
    """

    call: float = TIME_LIMIT
    first: float = FIRST_CALL

    def __post_init__(self) -> None:
        if not 0 < self.call <= 1e6:
            raise GoldgriffError(f"the time limit must be above 0 seconds, not {self.call}")


def check_workers(workers: int) -> None:
    """Raise SettingsError unless `workers` is a positive integer."""
    if type(workers) is not int or workers < 1:
        raise SettingsError(f"workers must be a whole number from 1, not {workers!r}")


class _Status(ctypes.Structure):
    """What a worker is doing, in memory that it shares with the main process.

    Attributes:
        player: Index of the agent that is being called, or -1.
        game: Number of its game, or -1 for many.
        decision: Decisions made in that game before.
        since: Time at which the call began.
        first: Whether it is the agent's first call in the process.
        finished: Games of the shard that are over.
    """

    _fields_ = (
        ("player", ctypes.c_int64),
        ("game", ctypes.c_int64),
        ("decision", ctypes.c_int64),
        ("since", ctypes.c_double),
        ("first", ctypes.c_bool),
        ("finished", ctypes.c_int64),
    )


def _serve(connection: Connection, status: _Status, config: TournamentConfig) -> None:
    """Make the agents, then play the shards that arrive: the main function of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process ends it
    returned = set[int]()

    @contextmanager
    def watchdog(player: int, game: int | None, decision: int) -> Iterator[None]:
        main = multiprocessing.parent_process()
        if main is not None and not main.is_alive():  # it was killed
            sys.exit()
        status.game = _NONE if game is None else game
        status.decision, status.first = decision, player not in returned
        status.since = time.monotonic()
        status.player = player  # last: from here on the time limit runs
        try:
            yield
        finally:
            status.player = _NONE
            returned.add(player)

    def count_finished(games: int) -> None:
        status.finished += games

    try:
        players = [Player(name, load_agent(name, config.game)) for name in config.names]
        while True:
            number, timeouts = connection.recv()
            connection.send(play_shard(config, number, players, timeouts, watchdog, count_finished))
    except (EOFError, BrokenPipeError):
        return
    except GoldgriffError as error:
        connection.send(error)


class _Worker:
    """A process and the shard it plays."""

    def __init__(self, config: TournamentConfig) -> None:
        self.status = _PROCESSES.RawValue(_Status, _NONE)
        self.connection, theirs = _PROCESSES.Pipe()
        self.process = _PROCESSES.Process(
            target=_serve, args=(theirs, self.status, config), daemon=True
        )
        self.process.start()
        theirs.close()  # so that the end of the process is noticed here
        self.shard: int | None = None

    def play(self, shard: int, timeouts: Sequence[Timeout]) -> None:
        """Begin a shard."""
        self.shard, self.status.finished = shard, 0
        self.connection.send((shard, tuple(timeouts)))

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self.process.kill()
        self.process.join()
        self.connection.close()


class _WorkerPool:
    """Workers, the shards that wait for them, and the timeouts so far."""

    def __init__(self, config: TournamentConfig, shards: range, workers: int) -> None:
        self.config = config
        self.waiting = list(shards)
        self.timeouts: dict[int, list[Timeout]] = {}
        self.workers = [_Worker(config) for _ in range(min(workers, len(shards)))]

    def replace(self, worker: _Worker, reason: str, *, first: bool) -> None:
        """Stop a worker and note why; another one is to play its shard again."""
        worker.stop()
        status, shard = worker.status, worker.shard
        if shard is None or status.player == _NONE:
            raise AgentError(f"a process {reason} while no agent was asked; one of them may have")
        game = None if status.game == _NONE else status.game
        timeout = Timeout(status.player, game, status.decision, first, reason)
        self.timeouts.setdefault(shard, []).append(timeout)
        self.waiting.insert(0, shard)
        self.workers[self.workers.index(worker)] = _Worker(self.config)

    def assign(self, end: int) -> None:
        """Give idle workers the next shards below `end`."""
        for worker in self.workers:
            if worker.shard is None and self.waiting and self.waiting[0] < end:
                shard = self.waiting.pop(0)
                worker.play(shard, self.timeouts.get(shard, ()))

    def stop_overdue(self, limit: TimeLimit) -> None:
        """Replace workers in which an agent has taken too long."""
        for worker in list(self.workers):
            status, reason = worker.status, f"did not answer within {limit.call:g} seconds"
            allowed, first = limit.call, status.first
            if first:
                allowed, reason = max(allowed, limit.first), "did not answer its first question"
            if status.player != _NONE and time.monotonic() - status.since > allowed:
                self.replace(worker, reason, first=first)

    def receive(self) -> Iterator[Shard]:
        """Yield the shards that arrive within a moment; replace workers that have ended."""
        busy = [worker.connection for worker in self.workers if worker.shard is not None]
        for connection in wait(busy, timeout=_POLL_SECONDS):
            worker = next(one for one in self.workers if one.connection is connection)
            try:
                message = worker.connection.recv()
            except (EOFError, OSError):
                worker.process.join()
                reason = f"ended its process (exit code {worker.process.exitcode})"
                # `first` stays false: it would depend on the number of workers.
                self.replace(worker, reason, first=False)
                continue
            if not isinstance(message, Shard):
                raise message
            worker.shard = None
            yield message


def play_shards(
    config: TournamentConfig, shards: range, workers: int, limit: TimeLimit, on_progress: Progress
) -> Generator[Shard, None, None]:
    """Play shards in worker processes and yield them in their order.

    Args:
        config: The tournament.
        shards: Numbers of the shards.
        workers: Number of processes.
        limit: Time limit of the agents.
        on_progress: Called with the number of games of `shards` that are over.

    Raises:
        AgentError: An agent cannot be made, or a process ends while no agent is called.
    """
    done: dict[int, Shard] = {}
    due, games = shards.start, 0
    pool = _WorkerPool(config, shards, workers)
    try:
        while due < shards.stop:
            pool.assign(due + _AHEAD * len(pool.workers))
            pool.stop_overdue(limit)
            done.update((shard.number, shard) for shard in pool.receive())
            over = games + sum(shard.games for shard in done.values())
            playing = [one.status.finished for one in pool.workers if one.shard is not None]
            on_progress(over + sum(playing))
            while due in done:
                shard = done.pop(due)
                games += shard.games
                due += 1
                yield shard
    finally:
        for worker in pool.workers:
            worker.stop()
