"""Auruxxx for a person: what a move was and brought, and what a seat sees of the table."""

from typing import Any

from ..envs.auruxxx.rules import CARDS, POINTS, Card, Fit, colour_of, fit, number_of
from ..envs.auruxxx.state import State
from .events import Event, Move, Position, score, winners

SHOWN = 4  # cards of the discard pile that are shown, the top one last


def stop_after_round(state: State) -> None:
    """Make the round of a record its last, so that its hands stay when it has been scored."""
    state.rounds = state.round_index + 1


def begin(position: Position) -> list[Event]:
    """The deal of a round."""
    top = (position["discard"][-1],)
    return [
        Event(
            "deal",
            None,
            ("A1.1", "A1.3"),
            top,
            position["current_player"],
            number=position["round"],
        )
    ]


def cite(position: Position, name: str) -> tuple[str, ...]:
    """The rules that a legal move stands on."""
    demanded, multiple = position["phase"] == "demand", position["phase"] == "multiple"
    if name == "pass":
        return ("A4.2",) if demanded else ("A2.1",)
    if name == "end":
        return ("A3.3",) if multiple else ("A2.4",)
    if name == "lay gold":
        return ("A6.1",)
    if name.startswith("lay "):
        card, top = CARDS.index(name[4:]), CARDS.index(position["discard"][-1])
        return ("A3.3",) if multiple else (_why_it_fits(card, top),)
    fixed = {"draw": "A2.2", "take": "A4.1", "blessing": "A5.3", "steal": "A5.5"}
    return (fixed.get(name, "A5.4"),)


def _why_it_fits(card: int, top: int) -> str:
    """The rule by which a coloured card may be laid on another card."""
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


def tell(move: Move) -> list[Event]:
    """What a move was and brought."""
    rules = cite(move.before, move.name)
    events = _turned_over(move)
    if move.name in ("draw", "take"):
        events += move.draws(move.seat, *rules)
    elif move.name == "pass":
        crosses = move.after["crosses"][move.seat]
        events.append(Event("pass", move.seat, rules, number=crosses))
    elif move.name == "end":
        more = move.before["phase"] == "multiple"
        events.append(Event("no-more" if more else "end", move.seat, rules))
    elif move.name.startswith("lay "):
        events += _laid(move, rules)
    else:
        events += _acted(move, rules)
    if move.points is None:
        events += _demanded(move)
    else:
        events += _scored(move)
    return events


def _turned_over(move: Move) -> list[Event]:
    """Whether the discard pile became the pile (A1.5)."""
    fewer = len(move.after["discard"]) < len(move.before["discard"])
    return [Event("turned-over", None, ("A1.5",))] if fewer else []


def _laid(move: Move, rules: tuple[str, ...]) -> list[Event]:
    seat, card = move.seat, move.name[4:]
    if card == "gold":
        return [Event("lay", seat, ("A6.1", "A6.2"), move.lost(seat))]
    events = [Event("lay", seat, rules, (card,))]
    if CARDS.index(card) >= Card.HAPPY_MAN and move.before["figure"] != seat:
        events.append(Event("figure", seat, ("A5.7",), other=move.before["figure"]))
    return events


def _acted(move: Move, rules: tuple[str, ...]) -> list[Event]:
    """An action card, with what it did to the others (A5)."""
    seat = move.seat
    if move.name.startswith("swap"):
        return [Event("swap", seat, rules, ("swap",), move.target)]
    events = [Event("lay", seat, (*rules, "A3.9"), (move.name,))]
    italian = move.settings.to_dict()["edition"] == "italian"
    for other in move.others if move.name == "blessing" else move.others[:1]:
        if italian:
            events += move.draws(other, "A5.8")
        elif not move.before["hands"][other]:
            events.append(Event("steal.none", seat, rules, other=other))
        elif move.sees(seat, other):
            events.append(Event("steal.cards", seat, rules, move.lost(other), other))
        else:
            events.append(Event("steal.hidden", seat, rules, other=other))
    return events


def _demanded(move: Move) -> list[Event]:
    """Whom the 2s laid, or a demand passed on, call to take cards (A4)."""
    after = move.after
    if after["phase"] != "demand":
        return []
    rule = "A4.2" if move.name == "pass" else "A4.1"
    return [Event("demand", None, (rule,), other=after["current_player"], number=after["demand"])]


def _scored(move: Move) -> list[Event]:
    """The end of a round, and of the game (A6.2, A7, A8.1)."""
    after, points = move.after, move.points or ()
    winner = move.seat if move.name == "lay gold" else None
    events = [Event("round-won", winner, ("A6.2",))]
    if winner is None:
        events = [Event("cap", None, ("A8.1",))]
    for seat, number in enumerate(points):
        rules = ["A7.1"] if after["hands"][seat] else []
        rules += ["A7.2"] if after["crosses"][seat] else []
        rules += ["A7.3"] if seat == winner else []
        rules += ["A7.4"] if seat == after["figure"] and number > 0 else []
        events.append(score(move, seat, number, *rules))
    if move.before["round"] == move.settings.to_dict()["rounds"]:
        events += winners(after["scores"], "A7.5")
    return events


def view(position: Position, viewer: int | None) -> dict[str, Any]:  # noqa: ARG001
    """What lies on the table for a viewer, beside what all games have.

    discard: the last cards, the top one last. run: whether they are a run. drawn: the card that the
    viewer has just drawn and may knock. demand: the cards that 2s demand.
    """
    seats = range(len(position["hands"]))
    return {
        "discard": position["discard"][-SHOWN:],
        "run": False,
        "drawn": None,
        "demand": position["demand"],
        "marks": [
            {"crosses": position["crosses"][seat], "figure": position["figure"] == seat}
            for seat in seats
        ],
    }


def worth(settings: Any, cards: list[str]) -> int:
    """What cards left in a hand count (A7.1)."""
    return sum(
        settings.golden_value if card == "gold" else int(POINTS[CARDS.index(card)])
        for card in cards
    )
