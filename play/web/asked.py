"""What a request asks for: the seat it may act for, the game, the language, and what it sends."""

import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from ..texts import LANGUAGES
from .access import Access, Seat

MAX_BODY = 10_000  # bytes of a request
MAX_DIGITS = 18  # of a number in an address
NO_TOKEN = "open the link of your seat, which has a token: whoever began the game has it"


def seats_of(access: Access, request: Request, game: str = "") -> set[Seat] | None:
    """Return the seats that a request may act for, as `Access`. Raises HTTPException for none."""
    seats = access.seats_of(request, game)
    if seats == set():
        raise HTTPException(403, NO_TOKEN)
    return seats


def number_of(request: Request) -> int:
    """Return the number of a game that an address has. Raises HTTPException if it is none."""
    given = request.path_params["number"]
    if not given.isdecimal() or len(given) > MAX_DIGITS:
        raise HTTPException(404, "an address has the number of a game")
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
    """Return the language that is asked for, English for one that is not there."""
    given = request.query_params.get("lang", "")
    return given if given in LANGUAGES else LANGUAGES[0]
