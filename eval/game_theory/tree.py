"""Game trees: all histories of a small game, in sequence form.

A sequence is an information state of a player with an action in it, and so stands for all that the
player did before (perfect recall). The sequence form replaces the histories by the payoffs of each
combination of the players' last sequences. It is that of von Stengel, Efficient computation of
behavior strategies (Games and Economic Behavior, 1996).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.batch import derive_seeds
from ...envs.engine.compile import kernel
from ...envs.engine.game import Game
from ...envs.engine.listing import MAX_EVENTS, new_tree_states
from ...envs.engine.rewards import WIN
from ...envs.engine.settings import GameSettings
from ...errors import SettingsError
from .hash_table import resized
from .information import new_buffers
from .walk import (
    CHANCE,
    FULL,
    MAX_DEPTH,
    TERMINAL,
    TOO_DEEP,
    NodeObservations,
    Nodes,
    new_frames,
    new_nodes,
    probe,
    walk,
)

MAX_NODES = 20_000_000  # of a tree that is built: some 3 GB
HOPELESS = 100  # times the limit: with an estimate above it the tree is not begun
_PATHS = 10_000  # random paths of an estimate
_FEW_PATHS, _FAR_TOO_LARGE = 100, 1e20  # a mean above it, over so many paths, is an estimate
EMPTY = 0  # the sequence before a player's first action

Progress = Callable[[str], None]  # called with a line of text that says how far it is


def silent(_: str) -> None:
    """Show no progress."""


@dataclass(frozen=True)
class Side:
    """The information states and sequences of one player.

    Information states are numbered in depth-first order: earlier ones have lower numbers.

    Attributes:
        parents: int64 (information states,), the sequence after which each is reached.
        starts: int64 (information states + 1,), its first sequence, with its first legal action;
            the others follow.
        actions: int64 (sequences,), the action of each; -1 for the empty one.
        nodes: int64 (information states,), the first node in each.
    """

    parents: NDArray[np.int64]
    starts: NDArray[np.int64]
    actions: NDArray[np.int64]
    nodes: NDArray[np.int64]

    @property
    def num_sequences(self) -> int:
        """How many sequences there are, with the empty one."""
        return len(self.actions)

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """The information state of each sequence, int64 (sequences,); -1 for the empty one."""
        return np.concatenate([[-1], np.repeat(np.arange(len(self.parents)), np.diff(self.starts))])

    def uniform(self) -> NDArray[np.float64]:
        """Return the strategy that chooses among the legal actions at random, (sequences,)."""
        sizes = np.diff(self.starts)
        return np.concatenate([[1.0], np.repeat(1.0 / sizes, sizes)])


@dataclass(frozen=True)
class SequenceForm:
    """A game tree in sequence form.

    Attributes:
        game: The game.
        settings: Its settings.
        num_nodes: Nodes of the tree: decisions, chance nodes and ends.
        num_histories: Ends of the game.
        sides: The information states and sequences of each player.
        sequences: int64 (combinations, players), the last sequence of each player in each.
        payoffs: float64 (combinations, players), the returns of all histories with these sequences,
            each times the probability that chance plays as in it.
        symmetric: See `build_tree`.
    """

    game: Game
    settings: GameSettings
    num_nodes: int
    num_histories: int
    sides: tuple[Side, ...]
    sequences: NDArray[np.int64]
    payoffs: NDArray[np.float64]
    symmetric: bool = False


def estimate_nodes(game: Game, settings: GameSettings) -> float:
    """Return an estimate of the number of nodes of a tree, by random paths; see `probe`.

    Returns:
        The mean over the paths: the right order of magnitude up to some 1e12 nodes, too low for
        much larger trees. Infinity where games need not end or no float is large enough. For a
        tree that is far too large, fewer paths are tried.
    """
    states, script = new_tree_states(game, settings, 3, multisets=True), np.zeros(MAX_EVENTS, "u1")
    total = 0.0
    for gone, bits in enumerate(derive_seeds(1, _PATHS), start=1):
        total += probe(states[:1], states[1:2], states[2:], script, bits, MAX_DEPTH)
        if total == np.inf or (gone == _FEW_PATHS and total > _FAR_TOO_LARGE * gone):
            break
    return total / gone


def _advice(game: Game) -> str:
    """Return how to make a tree smaller, for messages."""
    names = ", ".join(name for name in game.settings.PRESETS if "tiny" in name)
    return (
        f"max_turns ends a round, rounds or max_rounds a game; presets that can be solved: {names}"
    )


def describe_size(game: Game, estimate: float, limit: int = MAX_NODES) -> str:
    """Return that a tree is too large, how large it is, and what can be solved, for messages.

    Args:
        game: The game.
        estimate: About how many nodes the tree has.
        limit: The most nodes.
    """
    size = (
        f"more than {limit:,} nodes, about {max(estimate, limit):.0e}"
        if np.isfinite(estimate)
        else f"endlessly many nodes, at most {limit:,} are built"
    )
    return f"the tree of these settings has {size}; {_advice(game)}"


def build_tree(
    game: Game, settings: GameSettings, *, limit: int = MAX_NODES, symmetric: bool = False
) -> SequenceForm:
    """Build the tree of a game, with the returns of `reward="win"`.

    Args:
        game: The game.
        settings: Its settings.
        limit: The most nodes.
        symmetric: Whether the first card turned up is of one colour only, where colours are
            interchangeable (`GameSettings.card_orbits`). Everybody sees this card, so deals with
            another colour are the same games with other names. Only for solvers, since an agent
            may play them differently.

    Raises:
        SettingsError: The tree is larger or has no end.
    """
    nodes = build_nodes(game, settings, limit, symmetric=symmetric)
    sides, last, chances = number_nodes(nodes, settings.num_players)
    ends = np.flatnonzero(nodes.players == TERMINAL)
    shape = [side.num_sequences for side in sides]
    keys = np.ravel_multi_index([*last[ends].T], shape)
    combinations, places = np.unique(keys, return_inverse=True)
    columns = [
        np.bincount(places, chances[ends] * nodes.returns[ends, seat], len(combinations))
        for seat in range(settings.num_players)
    ]
    payoffs = np.stack(columns, axis=1).astype(np.float64)
    sequences = np.stack(np.unravel_index(combinations, shape), axis=1)
    return SequenceForm(
        game, settings, len(nodes.parents), len(ends), sides, sequences, payoffs, symmetric
    )


def build_nodes(
    game: Game, settings: GameSettings, limit: int = MAX_NODES, *, symmetric: bool = False
) -> Nodes:
    """Return all nodes of the tree of a game.

    Args:
        game: The game.
        settings: Its settings.
        limit: The most nodes.
        symmetric: See `build_tree`.

    Raises:
        SettingsError: There are more, or games need not end.
    """
    estimate, count = estimate_nodes(game, settings), FULL
    if estimate <= HOPELESS * limit:
        nodes = new_nodes(limit, settings.num_players)  # memory is taken when it is written
        count = walk_tree(game, settings, nodes, limit, symmetric=symmetric)
    if count == FULL:
        raise SettingsError(describe_size(game, estimate, limit))
    if count == TOO_DEEP:
        raise SettingsError(
            f"the tree of these settings is too deep: a history has more than {MAX_DEPTH} "
            f"decisions; {_advice(game)}"
        )
    return Nodes._make(resized(array, count) for array in nodes)


def observe_nodes(
    game: Game, settings: GameSettings, nodes: NDArray[np.int64], *, states: bool = False
) -> NodeObservations:
    """Return what the players that decide at some nodes, in ascending order, see there.

    Args:
        game: The game.
        settings: Its settings.
        nodes: The nodes.
        states: Whether to add the whole states.
    """
    observations = _new_observations(game, settings, nodes, len(nodes) if states else 0)
    walk_tree(game, settings, new_nodes(0, settings.num_players), MAX_NODES, observations)
    return observations


def _new_observations(
    game: Game, settings: GameSettings, nodes: NDArray[np.int64], num_states: int = 0
) -> NodeObservations:
    """Return room for the observations at some nodes."""
    return NodeObservations(
        nodes,
        np.zeros((len(nodes), game.observation_spec.size), np.uint8),
        np.zeros((len(nodes), len(game.actions)), np.int8),
        new_tree_states(game, settings, num_states, multisets=True),
    )


def walk_tree(
    game: Game,
    settings: GameSettings,
    nodes: Nodes,
    limit: int,
    observations: NodeObservations | None = None,
    *,
    symmetric: bool = False,
) -> int:
    """Go through the tree of a game; see `walk.walk` and, for `symmetric`, `build_tree`."""
    deals, orbits = np.ones(len(game.cards)), settings.card_orbits() if symmetric else ()
    if orbits:
        deals = np.bincount(orbits, minlength=len(orbits)).astype(np.float64)
    states = new_tree_states(game, settings, MAX_DEPTH, multisets=True)
    frames, buffers = new_frames(states, settings.num_players), new_buffers(game, settings)
    observations = observations or _new_observations(game, settings, np.zeros(0, np.int64))
    return walk(frames, deals, WIN, limit, nodes, observations, buffers)


def number_nodes(
    nodes: Nodes, seats: int
) -> tuple[tuple[Side, ...], NDArray[np.int64], NDArray[np.float64]]:
    """Give numbers to information states and sequences.

    Returns:
        The sides; the last sequence of each player at each node, (nodes, players); the probability
        that chance plays as before each node, (nodes,).
    """
    count = len(nodes.parents)
    children = np.bincount(nodes.parents[1:], minlength=count)
    firsts, starts = [], []
    first_sequences = np.zeros(count, np.int64)
    for seat in range(seats):
        rows = np.flatnonzero(nodes.players == seat)
        _, first, places = np.unique(nodes.recalls[rows], return_index=True, return_inverse=True)
        order = np.argsort(first)
        firsts.append(rows[first[order]])
        starts.append(1 + np.concatenate([[0], np.cumsum(children[firsts[-1]])]))
        first_sequences[rows] = starts[-1][np.argsort(order)[places]]
    last, chances = np.zeros((count, seats), np.int64), nodes.chances.copy()
    propagate_sequences(nodes.parents, nodes.players, first_sequences, last, chances)
    deciders = nodes.players[nodes.parents]
    deciders[0] = CHANCE
    sides = []
    for seat in range(seats):
        played = np.flatnonzero(deciders == seat)
        actions = np.full(starts[seat][-1], -1, np.int64)
        actions[last[played, seat]] = nodes.actions[played]
        sides.append(Side(last[firsts[seat], seat], starts[seat], actions, firsts[seat]))
    return tuple(sides), last, chances


@kernel
def propagate_sequences(
    parents: Any, players: Any, next_ones: Any, last: Any, chances: Any
) -> None:
    """Write the last sequences and the probability of chance of each node, parents first.

    Args:
        parents: int32 (nodes,).
        players: int8 (nodes,).
        next_ones: int64 (nodes,), the first sequence of the information state of each; counted up.
        last: int64 (nodes, players), zeros; written.
        chances: float64 (nodes,), of reaching each from its parent; multiplied.
    """
    for node in range(1, len(parents)):
        parent = parents[node]
        for seat in range(last.shape[1]):
            last[node, seat] = last[parent, seat]
        if players[parent] >= 0:
            last[node, players[parent]] = next_ones[parent]
            next_ones[parent] += 1
            chances[node] = chances[parent]
        else:
            chances[node] *= chances[parent]
