"""The page in a real browser: whole games played by clicking, and what a person relies on."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from goldgriff.envs.core.game import GAMES
from goldgriff.eval.store import STORE
from goldgriff.play.session import PERSON
from goldgriff.play.web.app import make_app
from goldgriff.play.web.rooms import Replays, Rooms
from goldgriff.play.web.server import LOOPBACK_NAMES, bind

from .tables import SMALL

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FOUND = next((path for path in map(shutil.which, BROWSERS) if path), None)
pytestmark = pytest.mark.skipif(FOUND is None, reason=f"none of {', '.join(BROWSERS)} is installed")
DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=FOUND, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(params=GAMES)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A server with a game begun."""
    game = GAMES[request.param]
    settings = game.settings.from_dict({**SMALL[game.name], "max_decisions": 24})
    rooms = Rooms(game, settings, [PERSON, "expert", "random"], 3, tmp_path, "expert")
    rooms.open_new()
    replays = Replays(tmp_path / STORE, finished=True)
    app = make_app("/game/1", LOOPBACK_NAMES, rooms, replays)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
    with bind("127.0.0.1", 0) as bound:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        server.should_exit = True
        thread.join()


def open_page(browser: Any, url: str, **options: Any) -> Any:
    """A page that fails the test when a script fails or something from outside is asked for."""
    context = browser.new_context(
        **{"viewport": DESKTOP, "locale": "en-US", "reduced_motion": "reduce", **options}
    )
    page = context.new_page()
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on(
        "console",
        lambda said: page.faults.append(said.text) if said.type == "error" else None,
    )
    page.on(
        "request",
        lambda asked: None if asked.url.startswith(url[:16]) else page.faults.append(asked.url),
    )
    page.goto(url)
    page.wait_for_selector("#status.asked, #stepper button")
    return page


def settle(page: Any) -> str:
    """Wait until the person is asked (`asked`) or something is to be read (`dialog`)."""
    page.wait_for_selector("#felt[aria-busy=false] #status.asked, #dialog[open]")
    return "dialog" if page.query_selector("#dialog[open]") else "asked"


def test_a_whole_game_is_played_by_clicking(browser: Any, address: str) -> None:
    page = open_page(browser, address)
    rounds = clicks = 0
    while True:
        if settle(page) == "dialog":
            rounds += 1
            assert page.locator(".result .points").count() == 3
            if page.locator(".result .won, .result .shared").count():
                break
            page.click("#dialog .primary")
            page.wait_for_selector("#dialog:not([open])", state="attached")
            continue
        clicks += 1
        before = page.locator("#felt").get_attribute("data-moves")
        assert clicks < 400
        # By the cards where there is one to click, so that hands get smaller.
        moves = page.locator("#hand .card.legal")
        if moves.count():
            moves.last.click()
            choice = page.locator("#dialog[open] .row button")
            if choice.count() and not page.locator(".result").count():
                choice.first.click()
        else:
            page.locator("#moves .move").last.click()
        page.wait_for_selector(f'#felt:not([data-moves="{before}"])')
    assert rounds >= 1
    page.get_by_text("Look at it again").click()
    page.wait_for_selector("#stepper button")
    assert page.locator(".player .fan").count() == 3
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/replay/1#1")
    page.keyboard.press("End")
    page.get_by_text("The game is over").wait_for()
    last = int(page.url.rpartition("#")[2])
    assert last > 10
    page.click("#stepper .back")
    page.wait_for_url(f"**#{last - 1}")
    assert page.faults == []


def test_reloads_and_second_tabs_lose_nothing(browser: Any, address: str) -> None:
    page = open_page(browser, f"{address}/game/1")
    page.keyboard.press("1")
    settle(page)
    hand = page.locator("#hand").inner_html()
    log = page.locator("#log").inner_text()
    page.reload()
    settle(page)
    assert page.locator("#hand").inner_html() == hand
    assert page.locator("#log").inner_text() == log
    other = page.context.new_page()
    other.goto(page.url)
    settle(other)
    assert other.locator("#hand").inner_html() == hand
    page.bring_to_front()
    page.keyboard.press("u")
    page.wait_for_selector("#tools .undo:disabled")
    other.bring_to_front()
    other.wait_for_selector("#tools .undo:disabled")
    assert page.faults == []


def test_hints_are_bars_and_a_click_plays_one(browser: Any, address: str) -> None:
    page = open_page(browser, address)
    page.keyboard.press("h")
    page.wait_for_selector("#advice .bar")
    shares = page.locator("#advice .percent").all_inner_texts()
    assert sum(int(share.split()[0]) for share in shares) in range(97, 104)
    width = page.evaluate(
        "parseFloat(getComputedStyle(document.querySelector('#advice .share')).width)"
    )
    assert width > 10
    page.click("#advice .bar")
    page.wait_for_selector("#advice", state="hidden")
    assert page.faults == []


def test_phone_width_dark_and_german(browser: Any, address: str) -> None:
    page = open_page(browser, address, viewport=PHONE, locale="de-DE", color_scheme="dark")
    assert page.locator("#status").inner_text().startswith("Du bist dran")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    colour = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(colour)
    page.keyboard.press("t")
    assert page.evaluate(colour) != dark
    page.keyboard.press("l")
    page.locator("#status").filter(has_text="Your move").wait_for()
    page.reload()
    page.locator("#status").filter(has_text="Your move").wait_for()
    page.keyboard.press("?")
    assert page.locator("#dialog li").count() >= 5
    assert page.faults == []


def test_the_hand_can_be_walked_with_the_arrow_keys(browser: Any, address: str) -> None:
    page = open_page(browser, address)
    page.keyboard.press("ArrowRight")
    focused = "document.activeElement.dataset.card"
    first = page.evaluate(focused)
    assert first == page.locator("#hand .card.legal").first.get_attribute("data-card")
    page.keyboard.press("ArrowLeft")
    last = page.evaluate(focused)
    assert last == page.locator("#hand .card.legal").last.get_attribute("data-card")
    page.keyboard.press("Enter")
    page.wait_for_selector("#dialog[open], #log li:nth-child(2)")
    assert page.faults == []
