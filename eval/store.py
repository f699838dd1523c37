"""The store of games: one SQLite file, to which each shard of a tournament is added when it ends.

A store holds one kind of game with one set of rules, so that everything in it can be compared.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.game import GAMES, REPLACED, Game
from ..errors import GoldgriffError, quoted
from .config import TournamentConfig
from .shards import PlayerCountResults, Shard

STORE = "games.sqlite"
FORMAT = 3  # of the tables below; 2 had no score_sheets
_APPLICATION = 0x476F4772  # "GoGr", the mark of such a file

_TABLES = """
CREATE TABLE metadata (game TEXT NOT NULL, rules TEXT NOT NULL);
CREATE TABLE agents (
    agent INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,      -- of a checkpoint's weights, else empty
    UNIQUE (name, fingerprint)
);
CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    config TEXT NOT NULL,           -- JSON: agents, numbers of players, deals, seed, format
    deals INTEGER NOT NULL,         -- played so far
    finished INTEGER NOT NULL       -- 1 when nothing is left to play
);
CREATE TABLE games (
    game INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs,
    deal INTEGER NOT NULL,
    players INTEGER NOT NULL,
    seed TEXT NOT NULL,             -- 0 to 2**64 - 1, more than SQLite's integers hold
    capped INTEGER NOT NULL,        -- 1 when a round reached the cap on decisions
    forfeiter INTEGER,              -- seat of the agent at fault, or NULL
    reason TEXT,
    actions BLOB NOT NULL           -- one unsigned number each, little-endian
);
CREATE INDEX games_by_run ON games (run, players, deal);
CREATE TABLE seats (
    game INTEGER NOT NULL REFERENCES games,
    seat INTEGER NOT NULL,
    agent INTEGER NOT NULL REFERENCES agents,
    points REAL,                    -- NULL in a forfeited game
    win_share REAL NOT NULL,
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;
CREATE TABLE counts (               -- statistics of a seat that are not zero
    game INTEGER NOT NULL REFERENCES games,
    seat INTEGER NOT NULL,
    statistic TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (game, seat, statistic)
) WITHOUT ROWID;
CREATE TABLE endings (              -- how the rounds of a game ended
    game INTEGER NOT NULL REFERENCES games,
    ending TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (game, ending)
) WITHOUT ROWID;
CREATE TABLE score_sheets (         -- a seat's points in a game by entry, where not zero
    game INTEGER NOT NULL REFERENCES games,
    seat INTEGER NOT NULL,
    entry TEXT NOT NULL,
    points REAL NOT NULL,
    PRIMARY KEY (game, seat, entry)
) WITHOUT ROWID;
CREATE TABLE decision_times (       -- time spent in `act`, by shard
    run INTEGER NOT NULL REFERENCES runs,
    shard INTEGER NOT NULL,
    players INTEGER NOT NULL,
    agent INTEGER NOT NULL REFERENCES agents,
    decisions INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (run, shard, players, agent)
) WITHOUT ROWID;
"""


class StoreError(GoldgriffError):
    """A store that cannot be read, or cannot be used for what was asked."""


class Store:
    """An open store, and a context manager that closes it.

    Attributes:
        path: The file; None in memory.
        connection: For queries.
    """

    def __init__(self, path: Path | None, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open an existing store: the file, or the folder it is in.

        Raises:
            StoreError: There is none, or it has another format.
        """
        path = path / STORE if path.is_dir() else path
        if not path.is_file():
            raise StoreError(f"there is no store of games at {path}")
        store = cls(path, sqlite3.connect(path, isolation_level=None))
        try:
            store._check_format()
        except BaseException:
            store.connection.close()
            raise
        return store

    @classmethod
    def create(cls, path: Path | None, game: Game, rules: dict[str, Any]) -> Self:
        """Make a new store; without a path it is in memory."""
        store = cls(path, sqlite3.connect(path or ":memory:", isolation_level=None))
        with store.writing() as connection:
            for statement in _TABLES.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {FORMAT}")
            connection.execute("INSERT INTO metadata VALUES (?, ?)", (game.id, json.dumps(rules)))
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close; an error of SQLite or JSON becomes a StoreError."""
        self.connection.close()
        if isinstance(error, sqlite3.Error | json.JSONDecodeError):
            raise StoreError(f"store {self.path} is damaged: {error}") from None

    def _check_format(self) -> None:
        try:
            mark, version = self.one("SELECT * FROM pragma_application_id, pragma_user_version")
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{self.path} is no store of games: {error}") from None
        if mark != _APPLICATION:
            raise StoreError(f"{self.path} is no store of games")
        if version != FORMAT:
            raise StoreError(
                f"{self.path} is a store of format {version}, this library reads format {FORMAT}; "
                "use the library that wrote it, or another folder"
            )

    def one(self, query: str, values: tuple[Any, ...] = ()) -> tuple[Any, ...]:
        """Return the only row of a query."""
        row: tuple[Any, ...] = self.connection.execute(query, values).fetchone()
        return row

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction: everything in it is written, or nothing.

        Raises:
            StoreError: It cannot be written.
        """
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
            except BaseException:
                self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise StoreError(f"cannot write to store {self.path}: {error}") from None

    @property
    def game(self) -> Game:
        """The kind of game. Raises StoreError if this library does not have it."""
        (name,) = self.one("SELECT game FROM metadata")
        found = next((game for game in GAMES.values() if game.id == name), None)
        if found is None:
            known = ", ".join(game.id for game in GAMES.values())
            unknown = f"there are {known}"
            raise StoreError(
                f"{self.path} holds games of {quoted(name)}; {REPLACED.get(name, unknown)}"
            )
        return found

    @property
    def rules(self) -> dict[str, Any]:
        """The settings of the game without `num_players`."""
        rules: dict[str, Any] = json.loads(self.one("SELECT rules FROM metadata")[0])
        return rules

    def check_game(self, game: Game, rules: dict[str, Any]) -> None:
        """Raise StoreError unless the store holds this game with these rules."""
        if self.game is not game:
            raise StoreError(f"{self.path} holds games of {self.game.id}, not {game.id}")
        if self.rules != json.loads(json.dumps(rules)):
            raise StoreError(f"{self.path} holds games with other rules; use another folder")

    # --- Writing ---------------------------------------------------------------------------------

    def begin_run(self, config: TournamentConfig, fingerprints: Sequence[str]) -> int:
        """Add a tournament that begins and its agents; return the number of the run."""
        with self.writing() as connection:
            agents = zip(config.names, fingerprints, strict=True)
            return insert_run(connection, config_to_json(config, fingerprints), agents)

    def add(self, run: int, config: TournamentConfig, shard: Shard) -> None:
        """Write a shard, whole or not at all."""
        known = {(name, mark): agent for agent, name, mark in self.agents()}
        agents = [known[one] for one in zip(config.names, self.fingerprints(run), strict=True)]
        with self.writing() as connection:
            (last,) = self.one("SELECT coalesce(max(game), 0) FROM games")
            for results in shard.results:
                _insert_games(connection, run, agents, last + 1, config.game, results)
                outcomes, key = results.outcomes, (run, shard.number, results.num_players)
                columns = agents, outcomes.decisions.tolist(), outcomes.seconds.tolist()
                times = ((*key, *one) for one in zip(*columns, strict=True))
                _insert(connection, "decision_times", times)
                last += len(results.seating)
            played = config.deals_in(shard.number).stop
            connection.execute("UPDATE runs SET deals = ? WHERE run = ?", (played, run))

    def finish(self, run: int) -> None:
        """Mark a tournament as finished."""
        with self.writing() as connection:
            connection.execute("UPDATE runs SET finished = 1 WHERE run = ?", (run,))

    # --- Reading ---------------------------------------------------------------------------------

    def runs(self) -> list[tuple[int, str, int, bool]]:
        """Return all runs: number, configuration as JSON, deals played, whether finished."""
        query = "SELECT run, config, deals, finished FROM runs ORDER BY run"
        return self.connection.execute(query).fetchall()

    def config(self, run: int) -> TournamentConfig:
        """Return the configuration of a tournament."""
        fields = self._config_fields(run)
        del fields["fingerprints"]
        agents = fields.pop("agents")
        names = tuple(dict.fromkeys(agents))
        return TournamentConfig(
            self.game,
            self.rules,
            tuple(fields.pop("player_counts")),
            names,
            tuple(names.index(name) for name in agents),
            seed=int(fields.pop("seed")),
            **fields,
        )

    def fingerprints(self, run: int) -> list[str]:
        """Return the fingerprints that the agents of a tournament had at its beginning."""
        fingerprints: list[str] = self._config_fields(run)["fingerprints"]
        return fingerprints

    def _config_fields(self, run: int) -> dict[str, Any]:
        fields: dict[str, Any] = json.loads(
            self.one("SELECT config FROM runs WHERE run = ?", (run,))[0]
        )
        return fields

    def agents(self) -> list[tuple[int, str, str]]:
        """Return all agents in the order in which they came: number, name, fingerprint."""
        query = "SELECT agent, name, fingerprint FROM agents ORDER BY agent"
        return self.connection.execute(query).fetchall()

    def seats(self) -> Iterator[tuple[int, str, list[tuple[int, float, float]]]]:
        """Yield each game: number, seed, and agent, points (NaN: none), win share of each seat."""
        rows = self.connection.execute(
            "SELECT game, seed, agent, coalesce(points, 'nan'), win_share "
            "FROM games JOIN seats USING (game) ORDER BY game, seat"
        )
        for (game, seed), seats in groupby(rows, key=lambda row: row[:2]):
            results = [(agent, float(points), share) for *_, agent, points, share in seats]
            yield game, seed, results


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


def _insert_games(
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
    _insert(connection, "games", games)
    _insert(connection, "seats", seats)
    _insert(connection, "counts", _nonzero(results.counts, first, tuple(game.statistics)))
    _insert(connection, "endings", _nonzero(results.endings, first, tuple(game.endings)))
    sheets = results.score_sheets / 2  # kept in halves
    _insert(connection, "score_sheets", _nonzero(sheets, first, tuple(game.score_sheet)))


def _nonzero(
    numbers: NDArray[Any], first: int, names: tuple[str, ...]
) -> Iterator[tuple[Any, ...]]:
    """Yield game, seat (if there are seats), name and number of the numbers that are not zero."""
    places = np.argwhere(numbers)
    values = numbers[tuple(places.T)].tolist()
    for (game, *seat, column), value in zip(places.tolist(), values, strict=True):
        yield first + game, *seat, names[column], value


def _insert(connection: sqlite3.Connection, table: str, rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows with a value for every column of a table."""
    columns = connection.execute(f"SELECT * FROM {table} LIMIT 0").description
    marks = ", ".join("?" * len(columns))
    connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
