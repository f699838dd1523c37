"""The pages and what they ask for, as a Starlette application.

All state is on this side: a page that is loaded anew, or in a second tab, shows the game as it
stands. A move names the version of the game it was made on; made on an older one it is refused, and
the answer has the game as it is now.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ...errors import GoldgriffError
from ..state import hint_of, state_of
from ..texts import LANGUAGES, TEXTS
from .guard import Guard
from .rooms import Replays, Room, Rooms

STATIC = Path(__file__).parent / "static"


def make_app(start: str, hosts: list[str], rooms: Rooms | None, replays: Replays | None) -> Any:
    """The application.

    start: the page that `/` leads to. hosts: names by which it may be called, `*` for any: on
    loopback only those, so that no page of another site can reach it under its own name. rooms:
    the games that are played. replays: the games that can be looked at.
    """
    games = [] if rooms is None else _game_routes(rooms)
    records = [] if replays is None else _replay_routes(replays)
    return Starlette(
        routes=[
            Route("/", lambda _: RedirectResponse(start)),
            Route("/api/texts", _texts),
            *games,
            *records,
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=hosts), Middleware(Guard)],
        exception_handlers={GoldgriffError: _refused},
    )


def _game_routes(rooms: Rooms) -> list[Route]:
    def state(request: Request) -> Response:
        room = rooms.room(_number(request))
        with room.lock:
            if room.session.version == request.query_params.get("version"):
                return Response(status_code=204)
            return JSONResponse(state_of(room.session, _language(request)))

    def change(act: Callable[[Room, dict[str, Any]], object]) -> Callable[..., Any]:
        async def endpoint(request: Request) -> Response:
            body = await _body(request)
            return await run_in_threadpool(_changed, request, body)

        def _changed(request: Request, body: dict[str, Any]) -> Response:
            room = rooms.room(_number(request))
            with room.turn:
                fresh = body.get("version") == room.session.version
                if fresh:
                    act(room, body)
                with room.lock:
                    now = state_of(room.session, _language(request))
            return JSONResponse(now, status_code=200 if fresh else 409)

        return endpoint

    def hint(request: Request) -> Response:
        room = rooms.room(_number(request))
        with room.turn:  # from that adviser alone: to make an agent may run code of its name's
            advice = room.session.hint(rooms.adviser)
            return JSONResponse(hint_of(room.session, advice, _language(request)))

    def new(_: Request) -> Response:
        return JSONResponse({"number": rooms.open_new()})

    game = "/api/games/{number:int}"
    return [
        Route("/game/{number:int}", _page),
        Route("/api/games", new, methods=["POST"]),
        Route(game, state),
        Route(f"{game}/move", change(_move), methods=["POST"]),
        Route(f"{game}/step", change(_step), methods=["POST"]),
        Route(f"{game}/undo", change(_undo), methods=["POST"]),
        Route(f"{game}/hint", hint),
    ]


def _move(room: Room, body: dict[str, Any]) -> None:
    """Play the person's move."""
    with room.lock:
        room.session.play(body.get("action"))  # type: ignore[arg-type]  # it says what is wrong


def _step(room: Room, _: dict[str, Any]) -> None:
    """Let an agent play its move."""
    room.session.step(room.lock)


def _undo(room: Room, _: dict[str, Any]) -> None:
    """Take the person's last move back."""
    with room.lock:
        room.session.undo()


def _replay_routes(replays: Replays) -> list[Route]:
    def show(request: Request) -> Response:
        at = request.query_params.get("at", "0")
        moves = int(at) if at.isdecimal() and len(at) < 9 else 0
        return JSONResponse(replays.replay(_number(request)).at(moves, _language(request)))

    return [
        Route("/replay/{number:int}", _page),
        Route("/api/replays/{number:int}", show),
    ]


def _page(_: Request) -> Response:
    return FileResponse(STATIC / "index.html")


def _texts(request: Request) -> Response:
    """The page's own texts, by their keys without `page.`."""
    place = LANGUAGES.index(_language(request))
    texts = {key[5:]: both[place] for key, both in TEXTS.items() if key.startswith("page.")}
    return JSONResponse(texts)


def _refused(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, status_code=400)


async def _body(request: Request) -> dict[str, Any]:
    """What a page sends: an object, or nothing."""
    try:
        given = json.loads(await request.body() or b"{}")
    except ValueError:
        given = {}
    return given if isinstance(given, dict) else {}


def _number(request: Request) -> int:
    number: int = request.path_params["number"]
    return number


def _language(request: Request) -> str:
    """The language that is asked for, English when it is none of ours."""
    given = request.query_params.get("lang", "")
    return given if given in LANGUAGES else LANGUAGES[0]
