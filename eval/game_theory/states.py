"""All states of a small game, each once: equal states are shared by the histories that reach them.

Level k has the states after k decisions. Two states of a level are merged if no later event or
observation can differ between them. So a graph covers games with far more histories than a tree
can hold.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import device, kernel
from ...envs.engine.deck import TAKEN
from ...envs.engine.game import Game
from ...envs.engine.kernels import observe_each
from ...envs.engine.listing import new_tree_states
from ...envs.engine.rewards import WIN
from ...envs.engine.settings import GameSettings
from ...errors import SettingsError
from ...naming import counted
from .hash_table import EMPTY, HashTable, find, new_hash_table, resized
from .information import BEGIN, Buffers, hash_combine, new_buffers
from .tree import Progress, estimate_nodes, silent
from .walk import (
    Frames,
    chance_of,
    follow_seats,
    new_frames,
    next_legal,
    play_transition,
    start_action,
    step_back,
)

MAX_STATES = 4_000_000  # of a game, in all levels
MAX_ESTIMATE = 1e13  # nodes of a tree above which no graph is built
END = -1  # in place of a state: the game is over
_DEPTH = 1  # the frame of the states that are expanded


class Edges(NamedTuple):
    """Edges from the states of a level: one for each outcome of each legal action."""

    actions: NDArray[np.int16]  # (edges,), BEGIN for the deal
    chances: NDArray[np.float64]  # (edges,), the probability of the outcome after the action
    targets: NDArray[np.int64]  # (edges,), states of the next level, or END
    signals: NDArray[np.uint64]  # (edges, seats), hashes of what each seat observes of it
    gains: NDArray[np.float64]  # (edges, seats), rewards


class Level(NamedTuple):
    """States after equally many decisions.

    Attributes:
        players: int8 (states,), who decides; in the first level, before the deal, nobody: -1.
        observations: int64 (states,), what that player sees, as a row of `StateGraph.raw`.
        starts: int64 (states + 1,), the first edge of each state; those of an action are adjacent.
        edges: See `Edges`.
    """

    players: NDArray[np.int8]
    observations: NDArray[np.int64]
    starts: NDArray[np.int64]
    edges: Edges


@dataclass(frozen=True)
class StateGraph:
    """All states of a game.

    Attributes:
        game: The game.
        settings: Its settings.
        levels: From before the deal to the last decisions.
        raw: uint8 (observations, observation_spec.size), the different observations of the
            players that decide.
        masks: int8 (observations, actions), the legal actions.
        seats: int64 (observations,), who sees it.
        num_histories: Ends of the game in its tree; a float where it is above 2**53.
    """

    game: Game
    settings: GameSettings
    levels: tuple[Level, ...]
    raw: NDArray[np.uint8]
    masks: NDArray[np.int8]
    seats: NDArray[np.int64]
    num_histories: float

    @property
    def num_states(self) -> int:
        """Number of states, without ends of the game."""
        return sum(len(level.players) for level in self.levels)


def build_state_graph(
    game: Game, settings: GameSettings, *, limit: int = MAX_STATES, on_progress: Progress = silent
) -> StateGraph:
    """Find all states of a game, with the rewards of `reward="win"`.

    Args:
        game: The game.
        settings: Its settings.
        limit: The most states.
        on_progress: Called with a line of text that says how many were found.

    Raises:
        SettingsError: There are more, or games need not end.
    """
    estimate = check_size(game, settings, limit=limit)
    seats, bench = settings.num_players, _new_bench(game, settings)
    states = bench.frames.states[:1].copy()
    levels: list[Level] = []
    counts: NDArray[Any] = np.ones(1)  # histories that lead to each state
    num_histories, num_states = 0.0, 0
    observations: dict[bytes, int] = {}
    while len(states):
        num_states += len(states)
        on_progress(f"{counted(num_states, 'state')} found")
        if num_states > limit:
            raise SettingsError(_describe_size(estimate, limit, game))
        first = not levels
        players = np.full(1, -1, np.int8) if first else states["current_player"].astype(np.int8)
        rows = np.zeros(1, np.int64) if first else _observe(game, states, observations)
        starts, edges, following = _expand_all(bench, states, 0 if first else _DEPTH, seats)
        levels.append(Level(players, rows, starts, edges))
        passing = np.repeat(counts, np.diff(starts))
        over = edges.targets == END
        num_histories += float(passing[over].sum())
        counts = np.bincount(edges.targets[~over], passing[~over], len(following))
        states = following
    size = game.observation_spec.size
    seen = np.frombuffer(b"".join(observations), np.uint8).reshape(len(observations), -1)
    raw, masks = seen[:, 1 : 1 + size].copy(), seen[:, 1 + size :].astype(np.int8)
    observers = seen[:, 0].astype(np.int64)
    return StateGraph(game, settings, tuple(levels), raw, masks, observers, num_histories)


def check_size(game: Game, settings: GameSettings, *, limit: int = MAX_STATES) -> float:
    """Return the estimated number of nodes of a game's tree.

    Raises:
        SettingsError: There are too many for a graph of its states.
    """
    estimate = estimate_nodes(game, settings)
    if estimate > MAX_ESTIMATE:
        raise SettingsError(_describe_size(estimate, limit, game))
    return estimate


def _describe_size(estimate: float, limit: int, game: Game) -> str:
    small = ", ".join(name for name in game.settings.PRESETS if name.startswith(("tiny", "small")))
    size = f"about {estimate:.0e}" if np.isfinite(estimate) else "endlessly many"
    return (
        f"the tree of these settings has {size} nodes, and more than {limit:,} of its states "
        f"differ; presets that are small enough: {small}"
    )


def _observe(game: Game, states: NDArray[Any], rows: dict[bytes, int]) -> NDArray[np.int64]:
    """Return the rows of what the players of some states see; new ones are added to `rows`.

    The key of a row has a byte for the seat, the observation and the legal actions.
    """
    seats = states["current_player"].astype(np.int64)
    raw = np.zeros((len(states), game.observation_spec.size), np.uint8)
    masks = np.zeros((len(states), len(game.actions)), np.int8)
    observe_each(states, np.arange(len(states)), seats, raw, masks)
    seen = np.column_stack([seats.astype(np.uint8), raw, masks.view(np.uint8)])
    return np.array([rows.setdefault(row.tobytes(), len(rows)) for row in seen])


class Bench(NamedTuple):
    """Working space of `expand`."""

    frames: Frames  # three; see `walk.new_frames`
    raw: NDArray[np.uint8]  # (frames, bytes), the states of the frames
    stacks: NDArray[np.int64]  # see `canonicalize`
    buffers: Buffers


def _new_bench(game: Game, settings: GameSettings) -> Bench:
    states = new_tree_states(game, settings, 3, multisets=True)
    frames = new_frames(states, settings.num_players)
    raw = np.ndarray((len(states), states.itemsize), np.uint8, frames.states)
    fields: Any = states.dtype.fields
    stacks = [fields[name] for name in ("discards", "layers") if name in fields]
    places = np.array([[at, dtype.shape[0]] for dtype, at in stacks])
    return Bench(frames, raw, places, new_buffers(game, settings))


def _expand_all(
    bench: Bench, frontier: NDArray[Any], depth: int, seats: int
) -> tuple[NDArray[np.int64], Edges, NDArray[Any]]:
    """Return the first edges, the edges, and the states that follow; see `Level`."""
    starts, used = np.zeros(len(frontier) + 1, np.int64), np.zeros(2, np.int64)
    following, hashes = frontier[:0], np.zeros(0, np.uint64)
    none, by_seat = np.zeros(0), np.zeros((0, seats))
    edges = Edges(
        none.astype(np.int16), none, none.astype(np.int64), by_seat.astype(np.uint64), by_seat
    )
    row, size = 0, max(1024, 2 * len(frontier))  # memory is taken when it is written
    while row < len(frontier):
        edges = Edges._make(resized(array, 4 * size) for array in edges)
        following, hashes = resized(following, size), resized(hashes, size)
        table = new_hash_table(hashes, used[1])
        row = expand(bench, frontier, row, depth, table, following, edges, starts, used)
        size *= 2
    edges = Edges._make(resized(array, used[0]) for array in edges)
    return starts, edges, following[: used[1]]


@kernel
def expand(
    bench: Bench,
    frontier: Any,
    row: int,
    depth: int,
    table: HashTable,
    following: Any,
    edges: Edges,
    starts: Any,
    used: Any,
) -> int:
    """Write all that can follow some states.

    Args:
        bench: Working space.
        frontier: The states.
        row: The first one whose edges are not written yet.
        depth: The frame to be used: 1, or 0 for the deal.
        table: Finds `following` by hash.
        following: States that follow; written.
        edges: Written.
        starts: Written; see `Level`.
        used: int64 (2,), edges and states that are written; counted up.

    Returns:
        The first row whose edges are not written, for lack of room.
    """
    frames, raw = bench.frames, bench.raw
    frames.recalls[depth] = 0
    frames.returns[depth] = 0.0
    while row < len(frontier):
        starts[row] = used[0]
        frames.states[depth] = frontier[row]
        start_action(frames, depth, BEGIN if depth == 0 else next_legal(frames.states[depth], 0))
        reached = depth
        while reached == depth:
            if used[0] == len(edges.actions) or used[1] == len(following):
                used[0] = starts[row]
                return row
            play_transition(frames, depth)
            write_edge(frames, depth, edges, used[0], bench.buffers)
            if frames.states[depth + 1].over == 0:
                canonicalize(frames.states[depth + 1], raw[depth + 1], bench.stacks)
                number = hash_bytes(raw[depth + 1])
                place = find(table, number)
                if table.places[place] == EMPTY:
                    table.places[place] = used[1]
                    table.hashes[used[1]] = number
                    following[used[1]] = frames.states[depth + 1]
                    used[1] += 1
                edges.targets[used[0]] = table.places[place]
            used[0] += 1
            reached = step_back(frames, depth)
        row += 1
    starts[row] = used[0]
    return row


@device
def write_edge(frames: Frames, depth: int, edges: Edges, edge: int, buffers: Buffers) -> None:
    """Write the transition of a frame, without its target."""
    follow_seats(frames, depth, WIN, True, buffers)  # from hashes and returns of 0
    edges.actions[edge] = frames.actions[depth]
    edges.targets[edge] = END
    edges.chances[edge] = chance_of(frames, depth)
    for seat in range(edges.gains.shape[1]):
        edges.gains[edge, seat] = frames.returns[depth + 1, seat]
        if frames.states[depth + 1].over == 0:
            edges.signals[edge, seat] = frames.recalls[depth + 1, seat]


@device
def canonicalize(state: Any, raw: Any, stacks: Any) -> None:
    """Zero dead fields, so that equal states have equal bytes.

    Args:
        state: The state.
        raw: Its bytes.
        stacks: int64 (stacks, 2), the first byte and the size of the discard pile and of what else
            is kept of each card in it; above the top card they hold what lay there before.
    """
    state.script_size = state.num_events = state.num_outcomes = 0
    state.kept = state.others = state.drawn_in_all = 0
    state.script[:] = 0
    state.logged = 0
    state.log[:] = 0
    state.outcomes[:] = 0
    state.weights[:] = 0
    for stack in range(len(stacks)):
        first = stacks[stack, 0]
        raw[first + state.discard_size : first + stacks[stack, 1]] = 0
    # Slots of a card type are adjacent; which of them are in the pile does not matter.
    for last in range(1, state.deck_size):
        place = last
        while place > 0 and state.slots[place - 1] == state.slots[place] + TAKEN:
            state.slots[place - 1] -= TAKEN
            state.slots[place] += TAKEN
            place -= 1


@device
def hash_bytes(raw: Any) -> np.uint64:
    """Return the hash of the bytes of a state, 64 bits; see information.py."""
    number = np.uint64(0)
    for place in range(0, len(raw), 4):
        word = int(raw[place]) + (int(raw[place + 1]) << 8)
        word += (int(raw[place + 2]) << 16) + (int(raw[place + 3]) << 24)
        if word != 0:
            number = hash_combine(number, (place << 32) + word)
    return number
