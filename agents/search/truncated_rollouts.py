"""Looking ahead in sampled worlds to a seat's next decision, where a network's critic judges.

In every world all the moves are tried, so what is luck in it counts for all of them alike: a move
is played, a scripted player plays on for the others, and where the round is not over by then the
critic, who is told of all hands of that world, says what it is worth. That is averaged with what
the network itself thinks of the moves: it learnt from hands as they come about in play, which
dealt worlds are like only by and large (see habits.py), however many there are.

Source: Tesauro and Galperin, "On-line policy improvement using Monte-Carlo search", NeurIPS 1996
(arXiv 2501.05407): its truncated rollouts.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import PolicyFunction, device, kernel
from ...envs.engine.determinization import CardWeights
from ...envs.engine.kernels import hidden_hands_each, observe_each
from ...envs.engine.protocol import Rows, States, apply, sample_state
from ...envs.engine.rng import derive
from ...envs.policy import ObservationBatch
from ...errors import AgentError
from ..network import GREED, ActionValueNetwork
from ..value import ValueNetwork, win_probabilities
from .tree import AT_FAULT, SearchBuffers, new_buffers, play_advised

MOVES = 5  # tried of a decision: those that the network likes best
# When n worlds count n, the network's word counts FAITH * (FEW + n): more than all of them, as
# they err alike, and much more than few of them, which are mostly chance. FAITH by least squares:
# what moves are worth, played out 24 times by champion and experts, from word and worlds.
FAITH, FEW = 2.0, 100


class TruncatedRollouts:
    """The moves of one decision, tried in more and more worlds.

    batch: of that decision alone, with its record. network, critic: what its mover goes by.
    policy_function: how a compiled player decides for the others. odds: how worlds are dealt (see `sample_state`).
    own: what the network thinks of the moves, float64 (moves,). sums: what came of them in all
    worlds so far, as many as `worlds` says, float64 (moves,). Both in UNITs of points.
    """

    def __init__(
        self,
        batch: ObservationBatch,
        network: ActionValueNetwork,
        critic: ValueNetwork,
        policy_function: PolicyFunction,
        odds: CardWeights,
    ) -> None:
        game, information_states = batch.game, batch.information_states
        assert information_states is not None  # `Search.act` refuses such views
        self.game, self.hidden, self.critic = game, information_states, critic
        self.policy_function, self.odds = policy_function, odds
        self.seat, self.players = (
            int(information_states["current_player"][0]),
            int(information_states["num_players"][0]),
        )
        self.buffers = new_buffers(
            information_states, game.observation_spec.size, len(game.actions)
        )
        own, legal = network.logits(batch)[0] / GREED, np.flatnonzero(batch.masks[0])
        self.moves = legal[np.argsort(-own[legal], kind="stable")[:MOVES]]
        self.own = own[self.moves].astype(np.float64)
        self.sums, self.worlds = np.zeros(len(self.moves)), 0

    def go_on(self, random_bits: NDArray[np.uint64]) -> None:
        """Try the moves in one more world for each word.

        Raises AgentError when the player that decides for the others does so illegally.
        """
        worlds = np.empty(len(random_bits) * len(self.moves), self.hidden.dtype)
        task = self.hidden, self.moves, random_bits, self.odds
        if not roll_out_actions(*task, self.buffers, self.policy_function, worlds):
            raise AgentError(AT_FAULT)
        self.sums += self._judge(worlds).reshape(len(random_bits), -1).sum(axis=0)
        self.worlds += len(random_bits)

    def best(self) -> int:
        """The move of the highest worth, by the network's word and the worlds."""
        worths = FAITH * (FEW + self.worlds) * self.own + self.sums
        return int(self.moves[worths.argmax()])

    def _judge(self, worlds: NDArray[Any]) -> NDArray[np.float64]:
        """What worlds are worth to the seat: by the scores where the round is over.

        Of Auruxxx alone: only its records say how many rounds a game has (`rounds`).
        """
        before, stakes = self.hidden[0], self.critic.stakes
        totals = worlds["scores"][:, : self.players] / 2  # kept in halves
        left = worlds["rounds"] - worlds["round_index"]
        probabilities = win_probabilities(totals, left, stakes.lead)[:, self.seat]
        worths = stakes.worths(
            probabilities, totals[:, self.seat] - before["scores"][self.seat] / 2
        )
        on = (worlds["over"] == 0) & (worlds["round_index"] == before["round_index"])
        rows = np.flatnonzero(on)
        if len(rows):
            worths[rows] = self._ask_critic(worlds, rows)
        return worths

    def _ask_critic(self, worlds: NDArray[Any], rows: Rows) -> NDArray[np.float32]:
        seats, part = np.full(len(rows), self.seat), self.game.observation_spec.range("hand")
        raw = np.empty((len(rows), self.game.observation_spec.size), np.uint8)
        masks = np.empty((len(rows), len(self.game.actions)), np.int8)
        hands = np.zeros((len(rows), self.players - 1, part.stop - part.start), np.uint8)
        hidden_hands_each(worlds, rows, seats, part.start, self.buffers.raw[0], hands)
        observe_each(worlds, rows, seats, raw, masks)
        return self.critic.judge(raw, hands)


@kernel
def roll_out_actions(
    hidden: States,
    moves: Rows,
    random_bits: NDArray[np.uint64],
    odds: CardWeights,
    buffers: SearchBuffers,
    policy_function: PolicyFunction,
    worlds: States,
) -> bool:
    """Write what each move leads to in a world for each word; those of a world stand together.

    False when the scripted player's choice is illegal.
    """
    for k in range(len(random_bits)):
        for j in range(len(moves)):
            world = worlds[k * len(moves) + j]
            worlds[k * len(moves) + j] = hidden[0]
            sample_state(world, world.current_player, random_bits[k], odds)
            if not roll_out(world, moves[j], random_bits[k], buffers, policy_function):
                return False
    return True


@device
def roll_out(
    state: Any, move: int, bits: np.uint64, buffers: SearchBuffers, policy_function: PolicyFunction
) -> bool:
    """Play a move, and on until its mover is to decide again or the round is over."""
    seat, this_round, step = state.current_player, state.round_index, 0
    apply(state, move)
    while state.over == 0 and state.round_index == this_round and state.current_player != seat:
        step += 1
        if not play_advised(state, buffers, derive(bits, step), policy_function):
            return False
    return True
