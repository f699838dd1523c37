"""The rows of a store of games, as they are written."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.game import Game
from .config import TournamentConfig
from .faults import Fault
from .shards import PlayerCountResults
from .store_check import DamageError


def config_to_json(config: TournamentConfig, fingerprints: Sequence[str]) -> str:
    """Return the configuration without game and rules, and the agents' fingerprints, as JSON."""
    return json.dumps(
        {
            "format": config.format,
            "agents": list(config.agents),
            "fingerprints": list(fingerprints),
            "challengers": config.challengers,
            "player_counts": list(config.player_counts),
            "deals": config.deals,
            "seed": str(config.seed),  # JSON readers may round larger numbers than 2**53
            "until": config.until,
        }
    )


def config_from_json(
    game: Game, rules: Mapping[str, Any], text: str
) -> tuple[TournamentConfig, list[str]]:
    """Return a configuration and the agents' fingerprints from the JSON of `config_to_json`.

    Raises:
        DamageError: The text is not exactly what `config_to_json` writes.
    """
    try:
        fields = json.loads(text)
        agents, fingerprints = fields.pop("agents"), fields.pop("fingerprints")
        counts, seed = tuple(fields.pop("player_counts")), int(fields.pop("seed"))
        config = TournamentConfig(game, rules, counts, tuple(agents), seed=seed, **fields)
        is_ours = config_to_json(config, fingerprints) == text
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise DamageError(f"table runs: a wrong configuration: {error}") from None
    texts = all(isinstance(name, str) for name in (*agents, *fingerprints))
    if not (is_ours and texts and len(fingerprints) == len(config.names)):
        raise DamageError("table runs: a wrong configuration")
    return config, fingerprints


def insert_agents(connection: sqlite3.Connection, agents: Iterable[tuple[str, str]]) -> None:
    """Add agents, name and fingerprint each, some of which may be there."""
    connection.executemany(
        "INSERT INTO agents (name, fingerprint) VALUES (?, ?) ON CONFLICT DO NOTHING", agents
    )


def action_dtype(game: Game) -> np.dtype[Any]:
    """Return the dtype of the numbers in `games.actions`."""
    return np.dtype(np.min_scalar_type(len(game.actions) - 1)).newbyteorder("<")


def fault_columns(fault: Fault) -> tuple[str, str]:
    """Return the columns `fault` and `details` of a game."""
    return fault.code, json.dumps(dict(fault.values))


def read_fault(code: str, details: str) -> Fault:
    """Return the fault in the columns `fault` and `details` of a game. Raises DamageError."""
    try:
        values = json.loads(details)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise DamageError("table games: wrong details of a fault")
    return Fault(code, {name: str(value) for name, value in values.items()})


def insert_games(
    connection: sqlite3.Connection,
    run: int,
    agents: list[int],
    first: int,
    game: Game,
    results: PlayerCountResults,
) -> None:
    """Write the games of a shard with one number of players.

    Args:
        connection: In a transaction.
        run: Number of the tournament.
        agents: Number of each agent in the store.
        first: Number of the first game; the others follow.
        game: The kind of game.
        results: The games.
    """
    outcomes = results.outcomes
    forfeits = {
        forfeit.game: (forfeit.seat, *fault_columns(forfeit.fault)) for forfeit in outcomes.forfeits
    }
    actions = outcomes.actions.astype(action_dtype(game), copy=False)
    games, seats = [], []
    for k, seating in enumerate(results.seating.tolist()):
        played = actions[outcomes.starts[k] : outcomes.starts[k + 1]].tobytes()
        deal, seed, capped = int(results.deals[k]), str(results.seeds[k]), int(outcomes.capped[k])
        forfeit = forfeits.get(k, (None, None, None))
        games.append((first + k, run, deal, results.num_players, seed, capped, *forfeit, played))
        columns = seating, outcomes.points[k].tolist(), outcomes.win_shares[k].tolist()
        for seat, (agent, points, share) in enumerate(zip(*columns, strict=True)):
            # SQLite stores NaN, the points of a forfeited game, as NULL.
            seats.append((first + k, seat, agents[agent], points, share))
    insert_rows(connection, "games", games)
    insert_rows(connection, "seats", seats)
    insert_rows(connection, "counts", _nonzero(results.counts, first, tuple(game.statistics)))
    insert_rows(connection, "endings", _nonzero(results.endings, first, tuple(game.endings)))
    sheets = results.score_sheets / 2  # kept in halves
    insert_rows(connection, "score_sheets", _nonzero(sheets, first, tuple(game.score_sheet)))


def insert_rows(
    connection: sqlite3.Connection, table: str, rows: Iterable[tuple[Any, ...]]
) -> None:
    """Insert rows with a value for every column of a table."""
    rows = list(rows)
    if rows:
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def _nonzero(
    numbers: NDArray[Any], first: int, names: tuple[str, ...]
) -> Iterator[tuple[Any, ...]]:
    """Yield game, seat (if there are seats), name and number of the numbers that are not zero."""
    places = np.argwhere(numbers)
    values = numbers[tuple(places.T)].tolist()
    for (game, *seat, column), value in zip(places.tolist(), values, strict=True):
        yield first + game, *seat, names[column], value
