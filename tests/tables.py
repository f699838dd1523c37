"""Tables in concrete positions of any game, set up in a line, and what a test reads of them."""

from typing import Any

from goldgriff.envs.engine.game import Game
from goldgriff.envs.match import Match


def table_with(
    game: Game,
    *hands: str,
    discard: str,
    pile: str | None = None,
    seed: int = 0,
    reward: str = "points",
    settings: dict[str, Any] | None = None,
    **fields: Any,
) -> Match:
    """A table with these hands; cards are names with spaces between, the last discard is on top.

    `pile` is for small decks only, which it has to complete; `fields` are more of the position.
    """
    position: dict[str, Any] = {
        "hands": [hand.split() for hand in hands],
        "discard": discard.split(),
        **fields,
    }
    if pile is not None:
        position["pile"] = pile.split()
    match = Match(game, game.settings(num_players=len(hands), **(settings or {})), reward)
    match.start(seed, position)
    return match


def new_table(game: Game, seed: int = 0, reward: str = "points", **settings: Any) -> Match:
    """A table with a fresh deal."""
    match = Match(game, game.settings(**settings), reward)
    match.start(seed)
    return match


def play(match: Match, *moves: str) -> Match:
    for move in moves:
        match.play(move)
    return match


def field(match: Match, name: str) -> Any:
    """One field of the position."""
    return match.position()[name]


def hand(match: Match, seat: int) -> list[str]:
    """A hand, sorted."""
    return sorted(field(match, "hands")[seat])


def cards(names: str) -> list[str]:
    """Names with spaces between as a sorted list, to compare with a hand."""
    return sorted(names.split())


def legal(match: Match) -> set[str]:
    return set(match.legal)
