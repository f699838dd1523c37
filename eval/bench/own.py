"""Our own modes, for every game: default rules, four players, random legal play."""

import importlib
import os
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from goldgriff.envs.core.game import Game
from goldgriff.envs.core.kernels import pick_random
from goldgriff.eval.bench.lockstep import Lockstep
from goldgriff.eval.bench.loops import pick, play_aec
from goldgriff.eval.bench.measure import Mode, Play
from goldgriff.eval.bench.report import OWN

GAMES = (1024, 8192)
THREADS = (1, 2)
READS: dict[str, tuple[DTypeLike | None, str]] = {
    "mask": (None, "mask"),
    "uint8": (np.uint8, "uint8 features, mask"),
    "float32": (np.float32, "float32 observation, mask"),
}


def own_modes(game: Game) -> list[Mode]:
    """All modes of a game; those of more threads than there are cores are left out."""
    modes = []
    for threads in THREADS:
        for num_games in GAMES:
            for name, (dtype, reads) in READS.items():
                suffix = f"-x{threads}" if threads > 1 else ""
                mode = Mode(
                    f"{game.name}-step-{name}-{num_games}{suffix}",
                    f"step, {num_games} games",
                    OWN,
                    reads,
                    _step(game, num_games, dtype, threads),
                    threads=threads,
                )
                if threads <= (os.cpu_count() or 1):
                    modes.append(mode)
    for key, maker in (("aec", "env"), ("aec-raw", "raw_env")):
        title = f"AEC loop, {maker}()"
        modes.append(Mode(f"{game.name}-{key}", title, OWN, "last()", _aec(game, maker)))
    modes.append(
        Mode(
            f"{game.name}-solo",
            "gymnasium env, random others",
            OWN,
            "float32 observation, mask",
            _solo(game),
            unit="learner's decisions",
        )
    )
    return modes


def bytes_a_game(game: Game, num_games: int = 8192) -> float:
    """What a game takes in memory without its observation and mask, in bytes.

    Counted are all allocations that NumPy and Python make for so many games.
    """
    settings = game.settings.from_dict({})
    tracemalloc.start()
    games = Lockstep(game, settings, num_games)
    games.reset()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / num_games


def _step(game: Game, num_games: int, dtype: DTypeLike | None, threads: int) -> Callable[[], Play]:
    def start() -> Play:
        masks = np.zeros((num_games, len(game.actions)), np.int8)
        seen: Any = None if dtype is None else np.zeros((num_games, game.slices.size), dtype)
        settings = game.settings.from_dict({})
        games = Lockstep(game, settings, num_games, threads=threads, observations=seen, masks=masks)
        games.reset()
        actions, luck = np.zeros(num_games, np.int64), np.random.default_rng(1)

        def play(steps: int) -> int:
            for _ in range(steps):
                pick_random(masks, luck.integers(2**64, size=num_games, dtype=np.uint64), actions)
                games.step(actions)
            return steps * num_games

        return play

    return start


def _aec(game: Game, maker: str) -> Callable[[], Play]:
    def start() -> Play:
        env = getattr(importlib.import_module(f"goldgriff.envs.{game.id}"), maker)()
        return lambda decisions: play_aec(env, decisions)

    return start


def _solo(game: Game) -> Callable[[], Play]:
    def start() -> Play:
        env = importlib.import_module(f"goldgriff.envs.{game.name}.env").solo_env()
        env.reset(seed=1)

        def play(decisions: int) -> int:
            for _ in range(decisions):
                _, _, terminated, truncated, _ = env.step(pick(env.action_masks()))
                if terminated or truncated:
                    env.reset()
            return decisions

        return play

    return start
