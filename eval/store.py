"""Where tournaments live: one SQLite file that people can query, block by block as they end.

A store holds one game with one set of rules, so that everything in it can be compared.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from ..envs.engine.game import GAMES, Game
from ..errors import GoldgriffError
from .config import TournamentConfig
from .shards import PlayerCountResults, Shard

STORE = "games.sqlite"
VERSION = 1  # of the tables below
_APPLICATION = 0x476F4772  # "GoGr", the mark of such a file

_TABLES = """
CREATE TABLE about (game TEXT NOT NULL, rules TEXT NOT NULL);
CREATE TABLE agents (
    agent INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,      -- of a checkpoint's content, else empty
    UNIQUE (name, fingerprint)
);
CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    plan TEXT NOT NULL,             -- JSON: who entered, tables, deals, seed, format
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
    forfeiter INTEGER,              -- the seat at fault, or NULL
    reason TEXT,
    actions BLOB NOT NULL           -- one unsigned number each, little end first
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
CREATE TABLE seconds (              -- time spent deciding, by block
    run INTEGER NOT NULL REFERENCES runs,
    block INTEGER NOT NULL,
    players INTEGER NOT NULL,
    agent INTEGER NOT NULL REFERENCES agents,
    decisions INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (run, block, players, agent)
) WITHOUT ROWID;
"""


class StoreError(GoldgriffError):
    """A store that cannot be read, or not be used for what was asked."""


class Store:
    """An open store; a context manager that closes it. `connection` is for queries."""

    def __init__(self, path: Path | None, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a store that is there: the file, or the folder it is in. Raises StoreError."""
        path = path / STORE if path.is_dir() else path
        if not path.is_file():
            raise StoreError(f"there is no store of games at {path}")
        store = cls(path, sqlite3.connect(path, isolation_level=None))
        try:
            store._check()
        except BaseException:
            store.connection.close()
            raise
        return store

    @classmethod
    def create(cls, path: Path | None, game: Game, rules: dict[str, Any]) -> Self:
        """Make a new store; without a path it lives in memory."""
        store = cls(path, sqlite3.connect(path or ":memory:", isolation_level=None))
        with store.writing() as connection:
            for statement in _TABLES.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute("INSERT INTO about VALUES (?, ?)", (game.id, json.dumps(rules)))
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close; what SQLite or JSON could not read in it is said as a StoreError."""
        self.connection.close()
        if isinstance(error, sqlite3.Error | json.JSONDecodeError):
            raise StoreError(f"store {self.path} is damaged: {error}") from None

    def _check(self) -> None:
        """Refuse what is no store of this version."""
        try:
            (mark,) = self.one("PRAGMA application_id")
            (version,) = self.one("PRAGMA user_version")
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{self.path} is no store of games: {error}") from None
        if mark != _APPLICATION:
            raise StoreError(f"{self.path} is no store of games")
        if version != VERSION:
            raise StoreError(
                f"{self.path} is a store of format {version}, this library reads format {VERSION}; "
                "use the library that wrote it, or another folder"
            )

    def one(self, query: str, values: tuple[Any, ...] = ()) -> tuple[Any, ...]:
        """The one row of a query."""
        row: tuple[Any, ...] = self.connection.execute(query, values).fetchone()
        return row

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: everything in it is written, or nothing. Raises StoreError."""
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
        """The game that is played. Raises StoreError for one this library does not have."""
        (name,) = self.one("SELECT game FROM about")
        found = next((game for game in GAMES.values() if game.id == name), None)
        if found is None:
            known = ", ".join(game.id for game in GAMES.values())
            raise StoreError(f"{self.path} holds games of {name!r}; there are {known}")
        return found

    @property
    def rules(self) -> dict[str, Any]:
        """The settings of the game but `num_players`."""
        rules: dict[str, Any] = json.loads(self.one("SELECT rules FROM about")[0])
        return rules

    def check_game(self, game: Game, rules: dict[str, Any]) -> None:
        """Refuse games that cannot be compared with those that are there."""
        if self.game is not game:
            raise StoreError(f"{self.path} holds games of {self.game.id}, not {game.id}")
        if self.rules != json.loads(json.dumps(rules)):
            raise StoreError(f"{self.path} holds games with other rules; use another folder")

    # --- Writing ---------------------------------------------------------------------------------

    def begin_run(self, plan: TournamentConfig, fingerprints: Sequence[str]) -> int:
        """Note a tournament that begins, its agents with a fingerprint each; returns its number."""
        with self.writing() as connection:
            connection.executemany(
                "INSERT INTO agents (name, fingerprint) VALUES (?, ?) ON CONFLICT DO NOTHING",
                zip(plan.names, fingerprints, strict=True),
            )
            noted = connection.execute(
                "INSERT INTO runs (plan, deals, finished) VALUES (?, 0, 0)",
                (plan_to_json(plan, fingerprints),),
            )
        return int(noted.lastrowid or 0)

    def add(self, run: int, plan: TournamentConfig, block: Shard) -> None:
        """Write a block whole or not at all."""
        known = {(name, mark): agent for agent, name, mark in self.agents()}
        agents = [known[one] for one in zip(plan.names, self.fingerprints(run), strict=True)]
        with self.writing() as connection:
            (last,) = self.one("SELECT coalesce(max(game), 0) FROM games")
            for part in block.parts:
                _add_part(connection, run, block.number, agents, last + 1, plan.game, part)
                last += len(part.seating)
            played = plan.deals_in(block.number).stop
            connection.execute("UPDATE runs SET deals = ? WHERE run = ?", (played, run))

    def finish(self, run: int) -> None:
        """Note that nothing is left to play."""
        with self.writing() as connection:
            connection.execute("UPDATE runs SET finished = 1 WHERE run = ?", (run,))

    # --- Reading ---------------------------------------------------------------------------------

    def runs(self) -> list[tuple[int, str, int, bool]]:
        """All tournaments: number, plan as JSON, deals played, whether finished."""
        rows = self.connection.execute("SELECT run, plan, deals, finished FROM runs ORDER BY run")
        return [(run, plan, deals, bool(finished)) for run, plan, deals, finished in rows]

    def plan(self, run: int) -> TournamentConfig:
        """The plan of a tournament."""
        return plan_from_json(self.one("SELECT plan FROM runs WHERE run = ?", (run,))[0], self)

    def fingerprints(self, run: int) -> list[str]:
        """The fingerprints of a tournament's agents as it began."""
        (plan,) = self.one("SELECT plan FROM runs WHERE run = ?", (run,))
        noted: list[str] = json.loads(plan)["fingerprints"]
        return noted

    def agents(self) -> list[tuple[int, str, str]]:
        """All agents in the order they came: number, name, fingerprint."""
        query = "SELECT agent, name, fingerprint FROM agents ORDER BY agent"
        return self.connection.execute(query).fetchall()

    def seats(self) -> Iterator[tuple[int, str, list[tuple[int, float, float]]]]:
        """Every game: its number, its seed, of each seat agent, points (NaN: none), win share."""
        rows = self.connection.execute(
            "SELECT game, seed, agent, coalesce(points, 'nan'), win_share "
            "FROM games JOIN seats USING (game) ORDER BY game, seat"
        )
        for (game, seed), seats in groupby(rows, key=lambda row: row[:2]):
            shown = [(agent, float(points), share) for *_, agent, points, share in seats]
            yield game, seed, shown


def plan_to_json(plan: TournamentConfig, fingerprints: Sequence[str]) -> str:
    """What a plan says beyond the store's game and rules, and which agents are meant."""
    return json.dumps(
        {
            "format": plan.format,
            "agents": [plan.names[number] for number in plan.entered],
            "fingerprints": list(fingerprints),
            "challengers": plan.challengers,
            "players": list(plan.tables),
            "deals": plan.deals,
            "seed": str(plan.seed),
            "until": plan.until,
        }
    )


def plan_from_json(text: str, store: Store) -> TournamentConfig:
    """The plan that `plan_to_json` wrote into a store."""
    noted = json.loads(text)
    names = tuple(dict.fromkeys(noted["agents"]))
    return TournamentConfig(
        store.game,
        store.rules,
        tuple(noted["players"]),
        names,
        tuple(names.index(name) for name in noted["agents"]),
        deals=noted["deals"],
        seed=int(noted["seed"]),
        format=noted["format"],
        challengers=noted["challengers"],
        until=noted["until"],
    )


def _add_part(
    connection: sqlite3.Connection,
    run: int,
    block: int,
    agents: list[int],
    first: int,
    game: Game,
    part: PlayerCountResults,
) -> None:
    """Write the games of a block at tables of one size, numbered from `first` on."""
    outcomes = part.outcomes
    forfeits = {forfeit.game: forfeit for forfeit in outcomes.forfeits}
    games, seats = [], []
    little = outcomes.actions.dtype.newbyteorder("<")
    actions = outcomes.actions.astype(little, copy=False)
    points, shares = outcomes.points.tolist(), outcomes.win_shares.tolist()
    for k, seating in enumerate(part.seating.tolist()):
        number, forfeit = first + k, forfeits.get(k)
        games.append(
            (
                number,
                run,
                int(part.deals[k]),
                part.players,
                str(part.seeds[k]),
                int(outcomes.capped[k]),
                forfeit.seat if forfeit else None,
                forfeit.reason if forfeit else None,
                actions[outcomes.starts[k] : outcomes.starts[k + 1]].tobytes(),
            )
        )
        for seat, agent in enumerate(seating):
            scored = None if forfeit else points[k][seat]
            seats.append((number, seat, agents[agent], scored, shares[k][seat]))
    connection.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", games)
    connection.executemany("INSERT INTO seats VALUES (?, ?, ?, ?, ?)", seats)
    names = tuple(game.statistics)
    where = np.argwhere(part.counts)
    connection.executemany(
        "INSERT INTO counts VALUES (?, ?, ?, ?)",
        (
            (first + k, seat, names[which], value)
            for (k, seat, which), value in zip(
                where.tolist(), part.counts[tuple(where.T)].tolist(), strict=True
            )
        ),
    )
    ways = tuple(game.endings)
    where = np.argwhere(part.endings)
    connection.executemany(
        "INSERT INTO endings VALUES (?, ?, ?)",
        (
            (first + k, ways[which], value)
            for (k, which), value in zip(
                where.tolist(), part.endings[tuple(where.T)].tolist(), strict=True
            )
        ),
    )
    connection.executemany(
        "INSERT INTO seconds VALUES (?, ?, ?, ?, ?, ?)",
        (
            (run, block, part.players, agent, int(decisions), float(seconds))
            for agent, decisions, seconds in zip(
                agents, outcomes.decisions, outcomes.seconds, strict=True
            )
        ),
    )
