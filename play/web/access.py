"""Who may ask a server for what: the names it answers to, and a token for each seat."""

import ipaddress
import secrets
import socket
from collections.abc import Sequence

from starlette.requests import HTTPConnection

LOOPBACK_NAMES = {"127.0.0.1", "localhost", "[::1]"}
Seat = int | None  # None watches


class Access:
    """The rule of who may ask.

    On loopback nobody needs a token. Any other server answers those who name the token of a seat,
    in the header `Authorization: Bearer TOKEN`, and each token gives the view of its own seat.

    Args:
        host: Where the server listens.
        seats: The seats that people take; None watches games of agents.

    Attributes:
        tokens: The token of each seat; empty where none is needed.
    """

    def __init__(self, host: str, seats: Sequence[Seat] = ()) -> None:
        self._is_open = is_loopback(host)
        self._names = LOOPBACK_NAMES | {host.lower()}
        self.tokens: dict[Seat, str] = {}
        if not self._is_open:
            self._names = self._names | {socket.gethostname().lower()}
            self.tokens = {seat: secrets.token_urlsafe(16) for seat in seats}

    def knows_host(self, header: str) -> bool:
        """Return whether the server may be called by a `Host` header.

        A page of another site can reach it under a name of that site, but not under an address.
        """
        name = header.lower()
        if not name.endswith("]"):
            name = name.rpartition(":")[0] or name
        return name in self._names or (not self._is_open and is_address(name.strip("[]")))

    def seats_of(self, request: HTTPConnection) -> set[Seat] | None:
        """Return the seats that a request may act for; None for all."""
        if self._is_open:
            return None
        given = request.headers.get("authorization", "").removeprefix("Bearer ").encode()
        return {
            seat
            for seat, token in self.tokens.items()
            if secrets.compare_digest(token.encode(), given)
        }


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
