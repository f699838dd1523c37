"""What a request asks for: the game, the language, and what it sends; and how it is refused."""

import json
from contextlib import suppress
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse

from ..texts import LANGUAGES
from ..texts.messages import error_line
from .access import RequestError

MAX_BODY = 10_000  # bytes of a request
MAX_DIGITS = 18  # of a number in an address


def number_of(request: Request) -> int:
    """Return the number of a game that an address has. Raises RequestError if it is none."""
    number = request.path_params["number"]
    if not number.isdecimal() or len(number) > MAX_DIGITS:
        raise RequestError(404, code="no-game-number")
    return int(number)


async def body_of(request: Request) -> dict[str, Any]:
    """Return what a page sends, an object. Raises RequestError for anything else."""
    content = b""
    with suppress(ClientDisconnect):
        async for chunk in request.stream():
            content += chunk
            if len(content) > MAX_BODY:
                raise RequestError(413, code="body-long", bytes=MAX_BODY)
    try:
        body = json.loads(content or b"{}")
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise RequestError(400, code="body-json")
    return body


def language_of(request: Request) -> str:
    """Return the language that an address asks for, else the browser's first that is there."""
    accepted = request.headers.get("accept-language", "").lower().split(",")
    wanted = [request.query_params.get("lang", ""), *(word.strip()[:2] for word in accepted)]
    return next((language for language in wanted if language in LANGUAGES), LANGUAGES[0])


def refusal(request: Request, error: Exception) -> JSONResponse:
    """Return the answer that says what was wrong, in the language of the person."""
    status = error.status if isinstance(error, RequestError) else 400
    headers = {"Connection": "close"} if status == 413 else None  # no more of the body is read
    return JSONResponse({"error": error_line(error, language_of(request))}, status, headers)
