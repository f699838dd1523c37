"""What is measured for every game: default rules, four players, random legal actions."""

import random
import tracemalloc
from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import product
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from goldgriff.agents.registry import load_agent
from goldgriff.agents.search.agent import Search
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.engine.compile import kernel, specialized
from goldgriff.envs.engine.game import Game
from goldgriff.envs.engine.kernels import pick_random
from goldgriff.envs.engine.protocol import Masks, Rows
from goldgriff.envs.engine.threads import cores
from goldgriff.envs.policy import observation_batch
from goldgriff.naming import counted

from .measure import Mode, Play

NUM_GAMES = (1024, 8192)
NUM_ENVS = 1024  # of the vector environment
ROLLOUTS = 64  # games in one call
PLAYOUTS = 500  # of a searched decision


def own_modes(game: Game) -> list[Mode]:
    """Return the modes of a game, but for those of more threads than there are cores."""

    def mode(
        key: str, title: str, start: Callable[..., Play], *args: Any, threads: int = 1
    ) -> Mode:
        return Mode(f"{game.name}-{key}", title, partial(start, game, *args), threads)

    return [
        mode(
            f"step-{num_games}" + (f"-x{threads}" if threads > 1 else ""),
            f"step of {counted(num_games, 'game')}, float32 observations, masks; "
            f"threads: {threads}",
            _step,
            num_games,
            threads,
            threads=threads,
        )
        for threads, num_games in product((1, 2), NUM_GAMES)
        if threads <= cores()
    ] + [
        mode("rollout-random", "whole games in one call", _rollout, "random"),
        mode("rollout-expert", "whole games in one call, `expert` decides", _rollout, "expert"),
        mode("search-playouts", f"search, {PLAYOUTS} playouts a decision; playouts", _search),
        mode("aec", "PettingZoo's AEC loop, last()", _aec),
        mode("single", "gymnasium.make, random opponents; the learner's decisions", _single),
        mode("vector", f"gymnasium.make_vec, {NUM_ENVS} games, as `single`", _vector),
    ]


def bytes_per_game(game: Game, num_games: int = 8192) -> float:
    """Return the memory of a game without its observation and mask, in bytes.

    Counted are all allocations that NumPy and Python make for `num_games` games.
    """
    _games(game, 1)  # compiles
    tracemalloc.start()
    games = _games(game, num_games)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    shown = (games.observations, games.raw, games.masks)
    return (size - sum(array.nbytes for array in shown)) / num_games


def _games(game: Game, num_games: int, threads: int = 1) -> Batch:
    """Return games that have begun, each followed by the next one when it ends."""
    settings = game.settings.from_dict({})
    games = Batch(game, settings, num_games, threads=threads, auto_reset=True)
    games.reset()
    return games


class RandomPlay:
    """Random legal actions for many games, the same way for every mode that has arrays of them."""

    def __init__(self, num_games: int) -> None:
        self.actions = np.zeros(num_games, np.int64)
        self._seeds = derive_seeds(1, num_games)
        self._turn = 0

    def pick(self, masks: Masks) -> Rows:
        """Return legal actions by masks (num_games, actions), in an array that is written again."""
        pick_random(masks, self._seeds, self._turn, self.actions)
        self._turn += 1
        return self.actions


@kernel(keeps_lock=True)
def pick(mask: NDArray[np.int8], fraction: float) -> int:
    """Return the legal action that stands where `fraction`, from 0 up to 1, points among them."""
    left = int(fraction * np.sum(mask))
    for action in range(len(mask)):
        if mask[action] != 0:
            if left == 0:
                return action
            left -= 1
    return -1


def play_aec(env: Any, decisions: int) -> int:
    """Play at least so many decisions of a PettingZoo AEC environment, in whole games.

    Observation and mask are read from `last()`. Returns how many decisions there were.
    """
    env.reset()
    choose = specialized(pick, env.last()[0]["action_mask"], 0.0)  # a third less time than `pick`
    made = 0
    while made < decisions:
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(choose(observation["action_mask"], random.random()))
                made += 1
    return made


def _step(game: Game, num_games: int, threads: int) -> Play:
    games, policy = _games(game, num_games, threads), RandomPlay(num_games)

    def play(steps: int) -> int:
        for _ in range(steps):
            games.step(policy.pick(games.masks))
        return steps * num_games

    return play


def _rollout(game: Game, name: str) -> Play:
    """Play whole games with one compiled agent in all seats; `random` needs no observation."""
    agent: Any = load_agent(name, game)
    policy_function = None if name == "random" else agent.policy_function
    batch, begun = Batch(game, game.settings.from_dict({}), ROLLOUTS), 0

    def play(calls: int) -> int:
        nonlocal begun
        made = 0
        for _ in range(calls):
            batch.start(derive_seeds(1, ROLLOUTS, begun))
            begun += ROLLOUTS
            made += int(batch.play_out(policy_function=policy_function).sum())
        return made

    return play


def _search(game: Game) -> Play:
    """Search wherever `expert` has a choice in its own game; it also plays the rollouts."""
    expert, games = load_agent("expert", game), _games(game, 1)
    search, bits = Search(expert, iterations=PLAYOUTS), derive_seeds(1, 1)

    def play(decisions: int) -> int:
        made = 0
        while decisions:
            seen = observation_batch(games, games.rows, bits, information_states=True)
            if seen.masks.sum() > 1:
                decisions -= 1
                made += int(search.action_weights(seen).sum())
            games.step(expert.act(seen))
        return made

    return play


def _aec(game: Game) -> Play:
    return partial(play_aec, import_module(f"goldgriff.envs.{game.id}").env())


def _single(game: Game) -> Play:
    env: Any = gymnasium.make(_gymnasium_id(game)).unwrapped
    env.reset(seed=1)

    def play(decisions: int) -> int:
        for _ in range(decisions):
            _, _, terminated, truncated, _ = env.step(pick(env.action_masks(), random.random()))
            if terminated or truncated:
                env.reset()
        return decisions

    return play


def _vector(game: Game) -> Play:
    env = gymnasium.make_vec(_gymnasium_id(game), num_envs=NUM_ENVS)
    _, infos = env.reset(seed=1)
    policy = RandomPlay(NUM_ENVS)

    def play(steps: int) -> int:
        nonlocal infos
        for _ in range(steps):
            _, _, _, _, infos = env.step(policy.pick(infos["action_mask"]))
        return steps * NUM_ENVS

    return play


def _gymnasium_id(game: Game) -> str:
    return f"goldgriff/{game.name.capitalize()}-v{game.version}"
