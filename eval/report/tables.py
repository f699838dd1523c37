"""The results of a tournament as tables of text, for page, Markdown and terminal."""

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from ...agents.registry import is_code
from ...naming import counted
from ..analysis.perfect_information import Bound
from ..ratings.ratings import Ratings
from ..tournament.config import TournamentConfig
from ..tournament.provenance import OBJECT
from ..tournament.results import PlayerCountSummary, Results, Standing
from ..tournament.seating import Lineup, arrangements, num_orders
from .report_table import Column, ReportTable

GUESSED_SEEDS = 2**32  # a seed below this is found by trying all, one first hand being known
_BOOTSTRAP = (
    "Low points are good; intervals are 95%, by bootstrap over deals, and Wilson's where a share "
    "was the same in every deal."
)

Means = Mapping[str, Mapping[str, float]]  # of each agent, by what was counted

# The columns of results in tables, JSON and pandas.
STANDINGS = (
    Column("win_share", "win share", lambda standing: standing.win_share, ".1%", True),
    Column("mean_points", "mean points", lambda standing: standing.points, ",.1f", True),
    Column("games", "games", lambda standing: standing.games, ","),
    Column("forfeits", "", lambda standing: standing.forfeits),
)
RATINGS = (
    Column("rating", "rating", lambda rating: rating.rating, ".0f", True),
    Column("alpha_rank", "alpha-rank", lambda rating: rating.alpha_rank, ".1%"),
    Column("games", "games", lambda rating: rating.games, ","),
)
DIFFERENCES = (
    Column("win_share", "by", lambda difference: difference.win_share, "+z.1%", True),
    Column("pairing_gain", "unpaired deals for one", lambda difference: difference.gain, ".2f"),
)
FORFEITS = (
    Column("agent", "agent", lambda forfeit: forfeit.agent),
    Column("reason", "reason", lambda forfeit: forfeit.reason),
    Column("games", "games", lambda forfeit: forfeit.games, ","),
    Column("first_game", "first in game", lambda forfeit: forfeit.first_game),
)
_AGENT = Column("agent", "agent", lambda row: row.name)
_PAIR = (
    Column("agent", "agent", lambda difference: difference.first),
    Column("other", "ahead of", lambda difference: difference.second),
)


def report_tables(results: Results) -> list[ReportTable]:
    """Return all tables of a report, the most important first."""
    tables = [standings_table(results), _differences(results)]
    tables += [ratings_table(results.ratings), _head_to_head(results)]
    for summary in results.by_player_count:
        title = f"{summary.num_players} players"
        if len(results.by_player_count) > 1:
            note = _even_share(summary.num_players)
            tables.append(_standings(f"{title}: standings", note, summary.standings))
        by_count = (_by_seat, _statistics, _score_sheet, _endings)
        tables += [make_table(title, results, summary) for make_table in by_count]
    tables += [_seconds(results), forfeits_table(results)]
    return [table for table in tables if table.rows]


def headline(results: Results) -> str:
    """Return one line that says what was played."""
    config = results.config
    deals, games, limit = counted(results.deals, "deal"), counted(results.games, "game"), ""
    if config.until is not None:
        limit = f", of at most {config.deals:,} until intervals are narrower than {config.until:g}"
    return (
        f"{config.game.title}: {config.format}, {config.players}, {deals}{limit}, "
        f"{describe_seating(config)} {games}, seed {config.seed}"
    )


def describe_seating(config: TournamentConfig) -> str:
    """Return how many of all seating orders each deal has, and which agents had several seats."""
    of_counts, seats = [], Counter[int]()
    for num_players in config.player_counts:
        lineups = config.lineups(num_players)
        of_counts.append(" or ".join(dict.fromkeys(map(_orders, lineups))))
        for lineup in lineups:
            seats |= Counter(lineup)
    text = f"each line-up in {' and '.join(dict.fromkeys(of_counts))}"
    if len(set(of_counts)) > 1:
        text += f" ({config.players})"
    twice = [f"{config.names[k]} in up to {seats[k]} seats" for k in sorted(seats) if seats[k] > 1]
    return f"{text}; {', '.join(twice)};" if twice else f"{text},"


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
    note = f"{note} {_BOOTSTRAP} {warn_of_seed(results)}".strip()
    return _standings("Standings", note, results.standings)


def warn_of_seed(results: Results) -> str:
    """Return what a seed that can be guessed means where agents are code; "" where none is."""
    marks = results.fingerprints.items()
    has_code = any(mark == OBJECT or is_code(name) for name, mark in marks)
    if not has_code or results.config.seed >= GUESSED_SEEDS:
        return ""
    return (
        "An agent that is code can work out all hands if it guesses the seed, as it can a small "
        "one: among strangers, play with `--seed random`."
    )


def ratings_table(ratings: Ratings, title: str = "Ratings") -> ReportTable:
    """Return ratings, the best first."""
    note = (
        "Plackett-Luce, fitted to all games at once, on Elo's scale: 400 more are ten times the "
        "chance to be first; the mean is 1500. Intervals are 95%, by bootstrap over deals. "
        "Alpha-rank: the share of the time in a population that changes to agents that are ahead "
        f"head to head beyond the interval. {describe_cycles(ratings)}"
    )
    return ReportTable.of(title, note, (_AGENT, *RATINGS), ratings.agents)


def describe_cycles(ratings: Ratings) -> str:
    """Return a sentence that names the cycles of agents, or says that there is none."""
    if not ratings.cycles:
        return "There is no cycle of agents that beat each other."
    cycles = (" beats ".join((*cycle, cycle[0])) for cycle in ratings.cycles)
    return f"Cycles: {'; '.join(cycles)}."


def forfeits_table(results: Results) -> ReportTable:
    """Return the agents that forfeited games, and why."""
    note = (
        "An agent that fails, is too slow or plays an illegal move gets no share of that game's "
        "win, the others even shares; points and counts leave the game out. `goldgriff replay` "
        "shows the game."
    )
    return ReportTable.of("Forfeits", note, FORFEITS, results.forfeits, 2)


def bound_table(num_players: int, opponent: str, bounds: Mapping[str, Bound]) -> ReportTable:
    """Return the results of searches against an opponent, by what they know."""
    columns = (
        Column("knows", "it sees", lambda item: item[0]),
        Column("win_share", "win share", lambda item: item[1].win_share, ".1%", True),
        Column("points", "mean points", lambda item: item[1].points, ",.1f", True),
        Column("opponent", f"each {opponent}", lambda item: item[1].opponent_points.mean, ".1f"),
    )
    note = f"{_even_share(num_players)} {_BOOTSTRAP}"
    return ReportTable.of("Perfect-information bound", note, columns, bounds.items())


def describe_pairing(results: Results) -> str:
    """Return a sentence about the deals that pairing saved; "" without differences."""
    gains = [difference.gain for difference in results.differences if np.isfinite(difference.gain)]
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
    return ReportTable.of(title, note, (_AGENT, *STANDINGS), standings)


def _differences(results: Results) -> ReportTable:
    note = f"Differences of win shares, deal by deal. {describe_pairing(results)}".strip()
    columns = (*_PAIR, *DIFFERENCES)
    return ReportTable.of("Paired differences", note, columns, results.differences, 2)


def _head_to_head(results: Results) -> ReportTable:
    names = [standing.name for standing in results.standings]
    order = [results.config.names.index(name) for name in names]
    rows = [
        [name, *map(_share_and_ends, results.head_to_head[agent, order])]
        for name, agent in zip(names, order, strict=True)
    ]
    note = (
        "How often the agent of the row ended with fewer points than the one of the column, and "
        "the 95% interval."
    )
    return ReportTable("Head to head", note, ["agent", *names], rows if len(names) > 1 else [])


def _by_seat(title: str, results: Results, summary: PlayerCountSummary) -> ReportTable:
    rows = [
        [name, *("-" if np.isnan(share) else f"{share:.1%}" for share in shares)]
        for name, shares in zip(results.config.names, summary.by_seat, strict=True)
    ]
    headings = ["agent", *(f"seat {seat}" for seat in range(summary.num_players))]
    note = "Win share; seat 0 begins the first round."
    return ReportTable(f"{title}: by seat", note, headings, rows)


def _statistics(title: str, results: Results, summary: PlayerCountSummary) -> ReportTable:
    meanings = results.config.game.statistics
    return _means(f"{title}: what happened", "Mean in a game", summary.statistics, meanings, ",.2f")


def _score_sheet(title: str, results: Results, summary: PlayerCountSummary) -> ReportTable:
    meanings = {**results.config.game.score_sheet, "points": "the sum of these"}
    sheets = {
        name: {**means, "points": sum(means.values())} if means else {}
        for name, means in summary.score_sheet.items()
    }
    return _means(f"{title}: score sheet", "Mean points in a round", sheets, meanings, ",.1f")


def _means(
    title: str, what: str, means: Means, meanings: Mapping[str, str], form: str
) -> ReportTable:
    """Return a table of each agent's means in a game or in a round, and what they mean."""
    headings = [name.replace("_", " ") for name in meanings]
    pairs = zip(headings, meanings.values(), strict=True)
    explained = "; ".join(f"{heading}: {meaning}" for heading, meaning in pairs)
    rows = [
        [name, *(format(mean, form) for mean in of_agent.values())]
        for name, of_agent in means.items()
        if of_agent
    ]
    return ReportTable(title, f"{what}. {explained}.", ["agent", *headings], rows)


def _endings(title: str, results: Results, summary: PlayerCountSummary) -> ReportTable:
    total = max(sum(summary.endings.values()), 1)
    rows = [
        [results.config.game.endings[ending], f"{count:,}", f"{count / total:.1%}"]
        for ending, count in summary.endings.items()
    ]
    headings = ["ending", "rounds", "share"]
    return ReportTable(f"{title}: how rounds ended", "Games played to the end.", headings, rows)


def _seconds(results: Results) -> ReportTable:
    rows = [[name, f"{mean * 1e6:,.2f}"] for name, mean in results.seconds.items()]
    note = "Time in `act` divided by the number of decisions, in batches of them."
    return ReportTable("Time for a decision", note, ["agent", "microseconds"], rows)


def _even_share(num_players: int) -> str:
    return f"An even share of wins is {1 / num_players:.1%}."


def _share_and_ends(estimate: NDArray[np.float64]) -> str:
    share, low, high = estimate.tolist()
    return f"{share:.1%} ({low:.1%} to {high:.1%})" if np.isfinite(share) else "-"
