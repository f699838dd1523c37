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
GRACE_PERIOD = 1.0  # seconds that responses under way may take when the server ends
INTERRUPTED = 130  # the exit status


class ServerError(GoldgriffError):
    """An address at which nothing can be served."""


def serve(
    bound: socket.socket,
    start: str,
    rooms: Rooms | None,
    replays: Replays | None,
    *,
    show: bool = True,
) -> None:
    """Serve until interrupted, at a socket from `bind`.

    Prints the address of the page `start`, and opens it in the browser if `show`.
    """
    host, port = bound.getsockname()[:2]
    address = f"http://{host}:{port}{start}"
    print(f"serving at {address}  (Ctrl+C ends)", flush=True)
    if not is_loopback(host):
        print("anybody who can reach this address can play and look at this game", flush=True)
    if show:
        webbrowser.open(address)
    names = LOOPBACK_NAMES if is_loopback(host) else ["*"]
    app = make_app(start, names, rooms, replays)
    _Server(uvicorn.Config(app, log_level="warning", lifespan="off")).run(sockets=[bound])


class _Server(uvicorn.Server):
    """Ends when it is interrupted, whatever an agent does in a thread: the games are on disk."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Let responses under way be given, but not for long."""
        super().handle_exit(sig, frame)
        end = threading.Timer(GRACE_PERIOD, os._exit, (INTERRUPTED,))
        end.daemon = True
        end.start()


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes a free one. Raises ServerError."""
    if not 0 <= port <= LAST_PORT:
        raise ServerError(f"port must be from 0 to {LAST_PORT}, not {port}")
    try:
        return socket.create_server((host, port))
    except OSError as error:
        raise ServerError(
            f"cannot listen at {host}:{port}: {error.strerror}; --port 0 takes a free port"
        ) from None


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach the address of a host."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
