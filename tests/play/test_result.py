"""The end of a round and of a game, as the page shows it."""

from pathlib import Path
from typing import Any

import pytest

from goldgriff.envs.engine.game import GAMES

from .pages import SIZES, change_answers, open_page, play_to_a_dialog, serving
from .tables import SMALL

SHORT: dict[str, dict[str, Any]] = {
    "auruxxx": {**SMALL["auruxxx"], "max_decisions": 12},
    "gluecksgriff": {
        **{"num_players": 3, "hand_size": 5, "point_limit": 999},
        **{"max_decisions": 12, "max_rounds": 2},
    },
}


# The heading of the result and who has won, had the game given the seats these places.
OUTCOME = """async (places) => {
    const { resultPage, resultTitle } = await import("/static/result.js");
    const state = await (await fetch("/api/games/1?lang=en&version=")).json();
    const { seat } = state;
    state.ended.ranking = places.map((place, k) => ({ place, seat: (seat + k) % places.length }));
    return [resultTitle(state), resultPage(state).querySelector(".winner")?.textContent ?? ""];
}"""
# The names beside and above the score sheet that are broken into lines or cut off.
BROKEN = """() => [...document.querySelectorAll("#sheet th")].filter((heading) => {
    const name = heading.querySelector("span") ?? heading;
    const text = document.createRange();
    text.selectNodeContents(name);
    return text.getClientRects().length > 1 || name.scrollHeight > name.clientHeight + 1
        || text.getBoundingClientRect().width > heading.clientWidth;
}).map((heading) => heading.textContent)"""


def numbers(page: Any, selector: str) -> list[float]:
    texts = page.locator(selector).all_inner_texts()
    return [float(text.split(" ")[0].replace(",", "")) for text in texts]  # without their unit


@pytest.mark.parametrize("viewport", SIZES, ids=str)
@pytest.mark.parametrize("name", SHORT)
def test_the_end_is_seen_and_explained(
    browser: Any, tmp_path: Path, name: str, viewport: dict[str, int]
) -> None:
    with serving(GAMES[name], SHORT[name], tmp_path, ("random", "random")) as address:
        page = open_page(browser, address, viewport=viewport)
        play_to_a_dialog(page)
        assert page.locator(".result .points").count() == 3
        assert page.locator(".result .parts li").count() >= 3
        assert page.locator(".result .fan:not(:has(.card))").count() == 0  # no gap for no cards
        for about in page.locator(".result .points").all():
            gained = float(about.locator(".head span").inner_text().split(" ")[0])
            assert sum(numbers(about, ".parts .number")) == gained
        page.locator(".result .parts .rule").first.click()
        page.locator("#rules[open] .sought").first.wait_for()
        page.locator("#rules header button").click()  # not covered by the dialog
        assert page.locator("#dialog[open]").count() == 1
        page.locator("#dialog button").filter(has_text="See the table").click()
        page.wait_for_selector("body.at-end #moves button")
        assert page.locator("#others .fan.open").count() == 2
        assert page.locator("#others .fan:not(.open)").count() == 0
        assert page.locator("#status").inner_text() == "The round is over"
        others, pile = (page.locator(each).bounding_box() for each in ("#others", "#pile .card"))
        assert others["y"] + others["height"] <= pile["y"] + 1
        page.locator("#moves button").filter(has_text="Result").click()
        page.click("#dialog .primary")
        page.wait_for_selector("body:not(.at-end) #status")
        play_to_a_dialog(page)
        assert page.locator(".ranking li").count() == 3
        assert page.locator(".page .sheet tr").count() == 1 + 2 + 1
        assert page.locator(".chart polyline").count() == 3
        totals = numbers(page, ".ranking .number")
        assert totals == sorted(totals)
        assert sorted(numbers(page, ".page .sheet tr:last-child td")) == totals
        title = page.locator("#dialog-title").inner_text()
        assert title in ("You won", "You share the win", "You are second of 3", "You lost")
        bottom = page.locator("#dialog > .row").bounding_box()["y"]
        for part in (".ranking li", ".page .sheet tr"):  # seen without scrolling
            last = page.locator(part).last.bounding_box()
            assert last["y"] + last["height"] <= bottom + 1
        for places, heading in (
            ([1, 2, 3], "You won"),
            ([1, 1, 3], "You share the win"),
            ([2, 1, 3], "You are second of 3"),
            ([3, 1, 2], "You lost"),
            ([2, 1, 2], "You lost"),
        ):
            said, winner = page.evaluate(OUTCOME, places)
            assert said == heading
            assert (winner == "") == (heading == "You won")
        page.locator("#dialog button").filter(has_text="Close").click()
        page.locator("#moves button").filter(has_text="Result").click()
        page.locator(".ranking").wait_for()
        page.locator("#dialog button").filter(has_text="Watch replay").click()
        page.wait_for_selector("#stepper button")
        page.keyboard.press("End")
        page.locator("#moves button").filter(has_text="Result").click()
        page.locator(".ranking").wait_for()
        assert page.faults == []


def test_the_buttons_stay_beside_the_title_when_a_game_is_over(
    browser: Any, tmp_path: Path
) -> None:
    rules = {**SHORT["auruxxx"], "rounds": 1}
    with serving(GAMES["auruxxx"], rules, tmp_path, ("random", "random")) as address:
        page = open_page(browser, address, locale="de-DE")
        play_to_a_dialog(page)
        title, *buttons = [
            each.bounding_box()
            for each in (page.locator("h1"), *page.locator("#tools button").all())
        ]
        shown = [box for box in buttons if box]
        assert page.locator("#tools .again").is_visible()
        assert not page.locator("#tools .pause, #tools .skip").first.is_visible()
        assert all(box["y"] < title["y"] + title["height"] for box in shown)
        assert page.faults == []


@pytest.mark.parametrize("number", range(2, 7))
def test_no_name_of_an_agent_is_broken(browser: Any, tmp_path: Path, number: int) -> None:
    names = ["You", "champion", "search@500", "hoarder", "bluffer", "level-3"][:number]

    rules = {**SMALL["auruxxx"], "num_players": number}
    with serving(GAMES["auruxxx"], rules, tmp_path, ("random", "random")) as address:
        page = open_page(browser, address, locale="de-DE")
        change_answers(page, lambda data: data.update(names=names))
        page.locator("#sheet").get_by_text("champion").wait_for()
        assert page.evaluate(BROKEN) == []
        page.unroute_all(behavior="ignoreErrors")
