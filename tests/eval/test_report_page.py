"""The report in a browser: readable on a phone and in the dark, sorted and copied with a click."""

from collections.abc import Iterator
from typing import Any

import pytest

from goldgriff.envs.policy import RandomPolicy
from goldgriff.eval.report.charts import caption
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.results import Results

from ..play.pages import DESKTOP, PHONE, SIZES
from ..play.test_accessibility import check
from .small import EXPERT, RANDOM
from .test_report import report

LONG = "runs/a-very-long-name-of-a-run-with-all-its-settings"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Results, str]:
    """The results of a small tournament and the address of its report."""
    folder = tmp_path_factory.mktemp("report")
    results, _ = report(folder, EXPERT, RANDOM, Player(LONG, RandomPolicy()))
    return results, (folder / "report.html").as_uri()


@pytest.fixture
def open_report(browser: Any, written: tuple[Results, str]) -> Iterator[Any]:
    """Opens the report in a window of a size, light or dark."""
    contexts = []

    def opened(viewport: dict[str, int], scheme: str = "light") -> Any:
        contexts.append(browser.new_context(viewport=viewport, color_scheme=scheme))
        page = contexts[-1].new_page()
        page.goto(written[1])
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", SIZES, ids=str)
def test_it_is_readable(open_report: Any, viewport: dict[str, int], scheme: str) -> None:
    page = open_report(viewport, scheme)
    check(page, "report")
    assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]
    for figure in page.locator("figure").all():
        assert figure.evaluate("(figure) => figure.scrollWidth <= figure.clientWidth")
        for text in figure.locator("text").all():
            assert text.bounding_box()["height"] > 8  # pixels of a line


def test_long_names_leave_room_for_numbers_on_a_phone(open_report: Any) -> None:
    page = open_report(PHONE)
    table = page.locator("table").first
    share = table.locator("tbody tr").filter(has_text=LONG).locator("td").nth(1)
    box = share.bounding_box()
    assert box["x"] + box["width"] <= PHONE["width"]
    name = table.locator("td.name").filter(has_text=LONG)
    assert name.evaluate("(cell) => cell.scrollWidth > cell.clientWidth")
    shown = "(cell) => getComputedStyle(cell, '::after').content"
    assert name.evaluate(shown) == "none"
    name.hover()
    assert name.evaluate(shown) == f'"{LONG}"'


@pytest.mark.flow
def test_tables_are_sorted_with_a_click(open_report: Any, written: tuple[Results, str]) -> None:
    page = open_report(DESKTOP)
    table = page.locator("table").first
    names = [one.name for one in written[0].standings]

    def shown() -> list[str]:
        return list(table.locator("tbody td:first-child").all_inner_texts())

    assert shown() == names
    table.get_by_role("button", name="agent").click()
    assert shown() == sorted(names)
    table.get_by_role("button", name="agent").click()
    assert shown() == sorted(names, reverse=True)
    assert table.locator("th").first.get_attribute("aria-sort") == "descending"
    table.get_by_role("button", name="win share").click()
    assert shown()[0] == names[0]


def test_caption_and_table_are_copied_with_a_click(
    open_report: Any, written: tuple[Results, str]
) -> None:
    page = open_report(DESKTOP)
    page.get_by_role("button", name="Copy the caption").click()
    assert page.evaluate("getSelection().toString()") == caption(written[0])
    assert page.get_by_role("button", name="Copied").count() == 1
    page.get_by_text("The same in LaTeX").click()
    page.get_by_role("button", name="Copy the LaTeX").click()
    assert page.evaluate("getSelection().toString()").startswith(r"\begin{table}")
