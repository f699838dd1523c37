"""Headers that say where a page may fetch from, and a check of who may ask."""

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .access import Access, RequestError
from .requests import refusal

# Nothing from outside, nothing inline, in no frame.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


class RequestFilter:
    """Puts HEADERS on every response and refuses what a page of another site asks for."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app = app
        self.access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        request = Request(scope)
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        foreign = origin is not None and origin.partition("://")[2] != host
        app: ASGIApp = self.app
        if not self.access.knows_host(host):
            app = refusal(request, RequestError(400, code="host"))
        elif foreign and scope["method"] not in ("GET", "HEAD"):
            error = RequestError(403, code="origin")
            app = refusal(request, error)
        await app(scope, receive, send_marked)
