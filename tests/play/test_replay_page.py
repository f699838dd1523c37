"""The page of a replay: rounds to jump to, and an analysis that comes bit by bit."""

import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
from starlette.testclient import TestClient

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.eval.analysis.analysis import GameAnalysis
from goldgriff.eval.tournament.replay import read_game
from goldgriff.eval.tournament.store import STORE, Store
from goldgriff.play.web import replay as analysis_of_page
from goldgriff.play.web.access import Access
from goldgriff.play.web.app import make_app
from goldgriff.play.web.replay import Replay
from goldgriff.play.web.rooms import Replays

from .pages import DESKTOP, PHONE, open_page, serving
from .tables import SMALL, play_by_chance, small_session

RULES = {**SMALL["auruxxx"], "max_decisions": 30}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store whose game 1 is over, and whose game 2 can go on."""
    for _ in play_by_chance(small_session(AURUXXX, RULES, folder=tmp_path)):
        pass
    small_session(AURUXXX, RULES, folder=tmp_path)
    return tmp_path


def client_of(folder: Path, agent: str = "expert") -> TestClient:
    replays = Replays(folder / STORE, agent=agent)
    app = make_app("/replay/1", Access("127.0.0.1"), replays)
    return TestClient(app, base_url="http://localhost")


def analysis(client: TestClient, number: int = 1, **query: Any) -> Any:
    return client.get(f"/api/replays/{number}/analysis", params=query).json()


def test_an_analysis_comes_bit_by_bit_and_is_kept(folder: Path) -> None:
    client, found = client_of(folder), list[Any]()
    while True:
        more = analysis(client, known=len(found))
        found += more["decisions"]
        if more["done"] == more["total"]:
            break
    assert len(found) > 10
    assert [one["move"] for one in found] == sorted({one["move"] for one in found})
    assert analysis(client)["decisions"] == found
    german = analysis(client, lang="de")["decisions"]
    assert [one["win"] for one in german] == [one["win"] for one in found]
    assert german[0]["moves"][0]["text"] != found[0]["moves"][0]["text"]
    for one in found:
        assert one["moves"][0]["action"] == one["best"]
        assert one["played"] in [each["action"] for each in one["moves"]]
        if one["played"] == one["best"]:
            assert one["mark"] == ""
    assert analysis(client, known="x")["decisions"] == found


def test_a_second_page_misses_no_decision_of_an_analysis(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One page asks while the last step is made for another."""
    with Store.open(folder) as store:
        stored = read_game(store, 1)
    replay = Replay(folder / STORE, 1, agent="expert")
    whole = GameAnalysis(stored, "expert")
    replay._analysis = whole
    while whole.done < len(stored.actions) - 1:
        whole.step()

    class Decisions(list[Any]):
        def __getitem__(self, part: Any) -> Any:
            found = super().__getitem__(part)
            if not whole.complete:
                self.append("the last")
                whole._match.act(stored.actions[-1])
            return found

    whole.decisions = Decisions()
    monkeypatch.setattr(analysis_of_page, "_decision_data", lambda decision, *_: decision)
    with analysis_of_page._working:  # by the other page
        first = replay.analyse(0, "en")
        second = replay.analyse(len(first["decisions"]), "en")
    assert [first["decisions"], second["decisions"]] == [[], ["the last"]]
    assert first["done"] < first["total"] == second["done"]  # so that it asks once more


def test_a_replay_knows_where_its_rounds_begin(folder: Path) -> None:
    client = client_of(folder)
    shown = client.get("/api/replays/1").json()
    assert shown["analysed"]
    assert len(shown["starts"]) == 2
    for number, start in enumerate(shown["starts"], start=1):
        begun = client.get("/api/replays/1", params={"at": start}).json()
        assert begun["position"]["round"] == number
        assert begun["log"][-1]["kind"] == "deal"


def test_a_game_that_can_go_on_is_not_analysed(folder: Path) -> None:
    client = client_of(folder)
    assert not client.get("/api/replays/2").json()["analysed"]
    answer = client.get("/api/replays/2/analysis")
    assert answer.status_code == 400
    assert answer.json() == {"error": "game 2 can go on: it is analysed at its end"}


def test_an_agent_that_fails_is_one_line(folder: Path) -> None:
    client = client_of(folder, "tests.play.players:Stubborn")
    assert "gives no hint: failed: RuntimeError" in analysis(client)["error"]


@pytest.mark.flow
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=str)
def test_rounds_and_mistakes_can_be_jumped_to(
    browser: Any, folder: Path, viewport: dict[str, int]
) -> None:
    with serving(AURUXXX, RULES, folder, ("expert", "random")) as address:
        page = open_page(browser, f"{address}/replay/1", viewport=viewport)
        page.set_default_timeout(30_000)
        rounds = page.locator("#timeline .round")
        assert rounds.count() == 2
        rounds.last.click()
        page.locator("#round").filter(has_text="Round 2").wait_for()
        page.keyboard.press("PageUp")
        page.wait_for_url("**/replay/1#0")
        if viewport is PHONE:
            page.click("#tools .side")
        page.click("#analysis .analyse")
        page.wait_for_selector("#analysis .mistakes")
        page.wait_for_selector("#analysis .progress", state="detached")
        assert page.locator("#timeline polyline").count() == 3
        table = page.locator("#analysis .decision")
        assert table.locator("[aria-label='best move']").count() == 1
        assert table.locator("tr.played").count() == 1
        assert page.locator("#timeline .scale span").all_inner_texts() == ["100%", "Chance", "0%"]
        assert page.locator("#timeline .unit").inner_text() == "Round"
        plot, line = (
            page.locator(each).bounding_box() for each in ("#timeline .plot", "#timeline svg")
        )
        assert (plot["x"], plot["width"]) == (line["x"], line["width"])
        assert "both be right" in page.locator("#analysis .remark").inner_text()
        marks = page.locator("#timeline .mark").count()
        mistakes = page.locator("#analysis .mistake")
        assert marks == mistakes.count()
        if marks:
            move = mistakes.first.inner_text().split()[0]
            lost = mistakes.first.inner_text()
            assert re.fullmatch(r"\d+ \?\?? \w.+: \d+ percentage points?", lost)
            assert "best:" in (mistakes.first.get_attribute("aria-label") or "")
            mistakes.first.click()
            page.wait_for_url(f"**/replay/1#{int(move) - 1}")
            assert table.locator("tr.played .bad").count() == 1
        root = "document.documentElement"
        assert page.evaluate(f"{root}.scrollHeight <= innerHeight")
        assert page.evaluate(f"{root}.scrollWidth <= innerWidth")
        assert page.faults == []


def test_the_card_of_a_hint_is_marked_in_the_hand(browser: Any, tmp_path: Path) -> None:
    with serving(AURUXXX, SMALL["auruxxx"], tmp_path, ("expert", "random")) as address:
        page = open_page(browser, address)
        page.set_default_timeout(30_000)
        page.keyboard.press("h")
        page.locator("#advice .reason").filter(has_text="sampled games").wait_for()
        first = page.locator("#advice .bar").first.inner_text().splitlines()[0]
        advised = page.locator("#moves .advised")
        assert first in advised.inner_text()
        card = page.locator("#hand .advised")
        if first.startswith("Lay"):
            assert card.get_attribute("aria-label") in first
        advised.click()
        page.wait_for_selector("#felt:not([data-moves='0'])")
        assert card.count() == 0
        assert page.faults == []


def test_who_waits_long_for_an_analysis_reads_why(browser: Any, folder: Path) -> None:
    held = list[Any]()
    with serving(AURUXXX, RULES, folder, ("expert", "random")) as address:
        page = open_page(browser, f"{address}/replay/1", locale="de-DE")
        page.route("**/analysis*", lambda route: route.continue_() if held else held.append(route))
        page.click("#analysis .analyse")
        said = page.locator("#analysis [role=status]")
        assert said.inner_text() == "Frage …"
        page.keyboard.press("ArrowRight")
        said.filter(has_text="Beim ersten Mal nach einer Installation").wait_for()
        held[0].continue_()
        page.wait_for_selector("#analysis .mistakes")
        assert said.count() == 0
        assert page.faults == []
