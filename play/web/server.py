"""The server: a socket that is bound before a game is begun, and uvicorn on it."""

import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from types import FrameType

import uvicorn

from ...cli.stopping import Stopped
from ...errors import GoldgriffError, one_line, quoted
from ..texts import LANGUAGES, shared_text
from .access import Access, Seat
from .app import make_app
from .lobby import Lobby
from .rooms import Replays, Rooms

LAST_PORT = 65535
GRACE_PERIOD = 1.0  # seconds that responses under way may take when the server ends


class ServerError(GoldgriffError):
    """An address at which nothing can be served."""


def serve(
    bound: socket.socket,
    start: str,
    games: Rooms | Replays,
    *,
    seat: Seat = None,
    people: Sequence[int] = (),
    go_on: Callable[[], str] = str,
    language: str = LANGUAGES[0],
    show: bool = True,
) -> None:
    """Serve until interrupted, at a socket from `bind`.

    Prints the address of the first page, for each seat of people where tokens are needed.

    Args:
        bound: The socket.
        start: The address of the first page, from its path on.
        games: The games that are played, or those that can be looked at.
        seat: The host's; None to watch.
        people: The seats of people in the game of the first page.
        go_on: Returns the command that goes on with the game, for the line that is said at the end.
        language: That of the lines that are printed.
        show: Whether to open the host's page in the browser.
    """
    host, port = bound.getsockname()[:2]
    access = Access(host, seat)
    tokens = access.tokens(people, start.partition("?")[0])
    address, sign = f"http://{_name_for_others(host)}:{port}{start}", "&" if "?" in start else "?"
    own, *others = [f"{address}{sign}token={token}" for token in tokens.values()] or [address]

    def say(key: str, **values: str) -> None:
        print(shared_text(f"serve.{key}", language, **values), flush=True)

    say("at", link=own)
    guests = [guest_seat for guest_seat in people if guest_seat != access.host_of(people)]
    for guest, link in zip(guests, others, strict=True):
        say("link", name=shared_text("player.person", language, number=guest + 1), link=link)
    if tokens:
        say("seat")
    if others and access.is_local:
        say("local")
    if show:
        webbrowser.open(own)
    lobby = Lobby(games, access) if isinstance(games, Rooms) else None
    app = make_app(start, access, games, lobby)
    config = uvicorn.Config(app, log_config=None, log_level="warning", lifespan="off")
    server = _Server(config, go_on)
    try:
        server.run(sockets=[bound])
    finally:
        server.is_serving = False


def _name_for_others(host: str) -> str:
    """Return the address at which other machines find a host: this machine's where it is any."""
    if host != "0.0.0.0":
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only chooses the own address
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


class _Server(uvicorn.Server):
    """Ends when it is interrupted, whatever an agent does in a thread: the games are on disk."""

    def __init__(self, config: uvicorn.Config, go_on: Callable[[], str]) -> None:
        super().__init__(config)
        self._go_on, self.is_serving = go_on, True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Let responses under way be given, but not for long."""
        super().handle_exit(sig, frame)
        end = threading.Timer(GRACE_PERIOD, self._leave, (sig,))
        end.daemon = True
        end.start()

    def _leave(self, sig: int) -> None:
        """End the process, for which an agent that thinks would be waited."""
        stop = Stopped(sig)
        if self.is_serving:  # otherwise it is said by the main thread
            stop.resume = self._go_on()
            print(f"goldgriff play: {stop.line}", file=sys.stderr, flush=True)
        os._exit(stop.status)


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes a free one. Raises ServerError."""
    if not 0 <= port <= LAST_PORT:
        raise ServerError(code="port", last=LAST_PORT, given=quoted(port))
    try:
        address = socket.getaddrinfo(host, port, socket.AF_INET, socket.SOCK_STREAM)[0][4]
        return socket.create_server((str(address[0]), port))
    except (OSError, ValueError) as error:  # ValueError: no host can have such a name
        reason = getattr(error, "strerror", None) or "it is no name of a host"
        place = f"{one_line(host, 80)}:{port}"
        raise ServerError(code="no-port", place=place, why=reason) from None
