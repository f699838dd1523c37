"""Other libraries' games, each in the fastest loop that its documentation offers.

All play random legal moves and read observation and mask at every decision, except where a mode
says otherwise. A library that is not installed is left out and listed as such.
"""

import contextlib
import importlib
import os
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import kernel
from .loops import RandomPlay, play_aec
from .measure import Mode, Play

PGX_GAMES = 1024
PUFFER_GAMES = 1024
_SCAN = 16  # steps of Pgx in one call
_BOTH = "observation, mask"

Picks = Callable[[NDArray[np.float32]], NDArray[np.int64]]


@dataclass(frozen=True)
class Peer:
    """A library: the distribution it is installed from, what to import, and its modes."""

    library: str
    distribution: str
    needs: tuple[str, ...]
    modes: Sequence[Mode]


def _spiel_python() -> Play:
    """OpenSpiel's observer writes into a NumPy buffer, which its `observation_tensor` cannot."""
    spiel: Any = importlib.import_module("pyspiel")
    game = spiel.load_game("crazy_eights(players=4)")
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


def _spiel_bots() -> Play:
    spiel: Any = importlib.import_module("pyspiel")
    game = spiel.load_game("crazy_eights(players=4)")
    bots = [spiel.make_uniform_random_bot(seat, seat + 1) for seat in range(4)]

    def play(games: int) -> list[Any]:
        states = [game.new_initial_state() for _ in range(games)]
        for seed, state in enumerate(states):
            spiel.evaluate_bots(state, bots, seed)
        return states

    return play


def _spiel_decisions(states: Sequence[Any]) -> int:
    """What the players decided in finished games; chance has a negative number."""
    return sum(move.player >= 0 for state in states for move in state.full_history())


def _aec(module: str) -> Callable[[], Play]:
    def start() -> Play:
        env = importlib.import_module(module).env()
        return lambda decisions: play_aec(env, decisions)

    return start


def _rlcard() -> Play:
    """RLCard's own loop, `env.step` with the state it returns."""
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
    """Vmapped and jitted, many steps in one `lax.scan`; JAX's threads are held to one core."""
    with _one_core():
        jax: Any = importlib.import_module("jax")
        pgx: Any = importlib.import_module("pgx")
        auto_reset = importlib.import_module("pgx.experimental").auto_reset
        env = pgx.make("sparrow_mahjong")
        step_all = jax.vmap(auto_reset(env.step, env.init))

        def turn(carried: Any, key: Any) -> Any:
            state, total = carried
            draw, deal = jax.random.split(key)
            logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
            actions = jax.random.categorical(draw, logits, axis=-1)
            state = step_all(state, actions, jax.random.split(deal, PGX_GAMES))
            return (state, total + state.observation.sum()), None  # the sum has it computed

        def steps(state: Any, key: Any) -> Any:
            keys = jax.random.split(key, _SCAN)
            return jax.lax.scan(turn, (state, jax.numpy.int32(0)), keys)[0]

        scan = jax.jit(steps)
        key = jax.random.key(1)
        state = jax.jit(jax.vmap(env.init))(jax.random.split(key, PGX_GAMES))
        state, _ = jax.block_until_ready(scan(state, key))

    def play(scans: int) -> int:
        nonlocal state, key
        for _ in range(scans):
            key, part = jax.random.split(key)
            state, total = scan(state, part)
        jax.block_until_ready(total)
        return scans * _SCAN * PGX_GAMES

    return play


@kernel
def legal_triads(observations: NDArray[np.float32], masks: NDArray[np.int8]) -> None:
    """Masks (games, 14) of tripletriad: choose one of the own cards, or place the chosen one.

    In an observation 14 - 22 are 1 where the board is taken, 24 is the own chosen card or -1, and
    104 - 108 are where the own cards lie, 0 being the hand. All zero where a game is over.
    """
    for row in range(len(masks)):
        choosing = observations[row, 24] < 0
        for card in range(5):
            masks[row, card] = choosing and observations[row, 104 + card] == 0
        for cell in range(9):
            masks[row, 5 + cell] = not choosing and observations[row, 14 + cell] == 0


class CompiledPicks:
    """Legal moves of tripletriad picked by our compiled code, as our own modes pick theirs."""

    def __init__(self) -> None:
        self._masks = np.zeros((PUFFER_GAMES, 14), np.int8)
        self._play = RandomPlay(PUFFER_GAMES)

    def __call__(self, observations: NDArray[np.float32]) -> NDArray[np.int64]:
        """An action for each row; rows whose game is over start anew whatever it is."""
        legal_triads(observations, self._masks)
        return self._play.pick(self._masks)


class NumpyPicks:
    """The same with NumPy alone, as a user of PufferLib may write it, with speed in mind.

    Actions by games, so that each operation runs along the games: their legal actions are added up
    from the first on, and the one picked is the first whose sum exceeds a random number.
    """

    def __init__(self) -> None:
        self._sums = np.zeros((14, PUFFER_GAMES), np.int8)
        self._luck = np.random.default_rng(1)

    def __call__(self, observations: NDArray[np.float32]) -> NDArray[np.int64]:
        """An action for each row, as `CompiledPicks`."""
        seen, sums, choosing = observations.T, self._sums, observations[:, 24] < 0
        sums[:5] = (seen[104:109] == 0) & choosing
        sums[5:] = (seen[14:23] == 0) & ~choosing
        for action in range(1, 14):
            sums[action] += sums[action - 1]
        before = self._luck.random(PUFFER_GAMES, np.float32) * sums[-1]
        passed = (sums <= before.astype(np.int8)).view(np.int8)
        actions: NDArray[np.int64] = np.minimum(passed.sum(axis=0, dtype=np.int8), 13)
        return actions.astype(np.int64)


def _puffer(picks: Callable[[], Picks]) -> Callable[[], Play]:
    """PufferLib's own interface; it gives no masks, so `picks` reads them off."""
    return lambda: _play_triads(picks())


def _play_triads(pick: Picks) -> Play:
    with tempfile.TemporaryDirectory() as scratch, contextlib.chdir(scratch):
        # Importing it leaves a link in the current folder.
        triads: Any = importlib.import_module("pufferlib.ocean.tripletriad.tripletriad")
    env = triads.TripleTriad(num_envs=PUFFER_GAMES, report_interval=1024)
    observations, _ = env.reset()

    def play(steps: int) -> int:
        made = 0
        for _ in range(steps):
            actions = pick(observations)
            made += PUFFER_GAMES - int(np.count_nonzero(env.terminals))  # those start anew
            env.step(actions)
        return made

    return play


@contextlib.contextmanager
def _one_core() -> Iterator[None]:
    """Threads that are made inside stay on one core, where the system can say so."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


PEERS = (
    Peer(
        "OpenSpiel",
        "open-spiel",
        ("pyspiel", "open_spiel.python.observation"),
        (
            Mode(
                "openspiel-python",
                "crazy_eights, Python loop",
                "OpenSpiel",
                "float32 tensor, mask",
                _spiel_python,
            ),
            Mode(
                "openspiel-bots",
                "crazy_eights, evaluate_bots in C++",
                "OpenSpiel",
                "legal actions",
                _spiel_bots,
                count=_spiel_decisions,
            ),
        ),
    ),
    Peer(
        "PettingZoo",
        "pettingzoo",
        ("pettingzoo.classic.texas_holdem_v4", "pettingzoo.classic.leduc_holdem_v4"),
        (
            Mode(
                "pettingzoo-texas",
                "texas_holdem_v4, AEC loop",
                "PettingZoo",
                "last()",
                _aec("pettingzoo.classic.texas_holdem_v4"),
            ),
            Mode(
                "pettingzoo-leduc",
                "leduc_holdem_v4, AEC loop",
                "PettingZoo",
                "last()",
                _aec("pettingzoo.classic.leduc_holdem_v4"),
            ),
        ),
    ),
    Peer(
        "RLCard",
        "rlcard",
        ("rlcard",),
        (Mode("rlcard-uno", "uno, env.step", "RLCard", _BOTH, _rlcard),),
    ),
    Peer(
        "Pgx",
        "pgx",
        ("pgx",),
        (Mode("pgx-mahjong", "sparrow_mahjong, 1024 games, jitted", "Pgx", _BOTH, _pgx),),
    ),
    Peer(
        "PufferLib",
        "pufferlib",
        ("pufferlib.ocean.tripletriad.tripletriad",),
        (
            Mode(
                "pufferlib-triads",
                "tripletriad, 1024 games, legal picks in NumPy",
                "PufferLib",
                "float32 observation with mask",
                _puffer(NumpyPicks),
            ),
            Mode(
                "pufferlib-triads-compiled",
                "tripletriad, 1024 games, legal picks by Goldgriff's compiled code",
                "PufferLib",
                "float32 observation with mask",
                _puffer(CompiledPicks),
            ),
        ),
    ),
)


def installed(peer: Peer) -> bool:
    """Whether a peer can be imported with all that its modes need."""
    with tempfile.TemporaryDirectory() as scratch, contextlib.chdir(scratch):
        try:
            for module in peer.needs:
                importlib.import_module(module)
        except Exception:  # a half-installed package fails in any way it likes
            return False
    return True
