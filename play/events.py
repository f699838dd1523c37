"""What happens in a game as plain events, told as one seat may know it.

`words.py` says them in a language; `auruxxx.py` and `gluecksgriff.py` find them.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..envs.engine.settings import GameSettings

Position = dict[str, Any]  # as a game's `write_position` makes it


@dataclass(frozen=True)
class Event:
    """One thing that happened, with nothing in it that its viewer cannot know.

    kind: names its text, `event.KIND` in `texts`. seat: who did it, or None for the table.
    rules: ids of docs/rules. cards: by name. other: another seat. number: cards, points, rounds.
    total: points in all.
    """

    kind: str
    seat: int | None = None
    rules: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    other: int | None = None
    number: float | None = None
    total: float | None = None


@dataclass(frozen=True)
class Move:
    """A move that was played, with all that is needed to tell what it brought.

    viewer: the seat that is told, or None for somebody who sees all hands. seat, name: who moved,
    and what. before, after: the positions; when the move ended a round, `after` still has the
    hands that were counted, and `points` what each seat's total rose by.
    """

    settings: GameSettings
    viewer: int | None
    seat: int
    name: str
    before: Position
    after: Position
    points: tuple[float, ...] | None

    @property
    def players(self) -> int:
        """Seats at the table."""
        return self.settings.num_players

    @property
    def others(self) -> list[int]:
        """The other seats, clockwise from the next one."""
        return [(self.seat + steps) % self.players for steps in range(1, self.players)]

    @property
    def target(self) -> int:
        """The seat that a move such as `swap +2` names."""
        return (self.seat + int(self.name.rsplit("+", 1)[1])) % self.players

    def sees(self, *seats: int) -> bool:
        """Whether the viewer sees the hand of one of these seats."""
        return self.viewer is None or self.viewer in seats

    def gained(self, seat: int, lost: Sequence[str] = ()) -> tuple[str, ...]:
        """Cards that came into a hand, after it had lost some."""
        return only_in(self.after["hands"][seat], only_in(self.before["hands"][seat], lost))

    def lost(self, seat: int) -> tuple[str, ...]:
        """Cards that left a hand."""
        return only_in(self.before["hands"][seat], self.after["hands"][seat])

    def draws(self, seat: int, *rules: str, lost: Sequence[str] = ()) -> list[Event]:
        """A seat has drawn what came into its hand; only who sees the hand learns the cards.

        lost: what it had lost before it drew.
        """
        cards = self.gained(seat, lost)
        if not cards:
            return [Event("draw.none", seat, rules)]
        if self.sees(seat):
            return [Event("draw.cards", seat, rules, cards)]
        return [Event("draw.hidden", seat, rules, number=len(cards))]


def only_in(cards: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """The cards that are in one hand and not in another, copies counted."""
    return tuple((Counter(cards) - Counter(others)).elements())


def score(move: Move, seat: int, number: float, *rules: str) -> Event:
    """What a seat writes at the end of a round; the hands lie open then."""
    cards, total = tuple(move.after["hands"][seat]), move.before["scores"][seat] + number
    return Event("points", seat, rules, cards, number=number, total=total)


def winners(scores: Sequence[float], rule: str) -> list[Event]:
    """The end of a game: the lowest total wins, equal ones share."""
    best = [seat for seat, total in enumerate(scores) if total == min(scores)]
    kind = "won" if len(best) == 1 else "shared"
    return [Event(kind, seat, (rule,), total=scores[seat]) for seat in best]
