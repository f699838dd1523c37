"""The end of a round: the hands that were scored, and what the points of each seat are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from .decision import Decision
from .lines import Line, Position
from .narrator import Narrator

LAID = ("lay", "add", "run", "low", "high", "knock.drawn")  # kinds of lines of cards that were laid


@dataclass(frozen=True)
class Part:
    """A part of the points of a round.

    Attributes:
        entry: Names the text, `entry.ENTRY`.
        points: What it adds.
        rule: Id of the rule, empty where there is none.
        values: The points of each card, where cards are counted; they sum to `points`.
    """

    entry: str
    points: float
    rule: str
    values: tuple[int, ...] = ()


@dataclass(frozen=True)
class RoundEnd:
    """The end of a round.

    Attributes:
        position: With the hands that were scored; None where the narrator has no view.
        points: What each seat's total rose by.
        lines: For each seat the line of its points; its cards are empty where the hand stayed
            hidden.
        parts: What the points of each seat are made of; empty in a game without a score sheet.
        laid: The line of the cards that the last move laid, if it ended the round; None if it laid
            none, or something else ended it.
    """

    position: Position | None
    points: tuple[float, ...]
    lines: tuple[Line, ...]
    parts: tuple[tuple[Part, ...], ...]
    laid: Line | None

    @classmethod
    def of(cls, decision: Decision, lines: Sequence[Line], narrator: Narrator) -> Self:
        """Return the end of the round that a decision has ended, with its lines."""
        assert decision.points is not None
        hands = decision.after["hands"]
        scored = tuple(line for line in lines if line.kind == "points")
        return cls(
            decision.after if narrator.has_view else None,
            decision.points,
            scored,
            tuple(_parts(decision, line, narrator) for line in scored),
            next((line for line in lines if line.kind in LAID and not hands[line.seat]), None),
        )

    def hidden_seats(self, viewer: int | None) -> list[int]:
        """Return the seats whose hands a viewer did not see."""
        hands = self.position["hands"] if self.position else []
        return [
            seat
            for seat, hand in enumerate(hands)
            if hand and not self.lines[seat].cards and viewer not in (None, seat)
        ]


def _parts(decision: Decision, line: Line, narrator: Narrator) -> tuple[Part, ...]:
    """Return what the points of a seat, with their line, are made of."""
    assert line.seat is not None
    settings, scores = decision.match.settings, decision.scores(line.seat)
    parts = []
    for score in scores:
        (entry,) = score.cards
        cards = line.cards if entry == "hand" else ()
        values = tuple(narrator.hand_points(settings, [card]) or 0 for card in cards)
        parts.append(Part(entry, score.count / 2, score.rule, values))
    nothing = (Part("nothing", 0.0, next(iter(line.rules), "")),) if scores else ()
    return tuple(part for part in parts if part.points) or nothing


def ranking(scores: Sequence[float]) -> list[tuple[int, int]]:
    """Return place and seat of everybody, the lowest total first; equal totals share a place."""
    order = sorted(range(len(scores)), key=lambda seat: scores[seat])
    return [(1 + sum(other < scores[seat] for other in scores), seat) for seat in order]
