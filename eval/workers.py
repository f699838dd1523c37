"""Playing blocks in processes of their own, where an agent that hangs or crashes can be stopped.

Processes rather than threads: only a process can be ended while an agent hangs in it, and agents
bound to Python's lock run side by side.
"""

import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from ..agents.registry import load_agent
from ..errors import AgentError, GoldgriffError, SettingsError
from .config import TournamentConfig
from .guard import Clock, Hang, Player
from .shards import Shard, play_shard

TIME_LIMIT = 10.0  # seconds for one call of `act`
FIRST_CALL = 300.0  # at least, for an agent's first in a process: it may have to compile or load
_TICK = 0.1  # seconds between looks at the clock
_AHEAD = 2  # blocks for each worker that may wait for an earlier one
_NO = -1.0

# What a worker writes where the watching process reads it.
_PLAYER, _GAME, _MOVE, _SINCE, _FIRST, _FINISHED, _CELLS = range(7)

Progress = Callable[[int], None]
_PROCESSES = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class TimeLimit:
    """Seconds that one call of `act` may take; an agent's first in a process at least `first`."""

    call: float = TIME_LIMIT
    first: float = FIRST_CALL

    def __post_init__(self) -> None:
        if not 0 < self.call <= 1e6:
            raise GoldgriffError(f"the time limit must be above 0 seconds, not {self.call}")


def check_workers(workers: int) -> None:
    """Raise SettingsError for a number of processes that is none."""
    if type(workers) is not int or workers < 1:
        raise SettingsError(f"workers must be a whole number from 1, not {workers!r}")


class _SharedClock(Clock):
    """Writes who is being asked since when into memory that another process reads."""

    def __init__(self, cells: Any, known: set[int] | None = None, offset: int = 0) -> None:
        self._cells = cells
        self._known = set() if known is None else known  # who has answered in this process
        self._offset = offset
        self._asked = int(_NO)

    def moved(self, games: int) -> Clock:
        """The same with games counted from another one on."""
        return _SharedClock(self._cells, self._known, games)

    def asking(self, player: int, game: int | None, move: int) -> None:
        """A player is asked; where nobody watches any more, the process ends."""
        if not _watched():
            sys.exit()
        cells = self._cells
        cells[_GAME] = _NO if game is None else game + self._offset
        cells[_MOVE], cells[_FIRST] = move, player not in self._known
        cells[_SINCE] = time.monotonic()
        self._asked = player
        cells[_PLAYER] = player  # last: from here on the clock runs

    def answered(self) -> None:
        """It has answered."""
        self._cells[_PLAYER] = _NO
        self._known.add(self._asked)


def _watched() -> bool:
    """Whether the process that started this one is still there: it may have been killed."""
    parent = multiprocessing.parent_process()
    return parent is None or parent.is_alive()


def _serve(connection: Connection, cells: Any, plan: TournamentConfig) -> None:
    """What a worker does: make the agents, then play block after block."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started it ends it
    clock = _SharedClock(cells)

    def finished(games: int) -> None:
        cells[_FINISHED] += games

    try:
        players = [Player(name, load_agent(name, plan.game)) for name in plan.names]
        while True:
            number, hangs = connection.recv()
            connection.send(play_shard(plan, number, players, hangs, clock, finished))
    except (EOFError, BrokenPipeError):
        return
    except GoldgriffError as error:
        connection.send(error)


class _Worker:
    """A process and the block it plays."""

    def __init__(self, plan: TournamentConfig) -> None:
        self.cells = _PROCESSES.RawArray("d", [_NO, _NO, 0, 0, 0, 0])
        self.connection, theirs = _PROCESSES.Pipe()
        self.process = _PROCESSES.Process(
            target=_serve, args=(theirs, self.cells, plan), daemon=True
        )
        self.process.start()
        theirs.close()  # so that its end is noticed here
        self.block: int | None = None

    def play(self, block: int, hangs: Sequence[Hang]) -> None:
        """Begin with a block."""
        self.block = block
        self.cells[_FINISHED] = 0
        self.connection.send((block, tuple(hangs)))

    @property
    def finished(self) -> int:
        """Games of its block that are over."""
        return int(self.cells[_FINISHED]) if self.block is not None else 0

    def overdue(self, limit: TimeLimit) -> bool:
        """Whether an agent has taken too long."""
        allowed = max(limit.call, limit.first) if self.cells[_FIRST] else limit.call
        asked = self.cells[_PLAYER] != _NO
        return bool(asked and time.monotonic() - self.cells[_SINCE] > allowed)

    def question(self, reason: str, *, first: bool) -> Hang:
        """The question that was open when the process was stopped."""
        player, game = int(self.cells[_PLAYER]), int(self.cells[_GAME])
        return Hang(player, None if game < 0 else game, int(self.cells[_MOVE]), first, reason)

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self.process.kill()
        self.process.join()
        self.connection.close()


def play_shards(
    plan: TournamentConfig, numbers: range, workers: int, limit: TimeLimit, on_progress: Progress
) -> Generator[Shard, None, None]:
    """Play blocks in processes and hand them out in their order.

    on_progress: called with the number of games of `numbers` that are over.
    Raises AgentError when an agent cannot be made, or ends a process while it is not asked.
    """
    hangs: dict[int, list[Hang]] = {}
    done: dict[int, Shard] = {}
    waiting, following, handed_out = list(numbers), numbers.start, 0
    team = [_Worker(plan) for _ in range(min(workers, len(numbers)))]
    try:
        while following < numbers.stop:
            for place, worker in enumerate(team):
                if worker.block is None and waiting:
                    if waiting[0] < following + _AHEAD * len(team):
                        block = waiting.pop(0)
                        worker.play(block, hangs.get(block, ()))
                elif worker.block is not None and worker.overdue(limit):
                    first = bool(worker.cells[_FIRST])
                    reason = f"did not answer within {limit.call:g} seconds"
                    if first:
                        reason = "did not answer its first question"
                    team[place] = _replaced(worker, plan, reason, hangs, waiting, first=first)
            busy = [worker.connection for worker in team if worker.block is not None]
            for connection in wait(busy, timeout=_TICK):
                place = next(k for k, one in enumerate(team) if one.connection is connection)
                worker = team[place]
                try:
                    message = worker.connection.recv()
                except (EOFError, OSError):
                    worker.process.join()
                    reason = f"ended its process (exit code {worker.process.exitcode})"
                    # Not by whether it answered before: that would hang on the number of workers.
                    team[place] = _replaced(worker, plan, reason, hangs, waiting, first=False)
                    continue
                if not isinstance(message, Shard):
                    raise message
                done[message.number] = message
                worker.block = None
            games = handed_out + sum(_games(block) for block in done.values())
            on_progress(games + sum(worker.finished for worker in team))
            while following in done:
                block_done = done.pop(following)
                handed_out += _games(block_done)
                following += 1
                yield block_done
    finally:
        for worker in team:
            worker.stop()


def _replaced(
    worker: _Worker,
    plan: TournamentConfig,
    reason: str,
    hangs: dict[int, list[Hang]],
    waiting: list[int],
    *,
    first: bool,
) -> _Worker:
    """Stop a worker and note why; another one is to play its block again, better informed."""
    worker.stop()
    block = worker.block
    if block is None or worker.cells[_PLAYER] == _NO:
        raise AgentError(f"a process {reason} while no agent was asked; one of them may have")
    hangs.setdefault(block, []).append(worker.question(reason, first=first))
    waiting.insert(0, block)
    return _Worker(plan)


def _games(block: Shard) -> int:
    return sum(len(part.seating) for part in block.parts)
