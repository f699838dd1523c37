"""The tables of a store of games, and the one place that checks what is read from them.

A store may come from a stranger, or from a disk that failed. What passes the check has the types,
ranges and references that the rest of the library relies on.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...envs.engine.game import Game
from ...errors import GoldgriffError, quoted
from ...naming import counted
from .config import FORMATS, MAX_DEALS

SINGLE = "single"  # format of a run that is one game rather than a tournament
BEGUN = "begun"  # field of such a run: when it was begun, in seconds since 1970; once it had none
MAX_TIME = 10**11

TABLES = """
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

_WHOLE = "typeof({0}) = 'integer' AND {0} BETWEEN 0 AND 9e15"
_FLAG = "typeof({0}) = 'integer' AND {0} IN (0, 1)"
_SEAT = "typeof({0}) = 'integer' AND {0} BETWEEN 0 AND 99"
_COUNT = "typeof({0}) = 'integer' AND {0} BETWEEN 1 AND 9e15"
_TEXT = "typeof({0}) = 'text'"
_NUMBER = "typeof({0}) = 'real' AND abs({0}) < 1e15"
_SEED = (
    "typeof({0}) = 'text' AND length({0}) BETWEEN 1 AND 20 AND {0} NOT GLOB '*[^0-9]*' "
    "AND (length({0}) < 20 OR {0} <= '18446744073709551615')"
)
_OF_AGENT = "{0} IN (SELECT agent FROM agents)"
_OF_RUN = "{0} IN (SELECT run FROM runs)"
_OF_GAME = "{0} IN (SELECT game FROM games)"

# By table and column: what is true of every row.
_VALID: Mapping[str, Mapping[str, str]] = {
    "metadata": {"game": _TEXT, "rules": _TEXT},
    "agents": {"agent": _WHOLE, "name": _TEXT, "fingerprint": _TEXT},
    "runs": {"run": _WHOLE, "config": _TEXT, "deals": _WHOLE, "finished": _FLAG},
    "games": {
        "game": _COUNT,
        "run": _OF_RUN,
        "deal": _WHOLE,
        "players": "typeof({0}) = 'integer' AND {0} = "
        "(SELECT count(*) FROM seats WHERE seats.game = games.game)",
        "seed": _SEED,
        "capped": _FLAG,
        "forfeiter": "{0} IS NULL OR (typeof({0}) = 'integer' AND {0} BETWEEN 0 AND players - 1)",
        "reason": "{0} IS NULL OR typeof({0}) = 'text'",
        "actions": "typeof({0}) = 'blob' AND length({0}) % :action_bytes = 0",
    },
    "seats": {
        "game": _OF_GAME,
        "seat": "typeof({0}) = 'integer' AND {0} BETWEEN 0 AND "
        "(SELECT players FROM games WHERE games.game = seats.game) - 1",
        "agent": _OF_AGENT,
        "points": "iif({0} IS NULL, (SELECT forfeiter FROM games WHERE games.game = seats.game) "
        f"IS NOT NULL, {_NUMBER})",
        "win_share": "typeof({0}) = 'real' AND {0} BETWEEN 0 AND 1",
    },
    "counts": {
        "game": _OF_GAME,
        "seat": _SEAT,
        "statistic": "{0} IN (SELECT value FROM json_each(:statistics))",
        "count": _COUNT,
    },
    "endings": {
        "game": _OF_GAME,
        "ending": "{0} IN (SELECT value FROM json_each(:endings))",
        "count": _COUNT,
    },
    "score_sheets": {
        "game": _OF_GAME,
        "seat": _SEAT,
        "entry": "{0} IN (SELECT value FROM json_each(:score_sheet))",
        "points": _NUMBER,
    },
    "decision_times": {
        "run": _OF_RUN,
        "shard": _WHOLE,
        "players": _WHOLE,
        "agent": _OF_AGENT,
        "decisions": _WHOLE,
        "seconds": _NUMBER,
    },
}


class DamageError(GoldgriffError):
    """What a store holds is not what the library writes."""


def check_tables(connection: sqlite3.Connection) -> None:
    """Raise DamageError unless a store has the tables of `TABLES`, and nothing that runs by itself.

    Raises:
        DamageError: It has not; the message says what is wrong, not where the store is.
        sqlite3.Error: The file is damaged.
    """
    active = connection.execute(
        "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view')"
    ).fetchone()
    if active:
        raise DamageError(f"it has a {active[0]}, {quoted(active[1])}")
    like = sqlite3.connect(":memory:")
    try:
        like.executescript(TABLES)
        for table in _VALID:
            if _columns(connection, table) != _columns(like, table):
                raise DamageError(f"table {table} has other columns")
    finally:
        like.close()


def check_rows(connection: sqlite3.Connection, game: Game, action_bytes: int) -> None:
    """Raise DamageError unless every row is one that the library could have written.

    Args:
        connection: Of a store that has passed `check_tables`.
        game: The kind of game that it holds.
        action_bytes: Bytes of an action in `games.actions`.

    Raises:
        DamageError: A row is wrong; the message says which, not where the store is.
        sqlite3.Error: The file is damaged.
    """
    (sound,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if sound != "ok":
        raise DamageError(str(sound))
    known = {
        "action_bytes": action_bytes,
        **{name: json.dumps([*getattr(game, name)]) for name in _NAMED},
    }
    for table, columns in _VALID.items():
        valid = {name: condition.format(name) for name, condition in columns.items()}
        every = " AND ".join(f"({condition})" for condition in valid.values())
        if connection.execute(
            f"SELECT 1 FROM {table} WHERE ({every}) IS NOT TRUE LIMIT 1", known
        ).fetchone():
            wrong = [
                name
                for name, condition in valid.items()
                if connection.execute(
                    f"SELECT 1 FROM {table} WHERE ({condition}) IS NOT TRUE LIMIT 1", known
                ).fetchone()
            ]
            raise DamageError(f"table {table}: a wrong value of {', '.join(wrong)}")
    names = connection.execute("SELECT name, fingerprint FROM agents").fetchall()
    if len(set(names)) < len(names):
        raise DamageError("table agents: an agent is there twice")
    for run, deals, config in connection.execute("SELECT run, deals, config FROM runs").fetchall():
        fields = read_config(config)
        marks = zip(dict.fromkeys(fields["agents"]), fields["fingerprints"], strict=True)
        if not {*marks} <= {*names}:
            raise DamageError(f"table runs: run {run} has an agent that is not in table agents")
        if fields["format"] != SINGLE:
            _check_run(connection, run, deals, fields)


_NAMED = ("statistics", "endings", "score_sheet")  # of a game: the names of what is counted


def _columns(connection: sqlite3.Connection, table: str) -> list[tuple[Any, ...]]:
    """Return name, type, NOT NULL and place in the key of each column."""
    return connection.execute(
        'SELECT name, type, "notnull", pk FROM pragma_table_info(?)', (table,)
    ).fetchall()


def read_config(text: str) -> dict[str, Any]:
    """Return the fields of a run's configuration, with types that `TournamentConfig` takes.

    Raises:
        DamageError: They are not those of a configuration.
    """
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        fields = None
    needed = _SINGLE_FIELDS
    if isinstance(fields, dict) and fields.get("format") != SINGLE:
        needed = needed | _TOURNAMENT_FIELDS
    if isinstance(fields, dict) and fields.get("format") == SINGLE and BEGUN in fields:
        needed = needed | _BEGUN_FIELD
    if not isinstance(fields, dict) or fields.keys() != needed.keys():
        raise DamageError("table runs: a configuration has other fields")
    for name, fits in needed.items():
        if not fits(fields[name]):
            raise DamageError(f"table runs: a wrong {name}, {quoted(fields[name])}")
    if len(fields["fingerprints"]) != len(set(fields["agents"])):
        raise DamageError("table runs: an agent without a fingerprint")
    return fields


def read_rules(text: str) -> dict[str, Any]:
    """Return the settings of a store's game by name. Raises DamageError."""
    try:
        rules = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise DamageError(f"table metadata: {error}") from None
    if not isinstance(rules, dict):
        raise DamageError(f"table metadata: wrong rules, {quoted(rules)}")
    return rules


def _is_list(kind: type) -> Any:
    return lambda given: (
        type(given) is list and given != [] and all(type(one) is kind for one in given)
    )


_SINGLE_FIELDS: dict[str, Any] = {
    "format": lambda given: given in (*FORMATS, SINGLE),
    "agents": _is_list(str),
    "fingerprints": _is_list(str),
    "player_counts": _is_list(int),
    "deals": lambda given: type(given) is int and 1 <= given <= MAX_DEALS,
    "seed": lambda given: (
        type(given) is str and given.isascii() and given.isdecimal() and len(given) <= 20
    ),
}
_BEGUN_FIELD: dict[str, Any] = {BEGUN: lambda given: type(given) is int and 0 <= given <= MAX_TIME}
_TOURNAMENT_FIELDS: dict[str, Any] = {
    "challengers": lambda given: type(given) is int and given >= 1,
    "until": lambda given: given is None or type(given) in (int, float),
}


def _check_run(
    connection: sqlite3.Connection, run: int, deals: int, fields: dict[str, Any]
) -> None:
    """Raise DamageError unless the games of a tournament are those of its agents, deal by deal."""
    if deals > fields["deals"]:
        raise DamageError(
            f"table runs: the deals played are {deals}, at most {fields['deals']} were asked"
        )
    agents = connection.execute(
        "SELECT name FROM games JOIN seats USING (game) JOIN agents USING (agent) WHERE run = ? "
        "UNION SELECT name FROM decision_times JOIN agents USING (agent) WHERE run = ?",
        (run, run),
    )
    strangers = {name for (name,) in agents} - set(fields["agents"])
    if strangers:
        raise DamageError(f"agent {quoted(min(strangers))} is in games of another tournament")
    (without,) = connection.execute(
        "SELECT count(*) FROM games WHERE run = ? AND forfeiter IS NULL "
        "AND game NOT IN (SELECT game FROM endings)",
        (run,),
    ).fetchone()
    if without:
        raise DamageError("table endings: a game that was played to its end has none")


def check_games(
    connection: sqlite3.Connection, run: int, games: Mapping[int, int], deals: int
) -> None:
    """Raise DamageError unless a tournament has as many games as its deals need.

    Args:
        connection: Of the store.
        run: The tournament.
        games: Games of one deal by number of players.
        deals: Deals played.
    """
    there = dict(
        connection.execute(
            "SELECT players, count(*) FROM games WHERE run = ? GROUP BY players", (run,)
        ).fetchall()
    )
    needed = {players: number * deals for players, number in games.items() if deals}
    if there != needed:
        raise DamageError(f"table games: {_listed(there)} instead of {_listed(needed)}")


def _listed(games: Mapping[int, int]) -> str:
    return (
        ", ".join(f"{counted(games[n], 'game')} of {n} players" for n in sorted(games))
        or "no games"
    )


def insert_rows(connection: sqlite3.Connection, table: str, rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows with a value for every column of a table."""
    marks = ", ".join("?" * len(_VALID[table]))
    connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
