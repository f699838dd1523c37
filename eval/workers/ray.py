"""A Ray cluster in place of processes of this machine: it works at tasks, and holds objects."""

import os
import platform
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import metadata
from typing import Any

from ...cli.options import import_extra
from ...cli.stopping import deferred
from ...envs.engine.threads import cores
from ...errors import GoldgriffError, describe_error, one_line, quoted
from ...naming import counted
from ..tournament.provenance import library_version

RETRIES = 20  # times that a task may lose its node before the command ends
_QUEUE = 4  # tasks for each processor that may be under way, so that none waits for the driver
_ANSWER = 5.0  # seconds in which an address must answer
_END = 5.0  # seconds for cancelled tasks to end
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
        ray: The module.
        nodes: Number of nodes that are alive, and
        processors: of their processors, both as last seen.
    """

    def __init__(self, ray: Any) -> None:
        self.ray = ray
        self.nodes = self.processors = 0
        self._seen = -_LOOK
        self.look()

    def look(self) -> None:
        """See which nodes there are, at most once a second."""
        if time.monotonic() - self._seen >= _LOOK:
            alive = [node["Resources"] for node in self.ray.nodes() if node["Alive"]]
            self.nodes, self._seen = len(alive), time.monotonic()
            self.processors = int(sum(resources.get("CPU", 0) for resources in alive))

    def describe(self) -> str:
        """Return the numbers of nodes and processors as text."""
        return f"{counted(self.nodes, 'node')} with {counted(self.processors, 'processor')}"

    def tasks(self, function: Callable[..., Any]) -> "RayTasks":
        """Return what calls a function on the cluster with the arguments of each task."""
        return RayTasks(self, function)

    def start(self, make: Callable[..., Any], *arguments: Any) -> "RayProcess":
        """Make an object on the cluster."""
        return RayProcess(self.ray, make, arguments)


class RayTasks:
    """Works at tasks on a cluster, a processor each; as `Processes`."""

    def __init__(self, cluster: RayCluster, function: Callable[..., Any]) -> None:
        self._cluster, self._function, self._versions = cluster, function, versions()
        on_node = cluster.ray.remote(call_on_node)
        self._on_node = on_node.options(num_cpus=1, max_retries=RETRIES)

    @property
    def capacity(self) -> int:
        """The number of tasks that may be under way."""
        self._cluster.look()
        return _QUEUE * max(self._cluster.processors, 1)

    def begin(self, *task: Any) -> Any:
        """Begin a task, and return the reference to its result."""
        return self._on_node.remote(self._versions, self._function, *task)

    def wait(self, running: Sequence[Any]) -> Iterable[tuple[Any, Any]]:
        """Wait a moment; return the references to results that are there, and the results.

        Raises:
            GoldgriffError: As the function, or a node has other versions.
        """
        ray = self._cluster.ray
        with deferred(), _errors():
            ended, _ = ray.wait(list(running), timeout=_WAIT)
            if ended:
                ended, _ = ray.wait(list(running), num_returns=len(running), timeout=0)
            return [(reference, ray.get(reference)) for reference in ended]

    def stop(self, running: Sequence[Any]) -> None:
        """Cancel the tasks under way, and wait for their end.

        Ray 2.60 once aborted a driver that disconnected just after it had cancelled tasks.
        """
        for reference in running:
            with suppress(Exception):
                self._cluster.ray.cancel(reference, force=True)
        with suppress(Exception):
            self._cluster.ray.wait(list(running), num_returns=len(running), timeout=_END)


class RayProcess:
    """An object on a Ray cluster, whose methods are called there; as a `WorkerProcess`."""

    def __init__(self, ray: Any, make: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._ray = ray
        self._object = ray.remote(_Remote).options(num_cpus=1).remote(versions(), make, arguments)
        self._answer: Any = None

    def send(self, method: str, *arguments: Any) -> None:
        """Call a method; `receive` returns what it returns."""
        self._answer = self._object.call.remote(method, arguments)

    def receive(self) -> Any:
        """Wait for the answer and return it.

        Raises:
            GoldgriffError: As the method or the making of the object, or its node was lost.
        """
        with _errors():
            return self._ray.get(self._answer)

    def stop(self) -> None:
        """End the process."""
        self._ray.kill(self._object)


class _Remote:
    """The object of a `RayProcess`, on its node."""

    def __init__(
        self, theirs: dict[str, str], make: Callable[..., Any], arguments: tuple[Any, ...]
    ) -> None:
        self._object = call_on_node(theirs, make, *arguments)

    def call(self, method: str, arguments: tuple[Any, ...]) -> Any:
        """Return what a method returns."""
        return getattr(self._object, method)(*arguments)


def call_on_node(theirs: dict[str, str], function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function on a node.

    Args:
        theirs: The driver's `versions()`.
        function: The function.
        arguments: Its arguments.

    Raises:
        GoldgriffError: The node has other versions, or as the function; the message names the node.
    """
    try:
        for name, version in versions().items():
            if theirs[name] != version:
                raise GoldgriffError(
                    f"has {name} {version}, the driver {theirs[name]}; both need the same version"
                )
        return function(*arguments)
    except GoldgriffError as error:
        address = sys.modules["ray"].util.get_node_ip_address()
        raise type(error)(f"node {address}: {error}") from None


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
    options: dict[str, Any] = {"runtime_env": {"working_dir": "."}} if code else {}
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if address is True:
        options |= {"address": "local", "num_cpus": cores(), "include_dashboard": False}
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # nothing but loopback
    else:
        options["address"] = address
        if address != "auto":
            _check_answers(str(address))
    ray = import_extra("ray", "ray", "--ray")
    handler = signal.getsignal(signal.SIGTERM)
    try:
        with _errors():
            ray.init(**options, **_QUIET)
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, handler)  # Ray has set its own
        yield RayCluster(ray)
    finally:
        ray.shutdown()


def _check_answers(address: str) -> None:
    """Raise GoldgriffError unless somebody answers at `host:port`; Ray would try for minutes."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 1 << 16:
        raise GoldgriffError(f"the address of a Ray cluster is HOST:PORT, not {quoted(address)}")
    try:
        socket.create_connection((host, int(port)), _ANSWER).close()
    except (OSError, UnicodeError) as error:  # the latter for a label of more than 63 letters
        reason = getattr(error, "strerror", None) or error
        raise GoldgriffError(f"no Ray cluster answers at {address}: {reason}") from None


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
