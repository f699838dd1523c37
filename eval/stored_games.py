"""What a store holds of a tournament, as arrays."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .config import TournamentConfig
from .ratings import places
from .statistics import Values, contributions
from .store import Store


@dataclass(frozen=True)
class TableGames:
    """The games at tables of one size; every deal is played in the same seatings.

    seating: int64 (games, seats) of one deal, agents by number.
    points, shares: float64 (deals, games, seats), see `play.Outcomes`.
    """

    players: int
    seating: NDArray[np.int64]
    points: Values
    shares: Values

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return len(self.shares)


def read_games(store: Store, run: int, plan: TournamentConfig) -> list[TableGames]:
    """The results of a tournament so far, by size of table."""
    tables = []
    for players in plan.tables:
        rows = store.connection.execute(
            "SELECT seats.points, seats.win_share FROM games JOIN seats USING (game) "
            "WHERE run = ? AND players = ? ORDER BY game, seat",
            (run, players),
        ).fetchall()
        seating = plan.one_deal(players)
        values = np.array(rows, np.float64).reshape(-1, *seating.shape, 2)  # NULL becomes NaN
        tables.append(TableGames(players, seating, values[..., 0], values[..., 1]))
    return tables


def added_shares(tables: list[TableGames], agent: int) -> Values:
    """What each game, (deals, games of all tables), adds to an agent's mean win share of a deal.

    Tables of each size count alike.
    """
    shares = [contributions(table.shares, table.seating == agent) for table in tables]
    return np.concatenate(shares, axis=1) / len(tables)


def in_order(tables: list[TableGames]) -> Iterator[tuple[list[int], list[float]]]:
    """Every game's agents and places, deal by deal and in it table by table."""
    placed = [places(table.points, table.shares).tolist() for table in tables]
    seatings = [table.seating.tolist() for table in tables]
    for deal in range(tables[0].deals):
        for seating, games in zip(seatings, placed, strict=True):
            yield from zip(seating, games[deal], strict=True)
