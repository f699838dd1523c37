"""What a request asks for: the seat it may act for, the game, the language, and what it sends."""

import json
from contextlib import suppress
from typing import Any

from starlette.requests import ClientDisconnect, Request

from ...errors import GoldgriffError
from ..texts import LANGUAGES
from .access import Access, Seat

MAX_BODY = 10_000  # bytes of a request
MAX_DIGITS = 18  # of a number in an address


class RequestError(GoldgriffError):
    """A request that is refused, with a status of HTTP; other arguments as of GoldgriffError."""

    def __init__(self, status: int, message: str, *, code: str, **values: Any) -> None:
        super().__init__(message, code=code, **values)
        self.status = status


def no_token() -> RequestError:
    """Return the error about a request without the token of its seat."""
    about = "open the link of your seat, which has a token: whoever began the game has it"
    return RequestError(403, about, code="no-token")


def seats_of(access: Access, request: Request, game: str = "") -> set[Seat] | None:
    """Return the seats that a request may act for, as `Access`. Raises RequestError for none."""
    seats = access.seats_of(request, game)
    if seats == set():
        raise no_token()
    return seats


def number_of(request: Request) -> int:
    """Return the number of a game that an address has. Raises RequestError if it is none."""
    number = request.path_params["number"]
    if not number.isdecimal() or len(number) > MAX_DIGITS:
        about = "an address has the number of a game"
        raise RequestError(404, about, code="no-game-number")
    return int(number)


async def body_of(request: Request) -> dict[str, Any]:
    """Return what a page sends, an object. Raises RequestError for anything else."""
    content = b""
    with suppress(ClientDisconnect):
        async for chunk in request.stream():
            content += chunk
            if len(content) > MAX_BODY:
                about = "a request may have {bytes} bytes"
                raise RequestError(413, about, code="body-long", bytes=MAX_BODY)
    try:
        body = json.loads(content or b"{}")
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise RequestError(400, "a request must be an object of JSON", code="body-json")
    return body


def language_of(request: Request) -> str:
    """Return the language that an address asks for, else the browser's first that is there."""
    accepted = request.headers.get("accept-language", "").lower().split(",")
    wanted = [
        request.query_params.get("lang", ""),
        *(language.strip()[:2] for language in accepted),
    ]
    return next((language for language in wanted if language in LANGUAGES), LANGUAGES[0])
