"""The pages and their requests, as a Starlette application.

All state is in the server: a page that is loaded again, or in a second tab, shows the game as it
stands. A move names the version of the game it was made on; made on an older one it is refused, and
the answer has the game as it is now.
"""

from dataclasses import asdict
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, Router
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from ...envs.engine.game import GAMES
from ...errors import GoldgriffError
from ..texts import texts_in
from ..texts.messages import error_line
from ..texts.rulebook import read_rulebook
from .access import Access, RequestError, Seat
from .data import STATIC
from .form import new_game_form
from .games import game_routes, show_page
from .lobby import TABLES, Lobby
from .middleware import RequestFilter
from .requests import body_of, language_of, number_of, refusal
from .rooms import Replays, Rooms


def make_app(start: str, access: Access, games: Rooms | Replays, lobby: Lobby | None = None) -> Any:
    """Return the application.

    Args:
        start: The page that `/` leads to without a lobby.
        access: Who may ask.
        games: The games that are played, or those that can be looked at.
        lobby: The page at `/`, and the games of its other tables.
    """
    front = [Route("/", lambda _: RedirectResponse(start))]
    return Starlette(
        routes=[
            *(front if lobby is None else _lobby_routes(lobby, access)),
            Route("/api/texts", _texts),
            Route("/api/rules/{game}", _rules),
            *_routes_of(games, access),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(RequestFilter, access=access)],
        exception_handlers={GoldgriffError: refusal, HTTPException: _answered, Exception: _failed},
    )


def _lobby_routes(lobby: Lobby, access: Access) -> list[BaseRoute]:
    def show(request: Request) -> Response:
        games, faults = lobby.games(access.seats_of(request))
        language = language_of(request)
        said = [error_line(fault, language) for fault in faults]
        return JSONResponse({"games": games, "faults": said, "kinds": new_game_form(language)})

    async def begin(request: Request) -> Response:
        access.seats_of(request)
        address = await run_in_threadpool(lobby.begin, await body_of(request))
        return JSONResponse({"address": address})

    async def table(scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what is asked of the games of another table."""
        rooms = await run_in_threadpool(lobby.table, scope["path_params"]["table"])
        await Router(_routes_of(rooms, access))(scope, receive, send)

    return [
        Route("/", lambda _: FileResponse(STATIC / "lobby.html")),
        Route("/api/lobby", show),
        Route("/api/lobby", begin, methods=["POST"]),
        Mount(f"/{TABLES}/{{table}}", table),
    ]


def _routes_of(games: Rooms | Replays, access: Access) -> list[Route]:
    """Return the routes of games that are played, which also can be looked at, or of replays."""
    if isinstance(games, Replays):
        return _replay_routes(games, access, None)
    return [*game_routes(games, access), *_replay_routes(games.replays, access, games)]


def _replay_routes(replays: Replays, access: Access, rooms: Rooms | None) -> list[Route]:
    def show(request: Request) -> Response:
        """Answer with a replay; `host` says whether the way to all games is shown."""
        allowed, replay = seats(request), replays.replay(number_of(request))
        hosts = {access.seat, access.host_of(replay.people)}
        host = allowed is None or not hosts.isdisjoint(allowed)
        moves = _count(request, "at")
        return JSONResponse({**replay.at(moves, language_of(request)), "host": host})

    def analyse(request: Request) -> Response:
        seats(request)
        replay = replays.replay(number_of(request))
        return JSONResponse(replay.analyse(_count(request, "known"), language_of(request)))

    def seats(request: Request) -> set[Seat] | None:
        number = number_of(request)
        return access.seats_of(request, rooms.first_address(number) if rooms else "")

    replay = "/api/replays/{number}"
    return [
        *(Route("/replay/{number}", show_page), Route(replay, show)),
        Route(f"{replay}/analysis", analyse),
    ]


def _count(request: Request, name: str) -> int:
    """Return the number that a query gives under a name, 0 where it gives none."""
    count = request.query_params.get(name, "0")
    return int(count) if count.isdecimal() and len(count) < 9 else 0


def _texts(request: Request) -> Response:
    """Return the page's own texts, by their keys without `page.`."""
    texts = texts_in(language_of(request), "shared").items()
    return JSONResponse({key[5:]: text for key, text in texts if key.startswith("page.")})


def _rules(request: Request) -> Response:
    """Return the rules of a game as blocks; none for a game that has none, or is none."""
    game = request.path_params["game"]
    blocks = read_rulebook(game, language_of(request)) if game in GAMES else ()
    return JSONResponse([asdict(block) for block in blocks])


def _answered(request: Request, error: Exception) -> Response:
    """Say why there is no answer: the errors of Starlette."""
    assert isinstance(error, HTTPException)
    code = {404: "not-found", 405: "no-method"}.get(error.status_code, "")
    refused = refusal(request, RequestError(error.status_code, error.detail, code=code))
    refused.headers.update(error.headers or {})
    return refused


def _failed(request: Request, _: Exception) -> Response:
    """Say that the server failed; what it was is printed where it was started."""
    return refusal(request, RequestError(500, code="fault"))
