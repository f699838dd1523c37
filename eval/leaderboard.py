"""The leaderboard: ratings over everything a store holds."""

from ..agents.registry import fingerprint
from .ratings import Rating, places, rate
from .recorder import PERSON
from .store import Store, StoreError


def leaderboard(store: Store) -> list[Rating]:
    """Rate all agents by all games of a store in their order; the best first.

    A game that several tournaments played, with the same agents on the same seats, counts once;
    a person may play the same deal in many ways, and each counts.
    A checkpoint that took another's place is another agent, told by its fingerprint. Raises
    StoreError when there is no game.
    """
    known = store.agents()
    persons = {agent for agent, name, _ in known if name == PERSON}
    games: dict[tuple[int, str, tuple[int, ...]], list[float]] = {}
    for number, seed, seats in store.seats():
        agents, points, shares = zip(*seats, strict=True)
        once = 0 if persons.isdisjoint(agents) else number
        games.setdefault((once, seed, agents), places(points, shares).tolist())
    if not games:
        raise StoreError(f"{store.path} holds no games")
    numbers = {agent: number for number, (agent, _, _) in enumerate(known)}
    named = [name for _, name, _ in known]
    names = [name if named.count(name) == 1 else f"{name} ({mark[:6]})" for _, name, mark in known]
    played = games.items()
    return rate(
        names, (([numbers[agent] for agent in agents], placed) for (*_, agents), placed in played)
    )


def field(store: Store) -> list[str]:
    """The agents of a store that can still play: no person, and no checkpoint that has changed."""
    return [
        name
        for _, name, mark in store.agents()
        if name != PERSON and fingerprint(name, store.game) == mark
    ]
