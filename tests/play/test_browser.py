"""The page in a real browser: whole games played by clicking, and what a person relies on."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import GAMES, Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.play.web.access import Access
from goldgriff.play.web.rooms import Rooms

from .pages import PHONE, change_answers, click_a_move, open_page, running, serving, settle
from .tables import SMALL, play_by_chance, small_session

# Put more buttons of moves on the table than there are digits; each says that it was pressed.
ADD_MOVES = """async () => {
    const { showKeys } = await import("/static/keys.js");
    const made = Array.from({ length: 40 }, (_, place) => {
        const button = document.createElement("button");
        button.onclick = () => { window.pressed = String(place); };
        return button;
    });
    showKeys(made);
    document.querySelector("#moves").replaceChildren(...made);
}"""


@pytest.fixture(params=GAMES)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A server with a game begun."""
    game = GAMES[request.param]
    with serving(game, {**SMALL[game.name], "max_decisions": 24}, tmp_path) as found:
        yield found


@pytest.mark.flow
def test_a_whole_game_is_played_by_clicking(browser: Any, address: str) -> None:
    page = open_page(browser, address)
    rounds = clicks = 0
    while True:
        if settle(page) == "dialog":
            rounds += 1
            assert page.locator(".result .points").count() == 3
            assert page.locator(".result .lay, .result .add, .result .end").count() == 0
            if page.locator(".ranking").count():
                break
            page.click("#dialog .primary")
            page.wait_for_selector("#dialog:not([open])", state="attached")
            continue
        clicks += 1
        before = page.locator("#felt").get_attribute("data-moves")
        assert clicks < 400
        click_a_move(page)
        page.wait_for_selector(f'#felt:not([data-moves="{before}"])')
    assert rounds >= 1
    page.reload()
    page.click("#tools .again")
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


def test_a_forced_move_plays_itself(browser: Any, tmp_path: Path) -> None:
    """In Glücksgriff, where the drawn card often can only be kept."""
    rules = {**SMALL["gluecksgriff"], "max_decisions": 40}
    with serving(GAMES["gluecksgriff"], rules, tmp_path) as address:
        play_without_forced_moves(open_page(browser, address, forced="yes"))


def play_without_forced_moves(page: Any) -> None:
    page.evaluate(
        "window.said = []; new MutationObserver(() => said.push($status.textContent)).observe("
        "$status, {childList: true})".replace("$status", "document.querySelector('#status')")
    )
    for _ in range(40):
        if settle(page) == "dialog":
            break
        assert page.locator("#moves button").count() > 1, "the only move has waited"
        before = page.locator("#felt").get_attribute("data-moves")
        page.locator("#moves button").first.click()
        page.wait_for_selector(f'#felt:not([data-moves="{before}"])')
    assert any(text.startswith("Your only move: ") for text in page.evaluate("said"))
    assert page.faults == []


def test_others_can_be_paused_and_skipped(browser: Any, crowded: str) -> None:
    page = open_page(browser, f"{crowded}/game/2", reduced_motion="no-preference")
    settle(page)
    page.locator("#moves .move").filter(has_text="Pass").click()
    page.keyboard.press("p")
    page.wait_for_selector("#felt[aria-busy=true]")
    page.locator("#tools .pause").filter(has_text="Go on").wait_for()
    page.locator("#status").filter(has_text="The game is paused").wait_for()
    page.keyboard.press("s")
    assert settle(page) in ("turn", "dialog")
    page.locator("#tools .pause").filter(has_text="Pause").wait_for()
    page.locator("#status").filter(has_not_text="paused").wait_for()
    assert page.faults == []


def test_the_hand_is_put_in_order_and_the_focus_stays(browser: Any, crowded: str) -> None:
    page = open_page(browser, f"{crowded}/game/2")
    settle(page)
    page.locator("#tools button").filter(has_text="Settings").click()
    page.locator("#dialog select").nth(1).select_option("number")
    page.click("#dialog .primary")
    page.wait_for_function(  # the dialog's end, and with it the new drawing, comes after the click
        """() => {
            const cards = [...document.querySelectorAll("#hand .card")];
            const numbers = cards.map((one) => Number(one.dataset.card.match(/\\d+$/)?.[0] ?? 99));
            return numbers.every((number, k) => k === 0 || numbers[k - 1] <= number);
        }"""
    )
    page.locator("#moves button").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#felt:not([data-moves='0'])")
    if settle(page) == "turn":
        page.wait_for_function("document.activeElement.closest('#moves, #hand') !== null")
    assert page.faults == []


@pytest.mark.flow
def test_hints_are_bars_and_a_click_plays_one(browser: Any, address: str) -> None:
    page = open_page(browser, address)
    page.keyboard.press("h")
    page.wait_for_selector("#advice .bar")
    percents = page.locator("#advice .percent").all_inner_texts()
    assert sum(int(percent.rstrip("%")) for percent in percents) in range(97, 104)
    width = page.evaluate(
        "parseFloat(getComputedStyle(document.querySelector('#advice .share')).width)"
    )
    assert width > 10
    heads = page.locator("#advice .bar-heads span").all_inner_texts()
    assert heads == ["", "plays it", "chance to win"]
    wins = page.locator("#advice .win").all_inner_texts()
    assert len(wins) == len(percents)
    label = page.locator("#advice .bar").first.get_attribute("aria-label")
    assert label.endswith(f" plays it {percents[0]}, chance to win {wins[0]}")
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


@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
def test_every_move_has_a_key_that_is_seen(browser: Any, tmp_path: Path, locale: str) -> None:
    game = GAMES["gluecksgriff"]
    rules = {"num_players": 2, "hand_size": 12, "max_decisions": 24}
    with serving(game, rules, tmp_path, ("random", "random")) as address:
        page = open_page(browser, address, locale=locale)
        change_answers(page, lambda data: data.update(legal=data["legal"] * 2))
        page.locator("#moves button").nth(9).wait_for()
        buttons = page.locator("#moves button")
        keys = page.locator("#moves kbd").all_inner_texts()
        assert len(keys) == buttons.count()
        assert keys[:10] == [*"1234567890"]
        page.keyboard.press("?")
        said = page.locator("#dialog li").first.inner_text()
        assert ("0 for the tenth" if locale == "en-US" else "0 für den zehnten") in said
        page.keyboard.press("0")  # the keys of the table do nothing behind a dialog
        page.keyboard.press("Escape")
        assert page.locator("#felt").get_attribute("data-moves") == "0"
        page.evaluate(ADD_MOVES)
        page.keyboard.press("0")
        assert page.evaluate("window.pressed") == "9"
        page.keyboard.press("a")
        assert page.evaluate("window.pressed") == "10"
        page.keyboard.press("B")
        assert page.evaluate("window.pressed") == "30"
        page.keyboard.press("b")
        assert page.evaluate("window.pressed") == "11"
        page.evaluate("document.body.append(document.createElement('input'))")
        page.locator("body > input").focus()
        page.keyboard.press("a")
        assert page.evaluate("window.pressed") == "11"
        assert page.locator("body > input").input_value() == "a"
        page.unroute_all(behavior="ignoreErrors")
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


def test_what_cannot_be_played_says_why(browser: Any, tmp_path: Path) -> None:
    numbers_only = {"blessings": 0, "steals": 0, "swaps": 0, "happy_men": 0}
    with serving(AURUXXX, SMALL["auruxxx"] | numbers_only, tmp_path) as address:
        page = open_page(browser, address)
        settle(page)
        page.set_default_timeout(20_000)
        why = page.locator("#why")
        assert why.inner_text() == ""
        page.click("#discard button[aria-disabled]", force=True)
        why.filter(has_text="the discard pile is only for laying. A2.2").wait_for()
        grey = page.locator("#hand .card[aria-disabled]").first
        grey.focus()
        why.filter(has_text=re.compile("Does not fit: .+ on .+ A3")).wait_for()
        for moves in (1, 2):
            page.click("#pile button.legal")
            page.wait_for_selector(f'#felt[data-moves="{moves}"][aria-busy=false]')
        page.mouse.move(0, 0)
        page.hover("#pile button[aria-disabled]", force=True)
        why.filter(has_text="You have made all the draws of this turn. A2.2").wait_for()
        page.keyboard.press("u")
        page.wait_for_selector("#felt[data-moves='1']")
        assert why.inner_text() == ""
        assert page.faults == []


def test_ids_of_rules_open_their_texts(browser: Any, crowded: str) -> None:
    page = open_page(browser, f"{crowded}/game/2")
    settle(page)
    page.set_default_timeout(20_000)
    page.click("#log .rule:text-is('A1.1')")
    sought = page.locator("#rules .sought")
    sought.filter(has_text="A1.1 Every player is dealt twelve cards").wait_for()
    page.click("#rules [data-rule='A2.2'] button")  # an id in a rule's own text
    sought.filter(has_text="A2.6").first.wait_for()
    page.keyboard.press("Escape")
    page.wait_for_selector("#rules", state="hidden")
    moves = page.locator("#felt").get_attribute("data-moves")
    page.keyboard.press("r")
    page.locator("#rules input").fill("u1h")
    page.keyboard.press("Backspace")
    page.keyboard.type("u")
    page.locator("#rules input").fill("figure")
    assert page.locator("#rules .rule[data-rule='A1.4']").is_visible()
    assert not page.locator("#rules .rule[data-rule='A1.1']").is_visible()
    assert page.locator("#felt").get_attribute("data-moves") == moves
    page.locator("#moves button").first.focus()
    page.keyboard.press("l")
    page.locator("#rules [data-rule='A1.1']").filter(has_text="zwölf Handkarten").wait_for()
    page.click("#rules button[aria-label='Schließen']")
    page.wait_for_selector("#rules", state="hidden")
    assert page.faults == []


def test_a_server_that_was_lost_is_found_again(browser: Any, tmp_path: Path) -> None:
    rules = SMALL["auruxxx"]
    finished = small_session(AURUXXX, {**rules, "rounds": 1}, folder=tmp_path)
    for _ in play_by_chance(finished):
        pass
    with serving(AURUXXX, rules | {"rounds": 1}, tmp_path) as address:
        page = open_page(browser, f"{address}/game/2")
        replay = open_page(browser, f"{address}/replay/1")
        settle(page)
        for each in (page, replay):
            each.set_default_timeout(30_000)
    lost = page.locator("#lost")
    lost.filter(has_text="The server does not answer. Trying again …").wait_for()
    page.keyboard.press("2")
    page.wait_for_selector("#felt[aria-busy=true]")
    replay.keyboard.press("ArrowRight")
    replay.wait_for_selector("#lost")
    port = int(address.rpartition(":")[2])
    with serving(AURUXXX, rules | {"rounds": 1}, tmp_path, port=port):
        for each in (page, replay):
            each.wait_for_selector("#lost", state="hidden")
        replay.wait_for_url("**/replay/1#1")
        settle(page)
        assert page.locator("#felt").get_attribute("data-moves") == "0"
        page.keyboard.press("2")
        page.wait_for_selector("#felt:not([data-moves='0'])")
        settle(page)
    unexpected = [fault for fault in page.faults + replay.faults if "net::ERR_" not in fault]
    assert [fault for fault in unexpected if "status of 409" not in fault] == []


def test_a_missing_game_is_named(browser: Any, crowded: str) -> None:
    page = browser.new_context(locale="en-US").new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    for path, said in (
        ("/game/999", "has no game 999"),
        ("/replay/2", "game 2 is still being played"),
    ):
        page.goto(crowded + path)
        page.locator("#status").filter(has_text=said).wait_for()
        page.keyboard.press("u")
        page.keyboard.press("h")
    assert faults == []


def test_quick_keys_of_a_replay_lose_no_step(browser: Any, crowded: str) -> None:
    page = open_page(browser, f"{crowded}/replay/1")
    assert page.locator("#status").inner_text() == "You to move"
    press = "document.dispatchEvent(new KeyboardEvent('keydown', {key: %s, altKey: %s}))"
    for _ in range(6):
        page.evaluate(press % ("'ArrowRight'", "false"))
    page.wait_for_url("**/replay/1#6")
    page.evaluate(press % ("'ArrowLeft'", "true"))
    page.locator("#stepper .forward").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/replay/1#7")
    page.keyboard.press("Enter")
    page.wait_for_url("**/replay/1#8")
    page.keyboard.press("End")
    page.get_by_text("The game is over").wait_for()
    assert page.faults == []


def test_six_players_on_a_phone(browser: Any, crowded: str) -> None:
    page = open_page(browser, f"{crowded}/replay/1#5", viewport=PHONE)
    assert page.locator("#stepper").bounding_box()["y"] < PHONE["height"] - 30
    cut = "[...document.querySelectorAll('th')].filter((th) => th.scrollWidth > th.clientWidth)"
    page.locator("#tools .side").click()
    page.locator("#sheet th").nth(6).wait_for()
    assert page.evaluate(f"{cut}.map((th) => th.textContent)") == []
    page.goto(f"{crowded}/game/2")
    settle(page)
    page.locator("#moves .move").filter(has_text="Pass").click()
    page.wait_for_selector("#felt:not([data-moves='0'])")
    settle(page)
    last = " ".join(page.locator("#log li").last.text_content().split())
    assert last.startswith(page.locator("#latest").inner_text())
    assert page.faults == []


def test_the_command_may_name_the_language(browser: Any, crowded: str) -> None:
    page = open_page(browser, f"{crowded}/game/2?lang=de")
    assert page.locator("#status").inner_text().startswith("Du bist dran")
    page.keyboard.press("Shift+L")
    page.locator("#status").filter(has_text="Your move").wait_for()
    page.reload()
    page.locator("#status").filter(has_text="Your move").wait_for()
    assert page.faults == []


def test_a_game_without_card_faces_has_plain_cards(
    browser: Any, third_game: Game, tmp_path: Path
) -> None:
    rules = next(
        SMALL[name] for name, game in GAMES.items() if game.settings is third_game.settings
    )
    with serving(third_game, rules, tmp_path, ("tests.players:First",) * 2) as address:
        page = open_page(browser, address)
        assert "player_0" in page.locator("#printed").inner_text()
        assert page.locator("#title").inner_text() == "A third game"
        name = page.locator("#hand .card").first.get_attribute("data-card")
        assert page.locator(f"#card-{name} text").text_content() == name
        page.keyboard.press("1")
        page.wait_for_selector("#felt:not([data-moves='0'])")
        settle(page)
        assert page.locator("#log li").count() > 1
        assert page.faults == []


def test_cards_fly_without_a_fault(browser: Any, address: str) -> None:
    page = open_page(browser, address, reduced_motion="no-preference")
    for _ in range(3):
        if settle(page) == "dialog":
            page.click("#dialog .primary")
            continue
        before = page.locator("#felt").get_attribute("data-moves")
        page.locator("#moves .move").first.click()
        page.wait_for_selector(".flying", state="attached")
        page.wait_for_selector(f'#felt:not([data-moves="{before}"])')
    settle(page)
    assert page.faults == []


def test_open_cards_of_a_magic_hand_are_clicked_and_signs_are_drawn(
    browser: Any, tmp_path: Path
) -> None:
    rules = {"num_players": 3, "bluffing": True}
    settings = GLUECKSGRIFF.settings.from_dict(rules)
    rooms = Rooms(GLUECKSGRIFF, settings, [PERSON, "random", "random"], tmp_path, "expert")
    rooms.open_new(3)
    hands = [["1", "3", "joker"], ["0", "5"], ["7", "8"]]
    position = {"hands": hands, "discard": ["7"], "phase": "magic", "magician": 0}
    rooms.session(1).match.start(1, {**position, "open": [None, "5", "7"]})
    with running(rooms, Access("127.0.0.1"), "/game/1") as address:
        page = open_page(browser, address, locale="de-DE")
        assert page.locator("#status").inner_text() == "Magische Hand: wähle eine Karte"
        assert page.locator("#own .badge svg path").count() == 1
        assert page.locator("#hand .card[data-card=joker] .caption").inner_text() == "Gaukler"
        assert page.locator("#others .lying.legal").count() == 2
        page.locator("#others .lying.legal").first.click()
        choices = page.locator("#dialog .row button").all_inner_texts()
        assert [text[1:].strip() for text in choices[:2]] == [
            "Offene Karte von Anna nehmen", "Anna anzweifeln",
        ]  # fmt: skip
        page.locator("#dialog .row button").first.click()
        page.wait_for_selector("#felt:not([data-moves='0'])")
        assert page.faults == []


def test_a_game_is_resigned_on_the_page_and_deleted_in_the_lobby(
    browser: Any, tmp_path: Path
) -> None:
    with serving(AURUXXX, SMALL["auruxxx"], tmp_path, lobby=True) as address:
        page = open_page(browser, f"{address}/game/1")
        page.click("#tools .resign")
        page.locator("#dialog button").filter(has_text="Resign").click()
        page.locator("#status").filter(has_text="You have resigned").wait_for()
        page.click("#tools .again")
        page.locator("#status").filter(has_text="You have resigned").wait_for()
        page.locator("#stepper .run-on").wait_for()
        page.goto(f"{address}/")
        page.on("dialog", lambda dialog: dialog.accept())
        page.click("#games .delete")
        page.locator("#games").filter(has_text="There are no games here yet.").wait_for()
        assert page.faults == []
