"""Win probabilities of the legal actions of a decision, estimated by rollouts in sampled states."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from ...agents.heuristics.catalog import find_base_policy
from ...agents.search.outcomes import Outcomes, sample_outcomes
from ...envs.batch import derive_seeds
from ...envs.engine.game import Game
from ...envs.match import Match
from ...envs.policy import CompiledPolicy, RandomPolicy
from ...errors import AgentError


@dataclass(frozen=True)
class Estimates:
    """Outcomes of some actions in the same sampled states.

    Attributes:
        actions: The actions.
        outcomes: Win share of each action in each state, float64 (states, actions).
    """

    actions: tuple[int, ...]
    outcomes: Outcomes

    @property
    def values(self) -> dict[int, float]:
        """The estimated win probability by action."""
        return dict(zip(self.actions, self.outcomes.mean(axis=0).tolist(), strict=True))

    def best(self) -> int:
        """Return the action with the highest estimate; the first of equal ones."""
        return self.actions[int(self.outcomes.mean(axis=0).argmax())]

    def lead(self, action: int, other: int) -> tuple[float, float]:
        """Return by how much an action is better than another, and the standard error of that."""
        places = self.actions.index(action), self.actions.index(other)
        differences = self.outcomes[:, places[0]] - self.outcomes[:, places[1]]
        error = differences.std(ddof=1) / np.sqrt(len(differences))
        return float(differences.mean()), float(error)


def estimate(match: Match, actions: tuple[int, ...], states: int, first: int = 0) -> Estimates:
    """Estimate actions of the current decision from what its player knows.

    What is hidden changes nothing: states and rollouts follow from the information state and the
    number of moves.

    Args:
        match: Its current player decides.
        actions: Legal actions.
        states: Number of sampled states, at least 2.
        first: Number of the first state; states with different numbers are different samples.

    Raises:
        AgentError: The base policy plays illegally.
    """
    batch = match.observation_batch(information_states=True)
    bits = derive_seeds(len(match.moves), states, first)
    base_policy = _base_policy(match.game)
    outcomes = sample_outcomes(batch, np.array(actions, np.int64), bits, base_policy)
    return Estimates(actions, outcomes)


@cache
def _base_policy(game: Game) -> CompiledPolicy:
    """Return the scripted expert of a game; random play for a game without one."""
    try:
        return find_base_policy("expert", game).policy
    except AgentError:
        return RandomPolicy()
