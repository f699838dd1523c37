"""The leaderboard: ratings over all games of a store."""

from collections import defaultdict
from typing import Any

import numpy as np

from ...agents.registry import fingerprint
from ..tournament.recorder import PERSON
from ..tournament.store import Store, StoreError
from .ranked_games import head_to_head, rank_games, ranks
from .ratings import Ratings, rate

_SEED = 1  # of the bootstrap


def leaderboard(*stores: Store) -> Ratings:
    """Rate all agents by all games of some stores of one game with the same rules.

    A game that several tournaments played, with the same agents in the same seats, counts once;
    every game of a person counts. Games with the same seed are one deal. Checkpoints of one name
    with different fingerprints are different agents.

    Raises:
        StoreError: There is no game.
    """
    agents: dict[tuple[str, str], int] = {}  # number of each name and fingerprint
    games: dict[tuple[Any, str, tuple[int, ...]], list[float]] = {}
    for store in stores:
        of_store = store.agents().items()
        numbers = {number: agents.setdefault(agent, len(agents)) for agent, number in of_store}
        persons = {number for (name, _), number in of_store if name == PERSON}
        for number, seed, seats in store.seats():
            players, points, shares = zip(*seats, strict=True)
            once = None if persons.isdisjoint(players) else (store.path, number)
            seated = tuple(numbers[agent] for agent in players)
            games.setdefault((once, seed, seated), ranks(points, shares).tolist())
    if not games:
        raise StoreError(f"{' and '.join(str(store.path) for store in stores)} holds no games")
    deals: dict[str, int] = {}
    by_seats = defaultdict(list)
    for (_, seed, seated), ranked in games.items():
        by_seats[len(seated)].append((deals.setdefault(seed, len(deals)), seated, ranked))
    columns = [[*zip(*rows, strict=True)] for rows in by_seats.values()]
    arrays = ((np.array(deal), np.array(seated), np.array(rank)) for deal, seated, rank in columns)
    ranked_games = rank_games(len(agents), arrays)
    plain = [name for name, _ in agents]
    names = [name if plain.count(name) == 1 else f"{name} ({mark[:6]})" for name, mark in agents]
    return rate(names, ranked_games, head_to_head(ranked_games, _SEED), _SEED)


def ladder_agents(store: Store) -> list[str]:
    """Return the agents of a store that can still play: no person, no changed checkpoint."""
    return [
        name
        for name, mark in store.agents()
        if name != PERSON and fingerprint(name, store.game) == mark
    ]
