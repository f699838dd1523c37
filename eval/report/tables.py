"""The results of a tournament as tables of text, for page, Markdown and terminal."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import one_line
from ...naming import counted
from ..analysis.perfect_information import Bound
from ..ratings.ratings import Ratings
from ..tournament.config import TournamentConfig
from ..tournament.results import PlayerCountSummary, Results, Standing
from ..tournament.seating import Lineup, arrangements, num_orders
from ..tournament.statistics import Estimate

_BOOTSTRAP = (
    "Low points are good; intervals are 95%, by bootstrap over deals, and Wilson's where a share "
    "was the same in every deal."
)


@dataclass(frozen=True)
class ReportTable:
    """A table of a report.

    Attributes:
        title: Its title.
        note: What its numbers mean.
        headings: A heading for each column.
        rows: Rows with a cell for each heading.
        text_columns: The first columns, so many, hold text; the others hold numbers.
    """

    title: str
    note: str
    headings: list[str]
    rows: list[list[str]]
    text_columns: int = 1


def report_tables(results: Results) -> list[ReportTable]:
    """Return all tables of a report, the most important first."""
    tables = [
        standings_table(results),
        _differences(results),
        ratings_table(results.ratings),
        _head_to_head(results),
    ]
    for one in results.by_player_count:
        title = f"{one.num_players} players"
        if len(results.by_player_count) > 1:
            tables.append(
                _standings(f"{title}: standings", _even_share(one.num_players), one.standings)
            )
        tables += [
            _by_seat(title, results, one),
            _statistics(title, results, one),
            _score_sheet(title, results, one),
            _endings(title, results, one),
        ]
    tables += [_seconds(results), forfeits_table(results)]
    return [table for table in tables if table.rows]


def headline(results: Results) -> str:
    """Return one line that says what was played."""
    config = results.config
    counts = " and ".join(map(str, config.player_counts))
    deals, games, limit = counted(results.deals, "deal"), counted(results.games, "game"), ""
    if config.until is not None:
        limit = f", of at most {config.deals:,} until intervals are narrower than {config.until:g}"
    return (
        f"{config.game.title}: {config.format}, {counts} players, {deals}{limit}, "
        f"{describe_seating(config)} {games}, seed {config.seed}"
    )


def describe_seating(config: TournamentConfig) -> str:
    """Return how much of all seating orders a deal has, and which agents had several seats."""
    of_counts, seats = [], Counter[int]()
    for num_players in config.player_counts:
        chosen = config.lineups(num_players)
        of_counts.append(" or ".join(dict.fromkeys(map(_orders, chosen))))
        for lineup in chosen:
            seats |= Counter(lineup)
    said = f"each line-up in {' and '.join(dict.fromkeys(of_counts))}"
    if len(set(of_counts)) > 1:
        said += f" ({' and '.join(map(str, config.player_counts))} players)"
    twice = [f"{config.names[k]} in up to {seats[k]} seats" for k in sorted(seats) if seats[k] > 1]
    return f"{said}; {', '.join(twice)};" if twice else f"{said},"


def _orders(lineup: Lineup) -> str:
    played, total = len(arrangements(lineup)), num_orders(lineup)
    if total == 1:
        return "its only seating order"
    return f"{'all' if played == total else f'{played} of'} {total} seating orders"


def standings_table(results: Results) -> ReportTable:
    """Return the standings over all player counts."""
    note = "All numbers of players have the same weight."
    if len(results.by_player_count) == 1:
        note = _even_share(results.by_player_count[0].num_players)
    return _standings("Standings", f"{note} {_BOOTSTRAP}", results.standings)


def ratings_table(ratings: Ratings, title: str = "Ratings") -> ReportTable:
    """Return ratings, the best first."""
    rows = [
        [
            one.name,
            f"{one.rating.mean:.0f}",
            f"{one.rating.low:.0f} to {one.rating.high:.0f}",
            f"{one.alpha_rank:.1%}",
            f"{one.games:,}",
        ]
        for one in ratings.agents
    ]
    note = (
        "Plackett-Luce, fitted to all games at once, on Elo's scale: 400 more are ten times the "
        "chance to be first; the mean is 1500. Intervals are 95%, by bootstrap over deals. "
        "Alpha-rank: the share of the time in a population that changes to agents that are ahead "
        f"head to head beyond the interval. {describe_cycles(ratings)}"
    )
    return ReportTable(title, note, ["agent", "rating", "95%", "alpha-rank", "games"], rows)


def describe_cycles(ratings: Ratings) -> str:
    """Return a sentence that names the cycles of agents, or says that there is none."""
    if not ratings.cycles:
        return "There is no cycle of agents that beat each other."
    cycles = (" beats ".join((*cycle, cycle[0])) for cycle in ratings.cycles)
    return f"Cycles: {'; '.join(cycles)}."


def forfeits_table(results: Results) -> ReportTable:
    """Return the agents that forfeited games, and why."""
    rows = [
        [one.agent, one_line(one.reason), f"{one.games:,}", str(one.first_game)]
        for one in results.forfeits
    ]
    note = (
        "An agent that fails, is too slow or plays an illegal move gets no share of that game's "
        "win, the others even shares; points and counts leave the game out. `goldgriff replay` "
        "shows the game."
    )
    return ReportTable("Forfeits", note, ["agent", "reason", "games", "first in game"], rows, 2)


def bound_table(num_players: int, opponent: str, bounds: Mapping[str, Bound]) -> ReportTable:
    """Return the results of searches against an opponent, by what they know."""
    rows = [
        [name, *_shares(one.win_share), *_points(one.points), f"{one.opponent_points.mean:.1f}"]
        for name, one in bounds.items()
    ]
    headings = ["it sees", "win share", "95%", "mean points", "95%", f"each {opponent}"]
    note = f"{_even_share(num_players)} {_BOOTSTRAP}"
    return ReportTable("Perfect-information bound", note, headings, rows)


def describe_pairing(results: Results) -> str:
    """Return a sentence on what playing deals several times has saved, or nothing."""
    gains = [one.gain for one in results.differences if np.isfinite(one.gain)]
    if not results.differences:
        return ""
    if not gains:
        return "The effect of pairing is unknown: the differences did not vary."
    gain, deals = float(np.median(gains)), results.deals
    saved = f"pairing {'saved' if gain >= 1 else 'lost'} {abs(deals * (gain - 1)):,.0f}"
    return (
        f"{counted(deals, 'deal')}, each played from all seats, tell as much as "
        f"{deals * gain:,.0f} would if every game had its own: {saved} (median of the differences)."
    )


def _standings(title: str, note: str, standings: Iterable[Standing]) -> ReportTable:
    rows = [
        [one.name, *_shares(one.win_share), *_points(one.points), f"{one.games:,}"]
        for one in standings
    ]
    headings = ["agent", "win share", "95%", "mean points", "95%", "games"]
    return ReportTable(title, note, headings, rows)


def _differences(results: Results) -> ReportTable:
    rows = [
        [one.first, one.second, *_shares(one.win_share, "+"), _finite(one.gain, ".2f")]
        for one in results.differences
    ]
    note = f"Differences of win shares, deal by deal. {describe_pairing(results)}"
    headings = ["agent", "ahead of", "by", "95%", "unpaired deals for one"]
    return ReportTable("Paired differences", note.strip(), headings, rows, 2)


def _head_to_head(results: Results) -> ReportTable:
    names = [standing.name for standing in results.standings]
    order = [results.config.names.index(name) for name in names]
    rows = [
        [name, *(_share_and_ends(one) for one in results.head_to_head[agent, order])]
        for name, agent in zip(names, order, strict=True)
    ]
    note = (
        "How often the agent of the row ended with fewer points than the one of the column, and "
        "the 95% interval."
    )
    return ReportTable("Head to head", note, ["agent", *names], rows if len(names) > 1 else [])


def _by_seat(title: str, results: Results, one: PlayerCountSummary) -> ReportTable:
    rows = [
        [name, *(_finite(share) for share in shares)]
        for name, shares in zip(results.config.names, one.by_seat, strict=True)
    ]
    headings = ["agent", *(f"seat {seat}" for seat in range(one.num_players))]
    note = "Win share; seat 0 begins the first round."
    return ReportTable(f"{title}: by seat", note, headings, rows)


def _statistics(title: str, results: Results, one: PlayerCountSummary) -> ReportTable:
    rows = [[name, *map(_mean, means.values())] for name, means in one.statistics.items() if means]
    counted = results.config.game.statistics
    meanings = {name.replace("_", " "): meaning for name, meaning in counted.items()}
    note = "; ".join(f"{name}: {meaning}" for name, meaning in meanings.items())
    return ReportTable(
        f"{title}: what happened", f"Mean in a game. {note}.", ["agent", *meanings], rows
    )


def _score_sheet(title: str, results: Results, one: PlayerCountSummary) -> ReportTable:
    rows = [
        [name, *(f"{mean:,.1f}" for mean in (*means.values(), sum(means.values())))]
        for name, means in one.score_sheet.items()
        if means
    ]
    meanings = {
        name.replace("_", " "): meaning for name, meaning in results.config.game.score_sheet.items()
    }
    note = "; ".join(f"{name}: {meaning}" for name, meaning in meanings.items())
    return ReportTable(
        f"{title}: score sheet",
        f"Mean points in a round. {note}; points: the sum of these.",
        ["agent", *meanings, "points"],
        rows,
    )


def _endings(title: str, results: Results, one: PlayerCountSummary) -> ReportTable:
    total = max(sum(one.endings.values()), 1)
    rows = [
        [results.config.game.endings[ending], f"{count:,}", f"{count / total:.1%}"]
        for ending, count in one.endings.items()
    ]
    headings = ["ending", "rounds", "share"]
    return ReportTable(f"{title}: how rounds ended", "Games played to the end.", headings, rows)


def _seconds(results: Results) -> ReportTable:
    rows = [[name, f"{mean * 1e6:,.2f}"] for name, mean in results.seconds.items()]
    note = "Time in `act` divided by the number of decisions, in batches of them."
    return ReportTable("Time for a decision", note, ["agent", "microseconds"], rows)


def _even_share(num_players: int) -> str:
    return f"An even share of wins is {1 / num_players:.1%}."


def _shares(one: Estimate, sign: str = "") -> list[str]:
    return [f"{one.mean:{sign}.1%}", f"{one.low:{sign}.1%} to {one.high:{sign}.1%}"]


def _share_and_ends(one: NDArray[np.float64]) -> str:
    share, low, high = one.tolist()
    return f"{share:.1%} ({low:.1%} to {high:.1%})" if np.isfinite(share) else "-"


def _points(one: Estimate | None) -> list[str]:
    return [f"{one.mean:,.1f}", f"{one.low:,.1f} to {one.high:,.1f}"] if one else ["-", "-"]


def _mean(value: float) -> str:
    return f"{value:,.2f}"


def _finite(value: float, form: str = ".1%") -> str:
    return f"{value:{form}}" if np.isfinite(value) else "-"
