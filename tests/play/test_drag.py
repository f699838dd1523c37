"""Cards that are dragged onto the table, with a mouse and with a finger."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from goldgriff.envs.auruxxx import AURUXXX

from .pages import PHONE, open_page, serving, settle

MOVED = "#felt:not([data-moves='0'])"
LEGAL = "#hand .card.legal"
SWAP = f"{LEGAL}[data-card=swap]"
Drag = Callable[[Any, tuple[float, float], tuple[float, float]], None]


def drag_with_mouse(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.wait_for_selector("body > .card.flying")
    page.mouse.up()


def drag_with_finger(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        given = [{"x": x, "y": y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": given})

    send("touchStart", start)
    for part in (0.3, 0.6, 1):
        x, y = (a + part * (b - a) for a, b in zip(start, end, strict=True))
        send("touchMove", (x, y))
    page.wait_for_selector("body > .card.flying")
    send("touchEnd")


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with serving(AURUXXX, {"num_players": 6, "hand_size": 22}, tmp_path, ("random",) * 2) as found:
        yield found


@pytest.fixture(params=[drag_with_mouse, drag_with_finger])
def drag(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    page = open_page(browser, address, viewport=PHONE, has_touch=True)
    settle(page)
    yield page
    assert page.faults == []


def corner(page: Any, selector: str) -> tuple[float, float]:
    """Return a point of a card that no other card covers."""
    box = page.locator(selector).first.bounding_box()
    return box["x"] + 8, box["y"] + 8


def middle(page: Any, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.flow
@pytest.mark.parametrize("target", ["#discard .card", "#latest"])
def test_a_card_dropped_on_the_table_is_played(page: Any, drag: Drag, target: str) -> None:
    name = page.locator(LEGAL).first.get_attribute("data-card")
    text = page.locator(LEGAL).first.get_attribute("aria-label")
    drag(page, corner(page, f"{LEGAL}[data-card={name}]"), middle(page, target))
    page.wait_for_selector(MOVED)
    page.locator("#log li").filter(has_text=f"You: laid {text}").wait_for(state="attached")
    assert page.locator(".flying").count() == 0


def test_a_card_with_several_moves_asks(page: Any, drag: Drag) -> None:
    drag(page, corner(page, SWAP), middle(page, "#discard .card"))
    page.wait_for_selector("#dialog[open]")
    assert page.locator("#dialog .row button").count() == 6
    page.locator("#dialog .row button").first.click()
    page.wait_for_selector(MOVED)


def test_a_card_dropped_on_the_hand_stays(page: Any, drag: Drag) -> None:
    x, y = corner(page, SWAP)
    drag(page, (x, y), (x - 120, y + 30))
    page.wait_for_selector(".flying", state="detached")
    assert page.locator("#dialog[open]").count() == 0
    page.locator(SWAP).first.click(position={"x": 8, "y": 8})
    page.wait_for_selector("#dialog[open]")
    assert page.locator("#felt").get_attribute("data-moves") == "0"


def test_what_is_drawn_anew_is_dragged_no_more(page: Any) -> None:
    page.mouse.move(*corner(page, LEGAL))
    page.mouse.down()
    page.mouse.move(*middle(page, "#discard .card"), steps=4)
    page.wait_for_selector("body > .card.flying")
    page.keyboard.press("1")
    page.wait_for_selector(MOVED)
    page.mouse.move(100, 300)
    page.wait_for_selector(".flying", state="detached")
    page.mouse.up()
