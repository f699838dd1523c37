"""Tables with learners: all that happens between two of their decisions is one step."""

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import AgentError, MoveError
from .batch import Batch
from .engine.game import Game
from .engine.kernels import ILLEGAL, Masks, RawObservations, Rows, draw_random_bits
from .engine.rollouts import play_while
from .engine.settings import GameSettings
from .policy import (
    CompiledPolicy,
    Policy,
    observation_batch,
    wants_information_states,
)

LEARNER = -1  # in a seating: here sits the learner


class SelfPlayBatch:
    """`tables` games in lockstep, the opponents' decisions made in batches for each opponent.

    seating: int64 (tables, seats), who sits where: LEARNER or a number in `opponents`.
    seats: int64 (tables,), the learner's, or the first learner's where several sit.
    decision_counts: int64 (tables, seats), decisions asked of each seat, for its luck.
    opponents: the policies by number.
    """

    def __init__(
        self,
        game: Game,
        settings: GameSettings,
        tables: int,
        *,
        reward: str = "points",
        threads: int = 1,
    ) -> None:
        self.batch = Batch(game, settings, tables, reward=reward, threads=threads)
        self.opponents: dict[int, Policy] = {}
        self.seats = np.zeros(tables, np.int64)
        self.seating = np.full((tables, settings.num_players), LEARNER, np.int64)
        self.decision_counts = np.zeros_like(self.seating)

    @property
    def members(self) -> Rows:
        """Who meets the single learner at each table, or LEARNER where all learn."""
        members: Rows = self.seating.max(axis=1)
        return members

    def begin(
        self, rows: Rows, seeds: NDArray[np.uint64], seating: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Start games up to a learner's first decision; seating (rows, seats).

        Returns what that brought every seat, (rows, seats): a round, even the game, may be over
        before any learner is asked anything.
        """
        self.seating[rows] = seating
        self.seats[rows] = (seating == LEARNER).argmax(axis=1)
        self.decision_counts[rows] = 0
        self.batch.start(seeds, rows)
        returns: NDArray[np.float32] = self.play_opponents(rows)[rows]
        return returns

    def step(self, actions: NDArray[np.int64], rows: Rows) -> NDArray[np.float32]:
        """Play the learners' decisions, (rows,), and everything up to the next ones.

        Returns what that brought every seat, (rows, seats). Raises MoveError, and changes nothing,
        when any of the actions is illegal, and AgentError when an opponent's is.
        """
        self.batch.step(actions, rows)
        returns = self.batch.rewards[rows]
        later = self.play_opponents(rows)
        total: NDArray[np.float32] = returns + later[rows]
        return total

    def observe(self, rows: Rows | None = None) -> tuple[RawObservations, Masks]:
        """What the learners in `seats` see, as `Batch.observe` gives it."""
        return self.batch.observe(self.seats if rows is None else self.seats[rows], rows)

    def copy(self, rows: Rows) -> "SelfPlayBatch":
        """Copies of some tables, with the same opponents; a row may come up many times."""
        copies = copy(self)
        copies.batch = self.batch.copy(rows)
        copies.seats, copies.seating = self.seats[rows], self.seating[rows]
        copies.decision_counts = self.decision_counts[rows]
        return copies

    def play_opponents(self, rows: Rows) -> NDArray[np.float32]:
        """Play until learners are to move or the game is over; what that brought, by table."""
        batch = self.batch
        returns = np.zeros_like(batch.rewards)
        while True:
            rows = rows[~batch.over[rows]]
            whose = self.seating[rows, batch.current_players[rows]]
            rows, whose = rows[whose != LEARNER], whose[whose != LEARNER]
            if not len(rows):
                return returns
            for number in np.unique(whose):
                policy, decision_counts = self.opponents[int(number)], rows[whose == number]
                if isinstance(policy, CompiledPolicy):
                    self._play_on(policy, int(number), decision_counts, returns)
                else:
                    self._ask(policy, int(number), decision_counts, returns)

    def _play_on(
        self, policy: CompiledPolicy, number: int, rows: Rows, returns: NDArray[np.float32]
    ) -> None:
        """Let a compiled opponent decide in each row until somebody else is to move."""
        batch, policy_function = self.batch, policy.policy_function

        def work(states: Any, rows: Rows) -> None:
            tables = (self.seating, self.decision_counts, returns)
            play_while(states, rows, *tables, batch.buffers(), number, batch.kind, policy_function)

        batch.run(work, rows)
        refused = (self.decision_counts[rows] == ILLEGAL).any(axis=1)
        if refused.any():
            raise AgentError(f"opponent {number}: illegal action in game {rows[refused.argmax()]}")

    def _ask(self, policy: Policy, number: int, rows: Rows, returns: NDArray[np.float32]) -> None:
        """Let an opponent decide once in each of some rows."""
        batch = self.batch
        random_bits = np.empty(len(rows), np.uint64)
        draw_random_bits(batch.states, rows, self.decision_counts, random_bits)
        observations = observation_batch(
            batch, rows, random_bits, information_states=wants_information_states(policy)
        )
        actions = policy.act(observations)
        try:
            batch.step(actions, rows)
        except MoveError as error:
            raise AgentError(f"opponent {number}: {error}") from None
        returns[rows] += batch.rewards[rows]

    def state(self) -> dict[str, NDArray[Any]]:
        """All that a later `restore` needs to go on exactly here, beside the opponents."""
        states = self.batch.states.view(np.uint8).reshape(self.batch.num_games, -1)
        return {
            "states": states,
            "seats": self.seats,
            "seating": self.seating,
            "decision_counts": self.decision_counts,
        }
