"""A player that searches every decision anew, within a budget of seconds or of worlds."""

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.batch import derive_seeds
from ...envs.engine.determinization import CardWeights, uniform_weights
from ...envs.engine.game import Game
from ...envs.engine.kernels import observe_each
from ...envs.engine.protocol import Rows
from ...envs.policy import CompiledPolicy, ObservationBatch, Policy
from ...errors import AgentError
from ..ensemble import Trained, network_for
from ..network import ActionValueNetwork
from .card_model import estimate_card_weights
from .tree import (
    AT_FAULT,
    SearchSettings,
    count_visits,
    new_buffers,
    new_tree,
    search,
)
from .truncated_rollouts import TruncatedRollouts

CHUNK = 100  # iterations in one compiled call, after which the clock is read
MAX_NODES = (
    1 << 20
)  # of a tree beside its root; when it is full, worlds are played out from its leaves


class Search:
    """Information-set Monte Carlo tree search; a compiled player plays the worlds out.

    It is given hidden records (`ObservationBatch.information_states`), never a true state. With a budget of iterations
    it decides the same for the same view and word.

    adviser: the compiled player that plays worlds out.
    hunch: a trained player whose chances are the prior of the searched decision itself; without
        one the adviser's move is, in every node. Where its network has a critic, no tree is grown:
        all of the network's best moves are tried in every world (agents/search/truncated_rollouts.py).
    iterations, seconds: the budget of a decision, one of the two. An iteration is a world. A tree
        may end sooner, when no other move can overtake the leading one.
    explore, trust, patience: see `SearchSettings`.

    Raises AgentError for an adviser that is not compiled, and without a budget or with two.
    """

    wants_information_states = True
    slow = True

    def __init__(
        self,
        adviser: Policy,
        *,
        hunch: Trained | None = None,
        iterations: int = 0,
        seconds: float = 0.0,
        explore: float = 0.3,
        trust: float = 0.5,
        patience: float = 40.0,
    ) -> None:
        if not isinstance(adviser, CompiledPolicy):
            raise AgentError("a search needs a compiled player to play worlds out with")
        if min(iterations, seconds) != 0 or not max(iterations, seconds) > 0:
            raise AgentError("a search needs a budget above 0, either of iterations or of seconds")
        self.adviser = adviser
        self.hunch = hunch
        self.iterations = iterations
        self.seconds = seconds
        self.weights = SearchSettings(explore, trust, patience)
        self._odds: dict[bytes, CardWeights] = {}  # by the settings of games

    def act(self, batch: ObservationBatch) -> Rows:
        """Choose a legal action for each row, int64 (rows,).

        Raises AgentError for views without records, and when the adviser chooses illegally.
        """
        if batch.information_states is None:
            raise AgentError("a search needs the records that its views may hold")
        actions: Rows = batch.masks.argmax(axis=1)
        for row in np.flatnonzero(batch.masks.sum(axis=1) > 1):
            actions[row] = self.weigh(batch.take(np.array([row]))).argmax()
        return actions

    def weigh(self, batch: ObservationBatch) -> NDArray[np.float64]:
        """Search one decision: how often each action was tried in the tree, float64 (actions,).

        Where the hunch's network has a critic, 1 for the action found by looking ahead.
        """
        hidden: Any = batch.information_states
        network = network_for(self.hunch, int(hidden["num_players"][0])) if self.hunch else None
        if isinstance(network, ActionValueNetwork) and network.critic:
            odds = self._habits(batch.game, hidden)
            trial = TruncatedRollouts(
                batch, network, network.critic, self.adviser.policy_function, odds
            )
            found = np.zeros(len(batch.game.actions))
            found[self._look_ahead(trial, batch.random_bits[0])] = 1.0
            return found
        return self.visits(batch.game, hidden, batch.random_bits[0]).astype(np.float64)

    def visits(self, game: Game, hidden: NDArray[Any], bits: np.uint64) -> NDArray[np.int64]:
        """How often each move was tried from one record, hidden for its mover: int64 (actions,)."""
        seat, players = int(hidden["current_player"][0]), int(hidden["num_players"][0])
        buffers = new_buffers(hidden, game.observation_spec.size, len(game.actions))
        if self.hunch is not None:
            observe_each(
                hidden, np.zeros(1, np.int64), np.array([seat]), buffers.raw, buffers.masks
            )
            seen = ObservationBatch(game, buffers.raw, buffers.masks, np.array([bits]))
            buffers.hunch[:] = self.hunch.probabilities(seen)[0]
        tree = new_tree(min(self.iterations or MAX_NODES, MAX_NODES), players)
        visits, done, begun = np.zeros(len(game.actions), np.int64), 0, time.perf_counter()
        while True:
            left = self._left(done, time.perf_counter() - begun)
            second, most = np.sort(visits)[-2:]
            if left <= 0 or most - second > left:
                return visits
            chunk = min(CHUNK, left)
            task = (hidden, seat, done, chunk, bits, uniform_weights(len(game.cards)))
            if not search(*task, tree, buffers, self.weights, self.adviser.policy_function):
                raise AgentError(AT_FAULT)
            done += chunk
            count_visits(tree, visits)

    def _habits(self, game: Game, hidden: NDArray[Any]) -> CardWeights:
        """How the adviser's hands are dealt by the settings of a record; counted once for each."""
        settings = game.settings_in(hidden)
        if settings not in self._odds:
            buffers = new_buffers(hidden, game.observation_spec.size, len(game.actions))
            self._odds[settings] = estimate_card_weights(
                hidden, len(game.cards), buffers, self.adviser.policy_function
            )
        return self._odds[settings]

    def _look_ahead(self, trial: TruncatedRollouts, bits: np.uint64) -> int:
        """The best move, tried in as many worlds as the budget has."""
        done, begun = 0, time.perf_counter()
        while (left := self._left(done, time.perf_counter() - begun)) > 0:
            trial.go_on(derive_seeds(int(bits), min(CHUNK, left), done))
            done += min(CHUNK, left)
        return trial.best()

    def _left(self, done: int, seconds: float) -> int:
        """Iterations that the budget has left, by the pace so far."""
        if self.iterations:
            return self.iterations - done
        if done == 0:
            return CHUNK
        return int(done * (self.seconds - seconds) / seconds)
