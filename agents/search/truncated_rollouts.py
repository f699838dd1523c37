"""Truncated rollouts in sampled states, up to a seat's next turn, where a critic evaluates.

In every sampled state all candidate actions are tried, so chance affects them alike: an action is
played, the base policy plays on for all seats, and where the round is not over by then the critic,
which is given all hands of that state, estimates its value. Training tries actions in the same way,
in true copies of games (train/truncated_rollouts.py). The mean over the states counts as much as
the network's own action value: the network was trained on hands as they come about in play, which
sampled hands resemble only roughly (see card_model.py), however many there are. The network's
`margin` does not count: it is there for errors that the states show.

Source: Tesauro and Galperin, "On-line policy improvement using Monte-Carlo search", NeurIPS 1996
(arXiv 2501.05407): its truncated rollouts.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import PolicyFunction, device, kernel
from ...envs.engine.determinization import CardWeights
from ...envs.engine.protocol import Rows, States, apply, begins_turn, sample_state
from ...envs.engine.rng import derive
from ...envs.engine.win_chances import win_probabilities
from ...envs.policy import ObservationBatch
from ...errors import AgentError
from ..network import ActionValueNetwork
from ..value import ValueNetwork, rounds_to_play
from .tree import SearchBuffers, new_buffers, play_base_action

MAX_ACTIONS = 5  # tried of a decision: those of the highest network values


class TruncatedRollouts:
    """The actions of one decision, tried in more and more sampled states.

    Args:
        batch: That decision alone, with its information state.
        network: Proposes and values the actions.
        critic: Evaluates states.
        policy_function: The base policy, which plays on for all seats.
        card_weights: Weights by which states are sampled (see `sample_state`).

    Attributes:
        actions: Those tried, int64 (actions,), the highest network value first.
        network_values: The network's values of them, float64 (actions,), without margin.
        sums: Sums of their values over all states so far, float64 (actions,), in the same unit.
        num_states: How many states that were.
    """

    def __init__(
        self,
        batch: ObservationBatch,
        network: ActionValueNetwork,
        critic: ValueNetwork,
        policy_function: PolicyFunction,
        card_weights: CardWeights,
    ) -> None:
        assert batch.information_states is not None  # `Search.act` refuses such batches
        self.game, self.information_states = batch.game, batch.information_states
        self.critic, self.policy_function = critic, policy_function
        self.card_weights = card_weights
        state = self.information_states[0]
        self.seat, self.num_players = int(state["current_player"]), int(state["num_players"])
        self.buffers = new_buffers(self.game, self.information_states)
        states, actions = network.features(batch, network.base_actions(batch))
        values = network.values(states, actions).astype(np.float64)
        best = np.argsort(-values, kind="stable")[:MAX_ACTIONS]
        self.actions, self.network_values = actions.actions[best], values[best]
        self.sums, self.num_states = np.zeros(len(self.actions)), 0

    def run(self, random_bits: NDArray[np.uint64]) -> None:
        """Try the actions in one more state for each of the random bits.

        Raises:
            AgentError: The base policy chooses an illegal action.
        """
        states = np.empty(len(random_bits) * len(self.actions), self.information_states.dtype)
        decision = self.information_states, self.actions, random_bits, self.card_weights
        if not roll_out_actions(*decision, self.buffers, self.policy_function, states):
            raise AgentError(code="base-action")
        self.sums += self._evaluate(states).reshape(len(random_bits), -1).sum(axis=0)
        self.num_states += len(random_bits)

    def best_action(self) -> int:
        """Return the action with the highest sum of the network's value and the states' mean."""
        values = self.network_values + self.sums / self.num_states
        return int(self.actions[values.argmax()])

    def _evaluate(self, states: States) -> NDArray[np.float64]:
        """Return the values to the seat, by the scores and by what the round will still change."""
        target = self.critic.value_target
        points = states["scores"][:, : self.num_players] / 2  # kept in halves
        chances = win_probabilities(points, rounds_to_play(states), target.score_temperature)
        values = target.values(chances[:, self.seat], points[:, self.seat])
        same_round = states["round_index"] == self.information_states["round_index"]
        rows = np.flatnonzero((states["over"] == 0) & same_round)
        if len(rows):
            values[rows] += self.critic.evaluate(states, rows, np.full(len(rows), self.seat))
        return values


@kernel
def roll_out_actions(
    information_states: States,
    actions: Rows,
    random_bits: NDArray[np.uint64],
    card_weights: CardWeights,
    buffers: SearchBuffers,
    policy_function: PolicyFunction,
    states: States,
) -> bool:
    """Write the states that actions lead to in sampled states; those of a sample stand together.

    Returns:
        False when the base policy's choice is illegal.
    """
    for k in range(len(random_bits)):
        buffers.states[0] = information_states[0]
        sampled = buffers.states[0]
        sample_state(sampled, sampled.current_player, random_bits[k], card_weights)
        for j in range(len(actions)):
            place = k * len(actions) + j
            states[place] = buffers.states[0]
            if not roll_out(states[place], actions[j], random_bits[k], buffers, policy_function):
                return False
    return True


@device
def roll_out(
    state: Any,
    action: int,
    bits: np.uint64,
    buffers: SearchBuffers,
    policy_function: PolicyFunction,
) -> bool:
    """Play an action, and on until its player's next turn begins or the round is over."""
    seat, this_round, step = state.current_player, state.round_index, 0
    apply(state, action)
    while state.over == 0 and state.round_index == this_round:
        if state.current_player == seat and begins_turn(state):
            return True
        step += 1
        if not play_base_action(state, buffers, derive(bits, step), policy_function):
            return False
    return True
