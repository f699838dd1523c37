"""The leaderboard: ratings over everything a store holds."""

from goldgriff.agents.registry import fingerprint
from goldgriff.eval.ratings import Rating, places, rate
from goldgriff.eval.store import Store, StoreError


def leaderboard(store: Store) -> list[Rating]:
    """Rate all agents by all games of a store in their order; the best first.

    A game that several tournaments played, with the same agents on the same seats, counts once.
    A checkpoint that took another's place is another agent, told by its fingerprint. Raises
    StoreError when there is no game.
    """
    games: dict[tuple[str, tuple[int, ...]], list[float]] = {}
    for seed, seats in store.seats():
        agents, points, shares = zip(*seats, strict=True)
        games.setdefault((seed, agents), places(points, shares).tolist())
    if not games:
        raise StoreError(f"{store.path} holds no games")
    known = store.agents()
    numbers = {agent: number for number, (agent, _, _) in enumerate(known)}
    named = [name for _, name, _ in known]
    names = [name if named.count(name) == 1 else f"{name} ({mark[:6]})" for _, name, mark in known]
    played = games.items()
    return rate(
        names, (([numbers[agent] for agent in agents], placed) for (_, agents), placed in played)
    )


def field(store: Store) -> list[str]:
    """The agents of a store that can still play: those whose checkpoint is the one that did."""
    return [name for _, name, mark in store.agents() if fingerprint(name, store.game) == mark]
