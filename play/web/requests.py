"""What a request asks for: the seat it may act for, the game, the language, and what it sends."""

import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from ..texts import LANGUAGES, TextError
from .access import Access, Seat

MAX_BODY = 10_000  # bytes of a request
MAX_DIGITS = 18  # of a number in an address


class RequestError(TextError):
    """A request that is refused, with a status of HTTP and a text of `TextError`."""

    def __init__(self, status: int, key: str, **values: Any) -> None:
        super().__init__(key, **values)
        self.status = status


def seats_of(access: Access, request: Request, game: str = "") -> set[Seat] | None:
    """Return the seats that a request may act for, as `Access`. Raises RequestError for none."""
    seats = access.seats_of(request, game)
    if seats == set():
        raise RequestError(403, "no-token")
    return seats


def number_of(request: Request) -> int:
    """Return the number of a game that an address has. Raises RequestError if it is none."""
    given = request.path_params["number"]
    if not given.isdecimal() or len(given) > MAX_DIGITS:
        raise RequestError(404, "no-number")
    return int(given)


async def body_of(request: Request) -> dict[str, Any]:
    """Return what a page sends, an object. Raises HTTPException for anything else."""
    content = b""
    try:
        async for part in request.stream():
            content += part
            if len(content) > MAX_BODY:
                about = f"a request may have {MAX_BODY} bytes"
                raise HTTPException(413, about, {"Connection": "close"})  # reads no more of it
        given = json.loads(content or b"{}")
    except (ValueError, RecursionError, ClientDisconnect):
        given = None
    if not isinstance(given, dict):
        raise HTTPException(400, "a request must be an object of JSON")
    return given


def language_of(request: Request) -> str:
    """Return the language that an address asks for, else the browser's first that is there."""
    accepted = request.headers.get("accept-language", "").lower().split(",")
    wanted = [request.query_params.get("lang", ""), *(each.strip()[:2] for each in accepted)]
    return next((each for each in wanted if each in LANGUAGES), LANGUAGES[0])
