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
# When the turn begins, by the first word.
_FIRST_LAY = {
    **dict.fromkeys(("add", "run"), Reason("first-lay", ("G3.1",))),
    **dict.fromkeys(("draw", "take"), Reason("lay-then-take", ("G4.1",))),
    "knock": Reason("lay-then-knock", ("G5.1",)),
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
    if phase == "play":
        return _at_the_start(seen, verb, what)
    if verb == "take" and phase in ("lay", "giving", "magic", "prize"):
        return explain_take(seen, name)
    if phase == "lay":
        return _laying(seen, verb, what)
    if phase == "extend" and verb in ("low", "high"):
        return explain_extension(seen, verb, what)
    if phase == "extend" and verb == "knock":
        return Reason("two-cards", ("G5.2",))
    if phase == "drawn" and verb == "knock":
        return Reason("drawn-misfit", ("G5.4",), seen.position["drawn"])
    if phase == "hourglass":
        return _under_hourglass(seen, name)
    return _magic(seen, verb) if verb in ("challenge", "grab") else _first(seen)


def _first(seen: Seen) -> Reason:
    """Return what there is to do before anything else."""
    phase, seat = seen.position["phase"], seen.seat
    if phase != "hourglass":
        return _FIRST[phase]
    if seen.position["must_sit_out"][seat]:
        return Reason("must-sit-out", ("G6.6",))
    return Reason("answer", ("G2.5",), seen.position["front"][seat])


def _under_hourglass(seen: Seen, name: str) -> Reason:
    """Return why a move is not legal with an hourglass in front of the player."""
    if not seen.position["must_sit_out"][seen.seat]:
        if name == "fend off":
            return Reason("not-held", ("G6.4",), "hourglass")
        if name == "play on":
            return Reason("option-off", ("G6.6",))
    return _first(seen)


def _magic(seen: Seen, verb: str) -> Reason:
    """Return why a move around the Magic Hand is not legal."""
    phase = seen.position["phase"]
    if verb == "challenge" and phase == "magic":
        return Reason("option-off", ("G7.4",))
    if verb == "challenge":
        return Reason("one-challenge", ("G7.5",))
    first_pick = phase == "prize" and seen.settings.challenge_prize == "both"
    return Reason("first-pick" if first_pick else "not-in-that-hand", ("G7.5",))


def _laying(seen: Seen, verb: str, what: str) -> Reason:
    """Return why a move is not legal when cards have been laid."""
    if verb in ("add", "run"):
        return explain_addition(seen, what, verb)
    if verb in ("low", "high"):
        return Reason("extend-first", ("G5.2",))
    if verb == "knock":
        return Reason("knock-drawn", ("G5.4",)) if what else explain_knock(seen)
    if verb == "draw":
        return Reason("short-run", ("G3.1",))
    if verb in ("call", "decline"):
        return Reason("whole-turn", ("G8.2",))
    return _first(seen)


def _at_the_start(seen: Seen, verb: str, what: str) -> Reason:
    """Return why a turn cannot begin with a move."""
    position, settings = seen.position, seen.settings
    called = position["caller"] is not None
    if verb in _FIRST_LAY:
        return _FIRST_LAY[verb]
    if verb in ("low", "high"):
        return explain_extension(seen, verb, what)
    if verb == "lay":
        rules = {"hourglass": ("give", "G6.7"), "hand": ("play-hand", "G7.7")}
        key, rule = rules[what]
        return Reason(key, (rule,))
    if verb == "call":
        key = "called" if called else "too-many-points"
        return Reason(key, ("G8.2",), number=seen.hand_points)
    if verb == "decline":
        return Reason("forced-turn" if called else "no-call", ("G8.2",))
    if verb == "hand":
        return Reason("after-call", ("G7.7",))
    if verb == "hourglass":
        return Reason("protected", ("G6.2",))
    effect = settings.blanks[int(verb[5:]) - 1].effect
    key, rule = {
        "plain": ("no-effect", "G9.6"),
        "joker": ("no-effect", "G9.7"),
        "sit_out": ("protected", "G9.8"),
        "swap": ("swap-last", "G9.11"),
    }[effect]
    return Reason(key, (rule,), verb)
