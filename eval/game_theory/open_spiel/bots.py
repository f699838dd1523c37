"""Agents as bots and policies of OpenSpiel, and its bots as agents.

```python
bots = [AgentBot(load_agent("search@200", "auruxxx"), 0), AgentBot(...)]
play_tournament("auruxxx", ["search@200", BotAgent(ismcts_bot, "goldgriff_auruxxx")])
```
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray
from open_spiel.python import policy
from open_spiel.python.algorithms import ismcts

from ....envs.agent_state import AgentState, begin, has_agent_state, take_rows
from ....envs.engine.protocol import Rows
from ....envs.policy import Agent, ObservationBatch, Policy, ask, wants_information_states
from ....errors import AgentError
from ..agents import SAMPLED, exact_probabilities, method_of, observed_batch
from ..node import Node
from ..strategies import Strategies
from ..tree import SequenceForm, build_nodes
from .game import OpenSpielGame, State, register

SAMPLES = 100  # decisions by which the probabilities of an agent are estimated


# Returns a bot for one decision of a player; all its randomness comes from a seed below 2**32.
MakeBot = Callable[[OpenSpielGame, int, int], pyspiel.Bot]


def observe_node(node: Node, agent: Policy, random_bits: NDArray[np.uint64]) -> ObservationBatch:
    """Return what the current player of a node observes, a row for each of some random bits."""
    states = node.state if wants_information_states(agent) else None
    seat, masks = node.current_player, node.state["legal"].astype(np.int8)
    raw = node.observation(seat)[None]
    batch = observed_batch(node.game, node.settings, seat, raw, masks, states)
    return replace(batch.take(np.zeros(len(random_bits), np.int64)), random_bits=random_bits)


class _Asked:
    """An agent that is asked at nodes, with what it remembers of the game."""

    def __init__(self, agent: Policy, seed: int | None) -> None:
        self._agent, self._rng = agent, np.random.default_rng(seed)

    def act(self, node: Node, samples: int = 1) -> Rows:
        """Return what the agent decides at a node, as often as asked for, (samples,)."""
        bits = self._rng.integers(2**64, size=samples, dtype=np.uint64)
        states = take_rows(self._agent_state(node), np.zeros(samples, np.int64))
        return ask(self._agent, observe_node(node, self._agent, bits), states)[0]

    def probabilities(self, node: Node, samples: int) -> dict[int, float]:
        """Return the probability of each legal action: exact if known, else estimated."""
        if method_of(self._agent) == SAMPLED:
            actions = self.act(node, samples)
            chances = np.bincount(actions, minlength=len(node.game.actions)) / samples
        else:
            batch = observe_node(node, self._agent, np.zeros(1, np.uint64))
            (chances,), _ = exact_probabilities(self._agent, batch, self._agent_state(node))
        return {action: float(chances[action]) for action in node.legal_actions()}

    def _agent_state(self, node: Node) -> AgentState:
        """Return what the agent remembers at a node; None for one that remembers nothing."""
        if not has_agent_state(self._agent):
            return None
        state, seat = begin(self._agent), node.current_player
        for before in node.decisions():
            if before.current_player == seat:
                batch = observe_node(before, self._agent, np.zeros(1, np.uint64))
                state = ask(self._agent, batch, state)[1]
        return state


class AgentBot(pyspiel.Bot):
    """An agent as a bot.

    Args:
        agent: The agent.
        player: Whose decisions it makes.
        seed: Of its random bits; None for others each time.
    """

    def __init__(self, agent: Policy, player: int, seed: int | None = None) -> None:
        super().__init__()
        self._asked, self._player = _Asked(agent, seed), player

    def step(self, state: State) -> int:
        """Return an action."""
        return int(self._asked.act(state.node)[0])

    def player_id(self) -> int:
        """Return whose decisions it makes."""
        return self._player

    def restart_at(self, state: State) -> None:
        """Do nothing: agent states follow from the state."""


class AgentPolicy(policy.Policy):
    """An agent as a policy, for whatever asks for probabilities.

    They are exact for an agent that is deterministic or has `action_probabilities`. For any other
    agent they are the frequencies of `samples` decisions with different random bits.

    Args:
        game: The game.
        agent: The agent.
        samples: How often it is asked.
        seed: Of the random bits.
    """

    def __init__(
        self, game: OpenSpielGame, agent: Policy, samples: int = SAMPLES, seed: int = 0
    ) -> None:
        super().__init__(game, list(range(game.num_players())))
        self._asked, self._samples = _Asked(agent, seed), samples

    def action_probabilities(self, state: State, player_id: int | None = None) -> dict[int, float]:
        """Return the probabilities of the current player's legal actions."""
        del player_id
        return self._asked.probabilities(state.node, self._samples)


class TreePolicy(policy.Policy):
    """Strategies of a solved tree as a policy.

    Args:
        game: The game.
        tree: Its tree; `build_tree(game.root.game, game.root.settings)`.
        strategies: By player, the probability of each sequence after its information state,
            (sequences,), as the solvers return them.
    """

    def __init__(self, game: OpenSpielGame, tree: SequenceForm, strategies: Strategies) -> None:
        super().__init__(game, list(range(game.num_players())))
        nodes = build_nodes(tree.game, tree.settings, tree.num_nodes)
        self._table: list[dict[int, dict[int, float]]] = []
        for side, strategy in zip(tree.sides, strategies, strict=True):
            pairs = list(zip(side.actions.tolist(), strategy.tolist(), strict=True))
            bounds = zip(side.starts, side.starts[1:], strict=False)
            chances = [dict(pairs[first:end]) for first, end in bounds]
            recalls = nodes.recalls[side.nodes].tolist()
            self._table.append(dict(zip(recalls, chances, strict=True)))

    def action_probabilities(self, state: State, player_id: int | None = None) -> dict[int, float]:
        """Return the probabilities of the current player's legal actions."""
        del player_id
        player = state.node.current_player
        return self._table[player][state.node.recall(player)]


class RolloutEvaluator:
    """Evaluates a state by random games from there, played in compiled code.

    For `MCTSBot` and `ISMCTSBot`, in place of OpenSpiel's `RandomRolloutEvaluator`.

    Args:
        games: How many.
        seed: Of the games.
    """

    def __init__(self, games: int = 1, seed: int | None = None) -> None:
        self._games, self._rng = games, np.random.default_rng(seed)

    def evaluate(self, state: State) -> NDArray[np.float64]:
        """Return the mean returns, (players,)."""
        bits = self._rng.integers(2**63, size=self._games).tolist()
        games = np.array([state.node.roll_out(number) for number in bits], np.float64)
        return np.asarray(games.mean(axis=0))

    def prior(self, state: State) -> list[tuple[int, float]]:
        """Return the same probability for each move."""
        if state.is_chance_node():
            return list(state.chance_outcomes())
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


def ismcts_bot(
    game: OpenSpielGame, player: int, seed: int, *, simulations: int = 200, uct_c: float = 2.0
) -> pyspiel.Bot:
    """Return OpenSpiel's `ISMCTSBot`, all of whose randomness comes from a seed.

    Args:
        game: The game.
        player: Whose decisions it makes.
        seed: Below 2**32.
        simulations: How many for a decision.
        uct_c: Its constant of exploration.
    """
    rng = np.random.default_rng(seed)
    game.rng = rng
    evaluator, state = RolloutEvaluator(seed=seed), np.random.RandomState(seed)
    bot = ismcts.ISMCTSBot(game, evaluator, uct_c, simulations, random_state=state)
    bot.set_resampler(
        lambda state, seat: State(game, state.node.resample(seat, int(rng.integers(2**63))))
    )
    del player
    return bot


class BotAgent(Agent):
    """A bot of OpenSpiel as an agent.

    The bot gets a state as its player knows it: the information state begins with the present
    observation, and whole states are sampled from it.

    Args:
        make_bot: Makes a bot for each decision; see `MakeBot`.
        game: The game in OpenSpiel with its parameters, such as
            `goldgriff_auruxxx(chance=sampled)`; the number of players is taken from the games.
    """

    wants_information_states = True
    slow = True

    def __init__(self, make_bot: MakeBot, game: str) -> None:
        self._make_bot, self._name = make_bot, game
        self._games: dict[int, OpenSpielGame] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_games": {}}

    def act(self, batch: ObservationBatch) -> Rows:
        """Return the action of a bot for each row, int64 (rows,).

        Raises:
            AgentError: The games are not those that the bot plays.
        """
        states, seats, players = batch.information_states, batch.seats, batch.num_players
        if states is None or seats is None or players is None:
            raise AgentError("a bot of OpenSpiel needs information states, seats and num_players")
        actions = np.zeros(len(batch), np.int64)
        for row in range(len(batch)):
            game, seat = self._game(int(players[row])), int(seats[row])
            state = states[row : row + 1]
            if batch.game is not game.root.game:
                raise AgentError(f"the bot plays {game.root.game.name}, not {batch.game.name}")
            own = batch.game.new_states(game.root.settings, 1)
            if batch.game.settings_in(state) != batch.game.settings_in(own):
                raise AgentError(f"the bot plays {self._name}, a game with other settings")
            bot = self._make_bot(game, seat, int(batch.random_bits[row] >> np.uint64(32)))
            actions[row] = bot.step(State(game, game.root.at_information_state(state)))
        return actions

    def _game(self, players: int) -> OpenSpielGame:
        if players not in self._games:
            register()
            parameters = pyspiel.game_parameters_from_string(self._name)
            name = parameters.pop("name")
            if "preset" not in parameters:
                parameters["players"] = players
            self._games[players] = pyspiel.load_game(name, parameters)
        return self._games[players]
