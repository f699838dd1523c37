"""The games of a stored tournament as arrays."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .config import TournamentConfig
from .ratings import ranks
from .statistics import Values, contributions
from .store import Store


@dataclass(frozen=True)
class PlayerCountGames:
    """The games with one number of players; every deal is played in the same seatings.

    Attributes:
        num_players: Number of players.
        seating: Agent of each seat in the games of one deal, int64 (games, seats).
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


def read_games(store: Store, run: int, config: TournamentConfig) -> list[PlayerCountGames]:
    """Return the games of a tournament so far, by number of players."""
    games = []
    for num_players in config.player_counts:
        rows = store.connection.execute(
            "SELECT seats.points, seats.win_share FROM games JOIN seats USING (game) "
            "WHERE run = ? AND players = ? ORDER BY game, seat",
            (run, num_players),
        ).fetchall()
        seating = config.seatings(num_players)
        values = np.array(rows, np.float64).reshape(-1, *seating.shape, 2)  # NULL becomes NaN
        games.append(PlayerCountGames(num_players, seating, values[..., 0], values[..., 1]))
    return games


def win_share_contributions(games: list[PlayerCountGames], agent: int) -> Values:
    """Return what each game adds to an agent's mean win share of its deal.

    All player counts have the same weight.

    Returns:
        float64 (deals, games of all player counts).
    """
    added = [contributions(one.win_shares, one.seating == agent) for one in games]
    return np.concatenate(added, axis=1) / len(games)


def ranked_games(games: list[PlayerCountGames]) -> Iterator[tuple[list[int], list[float]]]:
    """Yield the agents and `ranks` of each game, deal by deal and in it by player count."""
    ranked = [ranks(one.points, one.win_shares).tolist() for one in games]
    seatings = [one.seating.tolist() for one in games]
    for deal in range(games[0].deals):
        for seating, of_count in zip(seatings, ranked, strict=True):
            yield from zip(seating, of_count[deal], strict=True)
