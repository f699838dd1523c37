"""Check a store of games before it is used: it may come from a stranger or from a failing disk.

A store must have our schema to the letter. SQLite then checks types, ranges and references by that
schema's constraints; what remains here are names of the game and rows that belong together.
"""

import sqlite3
from contextlib import closing
from importlib.resources import files

from ...envs.engine.game import Game
from ...errors import GoldgriffError, quoted

SCHEMA = files(__package__).joinpath("store.sql").read_text(encoding="utf-8")

_MASTER = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"
# A game has seats 0 to players - 1 (their numbers are different and not negative), with points
# unless it was forfeited.
_INCOMPLETE = (
    "SELECT game FROM games LEFT JOIN "
    "(SELECT game, count(*) AS number, max(seat) AS last, count(points) AS scored FROM seats "
    "GROUP BY game) USING (game) "
    "WHERE (number, last, scored) IS NOT (players, players - 1, iif(forfeiter IS NULL, players, 0))"
)


class DamageError(GoldgriffError):
    """A store holds what the library does not write; the message does not name the store."""


def has_schema(connection: sqlite3.Connection) -> bool:
    """Return whether a database has the tables of `SCHEMA`, to the letter, and nothing else."""
    with closing(sqlite3.connect(":memory:")) as ours:
        ours.executescript(SCHEMA)
        expected = ours.execute(_MASTER).fetchall()
    return connection.execute(_MASTER).fetchall() == expected


def check_rows(connection: sqlite3.Connection, game: Game) -> None:
    """Raise DamageError unless all rows satisfy the constraints and belong together.

    Args:
        connection: Of a database that `has_schema`.
        game: The kind of game that it holds.

    Raises:
        DamageError: A row is wrong.
        sqlite3.Error: The file is damaged.
    """
    (message,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if message != "ok":
        raise DamageError(str(message))
    if row := connection.execute("PRAGMA foreign_key_check").fetchone():
        raise DamageError(f"table {row[0]} refers to a row of {row[2]} that is not there")
    if row := connection.execute(_INCOMPLETE).fetchone():
        raise DamageError(f"game {row[0]} has other seats or points than it needs")
    for table, column, names in (
        ("counts", "statistic", game.statistics),
        ("endings", "ending", game.endings),
        ("score_sheets", "entry", game.score_sheet),
    ):
        for (name,) in connection.execute(f"SELECT DISTINCT {column} FROM {table}"):
            if name not in names:
                raise DamageError(f"table {table}: unknown {column} {quoted(name)}")
