"""Our own modes, for every game: default rules, four players, random legal play."""

import importlib
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np

from ...agents.registry import AGENTS, load_agent
from ...agents.search.agent import Search
from ...envs.batch import Batch, Lockstep, derive_seeds
from ...envs.engine.game import Game
from ...envs.engine.rollouts import play_out, play_out_policy
from ...envs.engine.threads import cores
from ...envs.match import Match
from ...envs.policy import CompiledPolicy, ObservationBatch
from .loops import RandomPlay, pick, play_aec
from .measure import Mode, Play
from .report import OWN

GAMES = (1024, 8192)
THREADS = (1, 2)
TABLES = 1024  # of learners
ROLLOUTS = 64  # games in one call
PLAYOUTS = 500  # of a searched decision


def own_modes(game: Game) -> list[Mode]:
    """All modes of a game; those of more threads than there are cores are left out."""
    readings: tuple[tuple[str, str, Callable[[int, int], Callable[[], Play]]], ...] = (
        ("mask", "mask", partial(_step_blind, game)),
        ("uint8", "uint8 features, mask", partial(_step, game, np.uint8)),
        ("float32", "float32 observation, mask", partial(_step, game, np.float32)),
    )
    modes = [
        Mode(
            f"{game.name}-step-{name}-{num_games}" + (f"-x{threads}" if threads > 1 else ""),
            f"step, {num_games} games" + (f", {threads} threads" if threads > 1 else ""),
            OWN,
            reads,
            start(num_games, threads),
            threads=threads,
        )
        for threads in THREADS
        for num_games in GAMES
        for name, reads, start in readings
        if threads <= cores()
    ]
    title = "whole games in one call"
    modes.append(
        Mode(f"{game.name}-rollout-random", title, OWN, "legal actions", _rollout(game, None))
    )
    modes += [
        Mode(f"{game.name}-rollout-{name}", title, OWN, "uint8 features, mask", _rollout(game, one))
        for name, one in compiled_agents(game).items()
    ]
    modes.append(
        Mode(
            f"{game.name}-search-playouts",
            f"search, {PLAYOUTS} worlds a decision",
            OWN,
            "uint8 features, mask",
            _search(game),
            unit="playouts",
        )
    )
    modes.append(Mode(f"{game.name}-aec", "AEC loop, env()", OWN, "last()", _aec(game)))
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
    modes.append(
        Mode(
            f"{game.name}-solo-vector",
            f"gymnasium.make_vec, {TABLES} tables, random others",
            OWN,
            "float32 observation, mask",
            _solo_vector(game),
            unit="learners' decisions",
        )
    )
    return modes


def compiled_agents(game: Game) -> dict[str, CompiledPolicy]:
    """The players of a game that kernels can ask, but for `random`, which looks at nothing."""
    players = {entry.name: entry.make() for entry in AGENTS if entry.game == game.name}
    del players["random"]
    return {name: one for name, one in players.items() if isinstance(one, CompiledPolicy)}


def bytes_a_game(game: Game, num_games: int = 8192) -> float:
    """What a game takes in memory without its observation and mask, in bytes.

    Counted are all allocations that NumPy and Python make for so many games.
    """
    settings = game.settings.from_dict({})
    seen = np.zeros((num_games, game.observation_spec.size), np.uint8)
    masks = np.zeros((num_games, len(game.actions)), np.int8)
    Lockstep(game, settings, 1, observations=seen[:1], masks=masks[:1]).reset()  # compiles
    tracemalloc.start()
    games = Lockstep(game, settings, num_games, observations=seen, masks=masks)
    games.reset()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / num_games


def _step(game: Game, dtype: type, num_games: int, threads: int) -> Callable[[], Play]:
    def start() -> Play:
        seen: Any = np.zeros((num_games, game.observation_spec.size), dtype)
        settings = game.settings.from_dict({})
        games = Lockstep(game, settings, num_games, threads=threads, observations=seen)
        games.reset()
        policy = RandomPlay(num_games)

        def play(steps: int) -> int:
            for _ in range(steps):
                games.step(policy.pick(games.masks))
            return steps * num_games

        return play

    return start


def _step_blind(game: Game, num_games: int, threads: int) -> Callable[[], Play]:
    """Without observations: the batch, whose records hold the masks."""

    def start() -> Play:
        batch = Batch(game, game.settings.from_dict({}), num_games, threads=threads)
        batch.start(derive_seeds(1, num_games))
        policy, begun = RandomPlay(num_games), num_games
        masks = np.empty_like(batch.states["legal"])

        def play(steps: int) -> int:
            nonlocal begun
            for _ in range(steps):
                np.copyto(masks, batch.states["legal"])  # picking from records takes longer
                batch.step(policy.pick(masks))
                ended = np.flatnonzero(batch.over)
                if len(ended):
                    batch.start(derive_seeds(1, len(ended), begun), ended)
                    begun += len(ended)
            return steps * num_games

        return play

    return start


def _rollout(game: Game, policy: CompiledPolicy | None) -> Callable[[], Play]:
    """With one policy in all seats; None is the random one, which needs no observation."""

    def start() -> Play:
        settings = game.settings.from_dict({})
        batch, rows = Batch(game, settings, ROLLOUTS), np.arange(ROLLOUTS)
        buffers, begun = batch.buffers(), 0

        def play(calls: int) -> int:
            nonlocal begun
            made = 0
            for _ in range(calls):
                batch.start(derive_seeds(1, ROLLOUTS, begun))
                begun += ROLLOUTS
                decision_counts = np.zeros((ROLLOUTS, settings.num_players), np.int64)
                if policy is None:
                    play_out(batch.states, rows, decision_counts)
                else:
                    play_out_policy(
                        batch.states, rows, decision_counts, buffers, policy.policy_function
                    )
                made += int(decision_counts.sum())
            return made

        return play

    return start


def _search(game: Game) -> Callable[[], Play]:
    """Games of the scripted expert, searched wherever it has a choice; it plays worlds out, too."""

    def start() -> Play:
        expert = load_agent("expert", game)
        search, match = (
            Search(expert, iterations=PLAYOUTS),
            Match(game, game.settings.from_dict({})),
        )
        random_bits, begun = derive_seeds(1, 1), 0

        def play(decisions: int) -> int:
            nonlocal begun
            made = 0
            while decisions:
                if match.over or not begun:
                    begun += 1
                    match.start(begun)
                if match.mask.sum() > 1:
                    decisions -= 1
                    made += int(
                        search.visits(
                            game, match.hidden(match.current_player), random_bits[0]
                        ).sum()
                    )
                observations = ObservationBatch(
                    game, match.raw[None], match.mask[None], random_bits
                )
                match.act(int(expert.act(observations)[0]))
            return made

        return play

    return start


def _aec(game: Game) -> Callable[[], Play]:
    def start() -> Play:
        env = importlib.import_module(f"goldgriff.envs.{game.id}").env()
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


def _solo_vector(game: Game) -> Callable[[], Play]:
    def start() -> Play:
        env = gymnasium.make_vec(
            f"goldgriff/{game.name.capitalize()}-v{game.version}", num_envs=TABLES
        )
        _, infos = env.reset(seed=1)
        policy = RandomPlay(TABLES)

        def play(steps: int) -> int:
            nonlocal infos
            for _ in range(steps):
                _, _, _, _, infos = env.step(policy.pick(infos["action_mask"]))
            return steps * TABLES

        return play

    return start
