"""An agent's probabilities of the legal actions in a decision."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...agents.registry import AGENTS
from ...agents.search.agent import Search
from ...envs.batch import derive_seeds
from ...envs.engine.game import Game
from ...envs.match import Match
from ...envs.policy import (
    CompiledPolicy,
    agent_state_of,
    ask_probabilities,
    run_foreign,
    tells_probabilities,
)
from ...errors import AgentError, quoted
from ..tournament.guard import AgentGuard, Player

SAMPLES = 32  # decisions that a scripted agent is asked for
Probabilities = dict[int, float]  # by legal action, the likeliest first


def default_hint_agent(game: Game) -> str:
    """Return the agent that gives hints and analyses games unless another is named."""
    names = {entry.name for entry in AGENTS if entry.game == game.name}
    return next((name for name in ("search", "expert") if name in names), "random")


def action_probabilities(match: Match, player: Player) -> Probabilities:
    """Ask an agent for its probabilities in the current decision, from what its player sees.

    They are the agent's own where it has `action_probabilities`, the shares of visits in the tree
    of a search, and shares among `SAMPLES` answers of a scripted agent. Any other agent is asked
    for its action, which gets probability 1.

    Raises:
        AgentError: The agent fails.
    """
    try:
        weights = np.where(match.mask == 1, _weights(match, player), 0.0)
        if not weights.sum() > 0:
            raise AgentError(code="no-legal-move")
    except AgentError as reason:
        about, name = "agent {name} gives no hint: {reason}", quoted(player.name)
        raise AgentError(about, code="no-hint", name=name, reason=reason) from None
    order = sorted(np.flatnonzero(match.mask).tolist(), key=lambda action: -weights[action])
    return {action: float(weights[action] / weights.sum()) for action in order}


def _weights(match: Match, player: Player) -> NDArray[np.float64]:
    """Return a weight for each action; those of illegal ones mean nothing.

    Raises:
        AgentError: The agent fails.
    """
    policy = player.policy
    samples = SAMPLES if isinstance(policy, CompiledPolicy) else 1
    observed = match.observation_batch(information_states=player.wants_information_states)
    rows, bits = np.zeros(samples, np.int64), derive_seeds(len(match.moves), samples)
    observations = replace(observed.take(rows), random_bits=bits)
    if isinstance(policy, Search) and match.mask.sum() > 1:
        return run_foreign(lambda: policy.action_weights(observations))
    state = run_foreign(lambda: agent_state_of(policy, match))
    if tells_probabilities(policy):
        rows_and_state = run_foreign(lambda: ask_probabilities(policy, observations.copy(), state))
        probabilities: NDArray[np.float64] = rows_and_state[0][0]
        return probabilities
    actions, faults, _ = AgentGuard([player]).ask(0, observations, rows, rows, state)
    if len(faults) == samples:
        raise faults[0].as_error()
    return np.bincount(np.delete(actions, list(faults)), minlength=len(match.mask)).astype(float)
