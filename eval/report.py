"""What a tournament leaves behind: a table, results.json, games.csv and a chart."""

import csv
import io
import json
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from rich.table import Table
from rich.text import Text

from goldgriff.envs.core.files import write_together
from goldgriff.eval.statistics import Estimate
from goldgriff.eval.tournament import Tournament

RESULTS = "results.json"
GAMES = "games.csv"
CHART = "chart.png"


def results(tournament: Tournament) -> dict[str, Any]:
    """The results as plain data, as results.json holds them."""
    outcomes = tournament.outcomes
    return {
        "game": tournament.game.id,
        "settings": tournament.settings.to_dict(),
        "deals": tournament.deals,
        "seed": tournament.seed,
        "games": len(tournament.seating),
        "decisions": outcomes.decisions,
        "capped_games": int(outcomes.capped.sum()),
        "agents": {
            standing.name: {
                "win_share": standing.win_share.mean,
                "win_share_ci": _ends(standing.win_share),
                "mean_points": standing.points.mean,
                "mean_points_ci": _ends(standing.points),
                "games": standing.games,
            }
            for standing in tournament.standings
        },
    }


def write_report(tournament: Tournament, folder: Path) -> list[Path]:
    """Write the report into a folder that is there; returns the files.

    Raises FileError when a file cannot be written; all are new and whole, or as they were.
    """
    contents = {
        folder / RESULTS: (json.dumps(results(tournament), indent=2) + "\n").encode(),
        folder / GAMES: _games_csv(tournament).encode(),
        folder / CHART: _chart_png(tournament),
    }
    write_together(contents)
    return list(contents)


def table(tournament: Tournament) -> Table:
    """The standings for the terminal."""
    games = len(tournament.seating)
    shown = Table(
        title=f"{tournament.game.title}: {tournament.settings.num_players} players, "
        f"{tournament.deals:,} deals in every rotation, {games:,} games",
        caption=f"95 % intervals over deals; an even share of wins is "
        f"{1 / tournament.settings.num_players:.1%}; low points are good",
    )
    shown.add_column("agent", overflow="fold")
    for column in ("win share", "95 %", "mean points", "95 %", "games"):
        shown.add_column(column, justify="right", no_wrap=True)
    for standing in tournament.standings:
        share, points = standing.win_share, standing.points
        shown.add_row(
            Text(standing.name),
            f"{share.mean:.1%}",
            f"{share.low:.1%} - {share.high:.1%}",
            f"{points.mean:.1f}",
            f"{points.low:.1f} - {points.high:.1f}",
            f"{standing.games:,}",
        )
    return shown


def _ends(interval: Estimate) -> list[float]:
    return [interval.low, interval.high]


def _games_csv(tournament: Tournament) -> str:
    """One line for each seat of each game."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["game", "seed", "seat", "agent", "points", "win_share", "capped"])
    outcomes = tournament.outcomes
    for number, (seats, seed) in enumerate(zip(tournament.seating, tournament.seeds, strict=True)):
        capped = int(outcomes.capped[number])
        for seat, agent in enumerate(seats):
            points, share = outcomes.points[number, seat], outcomes.win_shares[number, seat]
            row = [number, seed, seat, tournament.names[agent], f"{points:g}", f"{share:g}", capped]
            writer.writerow(row)
    return text.getvalue()


def _chart_png(tournament: Tournament) -> bytes:
    """Win share and mean points of each agent with their intervals."""
    standings = tournament.standings[::-1]
    names = [standing.name.replace("$", r"\$") for standing in standings]  # no formulas
    figure = Figure(figsize=(10, 1.8 + 0.5 * len(names)), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    panels = (
        (left, [standing.win_share for standing in standings], "#c8962d", "share of wins"),
        (right, [standing.points for standing in standings], "#4a6a8a", "points in a game"),
    )
    for axes, estimates, colour, label in panels:
        means = [estimate.mean for estimate in estimates]
        errors = [
            [estimate.mean - estimate.low for estimate in estimates],
            [estimate.high - estimate.mean for estimate in estimates],
        ]
        axes.barh(names, means, xerr=errors, color=colour, height=0.6, capsize=4)
        axes.set_xlabel(label)
        axes.spines[["top", "right"]].set_visible(False)
    left.axvline(1 / tournament.settings.num_players, color="black", lw=0.8, ls=":")
    left.set_title("more is better; dotted: an even share", fontsize=9)
    right.set_title("less is better", fontsize=9)
    figure.suptitle(f"{tournament.game.title}: {tournament.deals:,} deals, 95 % intervals")
    image = io.BytesIO()
    figure.savefig(image, dpi=150, format="png")
    return image.getvalue()
