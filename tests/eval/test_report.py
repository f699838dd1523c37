"""The report: what it promises, readable offline, written whole or not at all."""

import csv
import io
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from rich.console import Console

import goldgriff
from goldgriff.agents.registry import fingerprint, load_agent
from goldgriff.cli.main import main
from goldgriff.envs.policy import RandomPolicy
from goldgriff.eval.report.charts import head_to_head_chart, page_charts
from goldgriff.eval.report.report import markdown, page, summary, write_report
from goldgriff.eval.report.tables import (
    describe_pairing,
    describe_seating,
    report_tables,
    standings_table,
)
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.provenance import OBJECT
from goldgriff.eval.tournament.results import Results
from goldgriff.eval.tournament.store import Store
from goldgriff.eval.tournament.tournament import run_tournament
from goldgriff.files import FileError

from ..players import Cheat
from .small import EXPERT, RANDOM, small_config


def report(folder: Path, *players: Player, deals: int = 20) -> tuple[Results, list[Path]]:
    """A small tournament with its report."""
    config = small_config(*(player.name for player in players), deals=deals)
    by_name = {player.name: player for player in players}
    with Store.create(None, config.game, dict(config.rules)) as store:
        results = run_tournament(config, [by_name[name] for name in config.names], store=store)
        return results, write_report(results, store, folder)


def test_the_report_holds_what_it_promises(tmp_path: Path) -> None:
    results, files = report(tmp_path, EXPERT, RANDOM, RANDOM)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in files)
    stored = json.loads((tmp_path / "results.json").read_text())
    assert stored == summary(results)
    expert = stored["agents"]["expert"]
    low, high = expert["win_share_ci"]
    assert low < expert["win_share"] < high
    assert stored["settings"]["num_players"] == 3
    assert stored["games"] == 60
    with (tmp_path / "games.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 60 * 3
    shares = [float(row["win_share"]) for row in rows if row["agent"] == "expert"]
    assert np.mean(shares) == pytest.approx(expert["win_share"])
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")


def test_the_page_opens_without_a_network(tmp_path: Path) -> None:
    results, _ = report(tmp_path, EXPERT, RANDOM, Player("cheat", Cheat()))
    html = (tmp_path / "report.html").read_text()
    assert html == page(results, json.loads((tmp_path / "run.json").read_text()))
    assert html.count("<svg") == 4
    links = re.findall(r"(?:(?:src|href)\s*=\s*[\"']|url\()([^\"')]*)", html)
    assert links
    assert all(link.startswith(("#", "data:image/png;base64,")) for link in links)
    assert html.count("<script>") == html.count("<script") == 1  # the page's own, which sorts
    assert "prefers-color-scheme: dark" in html
    assert "@import" not in html
    for table in report_tables(results):
        assert f"<h2>{table.title}</h2>" in html
    assert "there is no action 87" in html
    assert "<code>goldgriff replay</code> shows the game." in html


def test_charts_take_the_colours_of_the_page_and_explain_themselves(tmp_path: Path) -> None:
    results, _ = report(tmp_path, EXPERT, Player("a<b", RandomPolicy()), RANDOM)
    html = (tmp_path / "report.html").read_text()
    assert "currentColor" in html
    assert "#010203" not in html  # the mark in whose place it stands
    hovers = re.findall(r'<g id="([a-z]+-[^"]+)"><title>([^<]+)</title>', html)
    assert len(hovers) == len({name for name, _ in hovers}) == 3 + 3 + 3 + 6
    share = next(one for one in results.standings if one.name == "expert").win_share
    (said,) = [text for _, text in hovers if text.startswith("expert: win share")]
    assert said == (
        f"expert: win share {share.mean:.1%}, 95% interval {share.low:.1%} to {share.high:.1%}"
    )
    assert any(text.startswith("a&lt;b ahead of expert: ") for _, text in hovers)
    svg = (tmp_path / "chart.svg").read_text()
    assert svg.startswith("<?xml")
    assert "currentColor" not in svg


def test_charts_for_papers_have_their_widths_and_embed_their_fonts(tmp_path: Path) -> None:
    report(tmp_path, EXPERT, RANDOM)
    for name, width in (("chart", 7.0), ("chart-column", 3.5)):
        content = (tmp_path / f"{name}.pdf").read_bytes()
        assert content.startswith(b"%PDF")
        assert f"/MediaBox [ 0 0 {72 * width:g} ".encode() in content
        assert b"/FontFile2" in content  # Type 42, as PDF embeds it
        assert b"/Type3" not in content


def test_a_report_has_its_command_version_and_date(tmp_path: Path) -> None:
    results, _ = report(tmp_path, EXPERT, RANDOM, deals=2)
    run = {"version": "1.2.3", "date": "2030-01-02T03:04:05+00:00", "command": "goldgriff `x` <y>"}
    assert "<pre>goldgriff `x` &lt;y&gt;</pre>" in page(results, run)
    for text in (page(results, run), markdown(results, run)):
        assert "Played with goldgriff 1.2.3, 2030-01-02." in text
    assert "\n    goldgriff `x` <y>\n" in markdown(results, run)
    command = json.loads((tmp_path / "results.json").read_text())["command"]
    assert f"    {command}\n" in (tmp_path / "report.md").read_text()


def test_a_report_says_where_code_could_guess_the_seed(tmp_path: Path) -> None:
    results, _ = report(tmp_path, EXPERT, RANDOM, deals=2)
    assert "--seed random" not in standings_table(results).note
    results.fingerprints["expert"] = OBJECT
    assert "--seed random" in standings_table(results).note
    drawn = replace(results, config=replace(results.config, seed=2**32))
    assert "--seed random" not in standings_table(drawn).note


def test_standings_and_ratings_count_games_alike(tmp_path: Path) -> None:
    """Also those of an agent with two seats."""
    results, _ = report(tmp_path, EXPERT, RANDOM, RANDOM, deals=2)
    games = {standing.name: standing.games for standing in results.standings}
    assert games == {rating.name: rating.games for rating in results.ratings.agents}
    assert games == {"expert": results.games, "random": results.games}


def test_text_on_the_heat_map_stands_out(tmp_path: Path) -> None:
    """By the contrast that WCAG asks of text, 4.5 to 1."""

    def luminance(colour: Any) -> float:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
        return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))

    results, _ = report(tmp_path, EXPERT, RANDOM, Player("cheat", Cheat()))
    for share in np.linspace(0, 1, 21):
        results.head_to_head[..., 0] = share
        figure = head_to_head_chart(results)
        (image,) = figure.axes[0].get_images()
        cell = luminance(image.to_rgba(share))
        for text in figure.axes[0].texts:
            inked = luminance(to_rgb(text.get_color()))
            bright, dark = max(cell, inked), min(cell, inked)
            assert (bright + 0.05) / (dark + 0.05) >= 4.5, share


def test_the_table_for_a_paper_is_latex(tmp_path: Path) -> None:
    report(tmp_path, Player(r"a\b_c & 100%", RandomPolicy()), RANDOM, deals=2)
    text = (tmp_path / "standings.tex").read_text()
    assert r"a\textbackslash{}b\_c \& 100\% & " in text
    assert text.count(r" \\") == 3  # headings and two agents
    assert r"agent & win share & win share, 95\% & mean points & mean points, 95\% & games" in text
    assert r"\caption{Win share and mean points a game in Auruxxx" in text
    assert "dotted line" not in text  # a table has none
    assert r"\label{tab:standings}" in text
    assert not re.search(r"(?<!\\)[_%#$]", text)


def test_markdown_has_every_table(tmp_path: Path) -> None:
    results, _ = report(tmp_path, EXPERT, RANDOM, RANDOM)
    text = (tmp_path / "report.md").read_text()
    assert text == markdown(results, json.loads((tmp_path / "run.json").read_text()))
    for table in report_tables(results):
        assert f"## {table.title}\n" in text
    tables = [block for block in text.split("\n\n") if block.startswith("| ")]
    assert len(tables) == len(report_tables(results))
    for lines in tables:
        bars = {len(re.findall(r"(?<!\\)\|", line)) for line in lines.strip().splitlines()}
        assert len(bars) == 1


def test_what_pairing_saved_is_said(tmp_path: Path) -> None:
    results, _ = report(tmp_path, EXPERT, RANDOM, RANDOM)
    (gain,) = [one.gain for one in results.differences]
    said = describe_pairing(results)
    assert said.startswith("20 deals, each played from all seats, tell as much as")
    assert f"as much as {20 * gain:,.0f} would" in said
    assert f"pairing {'saved' if gain >= 1 else 'lost'} {abs(20 * (gain - 1)):,.0f} " in said


@pytest.mark.parametrize(
    ("agents", "players", "said"),
    [
        ("abc", [3], "each line-up in all 6 seating orders,"),
        ("abcd", [4], "each line-up in 8 of 24 seating orders,"),
        (
            "ab",
            [4],
            "each line-up in 2 of 6 seating orders; a in up to 2 seats, b in up to 2 seats;",
        ),
        ("ab", [2, 3], "each line-up in all 2 seating orders and all 3 seating orders (2 and 3 pl"),
        (
            "abbb",
            [3],
            "each line-up in all 3 seating orders or its only seating order; b in up to 3",
        ),
    ],
)
def test_the_headline_says_how_they_sat(agents: str, players: list[int], said: str) -> None:
    config = small_config(*agents, player_counts=tuple(players))
    assert describe_seating(config).startswith(said)


def test_charts_cut_long_names_only_where_they_still_differ(
    tmp_path: Path,
) -> None:
    def labels(*names: str) -> list[str]:
        results, _ = report(tmp_path, *(Player(name, RandomPolicy()) for name in names), deals=2)
        axes = page_charts(results)[0].axes[0]
        return sorted(label.get_text() for label in axes.get_yticklabels())

    long = "runs/level/maskable-learning-rate-entropy-0.01-seed-17"
    assert labels("expert", long) == ["...ropy-0.01-seed-17", "expert"]
    (tmp_path / "games.sqlite").unlink(missing_ok=True)
    alike = [f"runs/{name}/seed-17-of-the-same-study" for name in "ab"]
    assert labels(*alike) == alike


def test_names_are_shown_as_they_are(tmp_path: Path) -> None:
    names = ["[/red]x", "a$b_{$", "<script>|`", "runs/a-much-longer-name-of-a-run"]
    results, _ = report(tmp_path, *(Player(name, RandomPolicy()) for name in names), deals=2)
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(standings_table(results).to_terminal())
    shown = console.export_text()
    assert "[/red]x" in shown
    assert "a$b_{$" in shown
    assert "<script>|" not in (tmp_path / "report.html").read_text()
    assert r"\<script\>\|" in (tmp_path / "report.md").read_text()


def test_a_full_disk_leaves_the_old_report_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report(tmp_path, RANDOM, deals=2)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    whole = Path.write_bytes
    for slow, drawn in (("page", "a page"), ("as_pdf", b"a chart"), ("as_png", b"a chart")):
        monkeypatch.setattr(f"goldgriff.eval.report.report.{slow}", lambda *_, drawn=drawn: drawn)

    for room in range(len(before)):  # files that still fit

        def fill_up(path: Path, content: Any, left: list[int] = [room]) -> int:  # noqa: B006
            left[0] -= 1
            if left[0] >= 0:
                return whole(path, content)
            whole(path, content[: len(content) // 2])
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "write_bytes", fill_up)
        with pytest.raises(FileError, match=r"cannot write .*: No space left on device"):
            report(tmp_path, EXPERT, deals=2)
        assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_the_command_of_a_result_plays_the_same_tournament(tmp_path: Path) -> None:
    typed = [
        *("tournament", "auruxxx", "--deals", "2", "--rules", "rounds=1", "preset=english"),
        *("--workers", "1", "--players", "3", "2", "--agents", "random", "expert", "random"),
    ]
    assert main([*typed, "--out", str(tmp_path / "a")]) == 0
    first = (tmp_path / "a" / "results.json").read_bytes()
    command = json.loads(first)["command"]
    assert not {"--out", "--workers", "preset"} & set(re.split("[ =]", command))
    assert main([*shlex.split(command)[1:], "--out", str(tmp_path / "b")]) == 0
    assert (tmp_path / "b" / "results.json").read_bytes() == first
    run = json.loads((tmp_path / "a" / "run.json").read_text())
    assert run["command"] == shlex.join(["goldgriff", *typed, "--out", str(tmp_path / "a")])
    assert run["date"].startswith("20")
    assert run["version"] == json.loads(first)["version"] == goldgriff.__version__


def test_fingerprints_stand_beside_the_agents() -> None:
    config = small_config("champion", "mine", deals=2)
    mark = fingerprint("champion", config.game)
    champion = Player("champion", load_agent("champion", config.game), mark)
    results = run_tournament(config, [champion, Player("mine", RandomPolicy(), OBJECT)])
    assert len(mark) == 16
    assert summary(results)["fingerprints"] == {"champion": mark, "mine": "object"}
    assert summary(results)["command"] is None
