"""Exact best responses to agents that see only the present observation, further than trees reach.

What such an agent plays depends on the state alone. So all that counts of a player's past is its
belief: the probabilities of the states that it may be in, given what it has observed, what it has
done, and how the others play. Histories with equal beliefs have the same best continuation and are
followed once. The player itself remembers everything, as in a tree: the value is the same.

The others remember nothing: no agent state and no history of events. What an agent wants to
remember must be in its observation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import device, kernel
from ...envs.engine.game import Game
from ...envs.engine.settings import GameSettings
from ...envs.policy import ObservationBatch
from ...errors import AgentError, SettingsError
from .recall import absorb
from .states import END, Edges, Level, StateGraph, Table, build_state_graph, find, grown, new_table

MAX_LINKS = 150_000_000  # between beliefs, of one player: some 4 GB
GRID = 2.0**40  # probabilities are compared in steps of 1 / GRID
SETTLED = 1e-13  # returns that differ by less are one

# Returns the probability of each action, float64 (rows, actions), 0 for illegal ones.
ActionProbabilities = Callable[[ObservationBatch], NDArray[np.float64]]


@dataclass(frozen=True)
class Exploitability:
    """What the players could gain against each other.

    Attributes:
        values: float64 (players,), their mean returns.
        best_responses: float64 (players,), the mean return of each with its best response to the
            others.
        num_beliefs: Beliefs of each player in which it may decide something that counts.
        num_states: States of the game.
        num_histories: Ends of the game in its tree.
    """

    values: NDArray[np.float64]
    best_responses: NDArray[np.float64]
    num_beliefs: list[int]
    num_states: int
    num_histories: float

    @property
    def nash_conv(self) -> float:
        """What the players could gain alone in the sum, OpenSpiel's NashConv."""
        return float((self.best_responses - self.values).sum())


def exploit_by_beliefs(
    game: Game,
    settings: GameSettings,
    policies: ActionProbabilities | Sequence[ActionProbabilities],
    *,
    graph: StateGraph | None = None,
) -> Exploitability:
    """Return the value of the best response of each player, with the returns of `reward="win"`.

    Args:
        game: The game.
        settings: Its settings.
        policies: What all players play, or what each plays: a function that returns the
            probability of each action from present observations alone (`random_bits` are zeros,
            there are no `information_states`), such as `Network.probabilities`.
        graph: The states of the game, if they are known already.

    Raises:
        AgentError: A policy returns anything but probabilities of legal actions.
        SettingsError: The game is too large; the message estimates how large it is.
    """
    graph = graph or build_state_graph(game, settings)
    probabilities = _ask(graph, policies)
    played = [_played(level, probabilities) for level in graph.levels]
    best, sizes = [], []
    for seat in range(settings.num_players):
        value, size = _best_response(graph, played, seat)
        best.append(value)
        sizes.append(size)
    values = _values(graph, played)
    return Exploitability(values, np.array(best), sizes, graph.num_states, graph.num_histories)


def _ask(
    graph: StateGraph, policies: ActionProbabilities | Sequence[ActionProbabilities]
) -> NDArray[np.float64]:
    """Return what is played at each view, float64 (views, actions)."""
    seats = graph.settings.num_players
    each = [policies] * seats if callable(policies) else list(policies)
    if len(each) != seats:
        raise AgentError(f"there are {seats} players, and {len(each)} policies were given")
    asked = np.zeros(graph.masks.shape)
    for seat, policy in enumerate(each):
        rows = np.flatnonzero(graph.seats == seat)
        batch = ObservationBatch(
            *(graph.game, graph.raw[rows], graph.masks[rows], np.zeros(len(rows), np.uint64)),
            seats=graph.seats[rows],
            num_players=np.full(len(rows), seats),
        )
        given = np.asarray(policy(batch), np.float64)
        if given.shape != batch.masks.shape:
            raise AgentError(
                f"a policy gave probabilities of shape {given.shape}, not {batch.masks.shape}"
            )
        legal = (given >= 0).all() and not given[batch.masks == 0].any()
        if not legal or not np.allclose(given.sum(axis=1), 1, rtol=0, atol=1e-6):
            raise AgentError("a policy gave numbers that are no probabilities of legal actions")
        asked[rows] = given
    return asked


def _played(level: Level, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability that each edge's action is played in its state, (edges,)."""
    if level.players[0] < 0:  # the deal
        return np.ones(len(level.edges.actions))
    views = np.repeat(level.views, np.diff(level.starts))
    return probabilities[views, level.edges.actions]


def _values(graph: StateGraph, played: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the mean returns of the players, (players,)."""
    values = np.zeros((1, graph.settings.num_players))
    for level, shares in zip(graph.levels[::-1], played[::-1], strict=True):
        brought = level.edges.gains.copy()
        follows = level.edges.targets != END
        brought[follows] += values[level.edges.targets[follows]]
        brought *= (shares * level.edges.chances)[:, None]
        values = np.add.reduceat(brought, level.starts[:-1], axis=0)
    return np.asarray(values[0])


# --- The best response of one player ------------------------------------------------------------


class Steps(NamedTuple):
    """What one player expects of a level: edges that are played, as it observes them.

    Attributes:
        starts: int64 (states + 1,), the first of each state.
        actions: int16 (steps,), the player's action where it decides, else -1.
        chances: float64 (steps,), the probability of each, given the player's action.
        gains: float64 (steps,), what each brings and, if nothing that the player decides afterwards
            counts, what follows it.
        ranks: int64 (steps,), which of `signals` and `targets`, or END.
        signals: int64 (ranks,), numbers of what the player observes, ascending.
        targets: int64 (ranks,), the states of the next level.
    """

    starts: NDArray[np.int64]
    actions: NDArray[np.int16]
    chances: NDArray[np.float64]
    gains: NDArray[np.float64]
    ranks: NDArray[np.int64]
    signals: NDArray[np.int64]
    targets: NDArray[np.int64]


class Beliefs(NamedTuple):
    """Beliefs of a level: sparse distributions over its states."""

    starts: NDArray[np.int64]  # (beliefs + 1,)
    states: NDArray[np.int32]  # (entries,), ascending in each
    weights: NDArray[np.float64]  # (entries,), their probabilities


class Links(NamedTuple):
    """How beliefs follow each other."""

    choices: NDArray[np.int64]  # (beliefs + 1,), the first choice of each: an action, or none
    starts: NDArray[np.int64]  # (choices + 1,), the first link of each
    gains: NDArray[np.float64]  # (choices,), what is gained without any link
    targets: NDArray[np.int32]  # (links,), beliefs of the next level
    weights: NDArray[np.float64]  # (links,), their probabilities


def _best_response(
    graph: StateGraph, played: Sequence[NDArray[np.float64]], seat: int
) -> tuple[float, int]:
    """Return the value of the best response of a player, and how many beliefs it has."""
    bounds = _bounds(graph, played, seat)
    beliefs = Beliefs(np.array([0, 1]), np.zeros(1, np.int32), np.ones(1))
    chain: list[Links] = []
    count = 0
    for depth, level in enumerate(graph.levels):
        if len(beliefs.starts) == 1:
            break
        steps = _steps(level, played[depth], bounds[depth + 1], seat)
        links, beliefs = _follow(beliefs, steps, MAX_LINKS - count)
        chain.append(links)
        count += len(links.targets)
    values = np.zeros(0)
    for links in chain[::-1]:
        following, values = values, np.zeros(len(links.choices) - 1)
        back_up(links, following, values)
    return float(values[0]), sum(len(links.choices) - 1 for links in chain)


def _bounds(
    graph: StateGraph, played: Sequence[NDArray[np.float64]], seat: int
) -> list[NDArray[np.float64]]:
    """Return the lowest and highest value of each state for a player that sees everything.

    Returns:
        float64 (states, 2) for each level, and one of no states.
    """
    bounds = [np.zeros((0, 2))]
    for level, shares in zip(graph.levels[::-1], played[::-1], strict=True):
        found = np.zeros((len(level.players), 2))
        weigh(level.players, level.starts, level.edges, shares, seat, bounds[-1], found)
        bounds.append(found)
    return bounds[::-1]


def _steps(
    level: Level, shares: NDArray[np.float64], bounds: NDArray[np.float64], seat: int
) -> Steps:
    """Return what a player expects of a level.

    Args:
        level: The level.
        shares: The probability of each edge's action.
        bounds: See `_bounds`, of the next level.
        seat: The player.
    """
    edges, sizes = level.edges, np.diff(level.starts)
    own = np.repeat(level.players == seat, sizes)
    chances = np.where(own, edges.chances, shares * edges.chances)
    gains, open_ = edges.gains[:, seat].copy(), edges.targets != END
    follows = np.flatnonzero(open_)
    low, high = bounds[edges.targets[follows]].T
    settled = high - low < SETTLED
    gains[follows[settled]] += high[settled]
    open_[follows[settled]] = False
    kept = np.flatnonzero(open_ & (chances > 0))
    _, signals = np.unique(edges.signals[kept, seat], return_inverse=True)
    pairs, places = np.unique(
        signals.astype(np.int64) * max(len(bounds), 1) + edges.targets[kept], return_inverse=True
    )
    ranks = np.full(len(own), END, np.int64)
    ranks[kept] = places
    return Steps(
        level.starts,
        np.where(own, edges.actions, -1).astype(np.int16),
        chances,
        gains,
        ranks,
        pairs // max(len(bounds), 1),
        pairs % max(len(bounds), 1),
    )


def _follow(beliefs: Beliefs, steps: Steps, limit: int) -> tuple[Links, Beliefs]:
    """Return the links from some beliefs, and those to which they lead.

    Raises:
        SettingsError: There are more links than `limit`.
    """
    count = len(beliefs.starts) - 1
    size, entries = max(1024, 2 * count), max(4096, 2 * len(beliefs.states))
    used = np.zeros(4, np.int64)  # choices, links, beliefs, entries
    links = Links(
        *(np.zeros(count + 1, np.int64), np.zeros(1, np.int64), np.zeros(0)),
        *(np.zeros(0, np.int32), np.zeros(0)),
    )
    following = Beliefs(np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0))
    hashes = np.zeros(0, np.uint64)
    scratch = np.zeros(len(steps.signals)), np.zeros(len(steps.signals), np.int64)
    belief = 0
    while belief < count:
        links = Links(
            links.choices,
            grown(links.starts, size + 1),
            grown(links.gains, size),
            grown(links.targets, entries),
            grown(links.weights, entries),
        )
        following = Beliefs(
            grown(following.starts, size + 1),
            grown(following.states, entries),
            grown(following.weights, entries),
        )
        hashes = grown(hashes, size)
        table = new_table(hashes, used[2])
        belief = follow(beliefs, belief, steps, table, links, following, used, *scratch)
        if used[1] > limit:
            raise SettingsError(
                f"the best response of these settings has more than {MAX_LINKS:,} links between "
                "beliefs: too many"
            )
        size, entries = 2 * size, 2 * entries
    choices, num_links, num_beliefs, num_entries = used
    return Links(
        links.choices,
        links.starts[: choices + 1].copy(),
        links.gains[:choices].copy(),
        links.targets[:num_links].copy(),
        links.weights[:num_links].copy(),
    ), Beliefs(
        following.starts[: num_beliefs + 1].copy(),
        following.states[:num_entries].copy(),
        following.weights[:num_entries].copy(),
    )


@kernel
def weigh(
    players: Any, starts: Any, edges: Edges, shares: Any, seat: int, following: Any, found: Any
) -> None:
    """Write the lowest and highest value of each state; see `_bounds`.

    Args:
        players: See `Level`.
        starts: See `Level`.
        edges: See `Level`.
        shares: The probability of each edge's action.
        seat: The player.
        following: Both values of the states of the next level.
        found: Written.
    """
    for state in range(len(players)):
        own = players[state] == seat
        edge, end = starts[state], starts[state + 1]
        first = True
        while edge < end:
            action, low, high = edges.actions[edge], 0.0, 0.0
            while edge < end and (not own or edges.actions[edge] == action):
                chance = edges.chances[edge] if own else edges.chances[edge] * shares[edge]
                target, gained = edges.targets[edge], edges.gains[edge, seat]
                low += chance * (gained + (following[target, 0] if target != END else 0.0))
                high += chance * (gained + (following[target, 1] if target != END else 0.0))
                edge += 1
            found[state, 0] = low if first else min(found[state, 0], low)
            found[state, 1] = high if first else max(found[state, 1], high)
            first = False


@kernel
def follow(
    beliefs: Beliefs,
    belief: int,
    steps: Steps,
    table: Table,
    links: Links,
    following: Beliefs,
    used: Any,
    weights: Any,
    touched: Any,
) -> int:
    """Write what follows some beliefs.

    Args:
        beliefs: The beliefs.
        belief: The first one that is not followed yet.
        steps: What the player expects.
        table: Finds `following` by hash.
        links: Written.
        following: Written.
        used: int64 (4,), choices, links, beliefs and entries written; counted up.
        weights: float64 (ranks,), zeros; working space.
        touched: int64 (ranks,), working space.

    Returns:
        The first belief that is not followed, for lack of room.
    """
    actions = steps.actions
    while belief < len(beliefs.starts) - 1:
        links.choices[belief] = used[0]
        first, end = beliefs.starts[belief], beliefs.starts[belief + 1]
        head = beliefs.states[first]
        step, last = steps.starts[head], steps.starts[head + 1]
        while step < last:
            action = actions[step]
            if used[0] == len(links.gains):
                used[0] = links.choices[belief]
                used[1] = links.starts[used[0]]
                return belief
            gained, count = gather(beliefs, first, end, steps, action, weights, touched)
            links.gains[used[0]] = gained
            added = link(steps, touched[:count], weights, table, links, following, used)
            for k in range(count):
                weights[touched[k]] = 0.0
            if not added:
                used[0] = links.choices[belief]
                used[1] = links.starts[used[0]]
                return belief
            used[0] += 1
            links.starts[used[0]] = used[1]
            while step < last and actions[step] == action:
                step += 1
        belief += 1
    links.choices[belief] = used[0]
    return belief


@device
def gather(
    beliefs: Beliefs, first: int, end: int, steps: Steps, action: int, weights: Any, touched: Any
) -> tuple[float, int]:
    """Sum up what follows a belief with an action of the player, or -1 if others decide.

    Args:
        beliefs: The beliefs.
        first: The first entry of the belief.
        end: The end of its entries.
        steps: What the player expects.
        action: The action.
        weights: float64 (ranks,), zeros; the probabilities of the ranks are written.
        touched: int64 (ranks,); those that are written.

    Returns:
        What is gained at once, and how many ranks were written.
    """
    gained, count = 0.0, 0
    for entry in range(first, end):
        state, weight = beliefs.states[entry], beliefs.weights[entry]
        for step in range(steps.starts[state], steps.starts[state + 1]):
            if steps.actions[step] == action:
                chance = weight * steps.chances[step]
                rank = steps.ranks[step]
                gained += chance * steps.gains[step]
                if rank != END and chance > 0.0:  # a product may be too small for a float
                    if weights[rank] == 0.0:
                        touched[count] = rank
                        count += 1
                    weights[rank] += chance
    return gained, count


@device
def link(
    steps: Steps,
    touched: Any,
    weights: Any,
    table: Table,
    links: Links,
    following: Beliefs,
    used: Any,
) -> bool:
    """Write the beliefs that follow a choice, one for each signal, and links to them.

    Args:
        steps: What the player expects.
        touched: The ranks that follow; sorted.
        weights: Their probabilities.
        table: See `follow`.
        links: See `follow`.
        following: See `follow`.
        used: See `follow`.

    Returns:
        Whether there was room.
    """
    sort(touched)
    begin = 0
    while begin < len(touched):
        end, mass = begin, 0.0
        while end < len(touched) and steps.signals[touched[end]] == steps.signals[touched[begin]]:
            mass += weights[touched[end]]
            end += 1
        number = np.uint64(0)
        for k in range(begin, end):
            number = absorb(number, steps.targets[touched[k]])
            number = absorb(number, int(weights[touched[k]] / mass * GRID + 0.5))
        place = find(table, number)
        if table.places[place] == END:
            entry = used[3]
            room = entry + end - begin <= len(following.states)
            if not room or used[2] == len(table.hashes):
                return False
            table.places[place] = used[2]
            table.hashes[used[2]] = number
            for k in range(begin, end):
                following.states[entry] = steps.targets[touched[k]]
                following.weights[entry] = weights[touched[k]] / mass
                entry += 1
            used[2] += 1
            used[3] = entry
            following.starts[used[2]] = entry
        if used[1] == len(links.targets):
            return False
        links.targets[used[1]] = table.places[place]
        links.weights[used[1]] = mass
        used[1] += 1
        begin = end
    return True


@device
def sort(numbers: Any) -> None:
    """Sort numbers in place, ascending (Shell 1959); NumPy's own would allocate memory."""
    gap = len(numbers) // 2
    while gap > 0:
        for place in range(gap, len(numbers)):
            number, lower = numbers[place], place - gap
            while lower >= 0 and numbers[lower] > number:
                numbers[lower + gap] = numbers[lower]
                lower -= gap
            numbers[lower + gap] = number
        gap = gap * 5 // 11 if gap != 2 else 1


@kernel
def back_up(links: Links, following: Any, values: Any) -> None:
    """Write the value of each belief, that of its best choice.

    Args:
        links: Those of a level.
        following: float64 (beliefs of the next level,), their values.
        values: float64 (beliefs,); written.
    """
    for belief in range(len(values)):
        best = -np.inf
        for choice in range(links.choices[belief], links.choices[belief + 1]):
            value = links.gains[choice]
            for place in range(links.starts[choice], links.starts[choice + 1]):
                value += links.weights[place] * following[links.targets[place]]
            best = max(best, value)
        values[belief] = best
