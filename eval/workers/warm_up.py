"""Compile what a tournament plays, once and before its workers start: they load it then."""

import functools

import numpy as np

from ...agents.registry import load_agent
from ...agents.search.agent import Search
from ...envs.batch import Batch
from ...envs.engine.game import Game
from ...envs.policy import observation_batch, wants_information_states
from ..tournament.config import tournament_config
from ..tournament.guard import Player
from ..tournament.shards import play_shard


@functools.cache
def compile_for(game: Game, names: tuple[str, ...], player_counts: tuple[int, ...]) -> None:
    """Play a shard at random and ask each agent once, so that all that they use is compiled.

    Args:
        game: The game.
        names: Agents; none that is code of a user, which only workers run.
        player_counts: Numbers of players. Agents are asked with each: some are a network of another
            kind with another number.

    Raises:
        AgentError: An agent cannot be loaded.
    """
    agents = [load_agent(name, game) for name in names]
    settings = [game.settings.from_dict({"num_players": count}) for count in player_counts]
    config = tournament_config(game, ["random"], settings[0], deals=2, seed=1)
    play_shard(config, 0, [Player("random", load_agent("random", game))])
    for choice in settings:
        batch = Batch(game, choice, 1)
        batch.start([1])
        for agent in agents:
            if isinstance(agent, Search):
                agent.iterations, agent.seconds = 1, 0.0
            hidden = wants_information_states(agent)
            bits = np.ones(1, np.uint64)
            agent.act(observation_batch(batch, np.zeros(1, np.int64), bits, hidden))
