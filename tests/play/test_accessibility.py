"""The page for screen readers and keyboards: axe finds nothing serious, and moves are heard."""

import itertools
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import GAMES

from .pages import DESKTOP, SIZES, open_page, play_to_a_dialog, serving, settle
from .tables import SMALL
from .test_result import SHORT

AXE = Axe()


def check(page: Any, where: str) -> None:
    """Fail for what axe finds serious or critical."""
    page.mouse.move(0, 0)
    found = AXE.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    wrong = [
        f"{where}: {each['id']}: {node['html'][:120]}: {node['failureSummary']}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]
    assert wrong == []


def check_dialog(page: Any, where: str, *, close: bool = True) -> None:
    page.wait_for_selector("#dialog[open]")
    check(page, where)
    if not close:
        return
    page.keyboard.press("Escape")
    page.wait_for_selector("#dialog:not([open])", state="attached")


@pytest.mark.parametrize(
    ("name", "viewport", "scheme"),
    [
        pytest.param(*case, id=f"{case[0]}-{case[1]['width']}-{case[2]}")
        for case in itertools.product(SHORT, SIZES, ("light", "dark"))
    ],
)
def test_axe_finds_nothing_serious(
    browser: Any, tmp_path: Path, name: str, viewport: dict[str, int], scheme: str
) -> None:
    with serving(GAMES[name], SHORT[name], tmp_path, ("random", "random")) as address:
        page = open_page(browser, address, viewport=viewport, color_scheme=scheme)
        settle(page)
        check(page, "game")
        page.keyboard.press("?")
        check_dialog(page, "keys")
        page.locator("#tools button").filter(has_text="Settings").dispatch_event("click")
        check_dialog(page, "settings")
        page.keyboard.press("h")
        page.wait_for_selector("#advice .bar")
        check(page, "hint")
        menu = page.locator("#tools .menu")
        if menu.is_visible():
            menu.click()
            page.wait_for_selector("#tools.open")
            check(page, "menu")
            menu.click()
        play_to_a_dialog(page)
        check(page, "end of a round")
        page.locator("#dialog button").filter(has_text="See the table").click()
        page.wait_for_selector("body.at-end #moves button")
        check(page, "table at the end of a round")
        page.locator("#moves button").filter(has_text="Go on").click()
        page.wait_for_selector("body:not(.at-end) #status")
        play_to_a_dialog(page)
        page.wait_for_selector(".ranking")
        check(page, "end of the game")
        page.locator("#dialog button").filter(has_text="Watch replay").click()
        page.wait_for_selector("#stepper button")
        check(page, "replay")
        assert page.faults == []


WITH_CHOICES = {
    "auruxxx": ({**SMALL["auruxxx"], "num_players": 4, "swaps": 30}, "swap"),
    "gluecksgriff": ({"num_players": 4, "hand_size": 9, "hourglasses": 10}, "hourglass"),
}


@pytest.mark.parametrize("name", ["auruxxx", "gluecksgriff"])
def test_axe_finds_nothing_serious_in_what_opens_over_the_table(
    browser: Any, tmp_path: Path, name: str
) -> None:
    """The choice of a card's moves, the question before a new game, the rules."""
    rules, card = WITH_CHOICES[name]
    with serving(GAMES[name], rules, tmp_path, ("random", "random"), lobby=True) as address:
        page = open_page(browser, f"{address}/game/1")
        for viewport, scheme in itertools.product(SIZES, ("light", "dark")):
            page.set_viewport_size(viewport)
            page.emulate_media(color_scheme=scheme)
            where = f"{viewport['width']} {scheme}"
            page.locator(f"#hand .card.legal[data-card={card}]").first.dispatch_event("click")
            check_dialog(page, f"{where}: choice")
            page.locator("#tools .new").dispatch_event("click")
            check_dialog(page, f"{where}: leave")
            page.keyboard.press("r")
            page.wait_for_selector("#rules[open] .rule")
            check(page, f"{where}: rules")
            page.keyboard.press("Escape")
        assert page.faults == []


def test_what_happens_is_heard(browser: Any, tmp_path: Path) -> None:
    with serving(AURUXXX, SMALL["auruxxx"], tmp_path, ("random", "random")) as address:
        page = open_page(browser, address)
        settle(page)
        page.evaluate(
            """() => {
                window.heard = [];
                const announcer = document.querySelector("#announcer");
                new MutationObserver(() => heard.push(announcer.textContent))
                    .observe(announcer, { childList: true });
            }"""
        )
        page.locator("#moves .move").filter(has_text="Pass").click()
        page.wait_for_selector("#felt:not([data-moves='0'])")
        settle(page)
        heard = page.evaluate("heard")
        assert heard[0].startswith("You: passed")
        assert any(each.startswith("Anna: ") for each in heard)


def test_cards_and_piles_have_names(browser: Any, tmp_path: Path) -> None:
    with serving(AURUXXX, SMALL["auruxxx"], tmp_path, ("random", "random")) as address:
        page = open_page(browser, address, viewport=DESKTOP)
        settle(page)
        piles = page.locator("#middle").aria_snapshot()
        left = page.locator("#pile figcaption").inner_text()
        assert f'button "{left}: Draw a card"' in piles
        for card in page.locator("#hand .card").all():
            assert card.get_attribute("aria-label")
        others = page.locator("#others").aria_snapshot()
        assert others.count('img "face down: 4"') == 2
        assert page.locator("#hand").aria_snapshot().startswith('- group "Your hand"')


def test_every_move_can_be_made_with_keys(browser: Any, tmp_path: Path) -> None:
    with serving(
        AURUXXX, {"num_players": 6, "hand_size": 22}, tmp_path, ("random", "random")
    ) as address:
        page = open_page(browser, address, viewport=SIZES[1])
        settle(page)
        names = page.locator("#moves button").evaluate_all(
            "(all) => all.map((one) => one.innerText)"
        )
        assert len(names) > 9, "more than there are digits"
        reached = []
        for _ in names:
            page.keyboard.press("ArrowDown")
            reached.append(page.evaluate("document.activeElement.innerText"))
        assert reached == names
        page.keyboard.press("Enter")
        page.wait_for_selector("#dialog[open] .row button:focus, #felt:not([data-moves='0'])")
        assert page.faults == []
