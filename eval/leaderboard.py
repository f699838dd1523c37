"""The leaderboard: ratings over all games of a store."""

from ..agents.registry import fingerprint
from .ratings import Rating, ranks, rate
from .recorder import PERSON
from .store import Store, StoreError


def leaderboard(store: Store) -> list[Rating]:
    """Rate all agents by all games of a store, in their order; the best first.

    A game that several tournaments played, with the same agents in the same seats, counts once;
    every game of a person counts. Checkpoints of one name with different fingerprints are
    different agents.

    Raises:
        StoreError: There is no game.
    """
    known = store.agents()
    persons = {agent for agent, name, _ in known if name == PERSON}
    games: dict[tuple[int, str, tuple[int, ...]], list[float]] = {}
    for number, seed, seats in store.seats():
        agents, points, shares = zip(*seats, strict=True)
        once = 0 if persons.isdisjoint(agents) else number
        games.setdefault((once, seed, agents), ranks(points, shares).tolist())
    if not games:
        raise StoreError(f"{store.path} holds no games")
    numbers = {agent: number for number, (agent, _, _) in enumerate(known)}
    named = [name for _, name, _ in known]
    names = [name if named.count(name) == 1 else f"{name} ({mark[:6]})" for _, name, mark in known]
    played = games.items()
    return rate(
        names, (([numbers[agent] for agent in agents], ranked) for (*_, agents), ranked in played)
    )


def ladder_agents(store: Store) -> list[str]:
    """Return the agents of a store that can still play: no person, no changed checkpoint."""
    return [
        name
        for _, name, mark in store.agents()
        if name != PERSON and fingerprint(name, store.game) == mark
    ]
