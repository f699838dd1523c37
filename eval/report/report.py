"""The files of a tournament's report: page, Markdown, results.json, run.json, games.csv, chart."""

import csv
import io
import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from numpy.typing import NDArray
from rich.table import Table
from rich.text import Text

from ...files import write_together
from ..ratings.ratings import Ratings
from ..tournament.provenance import canonical_command, describe_run, library_version
from ..tournament.results import Results, Standing
from ..tournament.statistics import Estimate
from ..tournament.store import Store
from .charts import (
    as_pdf,
    as_png,
    as_svg,
    caption,
    describe,
    on_page,
    standings_chart,
)
from .tables import ReportTable, headline, report_tables, standings_table

CHART = "chart.png"
RUN = "run.json"
FORMAT_VERSION = 3  # of results.json
_WHOLE = 30  # characters of a name that is never broken on the terminal


def summary(results: Results) -> dict[str, Any]:
    """Return the content of results.json; a configuration always gives the same."""
    config = results.config
    rules = dict(config.rules)
    if len(config.player_counts) == 1:
        rules = config.settings(config.player_counts[0]).to_dict()
    names = config.names
    return {
        "format_version": FORMAT_VERSION,
        "version": library_version(),
        "command": canonical_command(config, list(results.fingerprints.values())),
        "game": config.game.id,
        "settings": rules,
        "player_counts": list(config.player_counts),
        "format": config.format,
        "deals": results.deals,
        "max_deals": config.deals,
        "until": config.until,
        "seed": config.seed,
        "games": results.games,
        "capped_games": sum(one.capped_games for one in results.by_player_count),
        "agents": _agents(results.standings),
        "fingerprints": results.fingerprints,
        "differences": [
            {
                "agents": [one.first, one.second],
                **interval_data("win_share", one.win_share),
                "pairing_gain": _finite(one.gain),
            }
            for one in results.differences
        ],
        **ratings_data(results.ratings),
        "head_to_head": _matrix(names, results.head_to_head[..., 0]),
        "head_to_head_ci": _matrix(names, results.head_to_head[..., 1:]),
        "by_player_count": {
            str(one.num_players): {
                "games": one.games,
                "agents": _agents(one.standings),
                "win_share_by_seat": {
                    name: [_finite(share) for share in shares]
                    for name, shares in zip(names, one.by_seat, strict=True)
                },
                "endings": one.endings,
                "statistics": one.statistics,
                "score_sheet": one.score_sheet,
            }
            for one in results.by_player_count
        },
        "forfeits": [vars(one) for one in results.forfeits],
    }


def ratings_data(ratings: Ratings) -> dict[str, Any]:
    """Return ratings as plain data: `ratings` by agent, the best first, and `cycles`."""
    rated = {
        one.name: {
            **interval_data("rating", one.rating),
            "alpha_rank": one.alpha_rank,
            "games": one.games,
        }
        for one in ratings.agents
    }
    return {"ratings": rated, "cycles": [list(cycle) for cycle in ratings.cycles]}


def interval_data(name: str, one: Estimate | None) -> dict[str, Any]:
    """Return an estimate and its interval under a name, as plain data."""
    return {name: one and one.mean, f"{name}_ci": one and [one.low, one.high]}


def write_report(
    results: Results, store: Store, folder: Path, command: str | None = None
) -> list[Path]:
    """Write the report into an existing folder and return its files.

    Args:
        results: The results.
        store: Where the games are.
        folder: The folder.
        command: The line as typed, for `run.json`.

    Raises:
        FileError: A file cannot be written; then all files are as they were before.
    """
    chart = standings_chart(results)
    contents = {
        folder / "report.html": page(results).encode(),
        folder / "report.md": markdown(results).encode(),
        folder / "results.json": (json.dumps(summary(results), indent=2) + "\n").encode(),
        folder / RUN: (json.dumps(describe_run(command), indent=2) + "\n").encode(),
        folder / "games.csv": _games_csv(store, results.run).encode(),
        folder / CHART: as_png(chart),
        folder / "chart.pdf": as_pdf(chart),
        folder / "chart.svg": as_svg(chart).encode(),
        folder / "standings.tex": latex_table(standings_table(results), describe(results)).encode(),
    }
    write_together(contents)
    return list(contents)


def page(results: Results) -> str:
    """Return the report as one HTML page that loads nothing else."""
    templates = Environment(
        loader=PackageLoader("goldgriff.eval.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
    )
    return templates.get_template("report.html.jinja").render(
        title=f"Tournament: {results.config.game.title}",
        headline=headline(results),
        charts=[Markup(chart) for chart in on_page(results)],
        caption=caption(results),
        latex=latex_table(standings_table(results), describe(results)),
        tables=report_tables(results),
        with_code=_with_code,
        settings=json.dumps(dict(results.config.rules), indent=2),
    )


def markdown(results: Results) -> str:
    """Return the report as Markdown, for a README."""
    parts = [f"# Tournament\n\n{_escaped(headline(results))}\n\n![Standings]({CHART})\n"]
    for table in report_tables(results):
        parts.append(f"## {table.title}\n\n{_escaped(table.note)}\n\n{markdown_table(table)}")
    return "\n".join(parts)


def markdown_table(table: ReportTable) -> str:
    """Return headings and rows as a table in Markdown."""
    headings, *rows = [[_escaped(cell) for cell in row] for row in [table.headings, *table.rows]]
    texts = table.text_columns
    rule = ["---"] * texts + ["---:"] * (len(headings) - texts)
    return "".join(f"| {' | '.join(line)} |\n" for line in [headings, rule, *rows])


def latex_table(table: ReportTable, about: str) -> str:
    """Return a table for a paper in LaTeX, with the package booktabs, and its caption."""
    columns = "l" * table.text_columns + "r" * (len(table.headings) - table.text_columns)
    headings, *rows = [
        " & ".join(map(_escaped_latex, row)) + r" \\" for row in (table.headings, *table.rows)
    ]
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{{columns}}}",
        *(r"\toprule", headings, r"\midrule", *rows, r"\bottomrule"),
        r"\end{tabular}",
        rf"\caption{{{_escaped_latex(about)}}}",
        r"\label{tab:standings}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def terminal_table(table: ReportTable, title: str | None = None) -> Table:
    """Return a table for the terminal."""
    shown = Table(title=Text(title or table.title), caption=Text(table.note))
    short = max((len(row[0]) for row in table.rows), default=0) <= _WHOLE
    for column, heading in enumerate(table.headings):
        justify: Literal["left", "right"] = "right" if column >= table.text_columns else "left"
        shown.add_column(
            Text(heading), justify=justify, overflow="fold", no_wrap=short and not column
        )
    for row in table.rows:
        shown.add_row(*map(Text, row))
    return shown


def _agents(standings: list[Standing]) -> dict[str, dict[str, Any]]:
    return {
        one.name: {
            **interval_data("win_share", one.win_share),
            **interval_data("mean_points", one.points),
            "games": one.games,
            "forfeits": one.forfeits,
        }
        for one in standings
    }


def _matrix(names: Sequence[str], values: NDArray[np.float64]) -> dict[str, dict[str, Any]]:
    """Return values of pairs of different agents by their names; None for NaN."""
    return {
        name: {
            other: value.tolist() if np.isfinite(value).all() else None
            for other, value in zip(names, row, strict=True)
            if other != name
        }
        for name, row in zip(names, values, strict=True)
    }


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _with_code(text: str) -> Markup:
    """Return text for a page, with code for what is between backquotes."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _escaped(text: str) -> str:
    """Return text that Markdown shows as it is; backquotes are our own."""
    return re.sub(r"[\\|*_\[\]<>#$]", r"\\\g<0>", text)


def _escaped_latex(text: str) -> str:
    """Return text that LaTeX shows as it is."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return re.sub(r"[\\~^&%$#_{}]", lambda found: special.get(found[0], "\\" + found[0]), text)


def _games_csv(store: Store, run: int) -> str:
    """Return one line for each seat of each game."""
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
