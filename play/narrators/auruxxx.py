"""Auruxxx for people: what its decisions are in words, and what a seat sees of the table."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...envs.auruxxx.rounds import Ending
from ...envs.auruxxx.rules import CARDS, COLOURS, POINTS, Card, number_of
from ...envs.engine.events import EventKind, Unrecorded
from .advice import Advice
from .decision import Decision, Happening, draw_line
from .lines import Line, Note, Position
from .narrator import Narrator

SHOWN = 4  # cards of the discard pile that are shown
STYLES = dict(zip(COLOURS, ("red", "yellow", "green", "blue", "magenta"), strict=True))


class AuruxxxNarrator(Narrator):
    """Narrates Auruxxx."""

    deal_rules = ("A1.1", "A1.3")
    has_view = True

    def narrate(self, decision: Decision) -> list[Line]:
        """Return the lines of a decision."""
        lines = [self._line(decision, happening) for happening in decision.happenings]
        written = [line for line in lines if line]
        return written if decision.points is None else written + _scores(decision)

    def _line(self, decision: Decision, happening: Happening) -> Line | None:
        """Return the line of one thing that happened; None where another one says it, too."""
        match happening.kind:
            case EventKind.SHUFFLE:
                return happening.line("turned-over")
            case EventKind.DRAW | EventKind.TAKE_DEMAND | Unrecorded.NO_DRAW:
                return draw_line(happening)
            case Unrecorded.CROSS:
                return happening.line("pass", number=happening.count)
            case EventKind.END:
                return happening.line("no-more" if happening.rule == "A3.3" else "end")
            case EventKind.LAY:
                return _lay(happening)
            case EventKind.FIGURE:
                return happening.line("figure")
            case EventKind.STEAL:
                return happening.line("steal.cards" if happening.cards else "steal.hidden")
            case Unrecorded.NO_STEAL:
                return happening.line("steal.none")
            case EventKind.SWAP if happening.seat == decision.match.players[-1]:
                return replace(happening.line("swap"), cards=("swap",))
            case Unrecorded.DEMAND:
                return happening.line("demand", number=happening.count)
        return None

    def view(self, position: Position, viewer: int | None) -> dict[str, Any]:  # noqa: ARG002
        """Return the cards on top of the discard pile; Golden 12s, laid last, side by side."""
        discard = position["discard"]
        golden = next((k for k, card in enumerate(reversed(discard)) if card != "gold"), 0)
        return {"discard": discard[-max(SHOWN, golden + 1) :], "laid": golden}

    def seat_notes(self, position: Position, seat: int) -> list[Note]:
        """Return the crosses and the figure of a player."""
        crosses = position["crosses"][seat]
        notes = [Note("crosses", number=crosses)] if crosses else []
        return [*notes, Note("figure")] if position["figure"] == seat else notes

    def turn_notes(self, position: Position, viewer: int | None) -> list[Note]:
        """Return what the viewer is asked: for cards, or for more of the number that it laid."""
        asks = {
            "demand": Note("demand", number=position["demand"]),
            "multiple": Note("ask-multiple"),
        }
        asked = asks.get(position["phase"]) if position["current_player"] == viewer else None
        return [asked] if asked else []

    def hand_points(self, settings: Any, cards: list[str]) -> int:
        """Return the points that cards left in a hand count (A7.1)."""
        points = dict(zip(CARDS, POINTS.tolist(), strict=True)) | {"gold": settings.golden_value}
        return sum(points[card] for card in cards)

    def card_texts(self, settings: Any, texts: Mapping[str, str]) -> dict[str, str]:  # noqa: ARG002
        """Return the texts of the coloured cards."""
        card_texts = {}
        for card, name in enumerate(CARDS[: Card.GOLDEN]):
            key = "card.happy" if card >= Card.HAPPY_MAN else "card.number"
            colour = texts[f"colour.{name[0]}"]
            card_texts[f"card.{name}"] = texts[key].format(colour=colour, number=name[1:])
        return card_texts

    def advise(self, settings: Any, position: Position, name: str) -> tuple[Advice, ...]:
        """Return what speaks for or against a legal move, by what its player knows."""
        if name == "lay gold":
            return (Advice("wins-round"),)
        if name == "pass":
            return (Advice("cross"),)
        said = super().advise(settings, position, name)
        card = name.removeprefix("lay ")
        is_two = card in CARDS[: Card.GOLDEN] and number_of(CARDS.index(card)) == 2
        return (*said, Advice("two")) if is_two else said

    def card_style(self, card: str) -> str:
        """Return the colour of a card in the terminal."""
        coloured = card in CARDS[: Card.GOLDEN]
        return STYLES[card[0]] if coloured else ""


def _lay(happening: Happening) -> Line | None:
    """Return the line of a card that was laid; that of a swap says with whom."""
    card = happening.cards[0]
    if card == "swap":
        return None
    more = {"gold": ("A6.2",), "blessing": ("A3.9",), "steal": ("A3.9",)}
    return happening.line("lay", *more.get(card, ()))


def _scores(decision: Decision) -> list[Line]:
    """Return the end of a round, and of the game (A6.2, A7, A8.1)."""
    (ending,) = decision.all_of(Unrecorded.ROUND_ENDED)
    texts = {Ending.GOLDEN: "round-won", Ending.CAP: "cap", Ending.TURNS: "turns"}
    lines = [ending.line(texts[Ending(ending.count)])]
    for seat in range(len(decision.after["hands"])):
        held = ("hand",) if decision.after["hands"][seat] else ()  # it may be worth nothing
        scores = decision.scores(seat)
        rules = [score.rule for score in scores if score.count or score.cards == held]
        lines.append(decision.points_line(seat, *rules))
    return lines + decision.winner_lines()


NARRATOR = AuruxxxNarrator
