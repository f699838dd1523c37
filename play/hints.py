"""What an agent would do in a person's place: its probabilities over the legal moves."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldgriff.agents.ensemble import Trained
from goldgriff.agents.search.agent import Search
from goldgriff.envs.batch import derive_seeds
from goldgriff.envs.match import Match
from goldgriff.envs.policy import CompiledPolicy, Policy, ObservationBatch, wants_information_states
from goldgriff.errors import AgentError

WORDS = 32  # decisions that a scripted player is asked for: how often it plays what


@dataclass(frozen=True)
class Hint:
    """An agent's share for each legal move, by action, the likeliest first; they sum to 1."""

    agent: str
    shares: Mapping[int, float]


def hint(table: Match, name: str, policy: Policy) -> Hint:
    """Ask an agent about the decision that is due; it sees what the mover sees, no more.

    A network gives its probabilities, a search how often it tried each move in its tree, a scripted
    player how often it plays each move by chance, any other agent the move that it plays.

    Raises AgentError, with one line, when the agent fails.
    """
    try:
        weights = _weights(table, policy)
    except (Exception, SystemExit) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise AgentError(f"agent {name!r} gives no hint: {reason}") from error
    weights = np.where(table.mask == 1, weights, 0.0)
    if not weights.sum() > 0:
        raise AgentError(f"agent {name!r} gives no hint: it finds no legal move")
    order = sorted(np.flatnonzero(table.mask).tolist(), key=lambda action: -weights[action])
    return Hint(name, {action: float(weights[action] / weights.sum()) for action in order})


def view(table: Match, words: NDArray[np.uint64], *, records: bool) -> ObservationBatch:
    """The mover's view of a table, one row for each random word, uint64 (rows,)."""
    rows = np.zeros(len(words), np.int64)
    hidden = table.hidden(table.mover)[rows] if records else None
    return ObservationBatch(table.game, table.features[None][rows], table.mask[None][rows], words, hidden)


def _weights(table: Match, policy: Policy) -> NDArray[np.float64]:
    """A weight for each action; those of illegal ones mean nothing."""
    words = derive_seeds(len(table.moves), WORDS if isinstance(policy, CompiledPolicy) else 1)
    seen = view(table, words, records=wants_information_states(policy))
    if isinstance(policy, Trained):
        chances: NDArray[np.float64] = policy.chances(seen)[0]
        return chances
    if isinstance(policy, Search) and table.mask.sum() > 1:
        return policy.weigh(seen)
    actions = np.asarray(policy.act(seen))
    return np.bincount(actions, minlength=len(table.mask)).astype(np.float64)
