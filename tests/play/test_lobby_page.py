"""The lobby in a browser: the way from it to a game and back, for everybody."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from goldgriff.envs.auruxxx import AURUXXX

from .pages import PHONE, SIZES, open_page, serving, settle
from .tables import SMALL, play_by_chance, small_session
from .test_accessibility import check

WIDE = "document.documentElement.scrollWidth > innerWidth"


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[str]:
    """A server with game 1 over and game 2 begun."""
    for _ in play_by_chance(small_session(AURUXXX, SMALL["auruxxx"], folder=tmp_path)):
        pass
    with serving(AURUXXX, SMALL["auruxxx"], tmp_path, ("random", "random"), lobby=True) as address:
        yield address


def listed(page: Any) -> list[str]:
    return page.locator("#games li a").all_inner_texts()  # type: ignore[no-any-return]


def choose(page: Any, label: str, option: str) -> None:
    page.get_by_label(label, exact=True).select_option(option)


def test_opponents_and_rules_are_explained_where_there_is_no_pointer(
    browser: Any, lobby: str
) -> None:
    page = open_page(browser, lobby, viewport=PHONE, has_touch=True, is_mobile=True, locale="de-DE")
    about = page.locator(".opponents .field").first.locator(".about")
    assert about.inner_text() == "Wertung 1452; der Champion, 18 von 100 Zügen zufällig"
    choose(page, "Gegner 1", "level-6")
    assert about.inner_text() == "Wertung 1731; der Champion ohne Fehler"
    choose(page, "Gegner 1", "you")
    assert not about.is_visible()
    page.locator("#form details:not(.how) summary").click()
    rounds = page.locator(".field").filter(has=page.get_by_label("Runden", exact=True))
    assert rounds.locator(".about").inner_text().startswith("rounds: ")
    assert rounds.locator(".about").is_visible()
    assert not page.evaluate(WIDE)
    check(page, "house rules")


@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
def test_what_a_game_needs_is_seen_without_scrolling(browser: Any, lobby: str, locale: str) -> None:
    for size in SIZES:
        page = open_page(browser, lobby, viewport=size, locale=locale)
        needed = page.locator("#form select[name=game], #form [name=agent], #form .begin button")
        assert needed.count() == 5
        for each in needed.all():
            box = each.bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= size["height"]
        page.locator("#form details:not(.how) summary").click()  # the button stays where it is seen
        box = page.locator("#form .begin button").bounding_box()
        assert box["y"] + box["height"] <= size["height"]
        assert not page.evaluate(WIDE)
        page.context.close()


def test_what_cannot_be_is_said(browser: Any, lobby: str) -> None:
    page = open_page(browser, lobby)
    choose(page, "Game", "gluecksgriff")
    choose(page, "Number of players", "2")
    page.locator("#form details:not(.how) summary").click()
    choose(page, "All rules as in", "experts")
    page.get_by_label("Point limit").fill("0")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("#form-fault:not(:empty)")
    fault = page.locator("#form-fault")
    assert fault.inner_text() == "Point limit: a whole number from 1 to 10000"
    page.get_by_label("Point limit").fill("30")
    page.get_by_label("Seed of the deals").fill("-1")
    page.get_by_role("button", name="Begin").click()
    assert fault.inner_text() == "The seed is a whole number from 0 to 2^64 - 1."
    page.get_by_label("Seed of the deals").fill("")
    choose(page, "All rules as in", "tiny-c")
    players = page.get_by_label("Number of players")
    assert players.input_value() == "3"
    assert page.locator(".opponents select").count() == 2
    choose(page, "Number of players", "2")
    assert page.get_by_label("All rules as in").input_value() == ""
    opponent = page.get_by_label("Opponent 1", exact=True)
    opponent.evaluate("(agents) => agents.append(new Option('', 'nobody', true, true))")
    page.get_by_role("button", name="Begin").click()
    page.locator("#form-fault").filter(has_text="nobody").wait_for()
    assert players.input_value() == "2"
    (refused,) = page.faults
    assert "400" in refused


@pytest.mark.flow
def test_a_game_is_begun_left_and_gone_on_with(browser: Any, lobby: str) -> None:
    page = open_page(browser, lobby)
    page.wait_for_selector("#games li")
    title = "Auruxxx - Die Goldene 12"
    assert listed(page) == [f"{title}, game 2", f"{title}, game 1"]
    choose(page, "Game", "gluecksgriff")
    choose(page, "Number of players", "2")
    choose(page, "Opponent 1", "random")
    page.locator("#form details:not(.how) summary").click()
    choose(page, "All rules as in", "experts")
    page.get_by_label("Point limit").fill("30")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/tables/gluecksgriff-*/game/1")
    settle(page)
    begun = page.url
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Go on with this game").click()
    page.wait_for_selector("#dialog:not([open])", state="attached")
    assert page.url == begun
    page.get_by_role("button", name="New game").click()
    page.locator("#dialog button").filter(has_text="New game").click()
    page.wait_for_url("**/tables/gluecksgriff-*/game/2")
    settle(page)
    page.locator("#title").click()
    page.wait_for_selector("#games li:nth-child(3)")
    assert listed(page)[1:3] == ["Glücksgriff, game 2", "Glücksgriff, game 1"]
    page.get_by_role("link", name="Glücksgriff, game 1").click()
    page.wait_for_url(begun)
    settle(page)
    page.go_back()
    page.get_by_role("link", name=f"{title}, game 1").click()
    page.wait_for_selector("#stepper button")
    assert page.url.partition("#")[0] == f"{lobby}/replay/1"
    assert page.faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", SIZES, ids=str)
def test_the_lobby_is_accessible_and_fits_the_window(
    browser: Any, lobby: str, viewport: dict[str, int], scheme: str
) -> None:
    page = open_page(browser, lobby, viewport=viewport, color_scheme=scheme)
    page.wait_for_selector("#games li")
    for game in ("auruxxx", "gluecksgriff"):
        choose(page, "Game", game)
        page.locator("#form details:not(.how) summary").click()
        check(page, game)
        assert not page.evaluate(WIDE)
    assert page.faults == []


def test_the_lobby_speaks_german(browser: Any, lobby: str) -> None:
    page = open_page(browser, lobby, viewport=PHONE, locale="de-DE")
    page.wait_for_selector("#games li")
    page.locator("#form details:not(.how) summary").click()
    assert page.get_by_label("Runden").get_attribute("title") == (
        "rounds: wie viele Runden ein Spiel hat (A7.5), 1 - 100"
    )
    book = page.get_by_label("Aktionskarten und Ablegepflicht")
    options = ["deutsches Heft (üblich)", "deutsches Heft", "italienisches Heft", "ältere Webseite"]
    assert book.locator("option").all_inner_texts() == options
    page.get_by_label("Runden").fill("0")
    page.get_by_role("button", name="Beginnen").click()
    assert page.locator("#form-fault").inner_text() == "Runden: eine ganze Zahl von 1 bis 100"
    assert page.locator("#games h2").all_inner_texts() == ["Laufende Spiele", "Beendete Spiele"]
    page.get_by_role("button", name="English").click()
    page.get_by_role("heading", name="Games in progress").wait_for()
    assert page.title() == "All games · Goldgriff"


def test_levels_come_first_and_fields_show_what_is_usual(browser: Any, lobby: str) -> None:
    page = open_page(browser, lobby)
    groups = page.locator(".opponents .field").first.locator("optgroup")
    assert groups.evaluate_all("(all) => all.map(({ label }) => label)") == [
        "Levels",
        "Other agents",
    ]
    levels = groups.first.locator("option").all_text_contents()
    assert (levels[0], levels[5]) == ("level-1: very easy (1286)", "level-6: hardest (1731)")
    page.locator("#form details:not(.how) summary").click()
    rounds = page.get_by_label("Rounds", exact=True)
    assert rounds.get_attribute("placeholder") == "3"
    preset = page.get_by_label("All rules as in")
    assert preset.locator("option").first.text_content() == "German booklet 2020 (usual)"
    research = preset.locator("optgroup[label='for research'] option").all_text_contents()
    assert research[0] == "tiny-a, 2 players"
    choose(page, "All rules as in", "tiny-a")
    assert rounds.get_attribute("placeholder") == "1"


def test_games_are_told_apart(browser: Any, lobby: str) -> None:
    page = open_page(browser, lobby)
    choose(page, "Game", "gluecksgriff")
    page.locator("#form details:not(.how) summary").click()
    choose(page, "All rules as in", "experts")
    page.get_by_label("Point limit").fill("30")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/tables/gluecksgriff-*/game/1")
    page.goto(lobby)
    page.wait_for_selector("#games li:nth-child(2)")
    begun = r"begun \w+ \d+, \d{4}, \d+:\d\d\s[AP]M · Round 1 · "
    other = page.locator("#games li").filter(has_text="Glücksgriff").locator("div").inner_text()
    rules = "rules: rulebook for experts, Point limit: 30"
    assert re.fullmatch(begun + re.escape(rules), other)
    first = page.locator("#games li").first.locator("div").inner_text()
    assert re.fullmatch(
        begun + "rules: Rounds: 2, Cards dealt to each player: 4, more house rules", first
    )


def test_a_phone_has_the_way_to_the_lobby_in_its_menu(browser: Any, lobby: str) -> None:
    page = open_page(browser, f"{lobby}/game/2", viewport=PHONE)
    settle(page)
    home = page.get_by_role("button", name="All games")
    assert not home.is_visible()
    page.locator("#tools .menu").click()
    home.click()
    page.wait_for_selector("#games li")
    assert page.get_by_role("heading", name="Goldgriff").bounding_box()["x"] >= 0
    assert page.faults == []


def test_no_name_is_broken_at_its_hyphen(browser: Any, lobby: str) -> None:
    def call(route: Any) -> None:
        answer = route.fetch()
        data = answer.json()
        for game in data["games"]:
            game["players"] = ["level-3"] * 5
        route.fulfill(response=answer, json=data)

    page = open_page(browser, lobby, viewport=PHONE)
    page.route("**/api/lobby*", call)
    page.reload()
    page.locator("#games li span").first.wait_for()
    assert "level-3" not in page.locator("#games").inner_text()
    assert "level\N{NON-BREAKING HYPHEN}3" in page.locator("#games").inner_text()
