"""An agent that searches every decision anew, within a budget of seconds or of sampled states."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.batch import derive_seeds
from ...envs.engine.determinization import CardWeights, uniform_weights
from ...envs.engine.game import Game
from ...envs.engine.kernels import observe_each
from ...envs.engine.protocol import Rows, States
from ...envs.engine.reading import number_or_none, whole_or_none
from ...envs.policy import Agent, CompiledPolicy, ObservationBatch, Policy
from ...errors import AgentError, quoted
from ..ensemble import TrainedPolicy
from ..network import ActionValueNetwork
from .card_model import estimate_card_weights
from .tree import DEFAULTS, SearchSettings, count_visits, new_buffers, new_tree, search
from .truncated_rollouts import TruncatedRollouts

CHUNK = 100  # iterations in one compiled call, after which the clock is read
# Nodes of a tree besides its root; in a full one, rounds are played out from its leaves.
MAX_NODES = 1 << 20


class Search(Agent):
    """Information-set Monte Carlo tree search; a compiled policy plays the rounds out.

    It is given information states (`ObservationBatch.information_states`), never the true state.
    With a budget of iterations it decides the same for the same observation and random bits.

    Args:
        base_policy: The compiled policy that plays rounds out.
        prior: A trained policy whose probabilities are the prior of the searched decision itself;
            without one the base policy's action is, as in every other node. Where its network has a
            critic, no tree is grown: the network's best actions are tried in every sampled state
            (agents/search/truncated_rollouts.py).
        iterations: Sampled states for each decision. A tree may end sooner, when no other action
            can overtake the leading one.
        seconds: The budget of each decision, in place of `iterations`.
        settings: Parameters of the tree.

    Raises:
        AgentError: The base policy is not compiled, there is not exactly one budget, or a number is
            none.
    """

    wants_information_states = True
    slow = True

    def __init__(
        self,
        base_policy: Policy,
        *,
        prior: TrainedPolicy | None = None,
        iterations: int = 0,
        seconds: float = 0.0,
        settings: SearchSettings = DEFAULTS,
    ) -> None:
        if not isinstance(base_policy, CompiledPolicy):
            raise AgentError("the base policy of a search must be a CompiledPolicy")
        count, limit = whole_or_none(iterations), number_or_none(seconds)
        if count is None or limit is None or min(count, limit) != 0 or not max(count, limit) > 0:
            raise AgentError("a search needs a budget above 0, either of iterations or of seconds")
        numbers = [float(number) for number in map(number_or_none, settings) if number is not None]
        if len(numbers) < len(settings):
            raise AgentError(f"the parameters of a search are numbers, not {quoted(settings)}")
        self.base_policy, self.prior, self.settings = base_policy, prior, SearchSettings(*numbers)
        self.iterations, self.seconds = count, limit
        self._card_weights: dict[bytes, CardWeights] = {}  # by the settings of games

    def act(self, batch: ObservationBatch) -> Rows:
        """Choose a legal action for each row, int64 (rows,).

        Raises:
            AgentError: There are no information states, or the base policy plays illegally.
        """
        if batch.information_states is None:
            raise AgentError("a search needs information_states in its ObservationBatch")
        actions: Rows = batch.masks.argmax(axis=1)
        for row in np.flatnonzero(batch.masks.sum(axis=1) > 1):
            actions[row] = self.action_weights(batch.take(np.array([row]))).argmax()
        return actions

    def action_weights(self, batch: ObservationBatch) -> NDArray[np.float64]:
        """Search one decision and return a weight for each action, float64 (actions,).

        The weights are the visits in the tree; where the prior's network has a critic, 1 for the
        action found by truncated rollouts.
        """
        states: Any = batch.information_states
        network = self.prior and self.prior.for_num_players(int(states["num_players"][0]))
        if isinstance(network, ActionValueNetwork) and network.critic:
            card_weights = self._card_weights_for(batch.game, states)
            play = self.base_policy.policy_function
            rollouts = TruncatedRollouts(batch, network, network.critic, play, card_weights)
            for done, left in self._iterations():
                rollouts.run(derive_seeds(int(batch.random_bits[0]), min(CHUNK, left), done))
            weights = np.zeros(len(batch.game.actions))
            weights[rollouts.best_action()] = 1.0
            return weights
        return self.visits(batch.game, states, batch.random_bits[0]).astype(np.float64)

    def visits(self, game: Game, information_states: States, bits: np.uint64) -> Rows:
        """Return the visits of each action, int64 (actions,), from one information state, (1,)."""
        seat = int(information_states["current_player"][0])
        buffers = new_buffers(game, information_states)
        if self.prior is not None:
            rows, seats = np.zeros(1, np.int64), np.array([seat])
            observe_each(information_states, rows, seats, buffers.raw, buffers.masks)
            seen = ObservationBatch(
                game, buffers.raw, buffers.masks, np.array([bits]), information_states
            )
            buffers.prior[:] = self.prior.action_probabilities(seen)[0]
        tree = new_tree(min(self.iterations or MAX_NODES, MAX_NODES), len(buffers.outcome))
        visits = np.zeros(len(game.actions), np.int64)
        card_weights = uniform_weights(len(game.cards))
        for done, left in self._iterations():
            second, most = np.sort(visits)[-2:]
            if most - second > left:
                break
            chunk = min(CHUNK, left)
            task = (information_states, seat, done, chunk, bits, card_weights, tree, buffers)
            if not search(*task, self.settings, self.base_policy.policy_function):
                raise AgentError(code="base-action")
            count_visits(tree, visits)
        return visits

    def _card_weights_for(self, game: Game, states: States) -> CardWeights:
        """Return the card model of the base policy for the settings of a state, counted once."""
        settings = game.settings_in(states)
        if settings not in self._card_weights:
            buffers = new_buffers(game, states)
            self._card_weights[settings] = estimate_card_weights(
                states, len(game.cards), buffers, self.base_policy.policy_function
            )
        return self._card_weights[settings]

    def _iterations(self) -> Iterator[tuple[int, int]]:
        """Yield the iterations done and those that the budget has left, by the pace so far.

        Up to CHUNK of them are to be done before the next are asked for.
        """
        done, start = 0, time.perf_counter()
        while True:
            seconds, left = time.perf_counter() - start, self.iterations - done
            if not self.iterations:
                left = int(done * (self.seconds - seconds) / seconds) if done else CHUNK
            if left <= 0:
                return
            yield done, left
            done += min(CHUNK, left)
