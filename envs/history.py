"""The history of a round: its public events as each seat knows them, as arrays.

`engine/events.py` says what an event is. Environments take `history=K` for the K newest ones;
`Match.events` returns all.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from ..errors import SettingsError, quoted
from .engine.events import EVENT_FIELDS, Column, EventKind, Header
from .engine.game import Game
from .engine.history import Events, Logs, follow_each, project_each
from .engine.protocol import Rows, States
from .engine.settings import GameSettings

MAX_HISTORY = 10_000
MAX_EVENTS = 32  # more than one decision has
FIELDS = len(EVENT_FIELDS)
EVENT_DTYPE = np.dtype([(name, np.int32) for name in EVENT_FIELDS])
_ROW = np.zeros(1, np.int64)


def checked_history(given: Any) -> int:
    """Return the option `history`. Raise SettingsError when it is no number of events."""
    if type(given) is not int or not 0 <= given <= MAX_HISTORY:
        raise SettingsError(
            f"history must be a whole number from 0 to {MAX_HISTORY}, not {quoted(given)}"
        )
    return given


def history_space(game: Game, settings: GameSettings, length: int) -> spaces.Box:
    """Return the space of a history, int32 (length, fields of EVENT_FIELDS)."""
    whole = np.iinfo(np.int32).max
    seats, kinds = settings.num_players, max(EventKind)
    high = np.array([whole, kinds, seats, seats, len(game.cards), whole], np.int32)
    return spaces.Box(
        np.zeros((length, len(high)), np.int32), np.tile(high, (length, 1)), dtype=np.int32
    )


def new_logs(num_games: int, length: int) -> Logs:
    """Return empty logs of up to `length` events."""
    return np.zeros((num_games, length + 1, len(Column)), np.int32)


def new_events(rows: int, length: int) -> Events:
    """Return histories without an event, int32 (rows, length, fields)."""
    return np.zeros((rows, length, FIELDS), np.int32)


def one_move_each(actions: Rows) -> Rows:
    """Return one action a row as moves that `follow` takes, int64 (rows, 2, 2)."""
    moves = np.ones((len(actions), 2, 2), np.int64)
    moves[:, 1, 1] = actions
    return moves


class BatchHistory:
    """The newest public events of the current round of each game of a batch.

    Attributes:
        length: How many; with 0 every method returns at once.
        logs: int32 (num_games, length + 1, columns); see engine/events.py.
        out: int32 (num_games, length, fields), where what the current players know is written by
            every change; (0, length, fields) where nobody wants it.
    """

    def __init__(self, states: States, num_players: int, length: int) -> None:
        """Begin without events.

        Args:
            states: The games, as the batch steps them.
            num_players: Seats at the table.
            length: How many events of each game.

        Raises:
            SettingsError: That is no number of events.
        """
        self.length = checked_history(length)
        self.logs = new_logs(len(states) if length else 0, length)
        self.out = new_events(0, length)
        self._states, self._num_players = states, num_players

    def clear(self, rows: Rows) -> None:
        """Drop the events of games that have just started."""
        if self.length:
            self.logs[rows, 0, Header.EVENTS] = 0
            self._write(rows)

    def follow(self, before: States, rows: Rows, moves: Rows) -> None:
        """Add the events of some moves; see `follow_each`, which changes `before`."""
        if self.length:
            follow_each(before, np.empty_like(before[:1]), rows, moves, self.logs)
            self._write(rows)

    def observe(self, seats: Rows, rows: Rows) -> Events:
        """Return what one seat of each row knows, int32 (rows, length, fields)."""
        events = new_events(len(rows), self.length)
        if self.length:
            project_each(self.logs, rows, seats, self._num_players, events, np.arange(len(rows)))
        return events

    def _write(self, rows: Rows) -> None:
        if len(self.out):
            seats = self._states["current_player"][rows].astype(np.int64)
            project_each(self.logs, rows, seats, self._num_players, self.out, rows)


class MatchHistory:
    """All events of the current round of one match.

    It follows the moves when it is asked, so a match without a question pays nothing.
    """

    def __init__(self, states: States) -> None:
        """Begin with a copy of the state in which the match starts, (1,)."""
        self._states = states
        self._followed = 0
        self._logs = new_logs(1, MAX_EVENTS)

    def events(self, moves: Sequence[int], seat: int, length: int | None = None) -> Events:
        """Return the events after some moves as a seat knows them.

        Args:
            moves: All moves since the start.
            seat: The observer.
            length: How many events, the newest; None for all.

        Returns:
            int32 (events, fields).
        """
        new = moves[self._followed :]
        self._followed = len(moves)
        if new:
            logged = int(self._logs[0, 0, Header.EVENTS])
            wanted = logged + MAX_EVENTS * len(new)
            if wanted >= self._logs.shape[1]:
                logs = new_logs(1, 2 * wanted)
                logs[:, : logged + 1] = self._logs[:, : logged + 1]
                self._logs = logs
            played = np.zeros((1, len(new) + 1, 2), np.int64)
            played[0, 0, 0], played[0, 1:, 1] = len(new), new
            follow_each(self._states, np.empty_like(self._states), _ROW, played, self._logs)
        seats, num_players = np.array([seat]), int(self._states["num_players"][0])
        length = int(self._logs[0, 0, Header.EVENTS]) if length is None else length
        events = new_events(1, length)
        project_each(self._logs, _ROW, seats, num_players, events, _ROW)
        known: Events = events[0]
        return known
