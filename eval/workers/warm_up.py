"""Compile what a tournament plays, once and before its workers start: they load it then."""

import functools
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from ...agents.registry import load_agent
from ...agents.search.agent import Search
from ...envs.batch import Batch
from ...envs.engine.compile import times_compiled
from ...envs.engine.game import Game, get_game
from ...envs.engine.kernels import draw_random_bits
from ...envs.engine.rollouts import replay_each
from ...envs.engine.threads import cores
from ...envs.policy import observation_batch, wants_information_states
from ..tournament.config import tournament_config
from ..tournament.guard import Player
from ..tournament.shards import play_shard
from .processes import start_process

_NO_ROWS = np.zeros(0, np.int64)


@functools.cache
def compile_for(game: Game, names: tuple[str, ...], player_counts: tuple[int, ...]) -> None:
    """Play a shard at random and ask each agent, so that all that they use is compiled.

    Two processes share the work where it takes long: the game is new and there are two cores.

    Args:
        game: The game.
        names: Agents; none that is code of a user, which only workers run.
        player_counts: Numbers of players. Agents are asked with each: some are a network of another
            kind with another number.

    Raises:
        AgentError: An agent cannot be loaded.
    """
    for name in names:
        load_agent(name, game)
    choices = [game.settings.from_dict({"num_players": count}) for count in player_counts]
    if cores() > 1 and _is_new(game) and not multiprocessing.parent_process():
        with _asking_elsewhere(game.name, names, player_counts):
            _compile_rules(game)
    config = tournament_config(game, ["random"], choices[0], deals=2, seed=1)
    play_shard(config, 0, [Player("random", load_agent("random", game))])
    _ask_agents(game, names, player_counts)


def _is_new(game: Game) -> bool:
    """Return whether no tournament of a game has been compiled, by one of the smallest kernels."""
    before = times_compiled(draw_random_bits)
    states = game.new_states(game.settings.from_dict({}), 0)
    draw_random_bits(states, _NO_ROWS, np.zeros((0, 0), np.int64), np.zeros(0, np.uint64))
    return times_compiled(draw_random_bits) > before


@contextmanager
def _asking_elsewhere(*which: Any) -> Iterator[None]:
    """Ask agents in another process meanwhile, and wait for it.

    Nothing depends on it: what it has not compiled is compiled here.
    """
    process = start_process(_try_to_ask, *which)
    try:
        yield
        process.join()
    finally:
        process.kill()


def _try_to_ask(name: str, *which: Any) -> None:
    """Ask agents; what fails is said by the main process, which asks them again."""
    with suppress(Exception):
        _ask_agents(get_game(name), *which)


def _compile_rules(game: Game) -> None:
    """Compile what takes longest and needs no agent: decisions, and the replay of games."""
    settings = game.settings.from_dict({})
    Batch(game, settings, 1).step(_NO_ROWS, _NO_ROWS)
    games, before = (game.new_states(settings, count) for count in (0, 1))
    counts, endings, sheets = (np.zeros((0,) * axes, np.int32) for axes in (3, 2, 3))
    replay_each(
        *(games, before, np.zeros(0, np.uint8), np.zeros(1, np.int64)), *(counts, endings, sheets)
    )


def _ask_agents(game: Game, names: tuple[str, ...], player_counts: tuple[int, ...]) -> None:
    """Ask agents for the first action of a game with each number of players."""
    agents = [load_agent(name, game) for name in names]
    for count in player_counts:
        batch = Batch(game, game.settings.from_dict({"num_players": count}), 1)
        batch.start([1])
        for agent in agents:
            if isinstance(agent, Search):
                agent.iterations, agent.seconds = 1, 0.0
            hidden = wants_information_states(agent)
            bits = np.ones(1, np.uint64)
            agent.act(observation_batch(batch, np.zeros(1, np.int64), bits, hidden))
