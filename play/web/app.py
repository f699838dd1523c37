"""The pages and their requests, as a Starlette application.

All state is in the server: a page that is loaded again, or in a second tab, shows the game as it
stands. A move names the version of the game it was made on; made on an older one it is refused, and
the answer has the game as it is now.
"""

import json
from collections.abc import Callable
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
from ..texts import LANGUAGES, read_texts
from .data import STATIC, hint_data, session_data
from .guard import Guard
from .rooms import Replays, Room, Rooms


def make_app(start: str, hosts: list[str], rooms: Rooms | None, replays: Replays | None) -> Any:
    """Return the application.

    Args:
        start: The page that `/` leads to.
        hosts: Names by which the server may be called, `*` for any: on loopback only those, so that
            no page of another site can reach it under its own name.
        rooms: The games that are played.
        replays: The games that can be looked at.
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
        room = rooms.room(request.path_params["number"])
        with room.lock:
            if room.session.version == request.query_params.get("version"):
                return Response(status_code=204)
            return JSONResponse(session_data(room.session, _language(request)))

    def change(act: Callable[[Room, dict[str, Any]], object]) -> Callable[..., Any]:
        async def endpoint(request: Request) -> Response:
            body = await _body(request)
            return await run_in_threadpool(changed, request, body)

        def changed(request: Request, body: dict[str, Any]) -> Response:
            room = rooms.room(request.path_params["number"])
            with room.turn:
                fresh = body.get("version") == room.session.version
                if fresh:
                    act(room, body)
                with room.lock:
                    now = session_data(room.session, _language(request))
            return JSONResponse(now, status_code=200 if fresh else 409)

        return endpoint

    def hint(request: Request) -> Response:
        room = rooms.room(request.path_params["number"])
        with room.turn:  # only from the agent set by the server: a name can be that of a module
            hint = room.session.hint(rooms.hint_agent)
            return JSONResponse(hint_data(room.session, hint, _language(request)))

    def new(_: Request) -> Response:
        return JSONResponse({"number": rooms.open_new()})

    game = "/api/games/{number:int}"
    return [
        Route("/game/{number:int}", _page),
        Route("/api/games", new, methods=["POST"]),
        Route(game, state),
        *(Route(f"{game}/{name}", change(act), methods=["POST"]) for name, act in _CHANGES.items()),
        Route(f"{game}/hint", hint),
    ]


def _play(room: Room, body: dict[str, Any]) -> None:
    with room.lock:
        room.session.play(body.get("action"))  # type: ignore[arg-type]  # it says what is wrong


def _undo(room: Room, _: dict[str, Any]) -> None:
    with room.lock:
        room.session.undo()


_CHANGES: dict[str, Callable[[Room, dict[str, Any]], object]] = {
    "move": _play,
    "step": lambda room, _: room.session.step(room.lock),
    "undo": _undo,
}


def _replay_routes(replays: Replays) -> list[Route]:
    def show(request: Request) -> Response:
        at = request.query_params.get("at", "0")
        moves = int(at) if at.isdecimal() and len(at) < 9 else 0
        return JSONResponse(
            replays.replay(request.path_params["number"]).at(moves, _language(request))
        )

    return [Route("/replay/{number:int}", _page), Route("/api/replays/{number:int}", show)]


def _page(_: Request) -> Response:
    return FileResponse(STATIC / "index.html")


def _texts(request: Request) -> Response:
    """Return the page's own texts, by their keys without `page.`."""
    place, texts = LANGUAGES.index(_language(request)), read_texts("shared").items()
    own = {key[5:]: each[place] for key, each in texts if key.startswith("page.")}
    return JSONResponse(own)


def _refused(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, status_code=400)


async def _body(request: Request) -> dict[str, Any]:
    """Return what a page sends: an object, or nothing."""
    try:
        given = json.loads(await request.body() or b"{}")
    except ValueError:
        given = {}
    return given if isinstance(given, dict) else {}


def _language(request: Request) -> str:
    """Return the language that is asked for, English for one that is not there."""
    given = request.query_params.get("lang", "")
    return given if given in LANGUAGES else LANGUAGES[0]
