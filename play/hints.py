"""What an agent would do in a person's place: its probabilities over the legal moves."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..agents.ensemble import TrainedPolicy
from ..agents.search.agent import Search
from ..envs.batch import derive_seeds
from ..envs.match import Match
from ..envs.policy import CompiledPolicy, ObservationBatch, Policy, wants_information_states
from ..errors import AgentError

WORDS = 32  # decisions that a scripted player is asked for: how often it plays what


@dataclass(frozen=True)
class Hint:
    """An agent's share for each legal move, by action, the likeliest first; they sum to 1."""

    agent: str
    shares: Mapping[int, float]


def hint(match: Match, name: str, policy: Policy) -> Hint:
    """Ask an agent about the decision that is due; it sees what the mover sees, no more.

    A network gives its probabilities, a search how often it tried each move in its tree, a scripted
    player how often it plays each move by chance, any other agent the move that it plays.

    Raises AgentError, with one line, when the agent fails.
    """
    try:
        weights = _weights(match, policy)
    except (Exception, SystemExit) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise AgentError(f"agent {name!r} gives no hint: {reason}") from error
    weights = np.where(match.mask == 1, weights, 0.0)
    if not weights.sum() > 0:
        raise AgentError(f"agent {name!r} gives no hint: it finds no legal move")
    order = sorted(np.flatnonzero(match.mask).tolist(), key=lambda action: -weights[action])
    return Hint(name, {action: float(weights[action] / weights.sum()) for action in order})


def view(
    match: Match, random_bits: NDArray[np.uint64], *, information_states: bool
) -> ObservationBatch:
    """The mover's view of a table, one row for each random word, uint64 (rows,)."""
    rows = np.zeros(len(random_bits), np.int64)
    hidden = match.hidden(match.current_player)[rows] if information_states else None
    return ObservationBatch(
        match.game, match.raw[None][rows], match.mask[None][rows], random_bits, hidden
    )


def _weights(match: Match, policy: Policy) -> NDArray[np.float64]:
    """A weight for each action; those of illegal ones mean nothing."""
    random_bits = derive_seeds(len(match.moves), WORDS if isinstance(policy, CompiledPolicy) else 1)
    seen = view(match, random_bits, information_states=wants_information_states(policy))
    if isinstance(policy, TrainedPolicy):
        probabilities: NDArray[np.float64] = policy.probabilities(seen)[0]
        return probabilities
    if isinstance(policy, Search) and match.mask.sum() > 1:
        return policy.action_weights(seen)
    actions = np.asarray(policy.act(seen))
    return np.bincount(actions, minlength=len(match.mask)).astype(np.float64)
