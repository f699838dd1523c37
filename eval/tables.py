"""A tournament's results as tables of text, for the page, the README and the terminal alike."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .perfect_information import Bound
from .ratings import Rating
from .results import Results, Standing, TableResults
from .statistics import Estimate


@dataclass(frozen=True)
class ReportTable:
    """A table: a title, what to know about it, headings, and rows of as many cells."""

    title: str
    note: str
    headings: list[str]
    rows: list[list[str]]


def report_tables(results: Results) -> list[ReportTable]:
    """Everything a report shows, the most important first."""
    several = len(results.tables) > 1
    shown = [standings_sheet(results), _differences(results), ratings_sheet(results.ratings)]
    shown.append(_head_to_head(results))
    for table in results.tables:
        if several:
            title = f"{table.players} players: standings"
            shown.append(_standings(title, _even(table.players), table.standings))
        shown += [_by_seat(results, table), _statistics(results, table), _endings(results, table)]
    shown += [_seconds(results), forfeits_sheet(results)]
    return [sheet for sheet in shown if sheet.rows]


def headline(results: Results) -> str:
    """What was played, in one line."""
    sizes = " and ".join(str(table.players) for table in results.tables)
    plan = results.plan
    ended = ""
    if plan.until is not None:
        ended = f", of at most {plan.deals:,} until intervals are narrower than {plan.until:g}"
    return (
        f"{plan.game.title}: {plan.format}, {sizes} players, {results.deals:,} deals in every "
        f"arrangement of the seats{ended}, {results.games:,} games, seed {plan.seed}"
    )


def standings_sheet(results: Results) -> ReportTable:
    """The standings over all tables."""
    if len(results.tables) > 1:
        note = "Tables of each size count alike."
    else:
        note = _even(results.tables[0].players)
    note += " Low points are good; intervals are 95 %, by bootstrap over deals."
    return _standings("Standings", note, results.standings)


def ratings_sheet(ratings: Sequence[Rating], title: str = "Ratings") -> ReportTable:
    """Ratings, the best first."""
    rows = [
        [one.name, f"{one.mu:.1f}", f"{one.sigma:.2f}", f"{one.sure:.1f}", f"{one.games:,}"]
        for one in ratings
    ]
    note = (
        "OpenSkill (Plackett-Luce), everybody beginning at 25 with sigma 8.33. About 95 % sure to "
        "be within two sigma; in the order of what is almost sure, mu - 3 sigma. Games count as "
        "independent, which those of one deal are not: the intervals above are the stricter ones."
    )
    return ReportTable(title, note, ["agent", "mu", "sigma", "mu - 3 sigma", "games"], rows)


def forfeits_sheet(results: Results) -> ReportTable:
    """Who forfeited games, and why."""
    rows = [[one.name, one.reason, f"{one.games:,}", str(one.example)] for one in results.forfeited]
    note = (
        "An agent that fails, is too slow or plays an illegal move gets no share of that game's "
        "win, the others even shares; points and counts leave the game out. `goldgriff replay` "
        "shows where it happened."
    )
    return ReportTable("Forfeits", note, ["agent", "reason", "games", "first in game"], rows)


def reach_sheet(players: int, opponent: str, reached: Mapping[str, Bound]) -> ReportTable:
    """What searches reached at a table full of an opponent, by what they were told."""
    rows = []
    for name, one in reached.items():
        points = [f"{one.points.mean:.1f}", f"{one.points.low:.1f} to {one.points.high:.1f}"]
        share = [f"{one.wins.mean:.1%}", _percent(one.wins)]
        rows.append([name, *share, *points, f"{one.others.mean:.1f}"])
    note = f"{_even(players)} Low points are good; intervals are 95 %, by bootstrap over deals."
    headings = ["it sees", "win share", "95 %", "mean points", "95 %", f"each {opponent}"]
    return ReportTable("Ceiling", note, headings, rows)


def pairing(results: Results) -> str:
    """What playing every deal in all arrangements has saved, in one sentence; or nothing."""
    gains = [one.gain for one in results.differences if np.isfinite(one.gain)]
    if not results.differences:
        return ""
    if not gains:
        return "What pairing saved cannot be told: the differences did not vary."
    gain, deals = float(np.median(gains)), results.deals
    worth = f"{deals:,} deals played in all arrangements tell as much as {deals * gain:,.0f}"
    saved = f"{abs(deals * (gain - 1)):,.0f} were {'saved' if gain >= 1 else 'lost'} by pairing"
    return f"{worth} would if every game had its own: {saved} (median of the differences)."


def _standings(title: str, note: str, standings: Sequence[Standing]) -> ReportTable:
    headings = ["agent", "win share", "95 %", "mean points", "95 %", "games"]
    rows = []
    for one in standings:
        points = ["-", "-"]
        if one.points is not None:
            points = [f"{one.points.mean:.1f}", f"{one.points.low:.1f} to {one.points.high:.1f}"]
        share = [f"{one.win_share.mean:.1%}", _percent(one.win_share)]
        rows.append([one.name, *share, *points, f"{one.games:,}"])
    return ReportTable(title, note, headings, rows)


def _differences(results: Results) -> ReportTable:
    rows = [
        [
            one.first,
            one.second,
            f"{one.win_share.mean:+.1%}",
            f"{one.win_share.low:+.1%} to {one.win_share.high:+.1%}",
            f"{one.gain:.2f}" if np.isfinite(one.gain) else "-",
        ]
        for one in results.differences
    ]
    note = f"Differences of win shares, deal by deal. {pairing(results)}"
    headings = ["agent", "ahead of", "by", "95 %", "deals that one deal is worth"]
    return ReportTable("Paired differences", note.strip(), headings, rows)


def _head_to_head(results: Results) -> ReportTable:
    names = [standing.name for standing in results.standings]
    order = [results.plan.names.index(name) for name in names]
    rows = [
        [name, *(_share(results.beaten[first, second]) for second in order)]
        for name, first in zip(names, order, strict=True)
    ]
    note = "How often the agent of the line ended with fewer points than the one of the column."
    return ReportTable("Head to head", note, ["agent", *names], rows if len(names) > 1 else [])


def _by_seat(results: Results, table: TableResults) -> ReportTable:
    rows = [
        [name, *(_share(share) for share in table.by_seat[agent])]
        for agent, name in enumerate(results.plan.names)
    ]
    headings = ["agent", *(f"seat {seat}" for seat in range(table.players))]
    note = "Win share; seat 0 begins the first round."
    return ReportTable(f"{table.players} players: by seat", note, headings, rows)


def _statistics(results: Results, table: TableResults) -> ReportTable:
    meanings = results.plan.game.statistics
    rows = [
        [name, *(f"{mean:.3g}" for mean in counted.values())]
        for name, counted in table.statistics.items()
        if counted
    ]
    note = "Mean in a game. " + "; ".join(
        f"{name.replace('_', ' ')}: {text}" for name, text in meanings.items()
    )
    headings = ["agent", *(name.replace("_", " ") for name in meanings)]
    return ReportTable(f"{table.players} players: what happened", note + ".", headings, rows)


def _endings(results: Results, table: TableResults) -> ReportTable:
    total = max(sum(table.endings.values()), 1)
    rows = [
        [results.plan.game.endings[ending], f"{count:,}", f"{count / total:.1%}"]
        for ending, count in table.endings.items()
    ]
    title = f"{table.players} players: how rounds ended"
    return ReportTable(title, "Games played to the end.", ["ending", "rounds", "share"], rows)


def _seconds(results: Results) -> ReportTable:
    rows = [[name, f"{mean * 1e6:,.2f}"] for name, mean in results.seconds.items()]
    note = "Time in `act` divided by the decisions it made; it was asked in batches."
    return ReportTable("Time for a decision", note, ["agent", "microseconds"], rows)


def _even(players: int) -> str:
    return f"An even share of wins is {1 / players:.1%}."


def _percent(interval: Estimate) -> str:
    return f"{interval.low:.1%} to {interval.high:.1%}"


def _share(share: float) -> str:
    return f"{share:.1%}" if np.isfinite(share) else "-"
