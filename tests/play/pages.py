"""The page in a browser: what its tests share."""

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn

from goldgriff.envs.engine.game import Game
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.play.web.access import Access
from goldgriff.play.web.app import make_app
from goldgriff.play.web.lobby import Lobby
from goldgriff.play.web.rooms import Rooms
from goldgriff.play.web.server import bind

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FOUND = next((path for path in map(shutil.which, BROWSERS) if path), None)
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
LYING_PHONE = {"width": 844, "height": 390}
SIZES = (DESKTOP, PHONE, LYING_PHONE)
TIMEOUT = 180_000.0  # milliseconds: the first answer of a scripted player compiles it


@contextmanager
def serving(
    game: Game,
    rules: dict[str, Any],
    folder: Path,
    agents: tuple[str, str] = ("expert", "random"),
    port: int = 0,
    *,
    lobby: bool = False,
) -> Iterator[str]:
    """Start a server that begins one more game of a folder; yields its address.

    The address is that of the game, or of the lobby.
    """
    settings = game.settings.from_dict(rules)
    names = [PERSON, *agents * 3][: settings.num_players]
    rooms = Rooms(game, settings, names, folder, agents[0])
    start = f"/game/{rooms.open_new(3)}"
    with running(rooms, Access("127.0.0.1"), start, port, lobby=lobby) as address:
        yield address


def change_answers(page: Any, change: Callable[[dict[str, Any]], None]) -> None:
    """Load a page again; a function changes what the server says of the game."""

    def changed(route: Any) -> None:
        answer = route.fetch()
        if answer.status == 204:  # nothing is new
            route.fulfill(response=answer)
            return
        data = answer.json()
        change(data)
        route.fulfill(response=answer, json=data)

    page.route("**/api/games/*", changed)
    page.reload()


@contextmanager
def running(
    rooms: Rooms, access: Access, start: str, port: int = 0, *, lobby: bool = False
) -> Iterator[str]:
    """Start a server of some games; yields its address."""
    app = make_app(start, access, rooms, Lobby(rooms, access) if lobby else None)
    server = uvicorn.Server(
        uvicorn.Config(app, log_config=None, log_level="warning", lifespan="off")
    )
    with bind("127.0.0.1", port) as bound:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:  # a thread that goes on would keep the process of the tests
            server.should_exit = True
            thread.join()


def open_page(
    browser: Any,
    url: str,
    forced: str = "no",
    speed: str = "normal",
    ready: str = "#status.your-turn, #stepper button, #form button",
    asks_name: bool = False,
    **options: Any,
) -> Any:
    """Return a page that notes in `faults` what fails and what is asked for from outside.

    Forced moves wait for a click, unless `forced` is `yes`, which is what the page does by itself.
    A person among several is not asked for a name, unless `asks_name`.
    The page is returned when it shows what `ready` selects.
    """
    context = browser.new_context(
        **{"viewport": DESKTOP, "locale": "en-US", "reduced_motion": "reduce", **options}
    )
    context.set_default_timeout(TIMEOUT)
    for key, value in (("forced", forced), ("speed", speed)):
        context.add_init_script(f"localStorage.setItem('{key}', '{value}')")
    if not asks_name:
        context.add_init_script("sessionStorage.name ??= ''")
    page = context.new_page()
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on(
        "console",
        lambda said: page.faults.append(said.text) if said.type == "error" else None,
    )
    page.on(
        "request",
        lambda sent: None if sent.url.startswith(url[:16]) else page.faults.append(sent.url),
    )
    page.goto(url)
    page.wait_for_selector(ready)
    return page


def sizes_of(page: Any) -> Iterator[dict[str, int]]:
    """Give the window of a page one size after another; yields each when it is drawn."""
    for size in SIZES:
        page.set_viewport_size(size)
        drawn = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        page.evaluate(drawn)
        yield size


def settle(page: Any) -> str:
    """Wait for the person's turn (`turn`) or something to be read (`dialog`)."""
    page.wait_for_selector("#felt[aria-busy=false] #status.your-turn, #dialog[open]")
    return "dialog" if page.query_selector("#dialog[open]") else "turn"


def click_a_move(page: Any) -> None:
    """Play a move, by the cards where there is one to click, so that hands get smaller."""
    cards = page.locator("#hand .card.legal")
    if not cards.count():
        page.locator("#moves .move").last.click()
        return
    cards.last.click()
    choice = page.locator("#dialog[open] .row button")
    if choice.count() and not page.locator(".result").count():
        choice.first.click()


def play_to_a_dialog(page: Any) -> None:
    """Play until something has to be read."""
    while settle(page) == "turn":
        before = page.locator("#felt").get_attribute("data-moves")
        click_a_move(page)
        page.wait_for_selector(f'#felt:not([data-moves="{before}"])')
