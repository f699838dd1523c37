"""The pages and their requests, as a Starlette application.

All state is in the server: a page that is loaded again, or in a second tab, shows the game as it
stands. A move names the version of the game it was made on; made on an older one it is refused, and
the answer has the game as it is now.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, Router
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from ...envs.engine.game import GAMES
from ...errors import GoldgriffError, one_line
from ..rulebook import read_rulebook
from ..texts import LANGUAGES, read_texts
from .access import Access
from .data import STATIC, hint_data, session_data
from .guard import Guard
from .lobby import TABLES, Lobby, kinds
from .rooms import BusyError, Replays, Room, Rooms

MAX_BODY = 10_000  # bytes of a request
MAX_DIGITS = 18  # of a number in an address


def make_app(
    start: str,
    access: Access,
    rooms: Rooms | None,
    replays: Replays | None,
    lobby: Lobby | None = None,
) -> Any:
    """Return the application.

    Args:
        start: The page that `/` leads to without a lobby.
        access: Who may ask.
        rooms: The games that are played.
        replays: The games that can be looked at.
        lobby: The page at `/`, and the games of its other tables.
    """
    games = [] if rooms is None else _game_routes(rooms, access)
    records = [] if replays is None else _replay_routes(replays, access)
    front = [Route("/", lambda _: RedirectResponse(start))]
    return Starlette(
        routes=[
            *(front if lobby is None else _lobby_routes(lobby, access)),
            Route("/api/texts", _texts),
            Route("/api/rules/{game}", _rules),
            *games,
            *records,
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, access=access)],
        exception_handlers={GoldgriffError: _refused, HTTPException: _answered},
    )


def _lobby_routes(lobby: Lobby, access: Access) -> list[BaseRoute]:
    def show(request: Request) -> Response:
        games = lobby.games(_seats(access, request))
        return JSONResponse({"games": games, "kinds": kinds(_language(request))})

    async def begin(request: Request) -> Response:
        seats = _seats(access, request)
        seat = 0 if seats is None else next(iter(seats))
        address = await run_in_threadpool(lobby.begin, await _body(request), seat)
        return JSONResponse({"address": address})

    async def table(scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what is asked of the games of another table."""
        rooms, replays = await run_in_threadpool(lobby.table, scope["path_params"]["table"])
        routes = [*_game_routes(rooms, access), *_replay_routes(replays, access)]
        await Router(routes)(scope, receive, send)

    return [
        Route("/", lambda _: FileResponse(STATIC / "lobby.html")),
        Route("/api/lobby", show),
        Route("/api/lobby", begin, methods=["POST"]),
        Mount(f"/{TABLES}/{{table}}", table),
    ]


def _game_routes(rooms: Rooms, access: Access) -> list[Route]:
    @contextmanager
    def used(request: Request) -> Iterator[Room]:
        """Lend the room that a request names, to who may act for its person."""
        seats = _seats(access, request)
        with rooms.use(_number(request)) as room:
            if seats is not None and room.session.seat not in seats:
                raise HTTPException(403, "this token is of another seat")
            yield room

    def state(request: Request) -> Response:
        with used(request) as room, room.lock:
            if room.session.version == request.query_params.get("version"):
                return Response(status_code=204)
            return JSONResponse(session_data(room.session, _language(request)))

    def change(act: Callable[[Room, dict[str, Any]], object]) -> Callable[..., Any]:
        async def endpoint(request: Request) -> Response:
            _seats(access, request)  # before anything is read
            body = await _body(request)
            return await run_in_threadpool(changed, request, body)

        def changed(request: Request, body: dict[str, Any]) -> Response:
            with used(request) as room, room.turn:
                fresh = body.get("version") == room.session.version
                if fresh:
                    act(room, body)
                with room.lock:
                    now = session_data(room.session, _language(request))
            return JSONResponse(now, status_code=200 if fresh else 409)

        return endpoint

    def hint(request: Request) -> Response:
        with (
            used(request) as room,
            room.turn,
        ):  # only from the agent set by the server: a name can be that of a module
            hint = room.session.hint(rooms.hint_agent)
            return JSONResponse(hint_data(room.session, hint, _language(request)))

    def new(request: Request) -> Response:
        _seats(access, request)
        return JSONResponse({"number": rooms.open_new()})

    game = "/api/games/{number}"
    return [
        Route("/game/{number}", _page),
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


def _replay_routes(replays: Replays, access: Access) -> list[Route]:
    def show(request: Request) -> Response:
        _seats(access, request)
        moves = _count(request, "at")
        return JSONResponse(replays.replay(_number(request)).at(moves, _language(request)))

    def analyse(request: Request) -> Response:
        _seats(access, request)
        analysis = replays.replay(_number(request)).analysis
        return JSONResponse(analysis.after(_count(request, "known"), _language(request)))

    replay = "/api/replays/{number}"
    return [
        *(Route("/replay/{number}", _page), Route(replay, show)),
        Route(f"{replay}/analysis", analyse),
    ]


def _page(_: Request) -> Response:
    return FileResponse(STATIC / "index.html")


def _texts(request: Request) -> Response:
    """Return the page's own texts, by their keys without `page.`."""
    place, texts = LANGUAGES.index(_language(request)), read_texts("shared").items()
    own = {key[5:]: each[place] for key, each in texts if key.startswith("page.")}
    return JSONResponse(own)


def _rules(request: Request) -> Response:
    """Return the rules of a game as blocks; none for a game that has none, or is none."""
    game = request.path_params["game"]
    blocks = read_rulebook(game, _language(request)) if game in GAMES else ()
    return JSONResponse([asdict(block) for block in blocks])


def _refused(_: Request, error: Exception) -> Response:
    status = 503 if isinstance(error, BusyError) else 400
    return JSONResponse({"error": one_line(str(error))}, status_code=status)


def _answered(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


def _seats(access: Access, request: Request) -> set[int | None] | None:
    """Return the seats that a request may act for, None for all. Raises HTTPException for none."""
    seats = access.seats_of(request)
    if seats == set():
        raise HTTPException(401, "open the address that the server has printed: it has a token")
    return seats


def _number(request: Request) -> int:
    """Return the number of a game that an address has. Raises HTTPException if it is none."""
    given = request.path_params["number"]
    if not given.isdecimal() or len(given) > MAX_DIGITS:
        raise HTTPException(404, "an address has the number of a game")
    return int(given)


def _count(request: Request, name: str) -> int:
    """Return the number that a query gives under a name, 0 where it gives none."""
    given = request.query_params.get(name, "0")
    return int(given) if given.isdecimal() and len(given) < 9 else 0


async def _body(request: Request) -> dict[str, Any]:
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


def _language(request: Request) -> str:
    """Return the language that is asked for, English for one that is not there."""
    given = request.query_params.get("lang", "")
    return given if given in LANGUAGES else LANGUAGES[0]
