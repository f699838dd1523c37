"""Beliefs of one player and what follows them: expanded level by level, compiled.

A belief is a distribution over the states of a level. What the player observes divides what may
follow into other beliefs; those that are equal, however they were reached, are one.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import device, kernel
from ...errors import SettingsError
from .hash_table import EMPTY, HashTable, find, new_hash_table, resized, resized_all
from .information import hash_combine
from .states import END

MAX_LINKS = 150_000_000  # between beliefs, of one player: some 4 GB
GRID = 2.0**40  # probabilities are compared in steps of 1 / GRID


class Steps(NamedTuple):
    """One player's view of a level: edges that are played, as it observes them.

    Attributes:
        starts: int64 (states + 1,), the first of each state.
        actions: int16 (steps,), the player's action where it decides, else -1.
        chances: float64 (steps,), the probability of each, given the player's action.
        gains: float64 (steps,), the reward of each, with all later rewards if no later decision of
            the player changes them.
        ranks: int64 (steps,), the row in `signals` and `targets`, or END.
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
    """Links from beliefs to those that follow them."""

    choices: NDArray[np.int64]  # (beliefs + 1,), the first choice of each: an action, or none
    starts: NDArray[np.int64]  # (choices + 1,), the first link of each
    gains: NDArray[np.float64]  # (choices,), what is gained without any link
    targets: NDArray[np.int32]  # (links,), beliefs of the next level
    weights: NDArray[np.float64]  # (links,), their probabilities


def follow_all(beliefs: Beliefs, steps: Steps, limit: int) -> tuple[Links, Beliefs]:
    """Return the links from some beliefs, and those to which they lead.

    Raises:
        SettingsError: There are more links than `limit`.
    """
    count = len(beliefs.starts) - 1
    size, entries = max(1024, 2 * count), max(4096, 2 * len(beliefs.states))
    used = np.zeros(4, np.int64)  # choices, links, beliefs, entries
    types = (np.int64, np.int64, np.float64, np.int32, np.float64)
    links = Links._make(np.zeros(0, dtype) for dtype in types)
    following = Beliefs(np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0))
    hashes = np.zeros(0, np.uint64)
    scratch = np.zeros(len(steps.signals)), np.zeros(len(steps.signals), np.int64)
    belief = 0
    while belief < count:
        links = resized_all(links, count + 1, size + 1, size, entries, entries)
        following = resized_all(following, size + 1, entries, entries)
        hashes = resized(hashes, size)
        table = new_hash_table(hashes, used[2])
        belief = follow(beliefs, belief, steps, table, links, following, used, *scratch)
        if used[1] > limit:
            raise SettingsError(
                "the best response of these settings needs more than "
                f"{MAX_LINKS:,} links between beliefs"
            )
        size, entries = 2 * size, 2 * entries
    choices, num_links, num_beliefs, num_entries = used.tolist()
    links = resized_all(links, count + 1, choices + 1, choices, num_links, num_links)
    return links, resized_all(following, num_beliefs + 1, num_entries, num_entries)


@kernel
def follow(
    beliefs: Beliefs,
    belief: int,
    steps: Steps,
    table: HashTable,
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
            added = used[0] < len(links.gains)
            if added:
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
    """Sum up the rewards and next states of a belief, for one action.

    Args:
        beliefs: The beliefs.
        first: The first entry of the belief.
        end: The end of its entries.
        steps: What the player expects.
        action: The action of the player; -1 if others decide.
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
    table: HashTable,
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
            number = hash_combine(number, steps.targets[touched[k]])
            number = hash_combine(number, int(weights[touched[k]] / mass * GRID + 0.5))
        place = find(table, number)
        if table.places[place] == EMPTY:
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
