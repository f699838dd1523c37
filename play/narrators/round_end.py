"""The end of a round: the hands that were scored, and what the points of each seat are made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...envs.engine.game import RoundSheet
from .lines import Line, Position
from .narrator import Narrator


@dataclass(frozen=True)
class RoundEnd:
    """The end of a round.

    Attributes:
        position: With the hands that were scored; None where the narrator has no view.
        points: What each seat's total rose by.
        sheet: The score sheet.
        rules: The rule of each entry of it, by seat and name.
        lines: For each seat the line of its points; its cards are empty where the hand stayed
            hidden.
        laid: The line of the cards that the last move laid, if it ended the round; None if it laid
            none, or something else ended it.
    """

    position: Position | None
    points: tuple[float, ...]
    sheet: RoundSheet
    rules: Mapping[tuple[int | None, str], str]
    lines: tuple[Line, ...]
    laid: Line | None = None

    def hidden_seats(self, viewer: int | None) -> list[int]:
        """Return the seats whose hands a viewer did not see."""
        hands = self.position["hands"] if self.position else []
        return [
            seat
            for seat, hand in enumerate(hands)
            if hand and not self.lines[seat].cards and viewer not in (None, seat)
        ]

    def parts(self, narrator: Narrator, settings: Any, seat: int) -> "list[Part]":
        """Return what the points of a seat are made of; empty in a game without a score sheet."""
        if not self.sheet[seat]:
            return []
        line, parts = self.lines[seat], []
        for entry, points in self.sheet[seat].items():
            if points:
                card_points = [narrator.hand_points(settings, [card]) or 0 for card in line.cards]
                values = tuple(card_points) if entry == "hand" else ()
                parts.append(Part(entry, points, self.rules.get((seat, entry), ""), values))
        return parts or [Part("nothing", 0.0, next(iter(line.rules), ""))]


@dataclass(frozen=True)
class Part:
    """A part of the points of a round.

    Attributes:
        entry: Names the text, `entry.ENTRY`.
        rule: Id of the rule, empty where there is none.
        values: The points of each card, where cards are counted; they sum to `points`.
    """

    entry: str
    points: float
    rule: str
    values: tuple[int, ...] = ()


def ranking(scores: Sequence[float]) -> list[tuple[int, int]]:
    """Return place and seat of everybody, the lowest total first; equal totals share a place."""
    order = sorted(range(len(scores)), key=lambda seat: scores[seat])
    return [(1 + sum(other < scores[seat] for other in scores), seat) for seat in order]
