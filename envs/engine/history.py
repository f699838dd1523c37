"""Games that are played in logging states, whose events are read after each decision.

A logging state is a state of the game with a log behind it (`emit.py`), so its first bytes are an
ordinary state. Readers are the histories of environments, here, and the counting of tournaments
(`rollouts.py`).
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import sampling
from .compile import COMPILED, device, kernel
from .emit import LOGGED_ROWS, LOGGING, Raw, log_fields
from .events import (
    FIRST_UNRECORDED,
    NONE,
    Column,
    EventKind,
    Header,
    Log,
    is_draw,
    log_event,
    project,
)
from .game import Game
from .intrinsics import memcpy
from .protocol import Rows, States, deal_next, decide
from .state import aligned_dtype, fields_of, state_dtype

Logs = NDArray[np.int32]  # a log of each game, (games, size + 1, columns)
Events = NDArray[np.int32]  # (rows, events, fields)
DEAL = -1  # in place of an action: the deal of the next round, if one is due


@cache
def logging_dtype(game: Game) -> np.dtype[Any]:
    """Return the dtype of a game's logging states; the first call makes the rules play them."""
    # Numba would take a dtype that begins with all fields of another for a form of that.
    *first, rest = fields_of(state_dtype(game.state))
    dtype = aligned_dtype(log_fields(LOGGED_ROWS), first=[*first, ("_gap", *rest[1:])])
    game.implement_for(dtype, vars(sampling), LOGGING)
    return dtype


class LoggingStates:
    """Logging states of a game.

    Attributes:
        states: The states.
        raw: uint8 (states, bytes), their bytes.
    """

    def __init__(self, game: Game, count: int) -> None:
        """Make states of zeros."""
        states = np.zeros(count, logging_dtype(game))
        self.raw = bytes_of(states)
        self.states: States = states if COMPILED else states.view(np.recarray)

    def load(self, states: States) -> None:
        """Let the games be those of as many ordinary states."""
        raw = bytes_of(states)
        self.raw[:, : raw.shape[1]] = raw


def bytes_of(states: States) -> NDArray[np.uint8]:
    """Return the bytes of states, uint8 (states, bytes)."""
    states = np.ascontiguousarray(states)
    return states.view(np.uint8).reshape(len(states), states.itemsize)


# --- Decisions and their events ------------------------------------------------------------------


@device
def decide_logged(state: Any, action: int) -> None:
    """Play a decision; afterwards its events are in the log, and hands that were scored are there.

    `deal_next` goes on from there.
    """
    state.logged = 0
    decide(state, action)


@kernel(keeps_lock=True)
def log_one(states: Any, action: int) -> None:
    """Play a decision of the only state, or DEAL, and leave its events in the log."""
    state = states[0]
    state.logged = 0
    if action == DEAL:
        deal_next(state)
    else:
        decide(state, action)


@device
def fold(state: Any, log: Log) -> None:
    """Add the public events of the last decision of a logging state to a log.

    Cards that one player draws are one event, which names the card only if it was one in all.
    Unrecorded events are left out. The end of a round, unless the game is over, empties the log.
    """
    if state.round_ended == 1 and state.over == 0:
        log[0, Header.EVENTS] = 0
        return
    last = shuffled = 0  # places in the log of the last event and of SHUFFLE
    for row in range(state.logged):
        event = state.log[row]
        event_kind, count = int(event[Raw.KIND]), int(event[Raw.COUNT])
        actor = int(event[Raw.ACTOR])
        if event_kind >= FIRST_UNRECORDED:
            continue
        draws = is_draw(event_kind)
        if draws and last > 0 and is_event_of(log[last], event_kind, actor):
            log[last, Column.COUNT] += count
            continue
        if event_kind == EventKind.SHUFFLE and shuffled > 0:
            # In a short log newer events may have taken the place.
            if log[shuffled, Column.KIND] == event_kind:
                log[shuffled, Column.COUNT] += count
            continue
        card = int(event[Raw.CARD])
        if draws and cards_drawn(state, event_kind, actor) > 1:
            card = NONE
        other, knowers = int(event[Raw.OTHER]), int(event[Raw.KNOWERS])
        last = log_event(log, state.decisions, event_kind, actor, other, card, count, knowers)
        if event_kind == EventKind.SHUFFLE:
            shuffled = last


@device
def is_event_of(event: Any, kind: int, actor: int) -> bool:
    """Return whether a row of a log of public events is of a kind and an actor."""
    return bool(event[Column.KIND] == kind and event[Column.ACTOR] == actor + 1)


@device
def cards_drawn(state: Any, kind: int, actor: int) -> int:
    """Return how many cards a player has drawn in the last decision, as events of one kind."""
    count = 0
    for row in range(state.logged):
        if state.log[row, Raw.KIND] == kind and state.log[row, Raw.ACTOR] == actor:
            count += int(state.log[row, Raw.COUNT])
    return count


# --- Histories -----------------------------------------------------------------------------------


@kernel
def fold_one(states: Any, logs: Logs) -> None:
    """Fold the events of the only state into the only log."""
    fold(states[0], logs[0])


@kernel
def follow_each(
    before: NDArray[np.uint8],
    rows: Rows,
    moves: Rows,
    logs: Logs,
    states: Any,
    raw: NDArray[np.uint8],
) -> None:
    """Play moves on copies of some games and log their public events.

    Args:
        before: The games before the moves, the bytes of each, (rows, bytes).
        rows: The rows of their logs.
        moves: int64 (rows, size, 2), as `play_opponent` writes them: how many there are at
            [k, 0, 0], from place 1 on seat and action of each.
        logs: Written.
        states: Working space, one logging state.
        raw: Its bytes, (1, bytes).
    """
    for k in range(len(rows)):
        memcpy(before[k], raw[0], 0)
        state = states[0]
        for place in range(1, moves[k, 0, 0] + 1):
            decide_logged(state, moves[k, place, 1])
            fold(state, logs[rows[k]])
            deal_next(state)


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
