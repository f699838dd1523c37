"""The rows of a store of games, as they are written."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.game import Game
from .config import TournamentConfig
from .shards import PlayerCountResults
from .store_tables import insert_rows


def config_to_json(config: TournamentConfig, fingerprints: Sequence[str]) -> str:
    """Return the configuration without game and rules, and the agents' fingerprints, as JSON."""
    return json.dumps(
        {
            "format": config.format,
            "agents": [config.names[number] for number in config.entrants],
            "fingerprints": list(fingerprints),
            "challengers": config.challengers,
            "player_counts": list(config.player_counts),
            "deals": config.deals,
            "seed": str(config.seed),  # JSON readers may round larger numbers than 2**53
            "until": config.until,
        }
    )


def insert_run(
    connection: sqlite3.Connection, config: str, agents: Iterable[tuple[str, str]], deals: int = 0
) -> int:
    """Add a run and its agents, name and fingerprint each, and return the number of the run.

    Args:
        connection: In a transaction.
        config: The configuration as JSON.
        agents: Agents, some of which may be there.
        deals: Deals that are played; a run that has some is finished.
    """
    connection.executemany(
        "INSERT INTO agents (name, fingerprint) VALUES (?, ?) ON CONFLICT DO NOTHING", agents
    )
    added = connection.execute(
        "INSERT INTO runs (config, deals, finished) VALUES (?, ?, ?)", (config, deals, deals > 0)
    )
    return int(added.lastrowid or 0)


def action_dtype(game: Game) -> np.dtype[Any]:
    """Return the dtype of the numbers in `games.actions`."""
    return np.dtype(np.min_scalar_type(len(game.actions) - 1)).newbyteorder("<")


def insert_games(
    connection: sqlite3.Connection,
    run: int,
    agents: list[int],
    first: int,
    game: Game,
    results: PlayerCountResults,
) -> None:
    """Write the games of a shard with one number of players, numbered from `first` on."""
    outcomes = results.outcomes
    forfeits = {forfeit.game: (forfeit.seat, forfeit.reason) for forfeit in outcomes.forfeits}
    actions = outcomes.actions.astype(action_dtype(game), copy=False)
    games, seats = [], []
    for k, seating in enumerate(results.seating.tolist()):
        played = actions[outcomes.starts[k] : outcomes.starts[k + 1]].tobytes()
        deal, seed, capped = int(results.deals[k]), str(results.seeds[k]), int(outcomes.capped[k])
        fault = forfeits.get(k, (None, None))
        games.append((first + k, run, deal, results.num_players, seed, capped, *fault, played))
        rows = zip(
            seating, outcomes.points[k].tolist(), outcomes.win_shares[k].tolist(), strict=True
        )
        for seat, (agent, points, share) in enumerate(rows):
            # SQLite stores NaN, the points of a forfeited game, as NULL.
            seats.append((first + k, seat, agents[agent], points, share))
    insert_rows(connection, "games", games)
    insert_rows(connection, "seats", seats)
    insert_rows(connection, "counts", _nonzero(results.counts, first, tuple(game.statistics)))
    insert_rows(connection, "endings", _nonzero(results.endings, first, tuple(game.endings)))
    sheets = results.score_sheets / 2  # kept in halves
    insert_rows(connection, "score_sheets", _nonzero(sheets, first, tuple(game.score_sheet)))


def _nonzero(
    numbers: NDArray[Any], first: int, names: tuple[str, ...]
) -> Iterator[tuple[Any, ...]]:
    """Yield game, seat (if there are seats), name and number of the numbers that are not zero."""
    places = np.argwhere(numbers)
    values = numbers[tuple(places.T)].tolist()
    for (game, *seat, column), value in zip(places.tolist(), values, strict=True):
        yield first + game, *seat, names[column], value
