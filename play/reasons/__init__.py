"""Why a person cannot make a move, with the rules: only from what this person knows.

A game's reasons are in `reasons/GAME.py`, found by the name of the game; a game without that file
gives none. The module has

- `OVER` and `TURNS`, ids of the rules by which a game ends and turns follow one another;
- `explain_move(seen, name)`, the reason why a move that is not legal is not;
- `explain_card(seen, card)`, the reason why no legal move uses a card;
- `explain_discard(seen, end)`, the reason why the top card of the discard pile (`top`) or the low
  end of a run on it (`low`) cannot be taken.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from ..narrators.lines import Note, Position
from ..session.event_log import position_of
from ..session.session import Session


class Reason(Note):
    """Why something cannot be done."""

    table = "reason"


@dataclass(frozen=True)
class Seen:
    """A position as the person knows it.

    Attributes:
        game: Name of the game.
        settings: Its settings.
        position: The position; the hands of the others are None, and it has neither the cards of
            the pile nor what the seats know.
        seat: The person's.
        legal: Names of their legal moves.
        used: Cards that these moves use.
        hand_points: Points of their hand, where the game knows them.
        over: Whether the game is over.
    """

    game: str
    settings: Any
    position: Position
    seat: int
    legal: frozenset[str]
    used: frozenset[str | None]
    hand_points: int | None
    over: bool

    @property
    def hand(self) -> list[str]:
        """The person's cards."""
        hand: list[str] = self.position["hands"][self.seat]
        return hand


def see(session: Session) -> Seen:
    """Return the position of a session as its person knows it; there has to be a person."""
    seat, position = session.seat, position_of(session.match)
    assert seat is not None
    hands = [hand if owner == seat else None for owner, hand in enumerate(position["hands"])]
    legal = [session.game.actions[action] for action in session.legal]
    narrator, hidden = session.log.narrator, ("pile", "known", "aware")
    return Seen(
        game=session.game.name,
        settings=session.settings,
        position={key: position[key] for key in position if key not in hidden} | {"hands": hands},
        seat=seat,
        legal=frozenset(legal),
        used=frozenset(narrator.card_of(position, name) for name in legal),
        hand_points=narrator.hand_points(session.settings, position["hands"][seat]),
        over=session.match.over,
    )


def explain_move(seen: Seen, name: str) -> Reason | None:
    """Return why a move is not legal; None where it is, and where the game gives no reasons."""
    if name in seen.legal:
        return None
    return _explain(seen, lambda game: game.explain_move(seen, name))


def explain_card(seen: Seen, card: str) -> Reason | None:
    """Return why no legal move uses a card; None where one does, or the game gives no reasons."""
    if card in seen.used:
        return None
    return _explain(seen, lambda game: game.explain_card(seen, card))


def explain_table(seen: Seen) -> dict[str, Reason | None]:
    """Return why nothing can be taken: from the `pile`, from the discard pile's `top`, its `low`.

    As in `explain_move` each may be None. `low` is the low end of a run.
    """
    return {
        "pile": explain_move(seen, "draw"),
        "top": _explain_discard(seen, "top", "take", "take high"),
        "low": _explain_discard(seen, "low", "take low"),
    }


def _explain_discard(seen: Seen, end: str, *takes: str) -> Reason | None:
    """Return why an end of the discard pile cannot be taken, by none of these moves."""
    if not seen.legal.isdisjoint(takes):
        return None
    return _explain(seen, lambda game: game.explain_discard(seen, end))


def _explain(seen: Seen, explain: Callable[[ModuleType], Reason]) -> Reason | None:
    """Return the reason that holds for every move now, or what the game's module finds."""
    module = f"{__package__}.{seen.game}"
    if find_spec(module) is None:
        return None
    game = import_module(module)
    if seen.over:
        return Reason("over", game.OVER)
    mover = seen.position["current_player"]
    if mover != seen.seat:
        return Reason("waiting", game.TURNS, other=mover)
    return explain(game)
