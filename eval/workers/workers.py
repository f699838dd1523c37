"""Play shards in worker processes, where an agent that hangs or crashes can be stopped.

Processes rather than threads: only a process can be ended while an agent hangs in it, and agents
that hold Python's global lock run side by side. What an agent does to its process, and to the pipe
to the main one, is its fault: the agent that is asked at that moment, or the last one asked that is
a user's code, forfeits the game.
"""

import io
import pickle
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from ...agents.registry import load_agent
from ...envs.engine.game import Game
from ...errors import AgentError, GoldgriffError, SettingsError, quoted
from ...naming import counted
from ..tournament.config import TournamentConfig
from ..tournament.faults import Fault
from ..tournament.guard import Timeout
from ..tournament.matches import Forfeit, Outcomes
from ..tournament.shards import PlayerCountResults, Shard
from .processes import MAKING, NONE, READY, RETURNED, Broken, Worker
from .sources import AgentSource

MAX_WORKERS = 1024
TIME_LIMIT = 10.0  # seconds for one call of `act`
FIRST_CALL = 300.0  # at least, for an agent's first in a process: it may have to compile or load
_POLL_SECONDS = 0.1
_AHEAD = 2  # finished shards for each worker that may wait for an earlier one

# What answers are made of, by module and name as they are pickled; NumPy 1 and 2 differ in them.
_PARTS: tuple[Any, ...] = (Shard, PlayerCountResults, Outcomes, Forfeit, Fault, Broken)
_PARTS += (np.ndarray, np.dtype, np.zeros(0).__reduce__()[0])
_DATA = {(part.__module__, part.__qualname__): part for part in _PARTS}

_NONSENSE = "sent nonsense to the main process"

Progress = Callable[[int], None]


@dataclass(frozen=True)
class TimeLimit:
    """Limits on one call of `act`, in seconds; an agent's first in a process has at least `first`.

    Raises:
        GoldgriffError: The limit is not positive or above a million seconds.
    """

    call: float = TIME_LIMIT
    first: float = FIRST_CALL

    def __post_init__(self) -> None:
        if not (isinstance(self.call, float | int) and 0 < self.call <= 1e6):
            raise GoldgriffError(f"the time limit must be above 0 seconds, not {quoted(self.call)}")


def check_workers(workers: int) -> None:
    """Raise SettingsError unless `workers` is an integer from 1 to MAX_WORKERS."""
    if type(workers) is not int or not 1 <= workers <= MAX_WORKERS:
        raise SettingsError(
            f"workers must be a whole number from 1 to {MAX_WORKERS}, not {quoted(workers)}"
        )


def check_agents(names: Sequence[str], game: Game, limit: TimeLimit | None = None) -> None:
    """Load agents once; code of users runs in a process of its own.

    Raises:
        AgentError: One cannot be made; the message names it.
        CheckpointError: A checkpoint cannot be used.
    """
    sources = [AgentSource.named(name) for name in names]
    foreign = tuple(source for source in sources if source.is_code)
    for source in sources:
        if source not in foreign:
            load_agent(source.name, game)
    if foreign:
        pool = _WorkerPool(game, foreign, 1)
        pool.workers[0].status.closely = True
        with pool.running():
            while not pool.ready:
                pool.stop_overdue(limit or TimeLimit())
                list(pool.receive())


class _WorkerPool:
    """Workers, the shards that wait for them, and the timeouts so far.

    Attributes:
        closely: Shards in which an agent has sent nonsense. They are played again, watched closely,
            to find out which.
        ready: Whether a worker has made all agents.
    """

    def __init__(self, game: Game, agents: tuple[AgentSource, ...], workers: int) -> None:
        self.ready = False
        self.waiting: list[int] = []
        self.timeouts: dict[int, list[Timeout]] = {}
        self.closely = set[int]()
        self._agents = game, agents
        self._inbox = SimpleQueue[Any]()
        self.workers = [self._new() for _ in range(workers)]

    def _new(self) -> Worker:
        return Worker(*self._agents, self._inbox)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Stop all workers in the end."""
        try:
            yield
        finally:
            for worker in self.workers:
                worker.stop()

    def replace(self, worker: Worker, reason: str, *, first: bool = False) -> None:
        """Stop a worker and note why; another one is to play its shard again.

        Raises:
            AgentError: An agent was being made, or nobody is to blame.
        """
        worker.stop()
        status, shard = worker.status, worker.shard
        if reason == _NONSENSE and shard is not None and shard not in self.closely:
            self.closely.add(shard)
            self._replace(worker, shard)
            return
        call = status.last if status.call.player == NONE else status.call
        if call.player != NONE and call.decision == MAKING:
            raise AgentError(
                f"agent {quoted(self._agents[1][call.player].name)}: {reason} while it was made"
            )
        if shard is None and len(self.workers) > 1:  # the others play what is left
            self.workers.remove(worker)
            return
        if shard is None or call.player == NONE:
            raise AgentError(f"a process {reason} while no agent was asked; one of them may have")
        game = None if call.game == NONE else call.game
        timeout = Timeout(call.player, game, call.decision, first, _fault_of(reason))
        self.timeouts.setdefault(shard, []).append(timeout)
        self._replace(worker, shard)

    def _replace(self, worker: Worker, shard: int) -> None:
        self.waiting.insert(0, shard)
        self.workers[self.workers.index(worker)] = self._new()

    def assign(self, config: TournamentConfig, end: int) -> None:
        """Give idle workers the next shards below `end`."""
        for worker in self.workers:
            if worker.shard is None and self.waiting and self.waiting[0] < end:
                shard = self.waiting.pop(0)
                worker.play(
                    *(config, shard, self.timeouts.get(shard, ())), closely=shard in self.closely
                )

    def stop_overdue(self, limit: TimeLimit) -> None:
        """Replace workers in which an agent has taken too long."""
        for worker in list(self.workers):
            status, reason = worker.status, f"did not answer within {counted(limit.call, 'second')}"
            allowed, first = limit.call, status.first
            if first:
                allowed, reason = max(allowed, limit.first), "did not answer its first question"
            if status.call.decision == MAKING:
                reason = f"took more than {counted(allowed, 'second')}"
            if status.call.player != NONE and time.monotonic() - status.since > allowed:
                self.replace(worker, reason, first=first)

    def receive(self) -> Iterator[Shard]:
        """Yield a shard if one arrives within a moment; replace workers that are at fault."""
        try:
            worker, content = self._inbox.get(timeout=_POLL_SECONDS)
        except Empty:
            self._find_silent()
            return
        if worker not in self.workers:  # it has been replaced
            return
        message = _read(content)
        if isinstance(message, str) and message == READY:
            self.ready = True
        elif isinstance(message, str) and message == RETURNED:
            worker.status.read = True
        elif isinstance(message, GoldgriffError):
            raise message
        elif isinstance(message, Shard) and message.number == worker.shard:
            worker.shard = None
            yield message
        elif isinstance(message, Broken):
            self.replace(worker, message.reason)
        else:
            if not content:  # it is about to end
                worker.process.join(1)
            self.replace(worker, _end_of(worker))

    def _find_silent(self) -> None:
        """Replace workers that have ended, or sent a part of an answer, with nothing on its way."""
        for worker in list(self.workers):
            if not worker.process.is_alive() or (worker.shard is not None and worker.is_late):
                self.replace(worker, _end_of(worker))
            worker.is_late = worker.shard is not None and worker.status.sent == worker.shard


class ShardPlayer:
    """Plays one shard after another in a worker process of its own, which it keeps.

    Args:
        config: The tournament.
        agents: The agents of `config.names`.
        limit: Time limit of the agents.
    """

    def __init__(
        self, config: TournamentConfig, agents: Sequence[AgentSource], limit: TimeLimit
    ) -> None:
        self._config, self._agents, self._limit = config, tuple(agents), limit
        self._pool = _WorkerPool(config.game, self._agents, 1)

    def play(self, number: int) -> Shard:
        """Play a shard.

        Raises:
            AgentError: As `play_shards`.
        """
        if not self._pool.workers[0].process.is_alive():  # it ended after its last shard
            self.stop()
            self._pool = _WorkerPool(self._config.game, self._agents, 1)
        self._pool.waiting.append(number)
        while True:
            self._pool.assign(self._config, number + 1)
            self._pool.stop_overdue(self._limit)
            for shard in self._pool.receive():
                return shard

    def stop(self) -> None:
        """End the process."""
        for worker in self._pool.workers:
            worker.stop()


class _Answers(pickle.Unpickler):
    """Reads what a worker sends: an agent may have sent it, so nothing but data is made of it."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a class of answers, or a function of NumPy that makes an array of bytes."""
        found = _DATA.get((module, name))
        if found is None and module in sys.modules:
            found = getattr(sys.modules[module], name, None)
            if not (isinstance(found, type) and issubclass(found, GoldgriffError)):
                found = None
        if found is None:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of an answer")
        return found


def _read(content: bytes) -> Any:
    """Return what a worker sent, None where that cannot be read."""
    try:
        return _Answers(io.BytesIO(content)).load()
    except Exception:
        return None


def _fault_of(reason: str) -> Fault:
    """Return the fault that a reason describes."""
    if reason.startswith("did not answer within "):
        time = reason.removeprefix("did not answer within ")
        return Fault("timeout", {"time": time, "seconds": time.partition(" ")[0]})
    if reason == "did not answer its first question":
        return Fault("timeout-first")
    if reason.startswith("ended its process (exit code "):
        return Fault("ended", {"status": reason.partition("exit code ")[2].removesuffix(")")})
    return Fault("nonsense")


def _end_of(worker: Worker) -> str:
    """Return what an agent did to a worker that has ended or no longer answers."""
    code = worker.process.exitcode
    return _NONSENSE if code is None else f"ended its process (exit code {code})"


def play_shards(
    config: TournamentConfig,
    shards: range,
    agents: Sequence[AgentSource],
    workers: int,
    limit: TimeLimit,
    on_progress: Progress,
) -> Generator[Shard, None, None]:
    """Play shards in worker processes and yield them in their order.

    Args:
        config: The tournament.
        shards: Numbers of the shards.
        agents: The agents of `config.names`.
        workers: Number of processes.
        limit: Time limit of the agents.
        on_progress: Called with the number of games of `shards` that are over.

    Raises:
        AgentError: An agent cannot be made, or a process ends while no agent is called.
    """
    done: dict[int, Shard] = {}
    due, games = shards.start, 0
    pool = _WorkerPool(config.game, tuple(agents), min(workers, len(shards)))
    pool.waiting += shards
    with pool.running():
        while due < shards.stop:
            pool.assign(config, due + _AHEAD * len(pool.workers))
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
