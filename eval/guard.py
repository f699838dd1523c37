"""Asking agents, and finding out whose answer is at fault: an agent may fail, the rest goes on."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..envs.engine.game import explain_illegal
from ..envs.engine.protocol import Rows
from ..envs.policy import ObservationBatch, Policy
from ..errors import AgentError

MAX_HANGS = 3  # games of a block an agent may hang in before it forfeits all others, too
_LONGEST = 200  # characters of a reason that are kept
_NONE = -1


@dataclass(frozen=True)
class Player:
    """A policy under the name that reports use."""

    name: str
    policy: Policy


@dataclass(frozen=True)
class Hang:
    """A question that an agent never answered, found by whoever watches the clock.

    player: its number. game, move: the game it was asked about and the decisions made in it
    before; game is None when it was asked about many at once. first: it was too slow with its first
    answer in a process.
    """

    player: int
    game: int | None
    move: int
    first: bool
    reason: str

    def moved(self, games: int) -> "Hang":
        """The same with its game counted from another one on."""
        return self if self.game is None else replace(self, game=self.game + games)


class Clock:
    """Is told of every question; `workers.py` has one that a watching process can read."""

    def moved(self, games: int) -> "Clock":  # noqa: ARG002
        """The same with games counted from another one on."""
        return self

    def asking(self, player: int, game: int | None, move: int) -> None:
        """A player is asked, about one game or (None) about many."""

    def answered(self) -> None:
        """It has answered."""


class AgentGuard:
    """Puts questions to the players of some games and checks the answers.

    hangs: what is known from earlier tries. A player that hung on many games at once is asked
    about one at a time; a game it hung in is forfeited where it hung. After MAX_HANGS of them, or
    when it was too slow with its very first answer, it forfeits every game it is asked about.
    seconds: float64 (players,), time spent in `act`. decisions: int64 (players,).
    """

    def __init__(
        self, players: Sequence[Player], hangs: Sequence[Hang] = (), clock: Clock | None = None
    ) -> None:
        self.players = players
        self.seconds = np.zeros(len(players))
        self.decisions = np.zeros(len(players), np.int64)
        self._clock = clock or Clock()
        slow = (getattr(player.policy, "slow", False) for player in players)
        self._careful = {number for number, alone in enumerate(slow) if alone is True}
        self._careful |= {hang.player for hang in hangs}
        self._hung = {(hang.player, hang.game): hang for hang in hangs if hang.game is not None}
        games = [player for player, _ in self._hung]
        self._withdrawn = {
            hang.player: hang.reason
            for hang in hangs
            if hang.first or games.count(hang.player) >= MAX_HANGS
        }

    def ask(
        self, number: int, observations: ObservationBatch, games: Rows, moves: Rows
    ) -> tuple[Rows, dict[int, str]]:
        """One player's actions, and the reason for each row in which it is at fault.

        games, moves: int64 (rows,), the games' numbers and the decisions made in them so far.
        """
        self.decisions[number] += len(observations)
        if number not in self._careful:
            try:
                return self._answer(number, observations, None, _NONE)
            except AgentError as error:
                if len(observations) == 1:
                    return np.full(1, _NONE), {0: str(error)}
        actions, faults = np.full(len(observations), _NONE), {}
        for row in range(len(observations)):
            game, move = int(games[row]), int(moves[row])
            hang = self._hung.get((number, game))
            if hang is not None and move >= hang.move:
                faults[row] = hang.reason
                continue
            if number in self._withdrawn:
                faults[row] = self._withdrawn[number]
                continue
            try:
                one, fault = self._answer(number, observations.take(np.array([row])), game, move)
            except AgentError as error:
                faults[row] = str(error)
                continue
            actions[row] = one[0]
            if fault:
                faults[row] = fault[0]
        return actions, faults

    def _answer(
        self, number: int, observations: ObservationBatch, game: int | None, move: int
    ) -> tuple[Rows, dict[int, str]]:
        """An answer with its illegal actions named. Raises AgentError when it is none."""
        began = time.perf_counter()
        self._clock.asking(number, game, move)
        try:
            given = np.asarray(self.players[number].policy.act(observations))
        except (Exception, SystemExit) as error:
            raise AgentError(_line(f"failed: {type(error).__name__}: {error}")) from error
        finally:
            self._clock.answered()
            self.seconds[number] += time.perf_counter() - began
        if given.shape != (len(observations),) or given.dtype.kind not in "iu":
            raise AgentError(
                f"gave {given.dtype} of shape {given.shape}, not whole numbers of shape "
                f"({len(observations)},)"
            )
        known = (given >= 0) & (given < observations.masks.shape[1])
        actions = np.where(known, given, 0).astype(np.int64)
        legal = known & (observations.masks[np.arange(len(observations)), actions] == 1)
        faults = {
            int(row): _line(
                explain_illegal(
                    observations.game, {"legal": observations.masks[row]}, int(given[row])
                )
            )
            for row in np.flatnonzero(~legal)
        }
        return actions, faults


def _line(text: str) -> str:
    """A reason as one line that is not too long."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 3] + "..."
