"""The server: a socket that is bound before a game is begun, and uvicorn on it."""

import ipaddress
import os
import socket
import threading
import webbrowser
from types import FrameType

import uvicorn

from ...errors import GoldgriffError
from .app import make_app
from .rooms import Replays, Rooms

LAST_PORT = 65535
LOOPBACK_NAMES = ["127.0.0.1", "localhost"]
PATIENCE = 1.0  # seconds that answers under way may take when the server is to end
INTERRUPTED = 130  # the exit status


class ServerError(GoldgriffError):
    """An address at which nothing can be served."""


def serve(
    bound: socket.socket,
    start: str,
    *,
    rooms: Rooms | None = None,
    replays: Replays | None = None,
    show: bool = True,
) -> None:
    """Serve until interrupted; print the address, and open it in the browser if `show`.

    bound: where to listen, from `bind`. start: the page to begin with.
    """
    host, port = bound.getsockname()[:2]
    address = f"http://{host}:{port}{start}"
    print(f"at the table: {address}  (Ctrl+C ends)", flush=True)
    if not is_loopback(host):
        print("anybody who can reach this address can play and look at this game", flush=True)
    if show:
        webbrowser.open(address)
    names = LOOPBACK_NAMES if is_loopback(host) else ["*"]
    app = make_app(start, names, rooms, replays)
    _Server(uvicorn.Config(app, log_level="warning", lifespan="off")).run(sockets=[bound])


class _Server(uvicorn.Server):
    """Ends when it is told to, whatever an agent is doing in a thread: the games are on disk."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Let answers under way be given, but not for long."""
        super().handle_exit(sig, frame)
        end = threading.Timer(PATIENCE, os._exit, (INTERRUPTED,))
        end.daemon = True
        end.start()


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes a free one. Raises ServerError."""
    if not 0 <= port <= LAST_PORT:
        raise ServerError(f"port must be from 0 to {LAST_PORT}, not {port}")
    try:
        return socket.create_server((host, port))
    except OSError as error:
        raise ServerError(
            f"cannot listen at {host}:{port}: {error.strerror}; --port 0 takes a free port"
        ) from None


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host's address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
