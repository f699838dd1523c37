"""Who may ask a server for what: the names it answers to, and a token for each seat."""

import base64
import hashlib
import hmac
import ipaddress
import secrets
import socket
from collections.abc import Sequence
from typing import Any

from starlette.requests import HTTPConnection

from ...errors import GoldgriffError

LOOPBACK_NAMES = {"127.0.0.1", "localhost", "[::1]"}
TOKEN_BYTES = 16
Seat = int | None  # None watches


class RequestError(GoldgriffError):
    """A request that is refused, with a status of HTTP; other arguments as of GoldgriffError."""

    def __init__(self, status: int, message: str = "", *, code: str, **values: Any) -> None:
        super().__init__(message, code=code, **values)
        self.status = status


class Access:
    """The rule of who may ask.

    A request names a token in the header `Authorization: Bearer TOKEN`. There are two kinds, both
    new with each server. The host's token is that of whoever started the server: it acts for the
    host's seat in every game, and begins games. On loopback nobody needs it. A game of several
    people has one more token for each of their seats, which acts for this seat of this game only.

    Args:
        host: Where the server listens.
        seat: The host's; None watches games of agents.

    Attributes:
        seat: The same.
        is_local: Whether only this machine can reach the server.
        token: The host's, empty where nobody needs it.
    """

    def __init__(self, host: str, seat: Seat = 0) -> None:
        self.is_local = is_loopback(host)
        self._names = LOOPBACK_NAMES | {host.lower()}
        if not self.is_local:
            self._names = self._names | {socket.gethostname().lower()}
        self._key = secrets.token_bytes()
        self.seat = seat
        self.token = "" if self.is_local else self._sign("")

    def knows_host(self, header: str) -> bool:
        """Return whether the server may be called by a `Host` header.

        A page of another site can reach it under a name of that site, but not under an address.
        """
        name = header.lower()
        if not name.endswith("]"):
            name = name.rpartition(":")[0] or name
        return name in self._names or (not self.is_local and is_address(name.strip("[]")))

    def seat_token(self, seat: int, game: str) -> str:
        """Return the token of a seat of one game, which an address names."""
        return f"{seat}-{self._sign(f'{seat} {game}')}"

    def host_of(self, people: Sequence[int]) -> Seat:
        """Return the seat of a game that may begin the next one: the host's, or the first."""
        return self.seat if self.seat in people else next(iter(people), None)

    def tokens(self, people: Sequence[int], game: str) -> dict[Seat, str]:
        """Return the token of each seat of a game, the host's first; none where none is needed.

        Args:
            people: The seats of people.
            game: The address of the game.
        """
        host, tokens = self.host_of(people), dict[Seat, str]()
        if len(people) > 1:
            tokens = {seat: self.seat_token(seat, game) for seat in people}
        if self.token:
            tokens[self.seat] = self.token
        return dict(sorted(tokens.items(), key=lambda pair: pair[0] != host))

    def seats_of(self, request: HTTPConnection, game: str = "") -> set[Seat] | None:
        """Return the seats that a request may act for; None for that of a game with one person.

        Args:
            request: The request.
            game: The address of the game that it is about, empty for none.

        Raises:
            RequestError: It may act for none.
        """
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        seat, _, _ = token.partition("-")
        if game and seat.isdecimal() and _same(token, self.seat_token(int(seat[:9]), game)):
            return {int(seat)}
        if self.is_local:
            return None
        if not _same(token, self.token):
            raise RequestError(403, code="no-token")
        return {self.seat}

    def _sign(self, message: str) -> str:
        digest = hmac.digest(self._key, message.encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest[:TOKEN_BYTES]).decode().rstrip("=")


def _same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode())


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach the address of a host."""
    return host == "localhost" or (is_address(host) and ipaddress.ip_address(host).is_loopback)


def is_address(host: str) -> bool:
    """Return whether a host is given by its address."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
