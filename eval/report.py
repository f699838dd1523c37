"""What a tournament leaves behind: a page, Markdown, results.json, games.csv and a chart."""

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from rich.table import Table
from rich.text import Text

from ..files import write_together
from .charts import as_png, as_svg, beaten_chart, ratings_chart, standings_chart
from .results import Results, Standing
from .statistics import Estimate
from .store import Store
from .tables import ReportTable, headline, report_tables

PAGE = "report.html"
MARKDOWN = "report.md"
RESULTS = "results.json"
GAMES = "games.csv"
CHART = "chart.png"


def summary(results: Results) -> dict[str, Any]:
    """The results as plain data, as results.json holds them; no two runs of a plan differ."""
    plan = results.plan
    rules = dict(plan.rules)
    if len(plan.tables) == 1:
        rules = plan.settings(plan.tables[0]).to_dict()
    return {
        "game": plan.game.id,
        "settings": rules,
        "players": list(plan.tables),
        "format": plan.format,
        "deals": results.deals,
        "max_deals": plan.deals,
        "until": plan.until,
        "seed": plan.seed,
        "games": results.games,
        "capped_games": sum(table.capped_games for table in results.tables),
        "agents": _agents(results.standings),
        "differences": [
            {
                "agents": [one.first, one.second],
                "win_share": one.win_share.mean,
                "win_share_ci": _ends(one.win_share),
                "pairing_gain": _number(one.gain),
            }
            for one in results.differences
        ],
        "ratings": {
            one.name: {"mu": one.mu, "sigma": one.sigma, "games": one.games}
            for one in results.ratings
        },
        "head_to_head": {
            name: {
                other: _number(results.beaten[first, second])
                for second, other in enumerate(plan.names)
                if first != second
            }
            for first, name in enumerate(plan.names)
        },
        "tables": {
            str(table.players): {
                "games": table.games,
                "agents": _agents(table.standings),
                "win_share_by_seat": {
                    name: [_number(share) for share in table.by_seat[agent]]
                    for agent, name in enumerate(plan.names)
                },
                "endings": table.endings,
                "statistics": table.statistics,
            }
            for table in results.tables
        },
        "forfeits": [vars(one) for one in results.forfeited],
    }


def write_report(results: Results, store: Store, folder: Path) -> list[Path]:
    """Write the report into a folder that is there; returns the files.

    Raises FileError when a file cannot be written; all are new and whole, or as they were.
    """
    contents = {
        folder / PAGE: page(results).encode(),
        folder / MARKDOWN: markdown(results).encode(),
        folder / RESULTS: (json.dumps(summary(results), indent=2) + "\n").encode(),
        folder / GAMES: _games_csv(store, results.run).encode(),
        folder / CHART: as_png(standings_chart(results)),
    }
    write_together(contents)
    return list(contents)


def page(results: Results) -> str:
    """The report as one HTML page that needs nothing else, not even a network."""
    templates = Environment(
        loader=PackageLoader("goldgriff", "eval"), autoescape=True, undefined=StrictUndefined
    )
    figures = [standings_chart(results), ratings_chart(results)]
    if len(results.standings) > 1:
        figures.append(beaten_chart(results))
    return templates.get_template("report.html.jinja").render(
        title=f"Tournament: {results.plan.game.title}",
        headline=headline(results),
        charts=[Markup(as_svg(figure)) for figure in figures],
        sheets=report_tables(results),
        settings=json.dumps(dict(results.plan.rules), indent=2),
    )


def markdown(results: Results) -> str:
    """The report as Markdown, to be put into a README."""
    parts = [f"# Tournament\n\n{_marked(headline(results))}\n\n![Standings]({CHART})\n"]
    for sheet in report_tables(results):
        parts.append(f"## {sheet.title}\n\n{_marked(sheet.note)}\n\n{markdown_table(sheet)}")
    return "\n".join(parts)


def markdown_table(sheet: ReportTable) -> str:
    """A sheet's rows as a table in Markdown."""
    lines = [sheet.headings, ["---", *["---:"] * (len(sheet.headings) - 1)]]
    lines[:1] = [[_marked(cell) for cell in sheet.headings]]
    lines += [[_marked(cell) for cell in row] for row in sheet.rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def terminal_table(sheet: ReportTable, title: str | None = None) -> Table:
    """A sheet for the terminal."""
    shown = Table(title=Text(title or sheet.title), caption=Text(sheet.note))
    shown.add_column(sheet.headings[0], overflow="fold")
    for heading in sheet.headings[1:]:
        shown.add_column(Text(heading), justify="right", overflow="fold")
    for row in sheet.rows:
        shown.add_row(*(Text(cell) for cell in row))
    return shown


def _agents(standings: list[Standing]) -> dict[str, dict[str, Any]]:
    return {
        one.name: {
            "win_share": one.win_share.mean,
            "win_share_ci": _ends(one.win_share),
            "mean_points": one.points.mean if one.points else None,
            "mean_points_ci": _ends(one.points) if one.points else None,
            "games": one.games,
            "forfeits": one.forfeits,
        }
        for one in standings
    }


def _ends(interval: Estimate) -> list[float]:
    return [interval.low, interval.high]


def _number(value: float) -> float | None:
    """A number that JSON knows."""
    return float(value) if math.isfinite(value) else None


def _marked(text: str) -> str:
    """Text that Markdown shows as it is; what stands in backquotes is our own."""
    for sign in "\\|*_[]<>#$":
        text = text.replace(sign, f"\\{sign}")
    return text


def _games_csv(store: Store, run: int) -> str:
    """One line for each seat of each game."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = ("game", "players", "deal", "seed", "seat", "agent", "points", "win_share")
    writer.writerow([*columns, "capped", "forfeited"])
    for *row, points, share, capped, forfeited in store.connection.execute(
        "SELECT game, players, deal, seed, seat, name, points, win_share, capped, "
        "seat IS forfeiter FROM games JOIN seats USING (game) JOIN agents USING (agent) "
        "WHERE run = ? ORDER BY game, seat",
        (run,),
    ):
        shown = "" if points is None else f"{points:g}"
        writer.writerow([*row, shown, f"{share:g}", capped, forfeited])
    return text.getvalue()
