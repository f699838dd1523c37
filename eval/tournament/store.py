"""The store of games: one SQLite file, to which each shard of a tournament is added when it ends.

A store holds one kind of game with one set of rules, so that everything in it can be compared.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ...envs.engine.game import GAMES, Game
from ...errors import GoldgriffError, SettingsError, one_line, quoted
from ...files import is_filled, write_whole
from ...naming import did_you_mean_path
from .config import TournamentConfig
from .shards import Shard
from .store_check import SCHEMA, DamageError, check_rows, has_schema
from .store_rows import config_from_json, config_to_json, insert_agents, insert_games, insert_rows

STORE = "games.sqlite"
_WAIT = 60.0  # seconds for another process that reads or writes
_DAMAGE = (sqlite3.Error, UnicodeDecodeError, DamageError)


class StoreError(GoldgriffError):
    """A store that cannot be read, or cannot be used for what was asked."""


def store_at(path: Path) -> Path:
    """Return the file of a store that is given as that file or as its folder."""
    return path / STORE if path.is_dir() else path


def stores_in(path: Path) -> list[Path]:
    """Return where the stores of a folder are: its own, otherwise those of its subfolders."""
    own = store_at(path)
    if is_filled(own):
        return [own]
    return sorted(store for store in path.glob(f"*/{STORE}") if is_filled(store))


def open_or_create(folder: Path | None, game: Game, rules: dict[str, Any]) -> "Store":
    """Open the store of a folder, or create it; without a folder it is in memory.

    Raises:
        StoreError: As `Store.open`.
        FileError: It cannot be read, or not be written.
    """
    path = folder and folder / STORE
    return Store.open(path) if path and is_filled(path) else Store.create(path, game, rules)


def _connect(path: Path | None) -> sqlite3.Connection:
    """Open a database, in which nothing runs that its file defines. Raises StoreError."""
    try:
        connection = sqlite3.connect(path or ":memory:", timeout=_WAIT, isolation_level=None)
        connection.execute("PRAGMA trusted_schema = OFF")
    except sqlite3.Error as error:
        raise StoreError(code="store-unopened", path=path, why=error) from None
    return connection


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
    def open(cls, path: Path, *, checked: bool = True) -> Self:
        """Open an existing store: the file, or the folder it is in.

        Args:
            path: The file or folder.
            checked: Whether to check all that is in it (see store_check.py).

        Raises:
            StoreError: There is none, it is of another version, or it is damaged.
            FileError: It cannot be read.
        """
        file = store_at(path)
        if not is_filled(file):
            near = ", ".join(str(store.parent) for store in stores_in(file.parent))
            hint = did_you_mean_path(path) or (f"; there is one in {near}" if near else "")
            raise StoreError(code="store-missing", path=file, hint=hint)
        store = cls(file, _connect(file))
        with ExitStack() as opened:
            opened.enter_context(store)
            with store.connection:
                store.connection.execute("BEGIN")  # one state of the file, whoever writes to it
                if checked:
                    store._check()
            opened.pop_all()
        return store

    @classmethod
    def create(cls, path: Path | None, game: Game, rules: dict[str, Any]) -> Self:
        """Make a new store, whole or not at all; without a path it is in memory.

        Raises:
            StoreError: There is one already.
            FileError: It cannot be written.
        """
        if path is not None and is_filled(path):
            raise StoreError(f"there is a store of games at {path}")
        connection = _connect(None)
        connection.executescript(SCHEMA)
        connection.execute("INSERT INTO metadata VALUES (?, ?)", (game.id, json.dumps(rules)))
        if path is not None:
            write_whole(path, connection.serialize())
            connection.close()
            connection = _connect(path)
        return cls(path, connection)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close; an error of SQLite becomes a StoreError."""
        self.connection.close()
        if isinstance(error, _DAMAGE):
            raise self._fault(error) from None

    def _fault(self, error: Exception) -> StoreError:
        """Return what is wrong with this store, as an error that names it."""
        if isinstance(error, sqlite3.OperationalError):
            return StoreError(code="store-unread", path=self.path, why=error)
        return StoreError(code="store-damaged", path=self.path, why=one_line(str(error)))

    def _check(self) -> None:
        """Raise an error of `_DAMAGE` unless the library could have written all that is there."""
        if not has_schema(self.connection):
            raise StoreError(code="store-none", path=self.path)
        if self.one("SELECT count(*) FROM metadata") != (1,):
            raise DamageError("table metadata must have one row")
        game, rules = self.game, self.rules
        check_rows(self.connection, game)
        for (players,) in self.connection.execute("SELECT DISTINCT players FROM games"):
            try:
                game.settings.from_dict({**rules, "num_players": players})
            except SettingsError as error:
                raise DamageError(str(error)) from None
        for run, _, _ in self.tournaments():
            if not self.agents().keys() >= set(self.agents_of(run)):
                raise DamageError(f"run {run} has an agent that is not in table agents")

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
            with self.connection:  # which commits, or rolls back
                self.connection.execute("BEGIN IMMEDIATE")
                yield self.connection
        except sqlite3.Error as error:
            raise StoreError(code="store-unwritten", path=self.path, why=error) from None

    @property
    def game(self) -> Game:
        """The kind of game. Raises StoreError if this library does not have it."""
        (name,) = self.one("SELECT game FROM metadata")
        games = {game.id: game for game in GAMES.values()}
        if name not in games:
            raise StoreError(
                code="store-unknown", path=self.path, other=quoted(name), known=", ".join(games)
            )
        return games[name]

    @property
    def rules(self) -> dict[str, Any]:
        """The settings of the game without `num_players`. Raises DamageError."""
        try:
            rules = json.loads(self.one("SELECT rules FROM metadata")[0])
        except (ValueError, RecursionError) as error:
            raise DamageError(f"table metadata: {error}") from None
        if not isinstance(rules, dict):
            raise DamageError(f"table metadata: wrong rules, {quoted(rules)}")
        return rules

    def check_game(self, game: Game, rules: dict[str, Any]) -> None:
        """Raise StoreError unless the store holds this game with these rules."""
        if self.game is not game:
            raise StoreError(code="store-game", path=self.path, other=self.game.id, game=game.id)
        if self.rules != json.loads(json.dumps(rules)):
            folder = f"{Path(str(self.path)).parent}-2"
            raise StoreError(code="store-rules", path=self.path, folder=folder)

    # --- Writing ---------------------------------------------------------------------------------

    def begin_run(self, config: TournamentConfig, fingerprints: Sequence[str]) -> int:
        """Add a tournament that begins and its agents; return the number of the run."""
        with self.writing() as connection:
            insert_agents(connection, zip(config.names, fingerprints, strict=True))
            added = connection.execute(
                "INSERT INTO runs (config, deals, finished) VALUES (?, 0, 0)",
                (config_to_json(config, fingerprints),),
            )
            return int(added.lastrowid or 0)

    def add(self, run: int, config: TournamentConfig, shard: Shard) -> None:
        """Write the next shard, whole or not at all. Raises StoreError where it is not the next."""
        numbers = self.agents()
        agents = [numbers[agent] for agent in self.agents_of(run)]
        with self.writing() as connection:
            deals = config.deals_in(shard.number)
            moved = "UPDATE runs SET deals = ? WHERE run = ? AND deals = ?"
            if connection.execute(moved, (deals.stop, run, deals.start)).rowcount != 1:
                raise StoreError(
                    f"shard {shard.number} does not come next in {self.path}: another process is "
                    "at work there"
                )
            (last,) = self.one("SELECT coalesce(max(game), 0) FROM games")
            for results in shard.results:
                insert_games(connection, run, agents, last + 1, config.game, results)
                outcomes, key = results.outcomes, (run, shard.number, results.num_players)
                columns = agents, outcomes.decisions.tolist(), outcomes.seconds.tolist()
                times = ((*key, *values) for values in zip(*columns, strict=True))
                insert_rows(connection, "decision_times", times)
                last += len(results.seating)

    def finish(self, run: int) -> None:
        """Mark a tournament as finished."""
        with self.writing() as connection:
            connection.execute("UPDATE runs SET finished = 1 WHERE run = ?", (run,))

    # --- Reading ---------------------------------------------------------------------------------

    def tournaments(self) -> list[tuple[int, str, bool]]:
        """Return the tournaments: number of the run, configuration as JSON, whether finished."""
        query = "SELECT run, config, finished FROM runs WHERE config IS NOT NULL ORDER BY run"
        return self.connection.execute(query).fetchall()

    def config(self, run: int) -> TournamentConfig:
        """Return the configuration of a tournament. Raises DamageError."""
        return self._config(run)[0]

    def agents_of(self, run: int) -> list[tuple[str, str]]:
        """Return the name of each agent of a tournament, and its fingerprint at the beginning."""
        config, fingerprints = self._config(run)
        return list(zip(config.names, fingerprints, strict=True))

    def _config(self, run: int) -> tuple[TournamentConfig, list[str]]:
        (text,) = self.one("SELECT config FROM runs WHERE run = ?", (run,))
        return config_from_json(self.game, self.rules, text)

    def agents(self) -> dict[tuple[str, str], int]:
        """Return the numbers of all agents by name and fingerprint, in order."""
        query = "SELECT name, fingerprint, agent FROM agents ORDER BY agent"
        return {(name, mark): agent for name, mark, agent in self.connection.execute(query)}

    def seats(self) -> Iterator[tuple[int, str, list[tuple[int, float, float]]]]:
        """Yield each game: number, seed, and agent, points (NaN: none), win share of each seat."""
        rows = self.connection.execute(
            "SELECT game, seed, agent, coalesce(points, 'nan'), win_share "
            "FROM games JOIN seats USING (game) ORDER BY game, seat"
        )
        for (game, seed), seats in groupby(rows, key=lambda row: row[:2]):
            results = [(agent, float(points), share) for *_, agent, points, share in seats]
            yield game, seed, results
