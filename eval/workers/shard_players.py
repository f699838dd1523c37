"""Play shards in worker processes, where an agent that hangs or crashes can be stopped.

Processes rather than threads: only a process can be ended while an agent hangs in it, and agents
that hold Python's global lock run side by side. If a process ends, or an agent takes too long, the
agent asked last forfeits its game, and another process plays the shard again.
"""

import ctypes
import mmap
import tempfile
import time
import uuid
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...agents.registry import load_agent
from ...envs.engine.game import Game
from ...envs.engine.reading import number_or_none
from ...errors import AgentError, GoldgriffError, quoted
from ...naming import counted
from ..tournament.config import TournamentConfig
from ..tournament.faults import Fault
from ..tournament.guard import Player, Timeout
from ..tournament.shards import Shard, play_shard
from .process import MOMENT, ProcessEndedError, WorkerProcess
from .ray import RayCluster, RayTasks
from .sources import AgentSource
from .tasks import Processes, run_tasks

TIME_LIMIT = 10.0  # seconds for one call of `act`
FIRST_CALL = 300.0  # at least, for an agent's first in a process: it may have to compile or load
_AHEAD = 4  # shards for each process that may be under way, or wait for an earlier one
_NONE = -1
_MAKING = -2  # in place of a number of decisions: the agent is being made

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
        call = number_or_none(self.call)
        if call is None or not 0 < call <= 1e6:
            raise GoldgriffError(f"the time limit must be above 0 seconds, not {quoted(self.call)}")
        object.__setattr__(self, "call", call)


class Status(ctypes.Structure):
    """What the agents of a process are doing, in memory that it shares with the main process.

    Attributes:
        player: Index of the agent that was asked last; -1 for none in this shard.
        game: Number of its game, or -1 for many.
        decision: Decisions made in that game before; -2 while the agent is made.
        since: Time at which the call under way began; 0 where none is under way.
        is_first: Whether it is the agent's first call in the process.
        finished: Games of the shard that are over.
    """

    _fields_ = (
        ("player", ctypes.c_int64),
        ("game", ctypes.c_int64),
        ("decision", ctypes.c_int64),
        ("since", ctypes.c_double),
        ("is_first", ctypes.c_bool),
        ("finished", ctypes.c_int64),
    )


class Agents:
    """The agents of a tournament in a worker process, and the status of their calls.

    Args:
        file: Descriptor of the file that holds the status.
        game: The game.
        sources: What the agents are made from.
    """

    def __init__(self, file: int, game: Game, sources: Sequence[AgentSource]) -> None:
        self._status = Status.from_buffer(mmap.mmap(file, 0))
        self._asked = set[int]()
        self._players: list[Player] = []
        for number, source in enumerate(sources):
            with self._call(number, None, _MAKING):
                self._players.append(source.player(game))

    def check(self) -> bool:
        """Return True: it can be called, so the agents are made."""
        return True

    def play(self, config: TournamentConfig, number: int, timeouts: Sequence[Timeout]) -> Shard:
        """Play a shard."""
        self._status.player, self._status.finished = _NONE, 0
        return play_shard(config, number, self._players, timeouts, self._call, self._count_finished)

    def _count_finished(self, games: int) -> None:
        self._status.finished += games

    @contextmanager
    def _call(self, player: int, game: int | None, decision: int) -> Iterator[None]:
        """Note a call of an agent, then that it is over."""
        status = self._status
        status.game, status.decision = _NONE if game is None else game, decision
        status.player, status.is_first = player, player not in self._asked
        status.since = time.monotonic()  # last: from here on the time limit runs
        try:
            yield
        finally:
            status.since = 0.0
        if decision != _MAKING:
            self._asked.add(player)


class ShardPlayer(WorkerProcess):
    """A worker process that plays one shard after another.

    Args:
        game: The game.
        agents: The agents.
        limit: Their time limit.
    """

    def __init__(self, game: Game, agents: Sequence[AgentSource], limit: TimeLimit) -> None:
        self._game, self._agents, self._limit = game, agents, limit
        self._task: tuple[Any, ...] = ()
        self._timeouts: list[Timeout] = []
        self._answer: Any = None
        self._start_anew()

    def _start_anew(self) -> None:
        with tempfile.TemporaryFile() as file:
            file.truncate(ctypes.sizeof(Status))
            self._status = Status.from_buffer(mmap.mmap(file.fileno(), 0))
            self._status.player = _NONE
            arguments = file.fileno(), self._game, self._agents
            self.start(Agents, arguments, files=[file.fileno()])

    @property
    def finished(self) -> int:
        """Games of the shard under way that are over."""
        return int(self._status.finished)

    def check(self) -> None:
        """Wait until the agents are made.

        Raises:
            GoldgriffError: One cannot be made; the message names it.
        """
        self.send("check")
        self.receive()

    def begin(self, *task: Any) -> None:  # a configuration and the number of a shard
        """Begin a shard."""
        if super().is_ready():  # it has ended after its last shard
            self.stop()
            self._start_anew()
        self._task, self._timeouts = task, []
        self.send("play", *self._task, [])

    def is_ready(self, timeout: float = 0.0) -> bool:
        """Return whether there is an answer; where an agent broke its process, begin again.

        Raises:
            GoldgriffError: An agent cannot be made, or a process ends while no agent is asked.
        """
        try:
            if self._answer is None and super().is_ready(timeout):
                self._answer = self._read()
        except ProcessEndedError as error:
            self._forfeit(Fault("ended", {"status": str(error.status)}))
            return False
        if self._answer is not None:
            return True
        status, limit = self._status, self._limit
        since = status.since  # read once: the call may end at any moment
        allowed = max(limit.call, limit.first) if status.is_first else limit.call
        if since and time.monotonic() - since > allowed:
            self.stop()
            is_question = status.is_first and status.decision != _MAKING
            values = {"time": counted(allowed, "second"), "seconds": f"{allowed:g}"}
            time_limit = Fault("timeout", values)
            self._forfeit(Fault("timeout-first") if is_question else time_limit)
        return False

    def _forfeit(self, fault: Fault) -> None:
        """Play the shard again; the agent asked last forfeits its game."""
        status = self._status
        if status.player == _NONE:
            raise AgentError(f"an agent {fault.text} while none was asked")
        if status.decision == _MAKING:
            name = quoted(self._agents[status.player].name)
            raise AgentError(f"agent {name}: {fault.text} while it was made")
        game = None if status.game == _NONE else status.game
        self._timeouts.append(Timeout(status.player, game, status.decision, fault))
        self._start_anew()
        self.send("play", *self._task, self._timeouts)

    def receive(self) -> Any:
        """Wait for the answer and return it."""
        while not self.is_ready(MOMENT):
            pass
        answer, self._answer, self._status.finished = self._answer, None, 0
        return answer

    def interrupt(self) -> None:
        """Do nothing: a part of a shard is not kept."""


def check_agents(names: Sequence[str], game: Game, limit: TimeLimit | None = None) -> None:
    """Load agents once; code of users runs in a process of its own.

    Raises:
        AgentError: One cannot be made; the message names it.
        CheckpointError: A checkpoint cannot be used.
    """
    sources = [AgentSource.named(name) for name in names]
    foreign = [source for source in sources if source.is_code]
    for source in sources:
        if not source.is_code:
            load_agent(source.name, game)
    if foreign:
        player = ShardPlayer(game, foreign, limit or TimeLimit())
        try:
            player.check()
        finally:
            player.stop()


def play_shards(
    config: TournamentConfig,
    shards: range,
    agents: Sequence[AgentSource],
    limit: TimeLimit,
    on_progress: Progress,
    *,
    workers: int = 1,
    cluster: RayCluster | None = None,
) -> Generator[Shard, None, None]:
    """Play shards, and yield each when it ends.

    Args:
        config: The tournament.
        shards: Numbers of the shards.
        agents: The agents of `config.names`.
        limit: Time limit of the agents.
        on_progress: Called with the number of games of `shards` that are over.
        workers: Number of worker processes.
        cluster: Plays in place of worker processes.

    Raises:
        GoldgriffError: An agent cannot be made, or a process ends while no agent is asked.
    """
    over = 0
    players: Sequence[Any] = []
    executor: Processes | RayTasks
    if cluster:
        content = [agent.with_content(config.game) for agent in agents]
        tournament = cluster.ray.put((uuid.uuid4().hex, config, content, limit))
        executor, tasks = cluster.tasks(play_on_node), [(tournament, number) for number in shards]
    else:
        start = partial(ShardPlayer, config.game, tuple(agents), limit)
        executor = Processes(start, min(workers, len(shards)))
        players, tasks = executor.workers, [(config, number) for number in shards]

    def report() -> None:
        on_progress(over + sum(player.finished for player in players))

    with closing(run_tasks(executor, tasks, ahead=_AHEAD, on_wait=report)) as played:
        for _, shard in played:
            over += shard.games
            report()
            yield shard


_node_players: dict[str, ShardPlayer] = {}  # at most one, in a process of a Ray node


def play_on_node(
    tournament: tuple[str, TournamentConfig, Sequence[AgentSource], TimeLimit], number: int
) -> Shard:
    """Play a shard: a task of a Ray cluster.

    The worker process stays for the next shard of its tournament.

    Args:
        tournament: A name that no other tournament has, its configuration, agents and time limit.
        number: Number of the shard.

    Raises:
        GoldgriffError: As `play_shards`.
    """
    name, config, agents, limit = tournament
    if name not in _node_players:
        while _node_players:
            _node_players.popitem()[1].stop()
        _node_players[name] = ShardPlayer(config.game, agents, limit)
    _node_players[name].begin(config, number)
    shard: Shard = _node_players[name].receive()
    return shard
