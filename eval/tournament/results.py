"""The results of a tournament, computed from its store alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..ratings.ranked_games import RankedGames, head_to_head, rank_games, ranks
from ..ratings.ratings import Ratings, rate
from .config import TournamentConfig
from .statistics import (
    DIFFERENCES,
    SHARES,
    Estimate,
    Values,
    contributions,
    estimate,
    estimates,
    pairing_gain,
)
from .store import Store
from .store_check import DamageError
from .store_rows import read_fault

# Games of one run with one number of players that were not forfeited.
_WHERE = "WHERE run = ? AND players = ? AND forfeiter IS NULL"


@dataclass(frozen=True)
class PlayerCountGames:
    """The games with one number of players; every deal has the same number of them.

    Attributes:
        num_players: Number of players.
        seating: Agent of each seat, int64 (deals, games, seats).
        points, win_shares: Results as in `Outcomes`, float64 (deals, games, seats).
    """

    num_players: int
    seating: NDArray[np.int64]
    points: Values
    win_shares: Values

    @property
    def deals(self) -> int:
        """Number of deals that were played."""
        return len(self.win_shares)


@dataclass(frozen=True)
class Standing:
    """The means of one agent.

    Attributes:
        name: The agent.
        win_share: Mean win share.
        points: Mean points in a game; None when too few of its games were played to the end.
        games: Games that it was in; with two seats in one, it has two results there.
        forfeits: Results lost by a forfeit.
    """

    name: str
    win_share: Estimate
    points: Estimate | None
    games: int
    forfeits: int


@dataclass(frozen=True)
class Difference:
    """The paired difference of two agents' mean win shares.

    Attributes:
        first, second: The agents.
        win_share: Win share of the first minus that of the second, over deals.
        gain: How many unpaired deals give the precision of a paired one (see `pairing_gain`).
    """

    first: str
    second: str
    win_share: Estimate
    gain: float


@dataclass(frozen=True)
class PlayerCountSummary:
    """The results with one number of players.

    Attributes:
        num_players: Number of players.
        games: Games played.
        capped_games: Games in which a round reached the cap on decisions.
        standings: Standings, the best first.
        by_seat: Mean win share of each agent in each seat, (agents, seats), NaN where it never sat.
        endings: Rounds by the way they ended.
        statistics: Means of each agent by statistic, over games played to the end; empty for an
            agent without such games.
        score_sheet: Means of each agent in a round by entry of the score sheet; likewise.
    """

    num_players: int
    games: int
    capped_games: int
    standings: list[Standing]
    by_seat: NDArray[np.float64]
    endings: dict[str, int]
    statistics: dict[str, dict[str, float]]
    score_sheet: dict[str, dict[str, float]]


@dataclass(frozen=True)
class ForfeitSummary:
    """Games that an agent lost by one kind of fault, with the text and game of the first."""

    agent: str
    reason: str
    games: int
    first_game: int


@dataclass(frozen=True)
class Results:
    """The results of a tournament so far.

    Attributes:
        config: The tournament.
        run: Its number in the store.
        fingerprints: The fingerprint that each agent had at the beginning, "" for one without
            weights, `OBJECT` for one that was given as an object.
        deals: Deals played.
        finished: Whether nothing is left to play.
        standings: Standings over all player counts, the best first.
        differences: Paired differences of all agents.
        ratings: Ratings, the best first, and cycles.
        head_to_head: Share of the games of two agents in which the first had the better rank (equal
            counts half) and the ends of its interval, (agents, agents, 3), NaN where they never
            met.
        by_player_count: Results for each number of players.
        forfeits: Forfeits by agent and kind of fault.
        seconds: Mean time of each agent for a decision; the only result that is not determined by
            the seed.
    """

    config: TournamentConfig
    run: int
    fingerprints: dict[str, str]
    deals: int
    finished: bool
    standings: list[Standing]
    differences: list[Difference]
    ratings: Ratings
    head_to_head: NDArray[np.float64]
    by_player_count: list[PlayerCountSummary]
    forfeits: list[ForfeitSummary]
    seconds: dict[str, float]

    @property
    def games(self) -> int:
        """Number of games played."""
        return sum(summary.games for summary in self.by_player_count)


def read_results(store: Store, run: int) -> Results:
    """Compute the results of a tournament from a store."""
    config = store.config(run)
    deals, finished = store.one("SELECT deals, finished FROM runs WHERE run = ?", (run,))
    games = read_games(store, run, config)
    summaries = [_summarize(store, run, config, of_count) for of_count in games]
    standings = summaries[0].standings if len(summaries) == 1 else _standings(config, games)
    order = [config.names.index(standing.name) for standing in standings]
    ranked = ranked_games(config, games)
    shares = head_to_head(ranked, config.seed)
    forfeits = store.connection.execute(
        "SELECT name, fault, details, count(*), min(games.game) FROM games JOIN seats "
        "ON seats.game = games.game AND seat = forfeiter JOIN agents USING (agent) "
        "WHERE run = ? GROUP BY name, fault, iif(fault = 'not-legal', '', details) "
        "ORDER BY name, min(games.game)",  # all illegal moves are one kind of fault
        (run,),
    )
    seconds = store.connection.execute(
        "SELECT name, sum(seconds) / max(sum(decisions), 1) FROM decision_times "
        "JOIN agents USING (agent) WHERE run = ? GROUP BY agent ORDER BY agent",
        (run,),
    )
    return Results(
        config,
        run,
        dict(store.agents_of(run)),
        deals,
        bool(finished),
        standings,
        differences(config, games, order),
        rate(config.names, ranked, shares, config.seed),
        shares,
        summaries,
        [
            ForfeitSummary(name, read_fault(fault, details).text, number, first)
            for name, fault, details, number, first in forfeits
        ],
        dict(seconds),
    )


def read_games(store: Store, run: int, config: TournamentConfig) -> list[PlayerCountGames]:
    """Return the games of a tournament so far, by number of players. Raises DamageError."""
    (deals,) = store.one("SELECT deals FROM runs WHERE run = ?", (run,))
    games = []
    for num_players in config.player_counts:
        rows = store.connection.execute(
            "SELECT seats.points, seats.win_share FROM games JOIN seats USING (game) "
            "WHERE run = ? AND players = ? ORDER BY game, seat",
            (run, num_players),
        ).fetchall()
        seating = config.seatings(num_players, range(deals))
        if len(rows) != seating.size:
            raise DamageError(f"run {run} has {len(rows)} results instead of {seating.size}")
        values = np.array(rows, np.float64).reshape(*seating.shape, 2)  # NULL becomes NaN
        games.append(PlayerCountGames(num_players, seating, values[..., 0], values[..., 1]))
    return games


def win_share_contributions(games: list[PlayerCountGames], agent: int) -> Values:
    """Return what each game adds to an agent's mean win share of its deal.

    All player counts have the same weight.

    Returns:
        float64 (deals, games of all player counts).
    """
    added = [contributions(of_count.win_shares, of_count.seating == agent) for of_count in games]
    return np.concatenate(added, axis=1) / len(games)


def ranked_games(config: TournamentConfig, games: list[PlayerCountGames]) -> RankedGames:
    """Return the rankings of all games by deal."""
    return rank_games(
        len(config.names),
        (
            (
                np.repeat(np.arange(of_count.deals), of_count.seating.shape[1]),
                of_count.seating.reshape(-1, of_count.num_players),
                ranks(of_count.points, of_count.win_shares).reshape(-1, of_count.num_players),
            )
            for of_count in games
        ),
    )


def differences(
    config: TournamentConfig, games: list[PlayerCountGames], order: Sequence[int]
) -> list[Difference]:
    """Return the paired differences of all agents, each with those after it in `order`."""
    pairs = list(combinations(order, 2))
    if not pairs:
        return []
    added = {agent: win_share_contributions(games, agent) for agent in order}
    between = [added[first] - added[second] for first, second in pairs]
    by_deal = np.array([values.sum(axis=1) for values in between])
    intervals = estimates(by_deal, config.seed, DIFFERENCES)
    return [
        Difference(config.names[first], config.names[second], interval, pairing_gain(values))
        for (first, second), interval, values in zip(pairs, intervals, between, strict=True)
    ]


def _standings(config: TournamentConfig, games: list[PlayerCountGames]) -> list[Standing]:
    """Return each agent's means, in which all player counts have the same weight."""
    standings = []
    for agent, name in enumerate(config.names):
        seated = [(of_count, of_count.seating == agent) for of_count in games]
        points = np.mean(
            [_mean_of_deals(of_count.points, mine) for of_count, mine in seated], axis=0
        )
        scored = points[~np.isnan(points)]
        lost = [
            (of_count.win_shares == 0) & np.isnan(of_count.points) & mine
            for of_count, mine in seated
        ]
        standings.append(
            Standing(
                name,
                estimate(win_share_contributions(games, agent).sum(axis=1), config.seed, SHARES),
                estimate(scored, config.seed) if len(scored) >= 2 else None,
                sum(int(mine.any(axis=-1).sum()) for _, mine in seated),
                sum(int(results.sum()) for results in lost),
            )
        )
    return sorted(standings, key=lambda standing: -standing.win_share.mean)


def _mean_of_deals(results: Values, seated: NDArray[np.bool_]) -> Values:
    """Return an agent's mean result of each deal, (deals,); NaN where it has none."""
    counted = seated & ~np.isnan(results)
    total, number = np.where(counted, results, 0).sum(axis=(1, 2)), counted.sum(axis=(1, 2))
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)


def _summarize(
    store: Store, run: int, config: TournamentConfig, games: PlayerCountGames
) -> PlayerCountSummary:
    of_run = (run, games.num_players)
    capped = "SELECT coalesce(sum(capped), 0) FROM games WHERE run = ? AND players = ?"
    by_seat = np.full((len(config.names), games.num_players), np.nan)
    for agent, seat in np.ndindex(by_seat.shape):
        sits = games.seating[..., seat] == agent
        if sits.any():
            by_seat[agent, seat] = games.win_shares[..., seat][sits].mean()
    endings = dict(
        store.connection.execute(
            f"SELECT ending, sum(count) FROM games JOIN endings USING (game) {_WHERE} "
            "GROUP BY ending",
            of_run,
        )
    )
    return PlayerCountSummary(
        games.num_players,
        games.deals * games.seating.shape[1],
        store.one(capped, of_run)[0],
        _standings(config, [games]),
        by_seat,
        {ending: endings.get(ending, 0) for ending in config.game.endings},
        _means(store, config, of_run, _STATISTICS, config.game.statistics),
        _means(store, config, of_run, _SCORE_SHEET, config.game.score_sheet),
    )


# Of what `_means` divides by, the beginning of a query; and where it finds names and values.
_STATISTICS = ("count(*) FROM games", "counts", "statistic", "counts.count")
_SCORE_SHEET = (
    "sum(count) FROM games JOIN endings USING (game)",
    "score_sheets",
    "entry",
    "score_sheets.points",
)


def _means(
    store: Store,
    config: TournamentConfig,
    of_run: tuple[int, int],
    columns: tuple[str, str, str, str],
    names: Iterable[str],
) -> dict[str, dict[str, float]]:
    """Return means of every agent by name, over games played to the end.

    Args:
        store: The store.
        config: The tournament.
        of_run: The run and the number of players.
        columns: `_STATISTICS` for means of a game, `_SCORE_SHEET` for means of a round.
        names: What there are means of.
    """
    number, table, name, value = columns
    numbers = dict(
        store.connection.execute(
            f"SELECT name, {number} JOIN seats USING (game) JOIN agents USING (agent) {_WHERE} "
            "GROUP BY name",
            of_run,
        )
    )
    means = {agent: dict.fromkeys(names, 0.0) if agent in numbers else {} for agent in config.names}
    for agent, key, total in store.connection.execute(
        f"SELECT name, {name}, sum({value}) FROM games JOIN {table} USING (game) "
        f"JOIN seats USING (game, seat) JOIN agents USING (agent) {_WHERE} GROUP BY name, {name}",
        of_run,
    ):
        means[agent][key] = total / numbers[agent]
    return means
