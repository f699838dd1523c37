"""Agents that remember their game: their agent states, one for each game and seat.

An agent state is an array with one row for each decision, or a dict or tuple of such. A policy that
has one says how it begins, `initial_agent_state(rows)`, and gets it with every decision:
`act(batch, agent_state) -> (actions, agent_state)`. Whoever drives the policy keeps the rows, so
each belongs to one game and one seat, however games are batched.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import AgentError, one_line
from .engine.protocol import Rows

AgentState = Any  # an array (rows, ...), or a dict or tuple of agent states; None for no state


def has_agent_state(policy: object) -> bool:
    """Return whether a policy remembers its game: whether it has `initial_agent_state`."""
    return callable(getattr(policy, "initial_agent_state", None))


def begin(policy: Any) -> AgentState:
    """Return the agent state with which every game begins for a policy, one row.

    Raises:
        AgentError: It has another number of rows.
    """

    def check(given: Any) -> Any:
        array = np.array(given)
        if array.ndim == 0 or len(array) != 1:
            raise AgentError(one_line(f"began with an agent state of shape {array.shape}"))
        return array

    return _map(check, policy.initial_agent_state(1))


def split_answer(answer: Any, before: AgentState) -> tuple[Any, AgentState]:
    """Return the actions and the agent state that `act` has returned, arrays of their own.

    Args:
        answer: What it has returned.
        before: The agent state that it was given.

    Raises:
        AgentError: It has returned something else.
    """
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise AgentError("must return (actions, agent_state), since it has initial_agent_state")

    def check(old: Any, given: Any) -> Any:
        array = np.array(given)
        if array.shape != old.shape or not np.can_cast(array.dtype, old.dtype, "same_kind"):
            now = f"{array.dtype} of shape {array.shape}"
            was = f"{old.dtype} of shape {old.shape}"
            raise AgentError(one_line(f"gave an agent state of {now}, not {was}"))
        return array

    return np.array(answer[0]), _map(check, before, answer[1])


def put_row(state: AgentState, row: int, given: AgentState) -> None:
    """Write an agent state of one row into a row of another."""

    def put(array: Any, one: Any) -> None:
        array[row] = one[0]

    _map(put, state, given)


def take_rows(state: AgentState, rows: Rows) -> AgentState:
    """Return copies of some rows of an agent state."""
    return None if state is None else _map(lambda array: array[rows], state)


def _map(function: Callable[..., Any], first: Any, *others: Any) -> Any:
    """Apply a function to each array of an agent state, and to its like in others."""
    if isinstance(first, dict):
        if not all(isinstance(other, dict) and other.keys() == first.keys() for other in others):
            raise AgentError(one_line(f"gave an agent state without the keys {', '.join(first)}"))
        return {key: _map(function, first[key], *(other[key] for other in others)) for key in first}
    if isinstance(first, tuple):
        if not all(isinstance(other, tuple) and len(other) == len(first) for other in others):
            raise AgentError(f"gave an agent state that is no tuple of {len(first)}")
        return tuple(_map(function, *arrays) for arrays in zip(first, *others, strict=True))
    return function(first, *others)


class AgentStates:
    """The agent states of one policy in a batch of games: one for each row and seat.

    Args:
        policy: It has `initial_agent_state`.
        rows: Number of games.
        seats: Number of seats.
    """

    def __init__(self, policy: object, rows: int, seats: int) -> None:
        self._seats, self._first = seats, begin(policy)
        self._state = _map(lambda array: np.repeat(array, rows * seats, axis=0), self._first)

    def restart(self, rows: Rows) -> None:
        """Begin new games in some rows."""
        for seat in range(self._seats):
            self._write(rows * self._seats + seat, self._first)

    def take(self, rows: Rows, seats: Rows) -> AgentState:
        """Return copies of the agent states of some rows and seats."""
        return take_rows(self._state, rows * self._seats + seats)

    def put(self, rows: Rows, seats: Rows, state: AgentState) -> None:
        """Keep the agent states of some rows and seats."""
        self._write(rows * self._seats + seats, state)

    def arrays(self) -> list[NDArray[Any]]:
        """Return the arrays that hold them, not copies."""
        arrays: list[NDArray[Any]] = []
        _map(arrays.append, self._state)
        return arrays

    def copy(self, rows: Rows) -> "AgentStates":
        """Return copies of the agent states of some rows, which may come up many times."""
        copies = object.__new__(AgentStates)
        copies._seats, copies._first = self._seats, self._first
        places = rows[:, None] * self._seats + np.arange(self._seats)
        copies._state = take_rows(self._state, places.ravel())
        return copies

    def _write(self, places: Rows, state: AgentState) -> None:
        def write(array: Any, given: Any) -> None:
            array[places] = given

        _map(write, self._state, state)
