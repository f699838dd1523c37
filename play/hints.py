"""What an agent would do in a person's place: its probabilities of the legal moves."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..agents.ensemble import TrainedPolicy
from ..agents.registry import AGENTS
from ..agents.search.agent import Search
from ..envs.batch import derive_seeds
from ..envs.engine.game import Game
from ..envs.match import Match
from ..envs.policy import CompiledPolicy, ObservationBatch, Policy, wants_information_states
from ..errors import AgentError

SAMPLES = 32  # decisions that a scripted agent is asked for


@dataclass(frozen=True)
class Hint:
    """An agent's probability of each legal move, by action, the likeliest first."""

    agent: str
    probabilities: Mapping[int, float]


def default_agent(game: Game) -> str:
    """Return the agent that plays and gives hints unless another is named."""
    names = {entry.name for entry in AGENTS if entry.game == game.name}
    return "expert" if "expert" in names else "random"


def hint(match: Match, name: str, policy: Policy) -> Hint:
    """Ask an agent about the current decision; it sees what the current player sees.

    A network gives its probabilities, a search how often it tried each move in its tree, a scripted
    agent how often it plays each move by chance, any other agent the move that it plays.

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


def observe(match: Match, policy: Policy, random_bits: NDArray[np.uint64]) -> ObservationBatch:
    """Return what the current player sees, a row for each of the random bits, uint64 (rows,)."""
    rows = np.zeros(len(random_bits), np.int64)
    states = (
        match.information_state(match.current_player)[rows]
        if wants_information_states(policy)
        else None
    )
    raw, masks = match.raw[None][rows], match.mask[None][rows]
    return ObservationBatch(match.game, raw, masks, random_bits, states)


def _weights(match: Match, policy: Policy) -> NDArray[np.float64]:
    """Return a weight for each action; those of illegal ones mean nothing."""
    samples = SAMPLES if isinstance(policy, CompiledPolicy) else 1
    observations = observe(match, policy, derive_seeds(len(match.moves), samples))
    if isinstance(policy, TrainedPolicy):
        probabilities: NDArray[np.float64] = policy.probabilities(observations)[0]
        return probabilities
    if isinstance(policy, Search) and match.mask.sum() > 1:
        return policy.action_weights(observations)
    actions = np.asarray(policy.act(observations))
    return np.bincount(actions, minlength=len(match.mask)).astype(np.float64)
