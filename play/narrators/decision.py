"""A decision as a viewer may know it: what the rules say of it, with names of cards and rules."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray

from ...envs.engine.events import NONE, EventKind, Unrecorded
from ...envs.engine.game import Game
from ...envs.match import Match
from .lines import Line, Position

_DRAWS = (EventKind.DRAW, EventKind.TAKE_DEMAND, EventKind.PENALTY)


@dataclass(frozen=True)
class Happening:
    """An event of the rules, as a viewer may know it. Cards drawn together are one.

    Attributes:
        kind: An `EventKind` or `Unrecorded`.
        seat: Who did it, or None.
        other: The other seat that is concerned, or None.
        cards: Cards by name, those that the viewer knows; of a score, its entry.
        count: As the kind says.
        rule: Id of docs/rules, empty for none.
    """

    kind: int
    seat: int | None
    other: int | None
    cards: tuple[str, ...]
    count: int
    rule: str

    def line(self, kind: str, *rules: str, number: float | None = None) -> Line:
        """Return a line with the text `event.KIND`; its rule is followed by others."""
        return Line(kind, self.seat, (self.rule, *rules), self.cards, self.other, number)


@dataclass(frozen=True)
class Decision:
    """A decision that was played.

    Attributes:
        match: The match, in which it is the last one.
        viewer: The seat that the lines are written for; None for all hands open.
        happenings: What the rules say of it.
        after: The position after it; where it ended a round, with the hands that were scored.
        state: The state of that position.
        points: What each seat's total rose by, if it ended a round.
    """

    match: Match
    viewer: int | None
    happenings: Sequence[Happening]
    after: Position
    state: Any
    points: tuple[float, ...] | None

    def all_of(self, *kinds: int) -> list[Happening]:
        """Return what happened of some kinds."""
        return [happening for happening in self.happenings if happening.kind in kinds]

    def scores(self, seat: int) -> list[Happening]:
        """Return what a seat scores at the end of a round, by entry of the score sheet."""
        return [score for score in self.all_of(Unrecorded.SCORE) if score.seat == seat]

    def points_line(self, seat: int, *rules: str) -> Line:
        """Return what a seat scores at the end of a round, with its hand, which lies open then."""
        assert self.points is not None
        return Line(
            "points",
            seat,
            rules,
            tuple(self.after["hands"][seat]),
            number=self.points[seat],
            total=self.after["scores"][seat],
            entries=tuple((s.cards[0], s.count / 2) for s in self.scores(seat) if s.count),
        )

    def winner_lines(self) -> list[Line]:
        """Return the end of a game, if this is it: the lowest total wins, equal ones share."""
        if not self.match.over:
            return []
        scores = self.after["scores"]
        winners = [seat for seat, total in enumerate(scores) if total == min(scores)]
        rules = tuple(ending.rule for ending in self.all_of(Unrecorded.GAME_OVER))
        text = "won" if len(winners) == 1 else "shared"
        return [Line(text, seat, rules, total=scores[seat]) for seat in winners]


def read_happenings(game: Game, events: NDArray[Any], viewer: int | None) -> list[Happening]:
    """Return what the rules say of a decision, as a viewer may know it.

    That the discard pile became the pile comes first, once.

    Args:
        game: The game.
        events: As `EventReader.play` returns them.
        viewer: A seat; None knows all.
    """
    happenings: list[Happening] = []
    for event_kind, actor, other, card, count, knowers, rule in events.tolist():
        names = list(game.score_sheet) if event_kind == Unrecorded.SCORE else game.cards
        shown = event_kind == Unrecorded.SCORE or viewer is None or knowers >> viewer & 1
        happening = Happening(
            event_kind,
            None if actor == NONE else actor,
            None if other == NONE else other,
            (names[card],) * (count if event_kind == EventKind.LAY else 1)
            if card != NONE and shown
            else (),
            count,
            game.cite(rule),
        )
        if event_kind == EventKind.SHUFFLE:
            if not happenings or happenings[0].kind != event_kind:
                happenings.insert(0, happening)
        elif event_kind in _DRAWS and happenings and _continues(happenings[-1], happening):
            cards = sorted(happenings[-1].cards + happening.cards, key=game.cards.index)
            number = happenings[-1].count + count
            happenings[-1] = replace(happening, cards=tuple(cards), count=number)
        else:
            happenings.append(happening)
    return happenings


def draw_line(draw: Happening) -> Line:
    """Return the line of cards that were drawn; only who knows them all is shown which."""
    if not draw.count:
        return draw.line("draw.none")
    return draw.line("draw.cards") if draw.cards else draw.line("draw.hidden", number=draw.count)


def _continues(first: Happening, second: Happening) -> bool:
    """Return whether the same player goes on drawing by the same rule."""
    return (first.kind, first.seat, first.rule) == (second.kind, second.seat, second.rule)
