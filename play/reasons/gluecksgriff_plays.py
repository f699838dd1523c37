"""Glücksgriff: reasons that follow from the cards laid in a turn and those on the pile (G3 to G5).

"The play" is what lay on the discard pile when the turn began. Rule ids refer to
docs/rules/gluecksgriff.md.
"""

from collections.abc import Sequence

from ...envs.gluecksgriff.rules import VALUES
from ..narrators.gluecksgriff import last_play, low_of, run_ends
from . import Reason, Seen

_ALONE = {"hourglass": "G6.7", "hand": "G7.7"}  # blanks: G9.4
_OWN_TURN = {"hourglass": "G2.3", "hand": "G2.3"}  # blanks: G9.4
_NEVER_TAKEN = {"joker": "G4.3", "hourglass": "G6.5", "hand": "G4.5"}  # blanks: G9.3


def explain_addition(seen: Seen, card: str, verb: str = "") -> Reason:
    """Return why a card is not added to those laid, by `add`, by `run` or (no verb) by neither."""
    position, laid = seen.position, _laid(seen)
    if position["laid_kind"] == "special":
        return Reason("alone", (_ALONE.get(laid[0], "G9.4"),), card, laid[0])
    if not _is_part(seen, card):
        return Reason("own-turn", (_OWN_TURN.get(card, "G9.4"),), card)
    joker = _is_joker(seen, card)
    if joker and _is_joker(seen, laid[-1]):
        return Reason("joker-beside", ("G3.2",), card)
    if position["laid_kind"] == "run":
        if verb == "add":
            return Reason("run-begun", ("G3.1",))
        return _not_next(low_of(laid) + len(laid), card)
    value = next((int(name) for name in laid if name.isdecimal()), None)
    if len(laid) > 1:
        return Reason("set-begun", ("G3.1",), card, number=value)
    if value is None:  # a lone joker, to which any value can be added
        return Reason("run-short", ("G3.1",), card)
    if verb == "add":
        return Reason("set-value", ("G3.1",), card, number=value)
    if joker or card == str(value + 1):
        key = "run-end" if value + 1 == VALUES else "run-short"
        return Reason(key, ("G3.1",), card)
    return Reason("set-or-run", ("G3.1",), card, laid[0])


def explain_extending_card(seen: Seen, card: str) -> Reason:
    """Return why a card does not go on with the extension of a run."""
    if not _is_part(seen, card):
        return Reason("own-turn", (_OWN_TURN.get(card, "G9.4"),), card)
    below, _ = run_ends(seen.position)
    if seen.position["laid_kind"] == "high" and card == str(below):
        return Reason("low-first", ("G5.2",), card)
    return Reason("no-end", ("G3.2", "G5.2") if _is_joker(seen, card) else ("G5.2",), card)


def explain_extension(seen: Seen, verb: str, joker: str) -> Reason:
    """Return why the run on the pile is not extended at an end: `low` or `high`."""
    position = seen.position
    if not position["run"]:
        return Reason("no-run", ("G5.2",))
    if verb == "low" and position["laid_kind"] == "high":
        return Reason("low-first", ("G5.2",))
    value, run = run_ends(seen.position)[verb == "high"], last_play(seen.position)
    if not 0 <= value < VALUES:
        return Reason("run-end", ("G3.1", "G5.2"))
    if joker and not _is_joker(seen, joker):
        return Reason("own-turn", ("G9.4",), joker)
    if joker and _is_joker(seen, run[-1 if verb == "high" else 0]):
        return Reason("joker-beside", ("G3.2", "G5.2"), joker)
    if not joker and str(value) not in seen.hand:
        return Reason("not-held", ("G5.2",), str(value))
    return Reason("two-cards", ("G5.2",))


def explain_knock(seen: Seen) -> Reason:
    """Return why the cards laid, or too few of an extension, are not knocked."""
    position, play = seen.position, last_play(seen.position)
    if position["laid_kind"] == "run":
        return Reason("knock-run", ("G5.1",))
    if not play:
        return Reason("nothing-there", ("G4.6",))
    if position["run"]:
        return Reason("knock-on-run", ("G5.2",))
    if not play[-1].isdecimal():
        return Reason("knock-special", ("G5.3",), play[-1])
    return Reason("knock-value", ("G5.1",), play[-1])


def explain_take(seen: Seen, name: str) -> Reason:
    """Return why `take`, `take low` or `take high` does not take a card off the play."""
    position, play = seen.position, last_play(seen.position)
    if position["laid_kind"] == "run" and position["laid"] < 3:
        return Reason("short-run", ("G3.1",))
    if not play:
        return Reason("nothing-there", ("G4.6",))
    if position["run"] != (name != "take"):
        return Reason("take-end" if position["run"] else "no-run", ("G4.2",))
    place = len(position["discard"]) - position["laid"] - (len(play) if name == "take low" else 1)
    card = position["discard"][place]
    if not card.isdecimal():
        return Reason("never-taken", (_NEVER_TAKEN.get(card, "G9.3"),), card)
    return Reason("own-card", ("G4.4",), card)


def _laid(seen: Seen) -> Sequence[str]:
    """Return the cards laid in this turn."""
    discard: list[str] = seen.position["discard"]
    return discard[len(discard) - seen.position["laid"] :]


def _not_next(value: int, card: str) -> Reason:
    """Return why a card does not go on with a run whose next value is given."""
    if value >= VALUES:
        return Reason("run-end", ("G3.1",), card)
    return Reason("run-next", ("G3.1",), card, number=value)


def _is_joker(seen: Seen, card: str) -> bool:
    """Return whether a card stands for any value (G3.2, G9.7)."""
    blank = card.startswith("blank")
    effect = seen.settings.blanks[int(card[5:]) - 1].effect if blank else ""
    return card == "joker" or effect == "joker"


def _is_part(seen: Seen, card: str) -> bool:
    """Return whether a card can stand in a set or run."""
    return card.isdecimal() or _is_joker(seen, card)
