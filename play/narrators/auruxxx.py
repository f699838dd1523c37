"""Auruxxx for people: the events of a move, and what a seat sees of the table."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...envs.auruxxx.rules import CARDS, COLOURS, POINTS, Card, Fit, colour_of, fit, number_of
from ...envs.auruxxx.state import State
from .advice import Advice
from .events import Event, Move, Note, Position, score, winners
from .narrator import Narrator

SHOWN = 4  # cards of the discard pile that are shown
ENTRY_RULES = {"hand": "A7.1", "crosses": "A7.2", "golden_twelves": "A7.3", "figure": "A7.4"}
STYLES = dict(zip(COLOURS, ("red", "yellow", "green", "blue", "magenta"), strict=True))


class AuruxxxNarrator(Narrator):
    """Tells a game of Auruxxx."""

    deal_rules = ("A1.1", "A1.3")
    has_view = True

    def stop_after_round(self, state: State) -> bool:
        """Make the round of a state the last one."""
        state.rounds = state.round_index + 1
        return True

    def cite(self, position: Position, name: str) -> tuple[str, ...]:
        """Return the ids of the rules that allow a legal move."""
        demanded, multiple = position["phase"] == "demand", position["phase"] == "multiple"
        if name == "pass":
            return ("A4.2",) if demanded else ("A2.1",)
        if name == "end":
            return ("A3.3",) if multiple else ("A2.4",)
        if name == "lay gold":
            return ("A6.1",)
        if name.startswith("lay "):
            card, top = CARDS.index(name[4:]), CARDS.index(position["discard"][-1])
            return ("A3.3",) if multiple else (_fit_rule(card, top),)
        fixed = {"draw": "A2.2", "take": "A4.1", "blessing": "A5.3", "steal": "A5.5"}
        return (fixed.get(name, "A5.4"),)

    def cite_entry(self, entry: str, points: float) -> str:  # noqa: ARG002
        """Return the id of the rule of an entry of the score sheet."""
        return ENTRY_RULES[entry]

    def narrate(self, move: Move) -> list[Event]:
        """Return the events of a move."""
        rules, seat, after = self.cite(move.before, move.name), move.seat, move.after
        turned_over = len(after["discard"]) < len(move.before["discard"])
        events = [Event("turned-over", None, ("A1.5",))] if turned_over else []
        if move.name in ("draw", "take"):
            events += move.draws(seat, *rules)
        elif move.name == "pass":
            events.append(Event("pass", seat, rules, number=after["crosses"][seat]))
        elif move.name == "end":
            more = move.before["phase"] == "multiple"
            events.append(Event("no-more" if more else "end", seat, rules))
        elif move.name == "lay gold":
            events.append(Event("lay", seat, ("A6.1", "A6.2"), move.lost(seat)))
        elif move.name.startswith("lay "):
            events += _lay(move, rules)
        else:
            events += _action_card(move, rules)
        if move.points is not None:
            events += _scores(move)
        elif after["phase"] == "demand":
            rule, target = "A4.2" if move.name == "pass" else "A4.1", after["current_player"]
            events.append(Event("demand", None, (rule,), other=target, number=after["demand"]))
        return events

    def view(self, position: Position, viewer: int | None) -> dict[str, Any]:  # noqa: ARG002
        """Return the cards on top of the discard pile; Golden 12s, laid last, side by side."""
        discard = position["discard"]
        golden = next((k for k, card in enumerate(reversed(discard)) if card != "gold"), 0)
        return {"discard": discard[-max(SHOWN, golden + 1) :], "laid": golden}

    def seat_notes(self, position: Position, seat: int) -> list[Note]:
        """Return the crosses and the figure of a player."""
        crosses = position["crosses"][seat]
        notes = [Note("crosses", "✕" * crosses, number=crosses)] if crosses else []
        return [*notes, Note("figure", "☻")] if position["figure"] == seat else notes

    def turn_notes(self, position: Position, viewer: int | None) -> list[Note]:
        """Return the cards that are demanded of the viewer."""
        demanded = position["phase"] == "demand" and position["current_player"] == viewer
        return [Note("demand", number=position["demand"])] if demanded else []

    def hand_points(self, settings: Any, cards: list[str]) -> int:
        """Return the points that cards left in a hand count (A7.1)."""
        points = dict(zip(CARDS, POINTS.tolist(), strict=True)) | {"gold": settings.golden_value}
        return sum(points[card] for card in cards)

    def card_texts(self, settings: Any, texts: Mapping[str, str]) -> dict[str, str]:  # noqa: ARG002
        """Return the texts of the coloured cards."""
        made = {}
        for card, name in enumerate(CARDS[: Card.GOLDEN]):
            key = "card.happy" if card >= Card.HAPPY_MAN else "card.number"
            colour = texts[f"colour.{name[0]}"]
            made[f"card.{name}"] = texts[key].format(colour=colour, number=name[1:])
        return made

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


def _fit_rule(card: int, top: int) -> str:
    """Return the rule by which a coloured card may be laid on another card."""
    if top > Card.GOLDEN:
        return "A3.9"
    if number_of(card) == 2:
        return "A3.4"
    if number_of(top) == 2 and fit(card, top) != Fit.MULTIPLES:
        return "A3.5"
    if colour_of(card) != colour_of(top) and card >= Card.HAPPY_MAN:
        return "A3.8"
    if number_of(card) == number_of(top) == 50:
        return "A3.6"
    return "A3.2" if fit(card, top) == Fit.MULTIPLES else "A3.1"


def _lay(move: Move, rules: tuple[str, ...]) -> list[Event]:
    """Return the events of a coloured card (A5.7)."""
    seat, card, figure = move.seat, move.name[4:], move.before["figure"]
    events = [Event("lay", seat, rules, (card,))]
    if CARDS.index(card) >= Card.HAPPY_MAN and figure != seat:
        events.append(Event("figure", seat, ("A5.7",), other=figure))
    return events


def _action_card(move: Move, rules: tuple[str, ...]) -> list[Event]:
    """Return the events of an action card, with its effect on the others (A5)."""
    seat = move.seat
    if move.name.startswith("swap"):
        return [Event("swap", seat, rules, ("swap",), move.target)]
    events = [Event("lay", seat, (*rules, "A3.9"), (move.name,))]
    for other in move.others if move.name == "blessing" else move.others[:1]:
        if move.settings.edition == "italian":
            events += move.draws(other, "A5.8")
        elif not move.before["hands"][other]:
            events.append(Event("steal.none", seat, rules, other=other))
        elif move.sees(seat, other):
            events.append(Event("steal.cards", seat, rules, move.lost(other), other))
        else:
            events.append(Event("steal.hidden", seat, rules, other=other))
    if move.name == "blessing" and move.settings.blessing_draws == "all":
        events += move.draws(seat, "A5.8", lost=("blessing",))
    return events


def _scores(move: Move) -> list[Event]:
    """Return the end of a round, and of the game (A6.2, A7, A8.1)."""
    after, winner = move.after, move.seat if move.name == "lay gold" else None
    capped = after["capped_rounds"] > move.before["capped_rounds"]
    events = [Event("cap" if capped else "turns", None, ("A8.1",))]
    if winner is not None:
        events = [Event("round-won", winner, ("A6.2",))]
    for seat, points in enumerate(move.points or ()):
        rules = {
            "A7.1": after["hands"][seat],
            "A7.2": after["crosses"][seat],
            "A7.3": seat == winner,
            "A7.4": seat == after["figure"] and points > 0,
        }
        scored = score(move, seat, points, *(rule for rule, so in rules.items() if so))
        events.append(replace(scored, entries=move.entries(seat)))
    return events + winners(move, "A7.5") if move.over else events


NARRATOR = AuruxxxNarrator
