"""Agents travel to other processes, whichever way these start, and decide there as here."""

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import pytest

from goldgriff.agents.registry import AGENTS, load_agent
from goldgriff.envs.engine.game import GAMES, get_game

from .helpers import some_observations


def names_of(game: str) -> list[str]:
    named = [entry.name for entry in AGENTS if entry.game == game and entry.name != "search"]
    return [*named, "search@20", "search+champion@20"]


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_every_agent_of_both_games_pickles(method: str) -> None:
    tasks = []
    for game in GAMES.values():
        many, few = some_observations(16, game=game), some_observations(2, game=game)
        tasks += [
            (load_agent(name, game), few if name.startswith("search") else many)
            for name in names_of(game.name)
        ]
    with ProcessPoolExecutor(1, multiprocessing.get_context(method)) as pool:
        there = [pool.submit(agent.act, observations) for agent, observations in tasks]
        actions = [future.result(timeout=300).tolist() for future in there]
    assert actions == [agent.act(observations).tolist() for agent, observations in tasks]


def test_a_style_is_compiled_once_however_often_it_travels() -> None:
    agent = load_agent("knocker", "gluecksgriff")
    again = pickle.loads(pickle.dumps(agent))
    assert again.policy_function is agent.policy_function  # type: ignore[attr-defined]
    assert again.game is agent.game is get_game("gluecksgriff")
