"""The files of a tournament's report: page, Markdown, results.json, run.json, games.csv, chart."""

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from numpy.typing import NDArray

from ...files import write_together
from ..ratings.ratings import Ratings
from ..tournament.provenance import canonical_command, describe_run, library_version
from ..tournament.results import Results, Standing
from ..tournament.store import Store
from .charts import (
    COLUMN_WIDTH,
    as_pdf,
    as_png,
    as_svg,
    caption,
    describe,
    on_page,
    standings_chart,
)
from .report_table import data_of, escape_markdown
from .tables import (
    DIFFERENCES,
    FORFEITS,
    RATINGS,
    STANDINGS,
    headline,
    report_tables,
    standings_table,
)

CHART = "chart.png"
RUN = "run.json"
FORMAT_VERSION = 3  # of results.json


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
        "capped_games": sum(summary.capped_games for summary in results.by_player_count),
        "agents": _agents(results.standings),
        "fingerprints": results.fingerprints,
        "differences": [
            {"agents": [difference.first, difference.second], **data_of(DIFFERENCES, difference)}
            for difference in results.differences
        ],
        **ratings_data(results.ratings),
        "head_to_head": _matrix(names, results.head_to_head[..., 0]),
        "head_to_head_ci": _matrix(names, results.head_to_head[..., 1:]),
        "by_player_count": {
            str(summary.num_players): {
                "games": summary.games,
                "agents": _agents(summary.standings),
                "win_share_by_seat": {
                    name: [None if math.isnan(share) else float(share) for share in shares]
                    for name, shares in zip(names, summary.by_seat, strict=True)
                },
                "endings": summary.endings,
                "statistics": summary.statistics,
                "score_sheet": summary.score_sheet,
            }
            for summary in results.by_player_count
        },
        "forfeits": [data_of(FORFEITS, forfeit) for forfeit in results.forfeits],
    }


def ratings_data(ratings: Ratings) -> dict[str, Any]:
    """Return ratings as plain data: `ratings` by agent, the best first, and `cycles`."""
    return {
        "ratings": {rating.name: data_of(RATINGS, rating) for rating in ratings.agents},
        "cycles": [list(cycle) for cycle in ratings.cycles],
    }


def write_report(
    results: Results, store: Store, folder: Path, command: str | None = None
) -> list[Path]:
    """Write the report into an existing folder and return its files.

    Args:
        results: The results.
        store: Where the games are.
        folder: The folder.
        command: The line as typed, if there is one.

    Raises:
        FileError: A file cannot be written; then all files are as they were before.
    """
    chart, run = standings_chart(results), describe_run(command)
    contents = {
        folder / "report.html": page(results, run).encode(),
        folder / "report.md": markdown(results, run).encode(),
        folder / "results.json": (json.dumps(summary(results), indent=2) + "\n").encode(),
        folder / RUN: (json.dumps(run, indent=2) + "\n").encode(),
        folder / "games.csv": _games_csv(store, results.run).encode(),
        folder / CHART: as_png(chart),
        folder / "chart.pdf": as_pdf(chart),
        folder / "chart-column.pdf": as_pdf(standings_chart(results, COLUMN_WIDTH)),
        folder / "chart.svg": as_svg(chart).encode(),
        folder / "standings.tex": standings_table(results).to_latex(describe(results)).encode(),
    }
    write_together(contents)
    return list(contents)


def page(results: Results, run: Mapping[str, Any]) -> str:
    """Return the report as one HTML page that loads nothing else.

    Args:
        results: The results.
        run: What `describe_run` returns.
    """
    loader = PackageLoader("goldgriff.eval.report", ".")
    templates = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    return templates.get_template("report.html.jinja").render(
        title=f"Tournament: {results.config.game.title}",
        headline=headline(results),
        charts=[Markup(chart) for chart in on_page(results)],
        caption=caption(results),
        latex=standings_table(results).to_latex(describe(results)),
        tables=report_tables(results),
        with_code=_with_code,
        origin=_origin(run),
        command=_command(results, run),
        settings=json.dumps(dict(results.config.rules), indent=2),
    )


def markdown(results: Results, run: Mapping[str, Any]) -> str:
    """Return the report as Markdown, for a README; `run` is what `describe_run` returns."""
    parts = [f"# Tournament\n\n{escape_markdown(headline(results))}\n\n![Standings]({CHART})\n"]
    for table in report_tables(results):
        parts.append(f"## {table.title}\n\n{escape_markdown(table.note)}\n\n{table.to_markdown()}")
    parts.append(f"## The command\n\n{_origin(run)}\n\n    {_command(results, run)}\n")
    return "\n".join(parts)


def _origin(run: Mapping[str, Any]) -> str:
    return f"Played with goldgriff {run['version']}, {run['date'][:10]}."


def _command(results: Results, run: Mapping[str, Any]) -> str:
    """Return the command as it was typed, otherwise one that plays the same tournament."""
    command = run["command"] or canonical_command(
        results.config, list(results.fingerprints.values())
    )
    return command or "play_tournament(...)"


def _agents(standings: Iterable[Standing]) -> dict[str, dict[str, Any]]:
    return {standing.name: data_of(STANDINGS, standing) for standing in standings}


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


def _with_code(text: str) -> Markup:
    """Return text for a page, with code for what is between backquotes."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _games_csv(store: Store, run: int) -> str:
    """Return one line for each seat of each game."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    games = store.connection.execute(
        "SELECT game, players, deal, seed, seat, name AS agent, points, win_share, capped, "
        "seat IS forfeiter AS forfeited "
        "FROM games JOIN seats USING (game) JOIN agents USING (agent) "
        "WHERE run = ? ORDER BY game, seat",
        (run,),
    )
    writer.writerow(column for column, *_ in games.description)
    for *row, points, share, capped, forfeited in games:
        shown = "" if points is None else f"{points:g}"
        writer.writerow([*row, shown, f"{share:g}", capped, forfeited])
    return text.getvalue()
