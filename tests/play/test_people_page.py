"""Several people at one table, each in a browser of their own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.play.web.access import Access
from goldgriff.play.web.rooms import Rooms

from .pages import PHONE, SIZES, click_a_move, open_page, running
from .tables import SMALL
from .test_accessibility import check_dialog

SHORT = {**SMALL["auruxxx"], "rounds": 1, "max_decisions": 8}
SAID = "#status:not(:empty)"


@pytest.fixture
def links(tmp_path: Path) -> Iterator[list[str]]:
    """The links of two people on the seats 0 and 1 of a game with an agent."""
    settings, access = AURUXXX.settings.from_dict(SHORT), Access("127.0.0.1")
    rooms = Rooms(AURUXXX, settings, [PERSON, PERSON, "random"], tmp_path, "expert")
    page = rooms.address(rooms.open_new(3))
    tokens = access.tokens((0, 1), page).values()
    with running(rooms, access, page, lobby=True) as address:
        yield [f"{address}{page}?token={token}" for token in tokens]


def sit_down(browser: Any, link: str, **options: Any) -> Any:
    """Return the page of a link; it notes in `answers` what it is told of the game."""
    page = open_page(browser, link, ready=SAID, **options)
    page.answers = []
    page.on("response", lambda answer: note(page, answer))
    return page


def note(page: Any, answer: Any) -> None:
    if "/api/games/1" in answer.url and answer.status == 200:
        page.answers.append(answer.json())


@pytest.mark.flow
def test_two_people_play_one_table_to_the_end_of_the_round(browser: Any, links: list[str]) -> None:
    pages = [sit_down(browser, link) for link in links]
    first, second = pages
    assert first.locator("#status").inner_text().startswith("Your move")
    assert second.locator("#status").inner_text() == "Waiting for Person 1"
    assert "token" not in first.url
    clicks = 0
    while not all(page.locator(".ranking").count() for page in pages):
        for page in pages:
            if not page.locator("#felt[aria-busy=false] #status.your-turn").count():
                page.wait_for_timeout(50)
                continue
            assert page.locator(".fan.open").count() == 0
            before = page.locator("#felt").get_attribute("data-moves")
            click_a_move(page)
            page.wait_for_selector(f'#felt:not([data-moves="{before}"])')
            clicks += 1
    assert clicks > 3
    for seat, page in enumerate(pages):
        assert page.answers
        for answer in page.answers:
            hands = [each["hand"] is not None for each in answer["position"]["seats"]]
            assert hands == [each == seat or answer["position"]["over"] for each in range(3)]
        assert page.faults == []
    assert first.get_by_role("button", name="New game", exact=True).count() == 2
    assert second.get_by_role("button", name="New game", exact=True).count() == 0
    first.locator("#dialog").get_by_role("button", name="New game").click()
    first.wait_for_url("**/game/2")
    second.locator("#dialog .primary").click()
    second.get_by_role("link", name="Another game has begun: go there").click()
    second.wait_for_url("**/game/2")
    second.wait_for_selector(SAID)
    assert second.locator("#own .player").get_attribute("data-seat") == "1"


def test_a_name_that_a_person_gives_is_read_by_the_others(browser: Any, links: list[str]) -> None:
    first = sit_down(browser, links[0])
    second = sit_down(browser, links[1], asks_name=True)
    field = second.get_by_role("textbox", name="Your name")
    field.fill("<i>Ann</i>" + "x" * 20)
    assert field.input_value() == "<i>Ann</i>xxxxxxxxxx"
    field.fill("<i>Ann</i>")
    check_dialog(second, "name", close=False)
    field.press("Enter")
    first.locator("#others strong").get_by_text("<i>Ann</i>", exact=True).wait_for()
    second.reload()
    second.wait_for_selector(SAID)
    assert not second.locator("#dialog").is_visible()
    second.get_by_role("button", name="Settings").click()
    field.fill("W" * 20)
    second.get_by_role("button", name="Close").click()
    first.locator("#others strong").get_by_text("W" * 20, exact=True).wait_for()
    for viewport in SIZES:  # a long name leaves room for the cards
        first.set_viewport_size(viewport)
        for front in first.locator("#others .front").all():
            assert front.bounding_box()["width"] > 60
    assert first.faults == second.faults == []


def test_the_host_comes_back_from_all_games_to_each_game(browser: Any, links: list[str]) -> None:
    host = sit_down(browser, links[0])
    host.locator("#title").click()
    for label, option in (("Number of players", "2"), ("Opponent 1", "you")):
        host.get_by_label(label, exact=True).select_option(option)
    host.get_by_role("button", name="Begin").click()
    host.wait_for_selector(".seat-links")
    host.get_by_role("button", name="Close").click()
    for place in ("/game", "/tables"):
        host.locator("#title").click()
        host.locator(f"#games a[href^='{place}']").click()
        host.wait_for_selector("#status.your-turn")
    host.get_by_role("button", name="New game").click()
    host.locator("#dialog button").filter(has_text="New game").click()
    host.wait_for_url("**/tables/*/game/2")
    host.wait_for_selector("#status.your-turn")
    assert host.faults == []


def test_a_guest_is_shown_no_way_to_all_games(browser: Any, links: list[str]) -> None:
    host, guest = (sit_down(browser, link) for link in links)
    while not all(page.locator(".ranking").count() for page in (host, guest)):
        for page in (host, guest):
            if page.locator("#felt[aria-busy=false] #status.your-turn").count():
                before = page.locator("#felt").get_attribute("data-moves")
                click_a_move(page)
                page.wait_for_selector(f'#felt:not([data-moves="{before}"])')
            page.wait_for_timeout(50)
    for page, ways in ((host, 1), (guest, 0)):
        assert page.locator("#title[href]").count() == ways
        page.locator("#dialog").get_by_role("button", name="Watch replay").click()
        page.wait_for_selector("#stepper button")
        page.set_viewport_size(PHONE)
        page.locator("#tools .menu").click()
        assert page.locator("#title[href]").count() == ways
        assert page.get_by_role("button", name="All games").count() == ways
        assert page.faults == []


def test_a_wrong_token_shows_one_line(browser: Any, links: list[str]) -> None:
    for link in (links[1][:-1], links[1].partition("?")[0]):
        page = open_page(browser, link, ready=SAID)
        assert page.locator("#status").inner_text() == (
            "open the link of your seat, which has a token: whoever began the game has it"
        )
        assert page.locator(".card, .player").count() == 0


def test_who_begins_a_game_in_the_lobby_is_shown_its_links(browser: Any, links: list[str]) -> None:
    page = open_page(browser, links[0].partition("/game/")[0], viewport=PHONE)
    for label, option in (("Number of players", "2"), ("Opponent 1", "you")):
        page.get_by_label(label, exact=True).select_option(option)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".seat-links")
    assert page.locator(".seat-links b").all_inner_texts() == ["You", "Person 2"]
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.get_by_role("button", name="Copy: Person 2").click()
    page.get_by_text("Copied").wait_for()
    guest = page.get_by_label("Person 2", exact=True).input_value()
    check_dialog(page, "links")
    assert page.locator("#status").inner_text().startswith("Your move")
    other = open_page(browser, guest, ready=SAID, locale="de-DE")
    assert other.locator("#status").inner_text() == "Warten auf Person 1"
    assert not other.get_by_role("button", name="Links").is_visible()
    page.locator("#tools .menu").click()
    page.get_by_role("button", name="Links").click()
    page.wait_for_selector(".seat-links")
    assert page.faults == other.faults == []


def test_a_page_whose_browser_blocks_site_data_is_whole(browser: Any, tmp_path: Path) -> None:
    settings = AURUXXX.settings.from_dict(SMALL["auruxxx"])
    rooms = Rooms(AURUXXX, settings, [PERSON, PERSON, "random"], tmp_path, "expert")
    page_address, access = rooms.address(rooms.open_new(3)), Access("127.0.0.1")
    blocked = "get() { throw new DOMException('denied', 'SecurityError'); }"
    with running(rooms, access, page_address, lobby=True) as server:
        context = browser.new_context(locale="de-DE")
        for name in ("localStorage", "sessionStorage"):
            context.add_init_script(f"Object.defineProperty(window, '{name}', {{ {blocked} }})")
        page, faults = context.new_page(), list[str]()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(f"{server}{page_address}?token={access.seat_token(0, page_address)}")
        page.wait_for_selector("#dialog[open] input")  # it asks for the name
        page.click("#dialog .primary")
        page.click("#moves button >> nth=0")
        page.wait_for_selector('#felt[data-moves="1"]')
        page.reload()  # the address still has the token
        page.wait_for_selector('#felt[data-moves="1"]')
        page.click("#dialog .primary")
        page.click("#title")
        page.wait_for_selector("#games a")
        page.click("#games a")
        page.wait_for_selector("#dialog[open] input")
        context.close()
    assert faults == []


def test_only_who_began_a_game_deletes_it_in_the_lobby(browser: Any, links: list[str]) -> None:
    for link in reversed(links):  # the guest's first
        page = sit_down(browser, link)
        page.goto(link.partition("/game/")[0])
        page.on("dialog", lambda dialog: dialog.accept())
        page.click("#games .delete")
        page.locator("#games > p").wait_for()
    assert page.locator("#games").inner_text() == "There are no games here yet."
