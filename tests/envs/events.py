"""Events of a match in words."""

from typing import Any

from numpy.typing import NDArray

from goldgriff.envs.engine.events import EventKind
from goldgriff.envs.engine.game import Game
from goldgriff.envs.match import Match

Row = tuple[str, int, int, str, int]


def in_words(game: Game, events: NDArray[Any]) -> list[Row]:
    """Return kind, actor, other, card and count of each event; seats from 1, "" for no card."""
    return [
        (
            EventKind(int(event["kind"])).name,
            int(event["actor"]),
            int(event["other"]),
            game.cards[event["card"] - 1] if event["card"] else "",
            int(event["count"]),
        )
        for event in events
    ]


def seen(match: Match, seat: int = 0) -> list[Row]:
    """Return what a seat knows of the last decision."""
    events = match.events(seat)
    return in_words(match.game, events[events["number"] == events["number"][-1]])
