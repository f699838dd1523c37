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

from goldgriff.agents.network import GREED, ActionValueNetwork
from goldgriff.agents.search.tree import AT_FAULT, SearchBuffers, new_buffers, play_advised
from goldgriff.agents.value import ValueNetwork, win_probabilities
from goldgriff.envs.engine.compile import PolicyFunction, kernel, rule
from goldgriff.envs.engine.determinization import CardWeights
from goldgriff.envs.engine.kernels import States, Rows, apply, sample_state, observe_each, hidden_hands_each
from goldgriff.envs.engine.rng import derive
from goldgriff.envs.policy import ObservationBatch
from goldgriff.errors import AgentError

MOVES = 5  # tried of a decision: those that the network likes best
# When n worlds count n, the network's word counts FAITH * (FEW + n): more than all of them, as
# they err alike, and much more than few of them, which are mostly chance. FAITH by least squares:
# what moves are worth, played out 24 times by champion and experts, from word and worlds.
FAITH, FEW = 2.0, 100


class TruncatedRollouts:
    """The moves of one decision, tried in more and more worlds.

    views: of that decision alone, with its record. network, critic: what its mover goes by.
    choose: how a compiled player decides for the others. odds: how worlds are dealt (see `sample_state`).
    own: what the network thinks of the moves, float64 (moves,). sums: what came of them in all
    worlds so far, as many as `worlds` says, float64 (moves,). Both in UNITs of points.
    """

    def __init__(
        self, views: ObservationBatch, network: ActionValueNetwork, critic: ValueNetwork, choose: PolicyFunction, odds: CardWeights
    ) -> None:
        game, records = views.game, views.records
        assert records is not None  # `Search.act` refuses such views
        self.game, self.hidden, self.critic = game, records, critic
        self.choose, self.odds = choose, odds
        self.seat, self.players = int(records["mover"][0]), int(records["num_players"][0])
        self.room = new_buffers(records, game.slices.size, len(game.actions))
        own, legal = network.logits(views)[0] / GREED, np.flatnonzero(views.masks[0])
        self.moves = legal[np.argsort(-own[legal], kind="stable")[:MOVES]]
        self.own = own[self.moves].astype(np.float64)
        self.sums, self.worlds = np.zeros(len(self.moves)), 0

    def go_on(self, words: NDArray[np.uint64]) -> None:
        """Try the moves in one more world for each word.

        Raises AgentError when the player that decides for the others does so illegally.
        """
        worlds = np.empty(len(words) * len(self.moves), self.hidden.dtype)
        task = self.hidden, self.moves, words, self.odds
        if not roll_out_actions(*task, self.room, self.choose, worlds):
            raise AgentError(AT_FAULT)
        self.sums += self._judge(worlds).reshape(len(words), -1).sum(axis=0)
        self.worlds += len(words)

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
        chances = win_probabilities(totals, left, stakes.lead)[:, self.seat]
        worths = stakes.worths(chances, totals[:, self.seat] - before["scores"][self.seat] / 2)
        on = (worlds["over"] == 0) & (worlds["round_index"] == before["round_index"])
        rows = np.flatnonzero(on)
        if len(rows):
            worths[rows] = self._ask_critic(worlds, rows)
        return worths

    def _ask_critic(self, worlds: NDArray[Any], rows: Rows) -> NDArray[np.float32]:
        seats, part = np.full(len(rows), self.seat), self.game.slices.range("hand")
        features = np.empty((len(rows), self.game.slices.size), np.uint8)
        masks = np.empty((len(rows), len(self.game.actions)), np.int8)
        hands = np.zeros((len(rows), self.players - 1, part.stop - part.start), np.uint8)
        hidden_hands_each(worlds, rows, seats, part.start, self.room.features[0], hands)
        observe_each(worlds, rows, seats, features, masks)
        return self.critic.judge(features, hands)


@kernel
def roll_out_actions(
    hidden: States,
    moves: Rows,
    words: NDArray[np.uint64],
    odds: CardWeights,
    room: SearchBuffers,
    choose: PolicyFunction,
    worlds: States,
) -> bool:
    """Write what each move leads to in a world for each word; those of a world stand together.

    False when the scripted player's choice is illegal.
    """
    for k in range(len(words)):
        for j in range(len(moves)):
            world = worlds[k * len(moves) + j]
            worlds[k * len(moves) + j] = hidden[0]
            sample_state(world, world.mover, words[k], odds)
            if not roll_out(world, moves[j], words[k], room, choose):
                return False
    return True


@rule
def roll_out(game: Any, move: int, word: np.uint64, room: SearchBuffers, choose: PolicyFunction) -> bool:
    """Play a move, and on until its mover is to decide again or the round is over."""
    seat, this_round, step = game.mover, game.round_index, 0
    apply(game, move)
    while game.over == 0 and game.round_index == this_round and game.mover != seat:
        step += 1
        if not play_advised(game, room, derive(word, step), choose):
            return False
    return True
