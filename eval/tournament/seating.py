"""The line-ups of a tournament and the seating orders of each deal."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations, permutations
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

MAX_VARIED_SEATS = 6  # with more seats all deals have the orders of the first; there are too many

Lineup = tuple[int, ...]


def lineups(agents: int, seats: int) -> list[Lineup]:
    """Return all choices of `seats` agents; fewer agents than seats are repeated in order."""
    if agents >= seats:
        return list(combinations(range(agents), seats))
    return [tuple(seat % agents for seat in range(seats))]


def field_lineups(agents: int, challengers: int, seats: int) -> list[Lineup]:
    """Return the line-ups of each of the first agents against all choices of the others."""
    field = lineups(agents - challengers, seats - 1)
    return [
        (challenger, *(challengers + other for other in others))
        for challenger in range(challengers)
        for others in field
    ]


def arrangements(lineup: Lineup) -> list[Lineup]:
    """Return all different rotations of a line-up and of its mirror image.

    In them, each agent takes each seat equally often, and two agents follow each other in either
    order equally often.
    """
    return list(dict.fromkeys(_rotations(lineup) + _rotations(lineup[::-1])))


def num_orders(lineup: Lineup) -> int:
    """Return the number of different orders in which a line-up can sit."""
    return factorial(len(lineup)) // prod(map(factorial, Counter(lineup).values()))


def seatings_of(lineup: Lineup, deals: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the seatings of a line-up in some deals.

    Every deal has as many games as `arrangements`, with each agent in each seat equally often.
    With up to three players these are the arrangements. With four or more, the orders change from
    deal to deal, so that each agent sits beside and opposite every other one equally often: over
    three deals with 4 players, two with 5 and ten with 6. A line-up of six with four seats of one
    agent and two of another has the same orders in each deal.

    Args:
        lineup: The agents; one that is listed twice takes two seats.
        deals: Numbers of the deals, int64 (deals,).

    Returns:
        Agent of each seat, int64 (deals, games, seats).
    """
    agents = list(dict.fromkeys(lineup))
    units = _units(tuple(agents.index(agent) for agent in lineup))
    played = len(arrangements(lineup)) // units.shape[1]
    turns = (deals[:, None] * played + np.arange(played)) % len(units)
    seated: NDArray[np.int64] = np.array(agents, np.int64)[units[turns]]
    return seated.reshape(len(deals), -1, len(lineup))


@cache
def _units(pattern: Lineup) -> NDArray[np.int64]:
    """Return the orders of a line-up in sets of equal size, int64 (sets, orders, seats).

    In each set each agent takes each seat equally often.
    """
    seats, counts = len(pattern), Counter(pattern)
    if not 4 <= seats <= MAX_VARIED_SEATS:
        return np.array([arrangements(pattern)], np.int64)
    families: list[Callable[[Lineup], list[Lineup]]] = [arrangements, _rotations]
    if len(set(counts.values())) == 1 < counts[0]:
        families = [_renamed]
    for family in families:
        units = dict.fromkeys(tuple(sorted(family(order))) for order in permutations(pattern))
        if len({len(unit) for unit in units}) == 1:
            first = family(pattern)
            rest = [unit for unit in sorted(units) if pattern not in unit]
            return _balanced(np.array([first, *rest], np.int64))
    return np.array([arrangements(pattern)], np.int64)


def _balanced(units: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return sets of orders in a sequence in which the first sets are as balanced as possible.

    Balanced means that all pairs of agents sit at each distance from each other equally often.
    """
    sets, _, seats = units.shape
    agents = int(units.max()) + 1
    met = np.zeros((sets, seats, agents, agents))
    for number, distance in np.ndindex(sets, seats):
        pairs = units[number].ravel(), np.roll(units[number], -distance, axis=1).ravel()
        np.add.at(met[number, distance], pairs, 1)
    off = (met - met.mean(axis=0)).reshape(sets, -1)
    chosen, total = [0], off[0].copy()
    while len(chosen) < sets:
        left = np.setdiff1d(np.arange(sets), chosen)
        unbalanced = np.round(((total + off[left]) ** 2).sum(axis=1), 6)
        chosen.append(int(left[unbalanced.argmin()]))
        total += off[chosen[-1]]
    return units[chosen]


def _rotations(lineup: Lineup) -> list[Lineup]:
    """Return all different rotations of a line-up."""
    turned = (lineup[shift:] + lineup[:shift] for shift in range(len(lineup)))
    return list(dict.fromkeys(turned))


def _renamed(lineup: Lineup) -> list[Lineup]:
    """Return a line-up with its agents in each other's places, in all ways."""
    names = sorted(set(lineup))
    return [tuple(named[agent] for agent in lineup) for named in permutations(names)]
