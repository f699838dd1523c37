"""What happens in a game as plain events, as one seat may know it.

Narrators find them (`narrator.py`), `Texts` writes them in a language.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...envs.engine.game import RoundSheet

# As `Game.write_position` makes it; `event_log.py` says what it holds at least.
Position = dict[str, Any]
UNTOLD = ("no-more",)  # kinds of events that say that nothing was done


@dataclass(frozen=True)
class Event:
    """One thing that happened, with nothing in it that its viewer cannot know.

    Attributes:
        kind: Names the text, `event.KIND`.
        seat: The player who did it, or None.
        rules: Ids of docs/rules.
        cards: Cards by name.
        other: Another seat.
        number: Cards, points or rounds.
        total: Points in all.
        name: Name of a move that is shown in place of a text.
        entries: What the points are made of: entries of the score sheet that are not 0.
    """

    kind: str
    seat: int | None = None
    rules: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    other: int | None = None
    number: float | None = None
    total: float | None = None
    name: str = ""
    entries: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Note:
    """Something to be known of a seat or a turn.

    Attributes:
        key: Names the text, `note.KEY`.
        sign: What stands for it on the page.
        card: A card that lies open, by name, in place of a sign.
    """

    key: str
    sign: str = ""
    card: str | None = None
    number: int | None = None


@dataclass(frozen=True)
class Move:
    """A move that was played, with all that is needed to find its events.

    Attributes:
        viewer: The seat that the events are written for; None for all hands open.
        seat: The player.
        name: The name of `action`.
        before: The position before the move.
        after: The position after it. Where the move ended a round it still has the hands that were
            scored, if the narrator can stop a game there.
        state: The state after the move and, where it ended a round, after the next deal.
        points: What each seat's total rose by, if the move ended a round.
        sheet: The score sheet of that round.
        over: Whether it ended the game.
    """

    settings: Any
    viewer: int | None
    seat: int
    action: int
    name: str
    before: Position
    after: Position
    state: Any
    points: tuple[float, ...] | None
    sheet: RoundSheet
    over: bool

    @property
    def others(self) -> list[int]:
        """The other seats, clockwise from the next one."""
        players = self.settings.num_players
        return [(self.seat + steps) % players for steps in range(1, players)]

    @property
    def target(self) -> int:
        """The seat that a move such as `swap +2` names."""
        return self.others[int(self.name.rsplit("+", 1)[1]) - 1]

    def entries(self, seat: int) -> tuple[tuple[str, float], ...]:
        """Return the entries of a seat in the score sheet that are not 0."""
        return tuple((name, points) for name, points in self.sheet[seat].items() if points)

    def sees(self, *seats: int) -> bool:
        """Return whether the viewer sees the hand of one of these seats."""
        return self.viewer is None or self.viewer in seats

    def gained(self, seat: int, lost: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the cards that came into a hand after it had lost some."""
        return only_in(self.after["hands"][seat], only_in(self.before["hands"][seat], lost))

    def lost(self, seat: int) -> tuple[str, ...]:
        """Return the cards that left a hand."""
        return only_in(self.before["hands"][seat], self.after["hands"][seat])

    def draws(self, seat: int, *rules: str, lost: Sequence[str] = ()) -> list[Event]:
        """Return the events of a draw into a hand that may have lost cards before.

        Only a viewer who sees the hand learns the cards.
        """
        cards = self.gained(seat, lost)
        if not cards:
            return [Event("draw.none", seat, rules)]
        if self.sees(seat):
            return [Event("draw.cards", seat, rules, cards)]
        return [Event("draw.hidden", seat, rules, number=len(cards))]


def only_in(cards: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """Return the cards that are in one hand and not in another, copies counted."""
    return tuple((Counter(cards) - Counter(others)).elements())


def score(move: Move, seat: int, points: float, *rules: str) -> Event:
    """Return what a seat scores at the end of a round, with its hand, which lies open then."""
    cards, total = tuple(move.after["hands"][seat]), move.before["scores"][seat] + points
    return Event("points", seat, rules, cards, number=points, total=total)


def winners(move: Move, *rules: str) -> list[Event]:
    """Return the end of a game: the lowest total wins, equal ones share."""
    scores = move.after["scores"]
    best = [seat for seat, total in enumerate(scores) if total == min(scores)]
    kind = "won" if len(best) == 1 else "shared"
    return [Event(kind, seat, rules, total=scores[seat]) for seat in best]
