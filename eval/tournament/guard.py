"""The agent guard: call agents, check their actions, and find the games in which one fails."""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...envs.agent_state import AgentState, AgentStates, has_agent_state, put_row, take_rows
from ...envs.engine.protocol import Rows
from ...envs.policy import (
    ObservationBatch,
    Policy,
    ask,
    is_own_compiled,
    run_foreign,
    wants_information_states,
)
from ...errors import AgentError, one_line
from .faults import Fault

MAX_TIMEOUTS = 3  # games of a shard with a timeout after which an agent forfeits all others
_NONE = -1

# Called with an agent, a game (None: many) and the decisions made in it; surrounds a call of `act`.
Watchdog = Callable[[int, int | None, int], AbstractContextManager[None]]


@dataclass(eq=False)
class Player:
    """A policy and the name that reports use for it.

    Args:
        name: The name.
        policy: The policy.
        fingerprint: As `agents.registry.fingerprint`; `provenance.OBJECT` for an object.

    Attributes:
        is_own: Whether it is a compiled function of the library. Any other gets copies.
        slow: As in `Policy`, like the next one.
        wants_information_states: Whether it is given them.
        has_agent_state: Whether it remembers its games.
    """

    name: str
    policy: Policy
    fingerprint: str = ""

    def __post_init__(self) -> None:
        self.is_own = is_own_compiled(self.policy)
        self.slow = getattr(self.policy, "slow", False) is True
        self.wants_information_states = wants_information_states(self.policy)
        self.has_agent_state = has_agent_state(self.policy)


@dataclass(frozen=True)
class Timeout:
    """A call of `act` that did not return: the agent took too long or ended its process.

    Attributes:
        player: Index of the agent.
        game: Number of the game it was asked about; None for a batch of games.
        decision: Decisions made in that game before.
        fault: What the agent did.
    """

    player: int
    game: int | None
    decision: int
    fault: Fault


class AgentGuard:
    """Calls the agents of some games and checks the actions they return.

    An agent with a timeout on a batch is called for one game at a time afterwards; a game with a
    timeout is forfeited at that decision. After `MAX_TIMEOUTS` such games, or a timeout of its
    first call, the agent forfeits every game in which it has to move.

    Args:
        players: The agents.
        timeouts: Timeouts of earlier attempts to play the same games.
        watchdog: Surrounds every call of an agent.
        first_game: Added to the numbers of games in timeouts and for the watchdog.

    Attributes:
        seconds: Time spent in `act`, float64 (players,).
        decisions: Decisions asked for, int64 (players,).
    """

    def __init__(
        self,
        players: Sequence[Player],
        timeouts: Sequence[Timeout] = (),
        watchdog: Watchdog | None = None,
        first_game: int = 0,
    ) -> None:
        self.players = players
        self.seconds = np.zeros(len(players))
        self.decisions = np.zeros(len(players), np.int64)
        self._watchdog = watchdog or (lambda *_: nullcontext())
        self._first_game = first_game
        self._one_by_one = {timeout.player for timeout in timeouts}
        self._one_by_one |= {number for number, player in enumerate(players) if player.slow}
        self._timeouts = {(timeout.player, timeout.game): timeout for timeout in timeouts}
        failed = [player for player, game in self._timeouts if game is not None]
        self._withdrawn = {
            timeout.player: timeout.fault
            for timeout in timeouts
            if timeout.fault.code == "timeout-first" or failed.count(timeout.player) >= MAX_TIMEOUTS
        }

    def begin_states(self, number: int, rows: int, seats: int) -> AgentStates | None:
        """Return the agent states of one agent for so many games; None for one without.

        An agent that fails to begin forfeits every game in which it has to move.
        """
        player = self.players[number]
        if not player.has_agent_state or number in self._withdrawn:
            return None
        try:
            with self._watchdog(number, None, _NONE):
                return run_foreign(lambda: AgentStates(player.policy, rows, seats))
        except AgentError as error:
            self._withdrawn[number] = Fault.of(error)
            return None

    def ask(
        self,
        number: int,
        observations: ObservationBatch,
        games: Rows,
        decisions: Rows,
        state: AgentState = None,
    ) -> tuple[Rows, dict[int, Fault], AgentState]:
        """Return the actions of one agent, its faults, and its agent state afterwards.

        Args:
            number: Index of the agent.
            observations: One row for each decision.
            games: Numbers of the games, int64 (rows,).
            decisions: Decisions made in these games so far, int64 (rows,).
            state: Its agent state; None for an agent without.

        Returns:
            Actions, int64 (rows,), the fault in each row in which the agent is at fault, and the
            new agent state.
        """
        self.decisions[number] += len(observations)
        if number not in self._one_by_one and number not in self._withdrawn:
            try:
                return self._act(number, observations, state, None, _NONE)
            except AgentError as error:
                if len(observations) == 1:
                    return np.full(1, _NONE), {0: Fault.of(error)}, state
        actions, faults = np.full(len(observations), _NONE), dict[int, Fault]()
        for row in range(len(observations)):
            game, decision = int(games[row]) + self._first_game, int(decisions[row])
            timeout = self._timeouts.get((number, game))
            if timeout and decision >= timeout.decision:
                faults[row] = timeout.fault
            elif number in self._withdrawn:
                faults[row] = self._withdrawn[number]
            else:
                try:
                    place = np.array([row])
                    actions[place], row_faults, row_state = self._act(
                        number, observations.take(place), take_rows(state, place), game, decision
                    )
                    faults.update((row, fault) for fault in row_faults.values())
                    if state is not None:
                        put_row(state, row, row_state)
                except AgentError as error:
                    faults[row] = Fault.of(error)
        return actions, faults, state

    def _act(
        self,
        number: int,
        observations: ObservationBatch,
        state: AgentState,
        game: int | None,
        decision: int,
    ) -> tuple[Rows, dict[int, Fault], AgentState]:
        """Call `act`, and explain its illegal actions by row.

        Raises:
            AgentError: The agent fails or returns no array of actions.
        """
        player = self.players[number]
        with self._watchdog(number, game, decision):
            start = time.perf_counter()
            try:
                if player.is_own:
                    returned = np.asarray(player.policy.act(observations))
                else:  # legality is checked by masks that it has never seen
                    copies = observations.copy(), take_rows(state, np.arange(len(observations)))
                    returned, state = run_foreign(lambda: ask(player.policy, *copies))
            finally:
                self.seconds[number] += time.perf_counter() - start
        if returned.shape != (len(observations),) or returned.dtype.kind not in "iu":
            values = {
                "given": one_line(f"{returned.dtype} of shape {returned.shape}"),
                "shape": f"({len(observations)},)",
            }
            raise Fault("wrong-shape", values).as_error()
        masks, names = observations.masks, observations.game.actions
        exists = (returned >= 0) & (returned < masks.shape[1])
        actions = np.where(exists, returned, 0).astype(np.int64)
        legal = exists & (masks[np.arange(len(observations)), actions] == 1)
        rows = np.flatnonzero(~legal).tolist()
        faults = {row: _illegal(names, masks[row], int(returned[row])) for row in rows}
        return actions, faults, state


def _illegal(names: Sequence[str], mask: NDArray[np.int8], action: int) -> Fault:
    """Return the fault of an action that does not exist, or that is not legal by a mask."""
    if not 0 <= action < len(names):
        number = str(action) if abs(action) < 10**9 else "of so many digits"
        return Fault("no-action", {"number": number, "first": "0", "last": str(len(names) - 1)})
    legal = ", ".join(names[place] for place in np.flatnonzero(mask).tolist())
    return Fault("not-legal", {"move": repr(names[action]), "legal": one_line(legal)})
