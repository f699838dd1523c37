"""Keep one game in a store while it is being played, so that a crash loses nothing of it.

Two programs may have the same game: it is written only where nobody else has played on.

Such a game can be replayed and rated like the games of a tournament. A game that is not over is
stored as forfeited by the seat that has to move.
"""

import sqlite3
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Self

import numpy as np

from ...envs.engine.game import Game
from ...envs.engine.settings import GameSettings
from ...envs.match import Match
from ...files import claimed, is_filled, make_folder
from .faults import UNFINISHED, Fault
from .store import STORE, Store, StoreError, open_or_create
from .store_rows import action_dtype, fault_columns, insert_agents

PERSON = "you"  # name of the person in a store
_OWN = "game = ? AND run IN (SELECT run FROM runs WHERE begun IS NOT NULL)"  # no tournament's


class Recorder:
    """The place of one game in a store; every call opens the store anew, so any thread may write.

    Attributes:
        store: The file.
        number: Number of the game in it.
    """

    def __init__(
        self,
        store: Path,
        number: int,
        game: Game,
        moves: Sequence[int] = (),
        fault: str | None = UNFINISHED,
    ) -> None:
        """Take the place of a game whose `moves` and code of a fault were read from the store."""
        self.store = store
        self.number = number
        self._dtype = action_dtype(game)
        self._stored = self._encode(moves), fault

    def _encode(self, moves: Sequence[int]) -> bytes:
        return np.array(moves, self._dtype).tobytes()

    def is_current(self) -> bool:
        """Return whether no other program has played on. Raises StoreError if it cannot be read."""
        query = f"SELECT actions, fault FROM games WHERE {_OWN}"
        with Store.open(self.store, checked=False) as store:
            return store.one(query, (self.number,)) == self._stored

    def _claim(self, written: sqlite3.Cursor) -> None:
        """Raise StoreError, which undoes the transaction, if no game was found to write."""
        if not written.rowcount:
            raise StoreError(code="played-on", number=self.number, path=self.store)

    @classmethod
    def begin(
        cls,
        folder: Path,
        game: Game,
        settings: GameSettings,
        agents: Sequence[tuple[str, str]],
        seed: int,
    ) -> Self:
        """Add a game that begins.

        Args:
            folder: Folder of the store; both are made if they do not exist.
            game: Kind of game.
            settings: Its settings.
            agents: Name and fingerprint for each seat.
            seed: Seed of the game.

        Raises:
            StoreError: The store has another game or other rules.
            FileError: The folder cannot be written to.
        """
        rules = settings.to_dict()
        players = rules.pop("num_players")
        make_folder(folder)
        is_new = not is_filled(folder / STORE)  # two processes may create it at the same time
        with (
            claimed(folder) if is_new else nullcontext(),
            open_or_create(folder, game, rules) as store,
        ):
            store.check_game(game, rules)
            with store.writing() as connection:
                begun = "INSERT INTO runs (begun, deals, finished) VALUES (?, 1, 1)"
                run = connection.execute(begun, (int(time.time()),)).lastrowid
                insert_agents(connection, agents)
                numbers = store.agents()
                # A game that was deleted has left its run behind.
                (last,) = store.one(
                    "SELECT max((SELECT coalesce(max(game), 0) FROM games), "
                    "(SELECT count(begun) - 1 FROM runs))"
                )
                game_number = last + 1
                connection.execute(
                    "INSERT INTO games VALUES (?, ?, 0, ?, ?, 0, 0, ?, '{}', x'')",
                    (game_number, run, players, str(seed), UNFINISHED),
                )
                connection.executemany(
                    "INSERT INTO seats VALUES (?, ?, ?, NULL, 0)",
                    ((game_number, seat, numbers[agent]) for seat, agent in enumerate(agents)),
                )
        return cls(folder / STORE, game_number, game)

    def delete(self) -> None:
        """Remove the game. Its number is not used again as long as the store has no tournaments."""
        with Store.open(self.store, checked=False) as store, store.writing() as connection:
            for table in ("counts", "endings", "score_sheets", "seats"):
                connection.execute(f"DELETE FROM {table} WHERE game = ?", (self.number,))
            own = f"DELETE FROM games WHERE {_OWN}"
            self._claim(connection.execute(own, (self.number,)))

    def keep(self, match: Match, fault: Fault | None = None) -> None:
        """Write the game as it stands, whole or not at all.

        Args:
            match: The game.
            fault: What the agent that has to move did wrong, if that ended the game.

        Raises:
            StoreError: Another program has played on; nothing is written.
        """
        seats = match.settings.num_players
        forfeit: tuple[int | None, str | None, str | None] = None, None, None
        if match.over:
            points: list[float | None] = [*match.scores]
            shares = match.win_shares()
        else:
            loser = match.current_player
            forfeit = (loser, *fault_columns(fault or Fault(UNFINISHED)))
            points = [None] * seats
            shares = [0.0 if seat == loser else 1 / (seats - 1) for seat in range(seats)]
        actions = self._encode(match.moves)
        capped = int(match.capped_rounds > 0)
        with Store.open(self.store, checked=False) as store, store.writing() as connection:
            written = connection.execute(
                "UPDATE games SET capped = ?, forfeiter = ?, fault = ?, details = ?, actions = ? "
                f"WHERE {_OWN} AND (actions, fault) IS (?, ?)",
                (capped, *forfeit, actions, self.number, *self._stored),
            )
            self._claim(written)
            connection.executemany(
                "UPDATE seats SET points = ?, win_share = ? WHERE game = ? AND seat = ?",
                ((points[seat], shares[seat], self.number, seat) for seat in range(seats)),
            )
        self._stored = actions, forfeit[1]
