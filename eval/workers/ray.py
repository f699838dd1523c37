"""Tournaments on Ray: each shard is a task of a cluster, and the driver alone writes the store.

A task hands its shard to a worker process (see workers.py), so an agent that hangs or crashes on a
node forfeits as it does on one machine. The process stays for the next task of the same tournament.
"""

import os
import platform
import signal
import socket
import sys
import threading
import time
import uuid
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from importlib import metadata
from typing import Any

from ...cli.options import import_extra
from ...cli.stopping import deferred
from ...envs.engine.threads import cores
from ...errors import GoldgriffError, describe_error, one_line, quoted
from ...naming import counted
from ..tournament.config import TournamentConfig
from ..tournament.provenance import library_version
from ..tournament.shards import Shard
from .sources import AgentSource
from .workers import Progress, ShardPlayer, TimeLimit

RETRIES = 20  # times that a task may lose its node before the command ends
_AHEAD = 4  # shards for each processor that may be under way, or wait for an earlier one
_IDLE = 30.0  # seconds after which a node ends a worker process that nobody needs
_ANSWER = 5.0  # seconds in which an address must answer
_WAIT = 0.2  # seconds after which a signal is seen
_LOOK = 1.0  # seconds between two looks at the cluster
_QUIET = {"log_to_driver": False, "logging_level": "ERROR"}


def versions() -> dict[str, str]:
    """Return what must be the same on all nodes, so that they play the same games."""
    packages = {name: metadata.version(name) for name in ("numba", "numpy")}
    return {"goldgriff": library_version(), "Python": platform.python_version(), **packages}


class RayCluster:
    """A Ray cluster that this process is connected to.

    Attributes:
        nodes: Number of nodes that are alive, and
        processors: of their processors, both as last seen.
    """

    def __init__(self, ray: Any) -> None:
        self.ray = ray
        self.nodes = self.processors = 0
        self._seen = -_LOOK
        self._begun, self._games = time.monotonic(), 0
        self.look()

    def look(self) -> None:
        """See which nodes there are, at most once a second."""
        if time.monotonic() - self._seen >= _LOOK:
            alive = [node["Resources"] for node in self.ray.nodes() if node["Alive"]]
            self.nodes, self._seen = len(alive), time.monotonic()
            self.processors = int(sum(each.get("CPU", 0) for each in alive))

    def describe(self) -> str:
        """Return the number of nodes, and the games that they have played in a second."""
        rate = self._games / max(time.monotonic() - self._begun, 1e-9)
        nodes, processors = counted(self.nodes, "node"), counted(self.processors, "processor")
        return f"{nodes} with {processors}, {rate:,.0f} games/s"

    def run(
        self, work: Callable[..., Any], tasks: Iterator[tuple[int, tuple[Any, ...]]]
    ) -> Generator[dict[int, Any], None, None]:
        """Run tasks and yield what has ended by number, and each moment at least an empty dict.

        No more is taken from `tasks` than the cluster can work at soon.

        Args:
            work: The function of a task; it is told `versions()` first, and its arguments.
            tasks: Numbers and arguments. One that is not to be begun yet is None.

        Raises:
            GoldgriffError: What a task raises, or a node lacks.
        """
        ray = self.ray
        remote = ray.remote(work).options(num_cpus=1, max_retries=RETRIES)
        mine, running = versions(), dict[Any, int]()
        more = True
        try:
            while more or running:
                self.look()
                while more and len(running) < _AHEAD * max(self.processors, 1):
                    task = next(tasks, (-1, ()))
                    if task is None:
                        break
                    more = task[0] >= 0
                    if more:
                        running[remote.remote(mine, *task[1])] = task[0]
                if running:
                    yield self._take(running)
        finally:
            for reference in running:
                with suppress(Exception):
                    ray.cancel(reference, force=True)

    def _take(self, running: dict[Any, int]) -> dict[int, Any]:
        """Wait a moment; return what has ended, which is not in `running` any more."""
        ray = self.ray
        with deferred():
            ended, _ = ray.wait(list(running), timeout=_WAIT)
            if ended:
                ended, _ = ray.wait(list(running), num_returns=len(running), timeout=0)
            with _errors():
                return {running.pop(reference): ray.get(reference) for reference in ended}

    def get(self, references: Sequence[Any]) -> list[Any]:
        """Wait for what was begun, and return it in its order.

        Raises:
            GoldgriffError: What a task raises, or that a node was lost.
        """
        with _errors():
            found: list[Any] = self.ray.get(list(references))
            return found

    def play_shards(
        self,
        config: TournamentConfig,
        shards: range,
        agents: Sequence[AgentSource],
        limit: TimeLimit,
        on_progress: Progress,
    ) -> Generator[Shard, None, None]:
        """Play shards on the cluster and yield them in their order.

        Args:
            config: The tournament.
            shards: Numbers of the shards.
            agents: The agents of `config.names`.
            limit: Time limit of the agents.
            on_progress: Called with the number of games of `shards` that are over.

        Raises:
            GoldgriffError: As `run`.
        """
        content = [agent.with_content(config.game) for agent in agents]
        order = self.ray.put((uuid.uuid4().hex, config, content, limit))
        done: dict[int, Shard] = {}
        due = shards.start
        self._begun, self._games = time.monotonic(), 0

        def tasks() -> Iterator[Any]:
            for number in shards:
                while number >= due + _AHEAD * max(self.processors, 1):
                    yield None
                yield number, (order, number)

        with closing(self.run(play_on_node, tasks())) as played:
            for ended in played:
                done.update(ended)
                self._games += sum(shard.games for shard in ended.values())
                on_progress(self._games)
                while due in done:
                    due += 1
                    yield done.pop(due - 1)


@contextmanager
def connect(address: str | bool, *, code: bool = False) -> Iterator[RayCluster]:
    """Connect to a Ray cluster for as long as the context lasts.

    Args:
        address: `host:port` of the cluster's head; True for the session that this process has, or
            the cluster that the variable RAY_ADDRESS names, or else a new one on this machine, on
            loopback; `auto` for one that runs on this machine.
        code: Whether the current folder travels, for agents whose code is there. A session that
            this process has already keeps the folder that it was begun with.

    Raises:
        GoldgriffError: Ray is not installed, or nobody answers at the address.
    """
    ray = sys.modules.get("ray")
    if ray and ray.is_initialized():
        if address is not True:
            raise GoldgriffError(
                "this process is connected to a Ray cluster already: give ray=True, or call "
                "ray.shutdown() first"
            )
        yield RayCluster(ray)
        return
    if address is True:
        address = os.environ.get("RAY_ADDRESS") or True
    given: dict[str, Any] = {"runtime_env": {"working_dir": "."}} if code else {}
    if address is True:
        given |= {"address": "local", "num_cpus": cores(), "include_dashboard": False}
        variables = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}  # off: nothing but loopback
    else:
        given["address"] = address
        variables = {"RAY_gcs_server_port_wait_time_s": "1"}
        if address != "auto":
            _check_answers(str(address))
    with _environment({"RAY_USAGE_STATS_ENABLED": "0", **variables}):
        ray = import_extra("ray", "ray", "--ray")
        with _errors(), _own_signals():
            ray.init(**given, **_QUIET)
    try:
        yield RayCluster(ray)
    finally:
        with _own_signals():
            ray.shutdown()


def _check_answers(address: str) -> None:
    """Raise GoldgriffError unless somebody answers at `host:port`; Ray would try for minutes."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 1 << 16:
        raise GoldgriffError(f"the address of a Ray cluster is HOST:PORT, not {quoted(address)}")
    try:
        socket.create_connection((host, int(port)), _ANSWER).close()
    except OSError as error:
        reason = error.strerror or error
        raise GoldgriffError(f"no Ray cluster answers at {address}: {reason}") from None


@contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """Set environment variables that are not set, for Ray and the processes that it starts."""
    added = {name: value for name, value in variables.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


@contextmanager
def _own_signals() -> Iterator[None]:
    """Keep the handlers of signals, which Ray replaces by its own."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _errors() -> Iterator[None]:
    """Raise what Ray raises as a GoldgriffError of one line."""
    ray = sys.modules["ray"]
    try:
        yield
    except ray.exceptions.RayError as error:
        cause = getattr(error, "cause", None) or error
        if isinstance(cause, GoldgriffError):  # of a task, without Ray's traceback in its text
            raise cause from None
        raise GoldgriffError(one_line(f"Ray: {describe_error(cause)}")) from None
    except GoldgriffError:
        raise
    except Exception as error:  # such as a bare one where a node does not start
        raise GoldgriffError(one_line(f"Ray: {error}")) from None


class _Held:
    """The worker process that this process of a node keeps, and the tournament it is of."""

    def __init__(self) -> None:
        self.run = ""
        self.player: ShardPlayer | None = None
        self.lock = threading.Lock()
        self.timer: threading.Timer | None = None

    def stop(self) -> None:
        """End the worker process."""
        if self.player:
            self.player.stop()
        self.player = None

    def stop_idle(self) -> None:
        """End the worker process since no task came."""
        with self.lock:
            self.stop()


_held = _Held()


def play_on_node(
    theirs: dict[str, str],
    order: tuple[str, TournamentConfig, Sequence[AgentSource], TimeLimit],
    number: int,
) -> Shard:
    """Play a shard: a task of Ray.

    Args:
        theirs: The driver's `versions()`.
        order: Name of the run, its configuration, agents and their time limit.
        number: Number of the shard.

    Raises:
        GoldgriffError: The node has other versions, or an agent cannot be made there.
    """
    check_versions(theirs)
    run, config, agents, limit = order
    with _held.lock:
        if _held.timer:
            _held.timer.cancel()
        try:
            if _held.run != run:
                _held.stop()
            _held.run = run
            _held.player = _held.player or ShardPlayer(config, agents, limit)
            return _held.player.play(number)
        except GoldgriffError as error:
            _held.stop()
            raise type(error)(f"node {_address()}: {error}") from None
        except BaseException:
            _held.stop()
            raise
        finally:
            _held.timer = threading.Timer(_IDLE, _held.stop_idle)
            _held.timer.daemon = True
            _held.timer.start()


def check_versions(theirs: dict[str, str]) -> None:
    """Raise GoldgriffError where this node has other versions than the driver."""
    for name, version in versions().items():
        if theirs.get(name) != version:
            raise GoldgriffError(
                f"node {_address()} has {name} {version}, the driver {theirs.get(name)}: all must "
                "have the same"
            )


def _address() -> str:
    """Return the address of this node."""
    address: str = sys.modules["ray"].util.get_node_ip_address()
    return address
