"""Glücksgriff: why a move is not legal. Rule ids refer to docs/rules/gluecksgriff.md.

`gluecksgriff_plays.py` has the reasons that follow from the cards laid and those on the pile.
"""

from ...envs.gluecksgriff.rules import CARDS, Card
from . import Reason, Seen
from .gluecksgriff_plays import (
    explain_addition,
    explain_extending_card,
    explain_extension,
    explain_knock,
    explain_take,
)

OVER = ("G8.8",)
TURNS = ("G1.2",)

# Moves that belong to certain phases only: in any other the reason holds.
_BELONGS = {
    "keep": (("drawn",), Reason("nothing-drawn", ("G5.5",))),
    "sit out": (("hourglass",), Reason("no-hourglass", ("G6.3",))),
    "fend off": (("hourglass",), Reason("no-hourglass", ("G6.4",))),
    "play on": (("hourglass",), Reason("no-hourglass", ("G6.6",))),
    "pick": (("magic", "prize", "grab"), Reason("no-magic", ("G7.2",))),
    "challenge": (("magic", "prize", "grab"), Reason("no-magic", ("G7.4",))),
    "open": (("open",), Reason("no-opening", ("G7.4",))),
    "grab": (("prize", "grab"), Reason("no-challenge", ("G7.5",))),
}
# What there is to do first, by phase; None of these is reached when the turn begins.
_FIRST = {
    "lay": Reason("begun", ("G3.1",)),
    "extend": Reason("extending", ("G5.2",)),
    "drawn": Reason("drawn", ("G5.4",)),
    "giving": Reason("now-take", ("G4.1",)),
    "open": Reason("first-open", ("G7.4",)),
    "magic": Reason("magic", ("G7.2",)),
    "prize": Reason("magic", ("G7.5",)),
    "grab": Reason("grab", ("G7.5",)),
}
# Moves, by the first word, that do not belong to a phase whatever lies on the table.
_NOT_NOW = {
    ("play", "add"): Reason("first-lay", ("G3.1",)),
    ("play", "run"): Reason("first-lay", ("G3.1",)),
    ("play", "draw"): Reason("lay-then-take", ("G4.1",)),
    ("play", "take"): Reason("lay-then-take", ("G4.1",)),
    ("play", "knock"): Reason("lay-then-knock", ("G5.1",)),
    ("play", "hand"): Reason("after-call", ("G7.7",)),
    ("play", "hourglass"): Reason("protected", ("G6.2",)),
    ("lay", "low"): Reason("extend-first", ("G5.2",)),
    ("lay", "high"): Reason("extend-first", ("G5.2",)),
    ("lay", "draw"): Reason("short-run", ("G3.1",)),
    ("lay", "call"): Reason("whole-turn", ("G8.2",)),
    ("lay", "decline"): Reason("whole-turn", ("G8.2",)),
    ("extend", "knock"): Reason("two-cards", ("G5.2",)),
    ("magic", "challenge"): Reason("option-off", ("G7.4",)),
    ("prize", "challenge"): Reason("one-challenge", ("G7.5",)),
    ("grab", "challenge"): Reason("one-challenge", ("G7.5",)),
    ("grab", "grab"): Reason("not-in-that-hand", ("G7.5",)),
}
_NO_TURN = {"hourglass": Reason("give", ("G6.7",)), "hand": Reason("play-hand", ("G7.7",))}
_NO_EFFECT = {
    "plain": ("no-effect", "G9.6"),
    "joker": ("no-effect", "G9.7"),
    "sit_out": ("protected", "G9.8"),
    "swap": ("swap-last", "G9.11"),
}
_TARGETS = {"hourglass": "G6.1", "pick": "G7.2", "challenge": "G7.4"}
_SPECIAL = CARDS[Card.HOURGLASS :]  # moves that are named by their card
_FROM_HAND = ("lay", "add", "run", "open", "low", "high")


def explain_card(seen: Seen, card: str) -> Reason:
    """Return why no legal move uses a card of the hand."""
    phase = seen.position["phase"]
    if card not in seen.hand:
        return Reason("not-held", ("G2.1",), card)
    if phase == "lay":
        return explain_addition(seen, card)
    if phase == "extend":
        return explain_extending_card(seen, card)
    if phase == "drawn" and card == seen.position["drawn"]:
        return Reason("drawn-misfit", ("G5.4",), card)
    return _first(seen)


def explain_discard(seen: Seen, end: str) -> Reason:
    """Return why a card cannot be taken from the discard pile."""
    high = "take high" if seen.position["run"] else "take"
    return explain_move(seen, "take low" if end == "low" else high)


def explain_move(seen: Seen, name: str) -> Reason:
    """Return why a move is not legal."""
    verb, _, what = name.partition(" ")
    phase, card = seen.position["phase"], verb if verb in _SPECIAL else what
    from_hand = verb in _SPECIAL or verb in _FROM_HAND
    if from_hand and card in CARDS and card not in seen.hand:
        return Reason("not-held", ("G2.1",), card)
    if what.startswith("+") and int(what) >= seen.settings.num_players:
        return Reason("no-player", (_TARGETS.get(verb, "G9.5"),))
    phases, reason = _BELONGS.get(name) or _BELONGS.get(verb) or ((phase,), None)
    if reason and phase not in phases:
        return reason
    return _NOT_NOW.get((phase, verb)) or _by_the_table(seen, name)


def _by_the_table(seen: Seen, name: str) -> Reason:
    """Return why a move of this phase is not legal as the cards lie."""
    position, settings = seen.position, seen.settings
    verb, _, what = name.partition(" ")
    called = position["caller"] is not None
    match position["phase"], verb:
        case "play", "lay":
            return _NO_TURN[what]
        case "play", "call":
            key = "called" if called else "too-many-points"
            return Reason(key, ("G8.2",), number=seen.hand_points)
        case "play", "decline":
            return Reason("forced-turn" if called else "no-call", ("G8.2",))
        case "play" | "extend", "low" | "high":
            return explain_extension(seen, verb, what)
        case "play", blank:
            key, rule = _NO_EFFECT[settings.blanks[int(blank[5:]) - 1].effect]
            return Reason(key, (rule,), blank)
        case "lay" | "giving" | "magic" | "prize", "take":
            return explain_take(seen, name)
        case "lay", "add" | "run":
            return explain_addition(seen, what, verb)
        case "lay", "knock":
            return Reason("knock-drawn", ("G5.4",)) if what else explain_knock(seen)
        case "drawn", "knock":
            return Reason("drawn-misfit", ("G5.4",), position["drawn"])
        case "prize", "grab":
            first_pick = settings.challenge_prize == "both"
            return Reason("first-pick" if first_pick else "not-in-that-hand", ("G7.5",))
        case "hourglass", "fend" if not position["must_sit_out"][seen.seat]:
            return Reason("not-held", ("G6.4",), "hourglass")
        case "hourglass", "play" if not position["must_sit_out"][seen.seat]:
            return Reason("option-off", ("G6.6",))
    return _first(seen)


def _first(seen: Seen) -> Reason:
    """Return what there is to do before anything else."""
    phase, seat = seen.position["phase"], seen.seat
    if phase != "hourglass":
        return _FIRST[phase]
    if seen.position["must_sit_out"][seat]:
        return Reason("must-sit-out", ("G6.6",))
    return Reason("answer", ("G2.5",), seen.position["front"][seat])
