"""What a tournament has shown: computed from its store alone, the same however it was played."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.game import ILLEGAL
from .config import TournamentConfig
from .ratings import Rating, places, rate
from .statistics import Estimate, Values, estimate, estimates, pairing_gain
from .store import Store
from .stored_games import TableGames, added_shares, in_order, read_games


@dataclass(frozen=True)
class Standing:
    """How one agent did: its mean share of a game's win and its mean points in a game.

    points: None when too few of its games were played to the end. games: results counted; an
    agent that sits in two seats of a game has two results there. forfeits: games it lost so.
    """

    name: str
    win_share: Estimate
    points: Estimate | None
    games: int
    forfeits: int


@dataclass(frozen=True)
class Difference:
    """How much larger the first agent's mean win share is, deal by deal.

    gain: how many unpaired deals one deal is worth here (see `statistics.pairing_gain`).
    """

    first: str
    second: str
    win_share: Estimate
    gain: float


@dataclass(frozen=True)
class TableResults:
    """The results at tables of one size.

    by_seat: each agent's mean win share in each seat, (agents, seats), NaN where it never sat.
    endings: rounds by how they ended. statistics: mean of a game of each agent, by name, over
    games played to the end; empty for an agent that has none.
    """

    players: int
    games: int
    capped_games: int
    standings: list[Standing]
    by_seat: NDArray[np.float64]
    endings: dict[str, int]
    statistics: dict[str, dict[str, float]]


@dataclass(frozen=True)
class Forfeited:
    """Games that an agent lost by one kind of fault: the reason and number of the first of them."""

    name: str
    reason: str
    games: int
    example: int


@dataclass(frozen=True)
class Results:
    """A tournament as far as it was played; standings over all tables, the best first.

    beaten: of the games in which both sat, the part in which the first agent was better than the
    second (equal counts half), (agents, agents), NaN where they never met.
    seconds: mean time for a decision of each agent, the only thing here that no seed decides.
    """

    plan: TournamentConfig
    run: int
    deals: int
    finished: bool
    standings: list[Standing]
    differences: list[Difference]
    ratings: list[Rating]
    beaten: NDArray[np.float64]
    tables: list[TableResults]
    forfeited: list[Forfeited]
    seconds: dict[str, float]

    @property
    def games(self) -> int:
        """Games played."""
        return sum(table.games for table in self.tables)


def read_results(store: Store, run: int) -> Results:
    """Compute the results of a tournament from what the store holds of it."""
    plan = store.plan(run)
    deals, finished = store.one("SELECT deals, finished FROM runs WHERE run = ?", (run,))
    games = read_games(store, run, plan)
    tables = [_table(store, run, plan, table) for table in games]
    standings = tables[0].standings if len(tables) == 1 else _standings(plan, games)
    order = [plan.names.index(standing.name) for standing in standings]
    return Results(
        plan,
        run,
        deals,
        bool(finished),
        standings,
        differences(plan, games, order),
        rate(plan.names, in_order(games)),
        _beaten(plan, games),
        tables,
        _forfeited(store, run),
        _seconds(store, run),
    )


def differences(
    plan: TournamentConfig, games: list[TableGames], order: Sequence[int]
) -> list[Difference]:
    """The paired differences of all agents, each against those after it in `order`."""
    pairs = list(combinations(order, 2))
    if not pairs:
        return []
    added = {agent: added_shares(games, agent) for agent in order}
    between = [added[first] - added[second] for first, second in pairs]
    by_deal = np.array([one.sum(axis=1) for one in between])
    return [
        Difference(plan.names[first], plan.names[second], interval, pairing_gain(one))
        for (first, second), interval, one in zip(
            pairs, estimates(by_deal, plan.seed), between, strict=True
        )
    ]


def _standings(plan: TournamentConfig, games: list[TableGames]) -> list[Standing]:
    """Each agent's means over all tables, those of each size counting alike."""
    found = []
    for agent, name in enumerate(plan.names):
        seated = [table.seating == agent for table in games]
        points = np.mean(
            [_mean(table.points, mine) for table, mine in zip(games, seated, strict=True)], axis=0
        )
        counted = points[~np.isnan(points)]
        lost = [
            int(((table.shares == 0) & np.isnan(table.points) & mine).sum())
            for table, mine in zip(games, seated, strict=True)
        ]
        found.append(
            Standing(
                name,
                estimate(added_shares(games, agent).sum(axis=1), plan.seed),
                estimate(counted, plan.seed) if len(counted) >= 2 else None,
                sum(table.deals * int(m.sum()) for table, m in zip(games, seated, strict=True)),
                sum(lost),
            )
        )
    return sorted(found, key=lambda standing: -standing.win_share.mean)


def _mean(results: Values, seated: NDArray[np.bool_]) -> Values:
    """An agent's mean result of each deal, (deals,); NaN where it has none."""
    mine = results[:, seated]
    counted = ~np.isnan(mine)
    total, number = np.where(counted, mine, 0).sum(axis=1), counted.sum(axis=1)
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)


def _beaten(plan: TournamentConfig, games: list[TableGames]) -> NDArray[np.float64]:
    agents = len(plan.names)
    won, met = np.zeros((agents, agents)), np.zeros((agents, agents))
    for table in games:
        placed = places(table.points, table.shares)
        for game, seating in enumerate(table.seating.tolist()):
            for mine, other in combinations(range(table.players), 2):
                first, second = seating[mine], seating[other]
                if first == second:
                    continue
                ahead = placed[:, game, other] - placed[:, game, mine]
                score = float((ahead > 0).sum() + (ahead == 0).sum() / 2)
                won[first, second] += score
                won[second, first] += table.deals - score
                met[first, second] += table.deals
                met[second, first] += table.deals
    return np.divide(won, met, out=np.full_like(won, np.nan), where=met > 0)


def _table(store: Store, run: int, plan: TournamentConfig, table: TableGames) -> TableResults:
    of_run = (run, table.players)
    (capped,) = store.one("SELECT sum(capped) FROM games WHERE run = ? AND players = ?", of_run)
    by_seat = np.full((len(plan.names), table.players), np.nan)
    for agent in range(len(plan.names)):
        for seat in range(table.players):
            sits = table.seating[:, seat] == agent
            if sits.any():
                by_seat[agent, seat] = table.shares[:, sits, seat].mean()
    counted = dict(
        store.connection.execute(
            "SELECT ending, sum(count) FROM games JOIN endings USING (game) "
            "WHERE run = ? AND players = ? AND forfeiter IS NULL GROUP BY ending",
            of_run,
        )
    )
    return TableResults(
        table.players,
        table.deals * len(table.seating),
        capped or 0,
        _standings(plan, [table]),
        by_seat,
        {ending: counted.get(ending, 0) for ending in plan.game.endings},
        _statistics(store, plan, of_run),
    )


def _statistics(
    store: Store, plan: TournamentConfig, of_run: tuple[int, int]
) -> dict[str, dict[str, float]]:
    """The mean of every statistic in a game of each agent."""
    results = dict(
        store.connection.execute(
            "SELECT name, count(*) FROM games JOIN seats USING (game) JOIN agents USING (agent) "
            "WHERE run = ? AND players = ? AND forfeiter IS NULL GROUP BY name",
            of_run,
        )
    )
    counted = {
        (name, statistic): total
        for name, statistic, total in store.connection.execute(
            "SELECT name, statistic, sum(count) FROM games JOIN counts USING (game) "
            "JOIN seats USING (game, seat) JOIN agents USING (agent) "
            "WHERE run = ? AND players = ? AND forfeiter IS NULL GROUP BY name, statistic",
            of_run,
        )
    }
    return {
        name: {
            statistic: counted.get((name, statistic), 0) / results[name]
            for statistic in plan.game.statistics
        }
        if name in results
        else {}
        for name in plan.names
    }


def _forfeited(store: Store, run: int) -> list[Forfeited]:
    rows = store.connection.execute(
        "SELECT name, reason, count(*), min(games.game) FROM games JOIN seats "
        "ON seats.game = games.game AND seat = forfeiter JOIN agents USING (agent) "
        "WHERE run = ? GROUP BY name, iif(reason LIKE ?, 1, reason) ORDER BY name, 4",
        (run, f"%{ILLEGAL}%"),  # illegal moves are one kind of fault, whichever they were
    )
    return [Forfeited(*row) for row in rows]


def _seconds(store: Store, run: int) -> dict[str, float]:
    return {
        name: seconds / max(decisions, 1)
        for name, seconds, decisions in store.connection.execute(
            "SELECT name, sum(seconds), sum(decisions) FROM seconds JOIN agents USING (agent) "
            "WHERE run = ? GROUP BY agent ORDER BY agent",
            (run,),
        )
    }
