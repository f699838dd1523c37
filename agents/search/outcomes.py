"""Outcomes of the actions of one decision, each tried in the same sampled states.

A tree tries good actions often and bad ones seldom. Here every action gets as many states as every
other, and the same ones, so the difference of two actions has a sampling error that can be stated.
"""

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import PolicyFunction, kernel
from ...envs.engine.determinization import CardWeights, uniform_weights
from ...envs.engine.protocol import Rows, States, apply, sample_state
from ...envs.policy import CompiledPolicy, ObservationBatch
from ...errors import AgentError
from . import tree
from .tree import SearchBuffers

Outcomes = NDArray[np.float64]


def sample_outcomes(
    batch: ObservationBatch,
    actions: Rows,
    random_bits: NDArray[np.uint64],
    base_policy: CompiledPolicy,
) -> Outcomes:
    """Return the outcomes for the deciding seat, float64 (states, actions).

    In each sampled state each action is played and the round played out by the base policy. The
    outcome is the share of the win where the game is over then, before that the probability of
    the win by the points, as in a search (`write_outcome`).

    Args:
        batch: The decision, one row, with its information state.
        actions: Legal actions.
        random_bits: uint64 (states,), one for each state; states and rollouts follow from them.
        base_policy: Plays for all seats.

    Raises:
        AgentError: The base policy plays illegally.
    """
    assert batch.information_states is not None
    game, outcomes = batch.game, np.empty((len(random_bits), len(actions)))
    buffers = tree.new_buffers(game, batch.information_states)
    sampled = batch.information_states, random_bits, uniform_weights(len(game.cards))
    if not try_actions(*sampled, actions, buffers, base_policy.policy_function, outcomes):
        raise AgentError(code="base-action")
    return outcomes


@kernel
def try_actions(
    information_states: States,
    random_bits: NDArray[np.uint64],
    card_weights: CardWeights,
    actions: Rows,
    buffers: SearchBuffers,
    policy_function: PolicyFunction,
    outcomes: Outcomes,
) -> bool:
    """Write the outcome of each action in each sampled state.

    Returns:
        False when the base policy's choice is illegal: the outcomes are then of no use.
    """
    for k in range(len(random_bits)):
        for j in range(len(actions)):
            buffers.states[0] = information_states[0]
            state = buffers.states[0]
            seat, this_round = state.current_player, state.round_index
            sample_state(state, seat, random_bits[k], card_weights)
            apply(state, actions[j])
            if not tree.play_round_out(buffers, this_round, random_bits[k], policy_function):
                return False
            tree.write_outcome(state, tree.SCORE_TEMPERATURE, buffers.outcome)
            outcomes[k, j] = buffers.outcome[seat]
    return True
