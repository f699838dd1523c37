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

from goldgriff.envs.core.errors import GoldgriffError
from goldgriff.play.state import hint_of, state_of
from goldgriff.play.texts import LANGUAGES, TEXTS
from goldgriff.play.web.guard import Guard
from goldgriff.play.web.rooms import Replays, Rooms

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
        number, language = _number(request), _language(request)
        with rooms.session(number) as session:
            if session.version == request.query_params.get("version"):
                return Response(status_code=204)
            return JSONResponse(state_of(session, language))

    def change(act: Callable[[Any, dict[str, Any]], object]) -> Callable[..., Any]:
        async def endpoint(request: Request) -> Response:
            body = await _body(request)
            return await run_in_threadpool(_changed, request, body)

        def _changed(request: Request, body: dict[str, Any]) -> Response:
            language = _language(request)
            with rooms.session(_number(request)) as session:
                if body.get("version") != session.version:
                    return JSONResponse(state_of(session, language), status_code=409)
                act(session, body)
                return JSONResponse(state_of(session, language))

        return endpoint

    def ask(request: Request) -> Response:
        with rooms.session(_number(request)) as session:
            agent = request.query_params.get("agent") or rooms.adviser
            return JSONResponse(hint_of(session, session.hint(agent), _language(request)))

    def new(_: Request) -> Response:
        return JSONResponse({"number": rooms.open_new()})

    return [
        Route("/game/{number:int}", _page),
        Route("/api/games", new, methods=["POST"]),
        Route("/api/games/{number:int}", state),
        Route(
            "/api/games/{number:int}/move",
            change(lambda session, body: session.play(body.get("action"))),
            methods=["POST"],
        ),
        Route(
            "/api/games/{number:int}/step",
            change(lambda session, _: session.step()),
            methods=["POST"],
        ),
        Route(
            "/api/games/{number:int}/undo",
            change(lambda session, _: session.undo()),
            methods=["POST"],
        ),
        Route("/api/games/{number:int}/hint", ask),
    ]


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
