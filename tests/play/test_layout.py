"""Where things are on the page: all that a move needs is in the window, and keeps its place."""

from pathlib import Path
from typing import Any

import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF

from .pages import (
    LYING_PHONE,
    PHONE,
    SIZES,
    change_answers,
    open_page,
    serving,
    settle,
    sizes_of,
)
from .tables import SMALL

PLACES = """
    ["#hand", "#moves", "#own", "#pile .card", "#discard .card", "#status", "#felt"].map(
        (each) => [each, $(each).getBoundingClientRect().toJSON()]
    )
"""
BOXES = "['#felt', '#hand', '#moves'].map((each) => $(each).getBoundingClientRect().toJSON())"
# What should be seen whole and is not: its own box lies in the window, and nothing cuts it off.
CUT = """
    [...document.querySelectorAll(
        "#others .player, #own .player, #pile .card, #discard .card, #status, #hand .card, " +
        "#moves button, #tools button, #stepper button"
    )].filter((each) => each.checkVisibility()).filter((each) => {
        const box = each.getBoundingClientRect();
        const cut = each.closest("#moves")?.getBoundingClientRect();
        return box.width === 0 || box.left < 0 || box.top < 0
            || box.right > innerWidth || box.bottom > innerHeight || cut?.bottom < box.bottom;
    }).map((each) => each.outerHTML.slice(0, 80))
"""
# The parts of the cards of the hand that can be clicked and show the corner: width and height.
STRIPS = """
    [...document.querySelectorAll("#hand .card")].map((card) => {
        const { left, top } = card.getBoundingClientRect();
        const seen = (x, y) => card.contains(document.elementFromPoint(left + x, top + y));
        let [x, y] = [2, 2];
        while (x < 40 && seen(x, 10)) x += 1;
        while (y < 40 && seen(10, y)) y += 1;
        return [x, y];
    })
"""


def evaluate(page: Any, script: str) -> Any:
    return page.evaluate(script.replace("$(", "document.querySelector("))


def show_large_hand(page: Any) -> None:
    """Let the server deal 22 cards to the person, most of which can be laid."""

    def more(data: dict[str, Any]) -> None:
        mine = data["position"]["seats"][data["seat"]]
        numbers = [name for name in data["cards"] if name.isdecimal()]
        mine["hand"] = sorted([*mine["hand"], *numbers, *numbers][:22])
        data["legal"] = [
            {"action": place, "name": name, "text": f"Lay {name}", "rules": [], "card": name}
            for place, name in enumerate(dict.fromkeys(mine["hand"]))
        ]

    change_answers(page, more)
    page.wait_for_selector("#hand .card:nth-child(22)")


def test_no_move_is_cut_off_however_many_there_are(browser: Any, tmp_path: Path) -> None:
    cut = """async () => {
        const { drawMoves } = await import("/static/moves.js");
        const list = document.querySelector("#moves"), wrong = [];
        for (let number = 1; number < 24; number += 1) {
            for (let length = 4; length < 24; length += 1) {
                const text = "x".repeat(length);
                const legal = Array.from({ length: number }, (_, action) => (
                    { action, name: "", text, rules: [], card: `v${action % 13}` }
                ));
                drawMoves({ legal }, () => {}, () => {});
                const bottom = list.lastChild.getBoundingClientRect().bottom;
                if (bottom > list.getBoundingClientRect().bottom + 1) wrong.push([number, length]);
            }
        }
        return wrong;
    }"""
    with serving(AURUXXX, {"num_players": 4}, tmp_path, ("random", "random")) as address:
        page = open_page(browser, address)
        settle(page)
        for size in sizes_of(page):
            assert page.evaluate(cut) == [], size


@pytest.mark.parametrize(("game", "most"), [(AURUXXX, 6), (GLUECKSGRIFF, 5)])
def test_all_that_a_move_needs_is_in_the_window(
    browser: Any, tmp_path: Path, game: Game, most: int
) -> None:
    for players in (2, 3, most):
        rules: dict[str, Any] = {"num_players": players}
        if game is AURUXXX:
            rules["hand_size"] = 22
        folder = tmp_path / str(players)
        folder.mkdir()
        with serving(game, rules, folder, ("random", "random")) as address:
            page = open_page(browser, address)
            if game is GLUECKSGRIFF:
                show_large_hand(page)
            settle(page)
            assert page.locator("#hand .card").count() == 22
            root = "document.documentElement"
            for size in sizes_of(page):
                assert evaluate(page, CUT) == [], size
                assert min(min(strip) for strip in evaluate(page, STRIPS)) >= 20, size
                assert page.evaluate(f"{root}.scrollHeight <= innerHeight"), size
                assert page.evaluate(f"{root}.scrollWidth <= innerWidth"), size
            page.context.close()


def lay_much(page: Any) -> None:
    """Let the server show a long run, many points, and signs and a card at each player."""

    def more(data: dict[str, Any]) -> None:
        run = [name for name in data["cards"] if name.isdecimal()]
        data["position"] |= {"discard": run[:13], "run": True, "laid": 1}
        for seat in data["position"]["seats"]:
            signs = [{"text": "a sign", "sign": "!", "card": None}] * 2
            seat["notes"] = [*signs, {"text": "a card", "sign": "", "card": "hourglass"}]
            seat["score"] = 107.5

    change_answers(page, more)
    page.wait_for_selector("#discard .card:nth-child(13)")


@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
@pytest.mark.parametrize("viewport", SIZES, ids=str)
def test_piles_keep_their_places_whatever_lies_there(
    browser: Any, tmp_path: Path, viewport: dict[str, int], locale: str
) -> None:
    rules = {"num_players": 5}
    with serving(GLUECKSGRIFF, rules, tmp_path, ("random", "random")) as address:
        page = open_page(browser, address, viewport=viewport, locale=locale)
        settle(page)
        places = evaluate(page, PLACES)
        lay_much(page)
        settle(page)
        assert evaluate(page, PLACES) == places
        assert evaluate(page, CUT) == []
        last = page.locator("#discard .card").last.bounding_box()
        felt = page.locator("#felt").bounding_box()
        own = page.locator("#own .player").bounding_box()
        assert last["x"] + last["width"] <= min(viewport["width"], felt["x"] + felt["width"])
        assert viewport is not LYING_PHONE or last["x"] + last["width"] <= own["x"]
        page.unroute_all(behavior="ignoreErrors")


@pytest.mark.parametrize("viewport", SIZES, ids=str)
@pytest.mark.parametrize("game", [AURUXXX, GLUECKSGRIFF])
def test_hand_and_buttons_keep_their_places(
    browser: Any, tmp_path: Path, game: Game, viewport: dict[str, int]
) -> None:
    with serving(game, SMALL[game.name], tmp_path, ("random", "random")) as address:
        page = open_page(
            browser, address, viewport=viewport, reduced_motion="no-preference", speed="fast"
        )
        settle(page)
        before = evaluate(page, BOXES)
        page.evaluate(
            f"""() => {{
                window.boxes = [];
                const look = () => {{
                    boxes.push({BOXES.replace("$(", "document.querySelector(")});
                    requestAnimationFrame(look);
                }};
                look();
            }}"""
        )
        for _ in range(4):
            moves = page.locator("#felt").get_attribute("data-moves")
            page.locator("#moves .move").first.click()
            page.wait_for_selector(f'#felt:not([data-moves="{moves}"])')
            if settle(page) == "dialog":
                break
        boxes = page.evaluate("boxes")
        assert len(boxes) > 20
        assert all(each == before for each in boxes)


@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
def test_the_words_under_the_piles_are_centred_and_do_not_meet(
    browser: Any, tmp_path: Path, locale: str
) -> None:
    def run(data: dict[str, Any]) -> None:
        data["position"] |= {"discard": ["3", "4", "5"], "run": True, "laid": 0, "pile": 111}

    words = """(of) => {
        const text = document.createRange();
        text.selectNodeContents(document.querySelector(`${of} figcaption`));
        const { left, right } = text.getBoundingClientRect();
        const cards = [...document.querySelectorAll(`${of} .card`)];
        const [first, last] = [cards[0], cards.at(-1)].map((each) => each.getBoundingClientRect());
        return { left, right, off: left + right - first.left - last.right };
    }"""
    with serving(GLUECKSGRIFF, {"num_players": 4}, tmp_path, ("random", "random")) as address:
        page = open_page(browser, address, locale=locale)
        change_answers(page, run)
        page.wait_for_selector("#discard .card:nth-child(3)")
        for size in sizes_of(page):
            pile, discard = (page.evaluate(words, of) for of in ("#pile", "#discard"))
            assert abs(pile["off"]) < 4, size
            assert abs(discard["off"]) < 4, size
            assert pile["right"] + 4 < discard["left"], size
        page.unroute_all(behavior="ignoreErrors")


def test_moves_are_words_in_both_languages_where_there_is_room(
    browser: Any, tmp_path: Path
) -> None:
    with serving(AURUXXX, {"num_players": 3}, tmp_path, ("random", "random")) as address:
        for locale in ("en-US", "de-DE"):
            page = open_page(browser, address, locale=locale)
            settle(page)
            assert page.locator("#moves .move").count() > 12
            assert page.locator("#moves .chip").count() == 0
            page.context.close()


def test_all_buttons_stand_beside_the_title(browser: Any, tmp_path: Path) -> None:
    with serving(AURUXXX, SMALL["auruxxx"], tmp_path, ("random", "random")) as address:
        page = open_page(browser, address, locale="de-DE")
        title = page.locator("#title").bounding_box()
        tools = page.locator("#tools").bounding_box()
        assert tools["y"] + tools["height"] <= title["y"] + title["height"] + 8
        page.evaluate("document.querySelector('#tools .links').hidden = false")
        assert page.locator("#tools").bounding_box()["height"] == tools["height"]


def test_many_moves_become_pictures(browser: Any, tmp_path: Path) -> None:
    rules = {"num_players": 6, "hand_size": 22}
    with serving(AURUXXX, rules, tmp_path, ("random", "random")) as address:
        page = open_page(browser, address, viewport=PHONE)
        settle(page)
        chips = page.locator("#moves .chip")
        names = chips.evaluate_all("(all) => all.map((each) => each.getAttribute('aria-label'))")
        assert len(names) == len(set(names)) > 9
        assert all(name for name in names)
        swaps = page.locator("#hand .card.legal[data-card=swap]")
        assert swaps.count() > 0, "the deal has a card with several moves"
        chips.last.click()
        page.wait_for_selector("#dialog[open]")
        assert page.locator("#dialog .row button").count() == 6
        page.keyboard.press("Escape")
        page.keyboard.press("3")
        page.wait_for_selector("#felt:not([data-moves='0'])")
        assert page.faults == []


@pytest.mark.parametrize("viewport", [PHONE, LYING_PHONE], ids=str)
def test_a_small_window_hides_log_and_tools_behind_buttons(
    browser: Any, tmp_path: Path, viewport: dict[str, int]
) -> None:
    with serving(AURUXXX, SMALL["auruxxx"], tmp_path, ("random", "random")) as address:
        page = open_page(browser, address, viewport=viewport)
        settle(page)
        assert not page.locator("#log").is_visible()
        assert not page.get_by_text("New game").is_visible()
        page.locator("#tools .side").click()
        page.locator("#log").wait_for()
        assert page.locator("#tools .side").get_attribute("aria-expanded") == "true"
        hand = page.locator("#hand").bounding_box()
        side = page.locator("#side").bounding_box()
        assert side["y"] + side["height"] <= hand["y"], "the hand is never covered"
        page.locator("#tools .side").click()
        page.locator("#log").wait_for(state="hidden")
        places = evaluate(page, PLACES)
        page.locator("#tools .menu").click()
        page.get_by_text("New game").wait_for()
        assert evaluate(page, PLACES) == places, "the menu lies above the table"
        page.keyboard.press("h")
        page.locator("#advice .bar").first.click()
        page.locator("#side").wait_for(state="hidden")
        assert page.faults == []


def test_a_replay_of_many_players_is_in_the_window(browser: Any, crowded: str) -> None:
    page = open_page(browser, f"{crowded}/replay/1#20")
    assert page.locator("#others .player .fan.open").count() == 6
    middle = "$('#middle').getBoundingClientRect()"
    piles = "$('#latest').checkVisibility() ? $('#latest') : $('#status')"
    lines = "document.querySelector('#timeline .lines').hidden"
    for size in sizes_of(page):
        assert evaluate(page, CUT) == [], size
        low = f"({piles}).getBoundingClientRect().bottom <= {middle}.bottom + 1"
        assert evaluate(page, low), size
        assert evaluate(page, f"$('#pile').getBoundingClientRect().top >= {middle}.top - 1"), size
        page.evaluate(f"{lines} = false")  # as in an analysis
        assert evaluate(page, f"$('#pile').getBoundingClientRect().top >= {middle}.top - 1"), size
        page.evaluate(f"{lines} = true")
