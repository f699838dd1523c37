"""Games of other libraries, each in the fastest loop that its documentation offers.

All play random legal actions and read observation and mask at every decision, except where a title
says otherwise.
"""

import contextlib
import importlib
import os
import random
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.engine.compile import kernel

from .measure import Mode, Play
from .modes import RandomPlay, play_aec

NUM_GAMES = 1024  # of Pgx and PufferLib
_SCAN = 16  # steps of Pgx in one call


def _openspiel_python() -> Play:
    """Play with OpenSpiel's observer, which writes into a NumPy buffer."""
    game = importlib.import_module("pyspiel").load_game("crazy_eights(players=4)")
    observer = importlib.import_module("open_spiel.python.observation").make_observation(game)
    mask = np.zeros(game.num_distinct_actions(), np.int8)

    def play(decisions: int) -> int:
        made = 0
        while made < decisions:
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                if not state.is_chance_node():
                    observer.set_from(state, state.current_player())
                    mask[:] = 0
                    mask[legal] = 1
                    made += 1
                state.apply_action(random.choice(legal))  # one deck: all deals equally likely
        return made

    return play


def _openspiel_bots() -> Play:
    spiel: Any = importlib.import_module("pyspiel")
    game = spiel.load_game("crazy_eights(players=4)")
    bots = [spiel.make_uniform_random_bot(seat, seat + 1) for seat in range(4)]

    def play(games: int) -> list[Any]:
        states = [game.new_initial_state() for _ in range(games)]
        for seed, state in enumerate(states):
            spiel.evaluate_bots(state, bots, seed)
        return states

    return play


def count_decisions(states: Sequence[Any]) -> int:
    """Return the players' decisions in finished games of OpenSpiel; chance has a number below 0."""
    return sum(move.player >= 0 for state in states for move in state.full_history())


def _pettingzoo() -> Play:
    env = importlib.import_module("pettingzoo.classic.texas_holdem_v4").env()
    return partial(play_aec, env)


def _rlcard() -> Play:
    env = importlib.import_module("rlcard").make("uno")
    mask = np.zeros(env.num_actions, np.int8)

    def play(decisions: int) -> int:
        made = 0
        while made < decisions:
            state, _ = env.reset()
            while not env.is_over():
                legal = list(state["legal_actions"])
                mask[:] = 0
                mask[legal] = 1
                state, _ = env.step(random.choice(legal))
                made += 1
        return made

    return play


def _pgx() -> Play:
    """Play in one `lax.scan` of many vmapped steps; JAX's threads are held to one core."""
    with _one_core():
        jax: Any = importlib.import_module("jax")
        env = importlib.import_module("pgx").make("sparrow_mahjong")
        auto_reset = importlib.import_module("pgx.experimental").auto_reset
        step_all = jax.vmap(auto_reset(env.step, env.init))

        def step(carried: Any, key: Any) -> Any:
            state, total = carried
            draw, deal = jax.random.split(key)
            logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
            actions = jax.random.categorical(draw, logits, axis=-1)
            state = step_all(state, actions, jax.random.split(deal, NUM_GAMES))
            return (state, total + state.observation.sum()), None  # the sum has it computed

        def steps(state: Any, key: Any) -> Any:
            return jax.lax.scan(step, (state, jax.numpy.int32(0)), jax.random.split(key, _SCAN))[0]

        scan = jax.jit(steps)
        key = jax.random.key(1)
        state = jax.jit(jax.vmap(env.init))(jax.random.split(key, NUM_GAMES))
        state, _ = jax.block_until_ready(scan(state, key))

    def play(scans: int) -> int:
        nonlocal state, key
        for _ in range(scans):
            key, part = jax.random.split(key)
            state, total = scan(state, part)
        jax.block_until_ready(total)
        return scans * _SCAN * NUM_GAMES

    return play


@contextlib.contextmanager
def _one_core() -> Iterator[None]:
    """Keep threads that are made inside on one core, where the system can do that."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


@kernel
def legal_triads(observations: NDArray[np.float32], masks: NDArray[np.int8]) -> None:
    """Write masks (games, 14) of tripletriad: choose one of the own cards, or place the chosen one.

    In an observation 14 - 22 are 1 where the board is taken, 24 is the own chosen card or -1, and
    104 - 108 are where the own cards lie, 0 being the hand. All zero where a game is over.
    """
    for row in range(len(masks)):
        choosing = observations[row, 24] < 0
        for card in range(5):
            masks[row, card] = choosing and observations[row, 104 + card] == 0
        for cell in range(9):
            masks[row, 5 + cell] = not choosing and observations[row, 14 + cell] == 0


def _pufferlib() -> Play:
    """Play by PufferLib's own interface; our compiled code reads the masks off observations."""
    with tempfile.TemporaryDirectory() as scratch, contextlib.chdir(scratch):
        # Importing it leaves a link in the current folder.
        triads: Any = importlib.import_module("pufferlib.ocean.tripletriad.tripletriad")
    env = triads.TripleTriad(num_envs=NUM_GAMES, report_interval=1024)
    observations, _ = env.reset()
    masks, policy = np.zeros((NUM_GAMES, 14), np.int8), RandomPlay(NUM_GAMES)

    def play(steps: int) -> int:
        made = 0
        for _ in range(steps):
            legal_triads(observations, masks)
            made += NUM_GAMES - int(np.count_nonzero(env.terminals))  # those start anew
            env.step(policy.pick(masks))
        return made

    return play


# What has to be installed, and a mode.
PEERS = (
    (
        ("pyspiel",),
        Mode(
            "openspiel-python",
            "crazy_eights, loop in Python, float32 tensor, mask",
            _openspiel_python,
            library="OpenSpiel",
        ),
    ),
    (
        ("pyspiel",),
        Mode(
            "openspiel-bots",
            "crazy_eights, evaluate_bots in C++, no observations",
            _openspiel_bots,
            library="OpenSpiel",
            count=count_decisions,
        ),
    ),
    (
        ("rlcard", "pygame"),
        Mode(
            "pettingzoo-texas",
            "texas_holdem_v4, AEC loop, last()",
            _pettingzoo,
            library="PettingZoo",
        ),
    ),
    (("rlcard",), Mode("rlcard-uno", "uno, env.step", _rlcard, library="RLCard")),
    (
        ("pgx",),
        Mode("pgx-mahjong", f"sparrow_mahjong, {NUM_GAMES} games, jitted", _pgx, library="Pgx"),
    ),
    (
        ("pufferlib", "gym"),
        Mode(
            "pufferlib-triads",
            f"tripletriad, {NUM_GAMES} games, float32 observations",
            _pufferlib,
            library="PufferLib",
        ),
    ),
)
