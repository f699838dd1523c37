"""The history of a round: its public events as each seat knows them, as arrays.

`engine/events.py` says what an event is. Environments take `history=K` for the K newest ones;
`Match.events` returns all.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .engine.emit import Raw
from .engine.events import EVENT_FIELDS, NUM_KINDS, Column, Header
from .engine.game import Game
from .engine.history import (
    DEAL,
    Events,
    LoggingStates,
    Logs,
    bytes_of,
    fold_one,
    follow_each,
    log_one,
    project_each,
)
from .engine.listing import MAX_PUBLIC
from .engine.protocol import Rows, States
from .engine.reading import read_whole
from .engine.settings import GameSettings
from .engine.state import state_at

MAX_HISTORY = 10_000
FIELDS = len(EVENT_FIELDS)
EVENT_DTYPE = np.dtype([(name, np.int32) for name in EVENT_FIELDS])
RAW_EVENT = np.dtype([(column.name.lower(), np.int16) for column in Raw])
_ROW = np.zeros(1, np.int64)


def checked_history(given: Any) -> int:
    """Return the option `history`. Raise SettingsError when it is no number of events."""
    return read_whole("history", given, 0, MAX_HISTORY)


def history_space(game: Game, settings: GameSettings, length: int) -> spaces.Box:
    """Return the space of a history, int32 (length, fields of EVENT_FIELDS)."""
    whole = np.iinfo(np.int32).max
    seats, kinds = settings.num_players, NUM_KINDS
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

    def __init__(self, game: Game, states: States, num_players: int, length: int) -> None:
        """Begin without events.

        Args:
            game: The kind of game.
            states: The games, as the batch steps them.
            num_players: Seats at the table.
            length: How many events of each game.

        Raises:
            SettingsError: That is no number of events.
        """
        self.length = checked_history(length)
        self.logs = new_logs(len(states) if length else 0, length)
        self.out = new_events(0, length)
        self._game, self._states, self._num_players = game, states, num_players

    def clear(self, rows: Rows) -> None:
        """Drop the events of games that have just started."""
        if self.length:
            self.logs[rows, 0, Header.EVENTS] = 0
            self._write(rows)

    def follow(self, before: States, rows: Rows, moves: Rows) -> None:
        """Add the events of some moves, played on the states before them; see `follow_each`."""
        if self.length:
            played = LoggingStates(self._game, 1)  # not shared: threads follow different rows
            follow_each(bytes_of(before), rows, moves, self.logs, played.states, played.raw)
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


class EventReader:
    """One game that is played on move by move, with all that the rules say of each.

    A decision and the deal of the next round are two steps: in between, the hands that were scored
    can be seen.
    """

    def __init__(self, game: Game, states: States) -> None:
        """Begin with a copy of a state, (1,)."""
        self._states = LoggingStates(game, 1)
        self._states.load(states)

    def play(self, action: int) -> NDArray[Any]:
        """Play a legal action, which is not checked; first deal, if that is due.

        Returns:
            The events in the order of the rules, a structured array (events,) of the int16 fields
            `kind` (of `EventKind` or `Unrecorded`), `actor` and `other` (seats, -1: none), `card`
            (a card type, -1 for none), `count`, `knowers` (a bit for each seat that knows the card)
            and `rule` (504 for A5.4, 0 for none). Draws have one row for each card.
        """
        self.deal_next()
        return self._step(action)

    def deal_next(self) -> NDArray[Any]:
        """Deal the next round if that is due; return the events as `play` does."""
        if not self.state.round_ended or self.state.over or self.state.decisions == 0:
            return np.zeros(0, RAW_EVENT)
        return self._step(DEAL)

    @property
    def state(self) -> Any:
        """The state by reference: after `play` as the decision left it."""
        return state_at(self._states.states, 0)

    def add_to(self, logs: Logs) -> None:
        """Add the public events of the last decision to a log, (1, size + 1, columns)."""
        fold_one(self._states.states, logs)

    def _step(self, action: int) -> NDArray[Any]:
        log_one(self._states.states, action)
        rows = self.state.log[: self.state.logged].copy()
        events: NDArray[Any] = rows.view(RAW_EVENT)[:, 0]
        return events


class MatchHistory:
    """All events of the current round of one match.

    It follows the moves when it is asked, so a match without a question pays nothing.
    """

    def __init__(self, reader: EventReader) -> None:
        """Begin with a reader that stands where the match starts."""
        self._reader = reader
        self._followed = 0
        self._logs = new_logs(1, MAX_PUBLIC)

    def events(self, moves: Sequence[int], seat: int, length: int | None = None) -> Events:
        """Return the events after some moves as a seat knows them.

        Args:
            moves: All moves since the start.
            seat: The observer.
            length: How many events, the newest; None for all.

        Returns:
            int32 (events, fields).
        """
        for move in moves[self._followed :]:
            self._reader.play(move)
            if self._logs[0, 0, Header.EVENTS] + MAX_PUBLIC >= self._logs.shape[1]:
                self._logs = np.concatenate([self._logs, np.zeros_like(self._logs)], axis=1)
            self._reader.add_to(self._logs)
        self._followed = len(moves)
        num_players = int(self._reader.state.num_players)
        length = int(self._logs[0, 0, Header.EVENTS]) if length is None else length
        events = new_events(1, length)
        project_each(self._logs, _ROW, np.array([seat]), num_players, events, _ROW)
        seen: Events = events[0]
        return seen
