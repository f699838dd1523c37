"""Auruxxx: why a move is not legal. Rule ids refer to docs/rules/auruxxx.md."""

from ...envs.auruxxx.rules import CARDS, Card, number_of
from . import Reason, Seen

OVER = ("A7.5",)
TURNS = ("A1.3",)
_ACTION_CARDS = CARDS[Card.BLESSING :]


def explain_card(seen: Seen, card: str) -> Reason:
    """Return why a card cannot be laid."""
    if card == "swap":
        return explain_move(seen, "swap +1")
    return explain_move(seen, card if card in _ACTION_CARDS else f"lay {card}")


def explain_discard(_seen: Seen, _end: str) -> Reason:
    """Return why the discard pile gives no card."""
    return Reason("discard", ("A2.2",))


def explain_move(seen: Seen, name: str) -> Reason:
    """Return why a move is not legal."""
    card, phase = _card_of(name), seen.position["phase"]
    if card and card not in seen.hand:
        return Reason("not-held", ("A2.3",), card)
    if name.startswith("swap") and int(name[6:]) >= seen.settings.num_players:
        return Reason("no-player", ("A5.4",))
    if phase == "demand":
        return _under_demand(seen, name)
    if name == "take":
        return Reason("no-demand", ("A4.1",))
    if phase == "multiple":
        return _after_laying(seen, name, card)
    if name in ("pass", "draw", "end"):
        return _in_turn(seen, name)
    if card == "gold":
        return Reason("gold", ("A6.1",))
    if len(seen.hand) < 2:
        return Reason("last-card", ("A3.11",), card)
    top = seen.position["discard"][-1]
    return Reason("misfit", _misfit_rules(CARDS.index(card), CARDS.index(top)), card, top)


def _card_of(name: str) -> str:
    """Return the card that a move lays, "" if it lays none."""
    card = name.removeprefix("lay ").split(" ")[0]
    return card if card in CARDS else ""


def _under_demand(seen: Seen, name: str) -> Reason:
    """Return why a move is not legal while cards are demanded."""
    if name == "pass":
        return Reason("no-pass", ("A2.1", "A4.2"))
    return Reason("demand" if "pass" in seen.legal else "demand-take", ("A4.3",))


def _after_laying(seen: Seen, name: str, card: str) -> Reason:
    """Return why a move is not legal while a multiple is laid."""
    if name == "pass":
        return Reason("pass-first", ("A2.1",))
    if not card:
        return Reason("draw-laid", ("A2.4",))
    top = seen.position["discard"][-1]
    return Reason("multiple", ("A3.3",), card, number=int(number_of(CARDS.index(top))))


def _in_turn(seen: Seen, name: str) -> Reason:
    """Return why `pass`, `draw` or `end` is not legal before anything ends the turn."""
    position, settings = seen.position, seen.settings
    if name == "pass":
        if position["acted"]:
            return Reason("pass-first", ("A2.1", "A5.2"))
        return Reason("pass-first" if position["drawn"] else "no-pass", ("A2.1",))
    all_drawn = position["drawn"] == settings.max_draws
    if name == "draw" and all_drawn:
        return Reason("all-drawn", ("A2.2",))
    must_lay = {"draw", "end"}.isdisjoint(seen.legal)
    if must_lay:
        return Reason("must-lay", ("A2.6" if settings.edition == "web" else "A5.2",))
    return Reason("draw-first", ("A2.4",))


def _misfit_rules(card: int, top: int) -> tuple[str, ...]:
    """Return the rules by which a coloured card does not fit on another one."""
    if top >= Card.HAPPY_MAN:
        return ("A3.8",)
    if number_of(top) == 50:
        return ("A3.7",)
    if card >= Card.HAPPY_MAN:
        return ("A3.8",)
    return ("A3.6",) if number_of(card) == 50 else ("A3.1", "A3.2")
