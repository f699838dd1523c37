"""The store of games: one SQLite file, to which each shard of a tournament is added when it ends.

A store holds one kind of game with one set of rules, so that everything in it can be compared.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ...envs.engine.game import GAMES, REPLACED, Game
from ...errors import GoldgriffError, SettingsError, one_line, quoted
from ...files import FileError, claimed, is_filled, scratch_for
from ...naming import did_you_mean_path
from .config import TournamentConfig
from .shards import Shard
from .store_rows import action_dtype, config_to_json, insert_games, insert_run
from .store_tables import (
    TABLES,
    DamageError,
    check_games,
    check_rows,
    check_tables,
    insert_rows,
    read_config,
    read_rules,
)

STORE = "games.sqlite"
FORMAT = 4  # 3 had the seating orders of the first deal in all deals
_APPLICATION = 0x476F4772  # "GoGr", the mark of such a file
_WAIT = 60.0  # seconds for another process that reads or writes
_DAMAGE = (sqlite3.Error, UnicodeDecodeError, DamageError)


class StoreError(GoldgriffError):
    """A store that cannot be read, or cannot be used for what was asked."""


def store_at(path: Path) -> Path:
    """Return the file of a store that is given as that file or as its folder."""
    try:
        return path / STORE if path.is_dir() else path
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read {path}: {getattr(error, 'strerror', error)}") from None


def stores_in(path: Path) -> list[Path]:
    """Return where the stores of a folder are: its own, otherwise those of its subfolders."""
    own = store_at(path)
    if is_filled(own):
        return [own]
    return sorted(store for store in path.glob(f"*/{STORE}") if is_filled(store))


def _connect(path: Path | None) -> sqlite3.Connection:
    """Open a database, in which nothing runs that its file defines. Raises StoreError."""
    try:
        connection = sqlite3.connect(path or ":memory:", timeout=_WAIT, isolation_level=None)
        connection.execute("PRAGMA trusted_schema = OFF")
    except sqlite3.Error as error:
        raise StoreError(f"cannot open store {path}: {error}") from None
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
            checked: Whether to check all that is in it (see eval/tournament/store_tables.py).

        Raises:
            StoreError: There is none, it has another format, or it is damaged.
            FileError: It cannot be read.
        """
        given, path = path, store_at(path)
        if not is_filled(path):
            near = ", ".join(str(store.parent) for store in stores_in(path.parent))
            hint = did_you_mean_path(given) or (f"; there is one in {near}" if near else "")
            raise StoreError(f"there is no store of games at {path}{hint}")
        store = cls(path, _connect(path))
        try:
            with store._readable():
                store._check_format()
                if checked:
                    store._check()
        except BaseException:
            store.connection.close()
            raise
        return store

    @classmethod
    def create(cls, path: Path | None, game: Game, rules: dict[str, Any]) -> Self:
        """Make a new store, whole or not at all; without a path it is in memory.

        Raises:
            StoreError: There is one already, or it cannot be written.
            FileError: It cannot be read.
        """
        if path is not None and is_filled(path):
            raise StoreError(f"there is a store of games at {path}")
        scratch = path and scratch_for(path)
        store = cls(path, _connect(scratch))
        try:
            with store.writing() as connection:
                for statement in TABLES.split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                connection.execute(f"PRAGMA user_version = {FORMAT}")
                metadata = (game.id, json.dumps(rules))
                connection.execute("INSERT INTO metadata VALUES (?, ?)", metadata)
            if path is None or scratch is None:
                return store
            store.connection.close()
            scratch.replace(path)
        except OSError as error:
            raise StoreError(f"cannot write to store {path}: {error.strerror}") from None
        finally:
            if scratch is not None:
                store.connection.close()
                with suppress(OSError):
                    scratch.unlink(missing_ok=True)
        return cls(path, _connect(path))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close; an error of SQLite becomes a StoreError."""
        self.connection.close()
        if isinstance(error, _DAMAGE):
            raise self._damaged(error) from None

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """Read in one transaction. Raises StoreError for a damaged store, which it names."""
        try:
            self.connection.execute("BEGIN")
            yield
            self.connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            raise StoreError(f"cannot read store {self.path}: {error}") from None
        except _DAMAGE as error:
            raise self._damaged(error) from None

    def _damaged(self, error: object) -> StoreError:
        return StoreError(f"store {self.path} is damaged: {one_line(str(error))}")

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

    def _check(self) -> None:
        """Raise StoreError unless the library could have written all that is there."""
        try:
            check_tables(self.connection)
            if self.one("SELECT count(*) FROM metadata") != (1,):
                raise DamageError("table metadata must have one row")
            game = self.game
            check_rows(self.connection, game, action_dtype(game).itemsize)
            rules = read_rules(self.one("SELECT rules FROM metadata")[0])
            for (players,) in self.connection.execute("SELECT DISTINCT players FROM games"):
                game.settings.from_dict({**rules, "num_players": players})
        except (DamageError, SettingsError) as error:
            raise self._damaged(error) from None

    def check_games(self, run: int, config: TournamentConfig, deals: int) -> None:
        """Raise StoreError unless a tournament has the games of all deals that were played."""
        first = range(1)
        games = {n: config.seatings(n, first).shape[1] for n in config.player_counts}
        try:
            check_games(self.connection, run, games, deals)
        except DamageError as error:
            raise self._damaged(error) from None

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
        return read_rules(self.one("SELECT rules FROM metadata")[0])

    def check_game(self, game: Game, rules: dict[str, Any]) -> None:
        """Raise StoreError unless the store holds this game with these rules."""
        if self.game is not game:
            raise StoreError(f"{self.path} holds games of {self.game.id}, not {game.id}")
        if self.rules != json.loads(json.dumps(rules)):
            raise StoreError(
                f"{self.path} holds games with other rules; use another folder, such as "
                f"{Path(str(self.path)).parent}-2 (--out)"
            )

    # --- Writing ---------------------------------------------------------------------------------

    def begin_run(self, config: TournamentConfig, fingerprints: Sequence[str]) -> int:
        """Add a tournament that begins and its agents; return the number of the run."""
        with self.writing() as connection:
            agents = zip(config.names, fingerprints, strict=True)
            return insert_run(connection, config_to_json(config, fingerprints), agents)

    def add(self, run: int, config: TournamentConfig, shard: Shard) -> None:
        """Write the next shard, whole or not at all. Raises StoreError where it is not the next."""
        known = {(name, mark): agent for agent, name, mark in self.agents()}
        agents = [known[one] for one in zip(config.names, self.fingerprints(run), strict=True)]
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
                times = ((*key, *one) for one in zip(*columns, strict=True))
                insert_rows(connection, "decision_times", times)
                last += len(results.seating)

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
        return read_config(self.one("SELECT config FROM runs WHERE run = ?", (run,))[0])

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


def open_or_create(folder: Path, game: Game, rules: dict[str, Any]) -> Store:
    """Open the store of a folder, which is made if it is not there. Raises as `Store.open`."""
    path = folder / STORE
    if not is_filled(path):
        with claimed(folder):  # two processes may begin at the same time
            if not is_filled(path):
                return Store.create(path, game, rules)
    return Store.open(path)
