"""The agent guard: call agents, check their actions, and find the games in which one fails."""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import numpy as np

from ..envs.engine.game import explain_illegal
from ..envs.engine.protocol import Rows
from ..envs.policy import ObservationBatch, Policy
from ..errors import AgentError

MAX_TIMEOUTS = 3  # games of a shard with a timeout after which an agent forfeits all others
_MAX_REASON = 200  # characters
_NONE = -1

# Called with an agent, a game (None: many) and the decisions made in it; surrounds a call of `act`.
Watchdog = Callable[[int, int | None, int], AbstractContextManager[None]]


@dataclass(frozen=True)
class Player:
    """A policy and the name that reports use for it."""

    name: str
    policy: Policy


@dataclass(frozen=True)
class Timeout:
    """A call of `act` that did not return: the agent took too long or ended its process.

    Attributes:
        player: Index of the agent.
        game: Number of the game it was asked about; None for a batch of games.
        decision: Decisions made in that game before.
        first: Whether the agent was too slow with its first call in a process.
        reason: What reports say.
    """

    player: int
    game: int | None
    decision: int
    first: bool
    reason: str


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
        self._one_by_one = {one.player for one in timeouts}
        for number, player in enumerate(players):
            if getattr(player.policy, "slow", False) is True:
                self._one_by_one.add(number)
        self._timeouts = {(one.player, one.game): one for one in timeouts if one.game is not None}
        failed = [player for player, _ in self._timeouts]
        self._withdrawn = {
            one.player: one.reason
            for one in timeouts
            if one.first or failed.count(one.player) >= MAX_TIMEOUTS
        }

    def ask(
        self, number: int, observations: ObservationBatch, games: Rows, decisions: Rows
    ) -> tuple[Rows, dict[int, str]]:
        """Return the actions of one agent and what it did wrong.

        Args:
            number: Index of the agent.
            observations: One row for each decision.
            games: Numbers of the games, int64 (rows,).
            decisions: Decisions made in these games so far, int64 (rows,).

        Returns:
            Actions, int64 (rows,), and the reason of each row in which the agent is at fault.
        """
        self.decisions[number] += len(observations)
        if number not in self._one_by_one:
            try:
                return self._act(number, observations, None, _NONE)
            except AgentError as error:
                if len(observations) == 1:
                    return np.full(1, _NONE), {0: str(error)}
        actions, faults = np.full(len(observations), _NONE), {}
        for row in range(len(observations)):
            game, decision = int(games[row]) + self._first_game, int(decisions[row])
            timeout = self._timeouts.get((number, game))
            if timeout and decision >= timeout.decision:
                faults[row] = timeout.reason
            elif number in self._withdrawn:
                faults[row] = self._withdrawn[number]
            else:
                try:
                    alone = observations.take(np.array([row]))
                    actions[row : row + 1], fault = self._act(number, alone, game, decision)
                    faults.update((row, reason) for reason in fault.values())
                except AgentError as error:
                    faults[row] = str(error)
        return actions, faults

    def _act(
        self, number: int, observations: ObservationBatch, game: int | None, decision: int
    ) -> tuple[Rows, dict[int, str]]:
        """Call `act`, and explain its illegal actions by row.

        Raises:
            AgentError: The agent fails or returns no array of actions.
        """
        with self._watchdog(number, game, decision):
            start = time.perf_counter()
            try:
                returned = np.asarray(self.players[number].policy.act(observations))
            except (Exception, SystemExit) as error:
                raise AgentError(_one_line(f"failed: {type(error).__name__}: {error}")) from error
            finally:
                self.seconds[number] += time.perf_counter() - start
        if returned.shape != (len(observations),) or returned.dtype.kind not in "iu":
            raise AgentError(
                f"gave {returned.dtype} of shape {returned.shape}, not whole numbers of shape "
                f"({len(observations)},)"
            )
        masks = observations.masks
        known = (returned >= 0) & (returned < masks.shape[1])
        actions = np.where(known, returned, 0).astype(np.int64)
        legal = known & (masks[np.arange(len(observations)), actions] == 1)
        return actions, {
            row: _one_line(
                explain_illegal(observations.game, {"legal": masks[row]}, int(returned[row]))
            )
            for row in np.flatnonzero(~legal).tolist()
        }


def _one_line(text: str) -> str:
    """Return a reason as one line of at most `_MAX_REASON` characters."""
    line = " ".join(text.split())
    return line if len(line) <= _MAX_REASON else line[: _MAX_REASON - 3] + "..."
