"""Compiled loops that keep histories: the public events of the current round of many games."""

import numpy as np
from numpy.typing import NDArray

from .compile import device, kernel
from .events import Column, EventKind, Header, Log, project
from .protocol import Rows, States, apply, write_events
from .state import CardGameState

Logs = NDArray[np.int32]  # a log of each game, (games, size + 1, columns)
Events = NDArray[np.int32]  # (rows, events, fields)


@device
def log_decision(before: CardGameState, action: int, after: CardGameState, log: Log) -> None:
    """Log the events of one decision; a new round starts an empty log."""
    if after.round_ended == 1 and after.over == 0:
        log[0, Header.EVENTS] = 0
        return
    log[0, Header.DECISION] = before.decisions + 1
    log[0, Header.PILE] = before.pile_size
    log[0, Header.SHUFFLED] = 0
    write_events(before, action, after, log)
    place = log[0, Header.SHUFFLED]
    # In a short log newer events may have taken the place.
    if place > 0 and log[place, Column.KIND] == EventKind.SHUFFLE:
        # What is in the pile now and was drawn since, less what was in it.
        log[place, Column.COUNT] = after.pile_size - log[0, Header.PILE]


@kernel
def follow_each(states: States, before: States, rows: Rows, moves: Rows, logs: Logs) -> None:
    """Play moves on copies of some games and log their events.

    Args:
        states: Copies of the games before the moves, (rows,); the moves are played on them.
        before: Working space, one state.
        rows: The rows of their logs.
        moves: int64 (rows, size, 2), as `play_opponent` writes them: how many there are at
            [k, 0, 0], from place 1 on seat and action of each.
        logs: Written.
    """
    for k in range(len(rows)):
        for place in range(1, moves[k, 0, 0] + 1):
            before[0] = states[k]
            action = moves[k, place, 1]
            apply(states[k], action)
            log_decision(before[0], action, states[k], logs[rows[k]])


@kernel
def project_each(
    logs: Logs, rows: Rows, seats: Rows, num_players: int, events: Events, places: Rows
) -> None:
    """Write the newest events of some rows, each as one seat knows them; see `project`.

    Args:
        logs: Those of all games.
        rows: Which of them.
        seats: A seat for each row.
        num_players: Seats at the table.
        events: Written.
        places: Where in it each row goes.
    """
    for k in range(len(rows)):
        project(logs[rows[k]], seats[k], num_players, events[places[k]])
