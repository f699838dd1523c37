"""The requests about a game that is played: each is answered for the seat that it may act for."""

from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from ..session.session import Session
from .access import Access, RequestError, Seat
from .data import STATIC, hint_data, session_data, texts_of
from .requests import body_of, language_of, number_of
from .rooms import Rooms


def game_routes(rooms: Rooms, access: Access) -> list[Route]:
    """Return the routes of the games that are played."""

    def seats(request: Request) -> set[Seat] | None:
        return access.seats_of(request, rooms.first_address(number_of(request)))

    def session_of(request: Request) -> Session:
        """Return the session of the game that a request names, for the person who asks."""
        allowed = seats(request)
        return _session_for(allowed, rooms.session(number_of(request)))

    def host_session(request: Request) -> Session:
        """Return the same, if the person may begin the next game. Raises RequestError if not."""
        session = session_of(request)
        if not _is_host(session, access):
            raise RequestError(403, code="no-host")
        return session

    def shown(request: Request, session: Session) -> dict[str, Any]:
        """Return what the page of a person shows; `next` is the address of the next game."""
        host, following = _is_host(session, access), rooms.next_of(session.number)
        return {
            **session_data(session, language_of(request)),
            "host": host,
            "next": None if host or following is None else rooms.address(following),
        }

    def state(request: Request) -> Response:
        session = session_of(request)
        with session.lock:
            if session.progress.version == request.query_params.get("version"):
                return Response(status_code=204)
            return JSONResponse(shown(request, session))

    def reading(answer: Callable[[Request, dict[str, Any]], Response]) -> Callable[..., Any]:
        """Return what reads the body of a request and then answers it in a thread."""

        async def endpoint(request: Request) -> Response:
            seats(request)  # before anything is read
            return await run_in_threadpool(answer, request, await body_of(request))

        return endpoint

    def change(name: str) -> Callable[..., Any]:
        act = _CHANGES[name]

        def changed(request: Request, body: dict[str, Any]) -> Response:
            session = session_of(request)
            with session.turn:
                fresh = session.progress.fits(body.get("version"))
                if fresh:
                    act(session, body)
                with session.lock:
                    now = shown(request, session)
            # Several pages ask for the move of an agent: for the slower ones it has been made.
            return JSONResponse(now, status_code=200 if fresh or name == "step" else 409)

        return reading(changed)

    def call(request: Request, body: dict[str, Any]) -> Response:
        """Call the person by a name for the others; answer with what is left of it."""
        session = session_of(request)
        if session.seat is None:
            raise RequestError(403, code="no-seat")
        with session.lock:
            return JSONResponse({"name": session.progress.call(session.seat, body.get("name"))})

    def hint(request: Request) -> Response:
        session = session_of(request)
        with session.turn:  # only from the agent set by the server: a name can be that of a module
            hint = session.hint(rooms.hint_agent)
            return JSONResponse(hint_data(session, hint, language_of(request)))

    def begin_next(request: Request, body: dict[str, Any]) -> Response:
        number = host_session(request).number
        return JSONResponse({"number": rooms.open_next(number, body.get("version"))})

    def delete(request: Request, _: dict[str, Any]) -> Response:
        rooms.delete(host_session(request).number)
        return JSONResponse({})

    def links(request: Request) -> Response:
        """Answer with the links of all seats, for who began the game to hand on."""
        return JSONResponse(_links(host_session(request), rooms, access, language_of(request)))

    game = "/api/games/{number}"
    return [
        Route("/game/{number}", show_page),
        Route(game, state),
        *(Route(f"{game}/{name}", change(name), methods=["POST"]) for name in _CHANGES),
        Route(f"{game}/name", reading(call), methods=["POST"]),
        Route(f"{game}/hint", hint),
        Route(f"{game}/next", reading(begin_next), methods=["POST"]),
        Route(f"{game}/delete", reading(delete), methods=["POST"]),
        Route(f"{game}/links", links),
    ]


def show_page(_: Request) -> Response:
    """Answer with the page of a game or a replay, which holds nothing of it."""
    return FileResponse(STATIC / "index.html")


def _links(session: Session, rooms: Rooms, access: Access, language: str) -> dict[str, Any]:
    """Return the links of all seats, and whether only this machine can open them."""
    tokens = access.tokens(session.people, rooms.first_address(session.number))
    names, page = texts_of(session, language), rooms.address(session.number)
    addresses = [
        {"name": names.player(seat), "seat": seat, "address": f"{page}?token={token}"}
        for seat, token in tokens.items()
        if seat is not None
    ]
    return {"links": addresses, "local": access.is_local}


def _is_host(session: Session, access: Access) -> bool:
    """Return whether the person of a session may begin the next game."""
    return session.seat == access.host_of(session.people)


def _session_for(seats: set[Seat] | None, session: Session) -> Session:
    """Return the session of a game for a person on one of some seats, None for any.

    Raises RequestError if they may not act for it. A game of several people takes no one without
    a token, wherever the server listens.
    """
    if len(session.people) > 1:
        mine = [seat for seat in session.people if seat in (seats or ())]
        if not mine:
            raise RequestError(403, code="no-token")
        return session.at(mine[0])
    if seats is not None and session.seat not in seats:
        raise RequestError(403, code="other-seat")
    return session


_CHANGES: dict[str, Callable[[Session, dict[str, Any]], object]] = {
    "move": lambda session, body: session.play(body.get("action")),  # type: ignore[arg-type]
    "step": lambda session, _: session.step(),
    "undo": lambda session, _: session.undo(),
    "resign": lambda session, _: session.resign(),
}
