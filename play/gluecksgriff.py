"""Glücksgriff for a person: what a move was and brought, and what a seat sees of the table."""

from dataclasses import replace
from typing import Any

from ..envs.gluecksgriff.rules import (
    CALLED_TOO_HIGH,
    CARDS,
    FEW_POINTS,
    POINTS,
    WRONG_CALL,
)
from ..envs.gluecksgriff.state import State
from .events import Event, Move, Position, score, winners

# The rules of moves that are always the same; the others stand in `cite`.
_RULES = {
    "low": ("G5.2",),
    "high": ("G5.2",),
    "take": ("G4.1",),
    "take low": ("G4.2",),
    "take high": ("G4.2",),
    "knock low": ("G5.4",),
    "knock high": ("G5.4",),
    "keep": ("G5.5",),
    "sit out": ("G6.3",),
    "fend off": ("G6.4",),
    "play on": ("G6.6",),
    "hand": ("G7.1",),
    "call": ("G8.2",),
    "draw": ("G4.1",),
}
_VERBS = {
    "lay": "G3.1",
    "add": "G3.1",
    "run": "G3.1",
    "low": "G5.2",
    "high": "G5.2",
    "hourglass": "G6.1",
    "pick": "G7.2",
    "challenge": "G7.4",
    "open": "G7.4",
    "grab": "G7.5",
}
_PLAIN = {"joker": "G3.3", "hourglass": "G6.7", "hand": "G7.7"}
_EFFECTS = {"sit_out": "G9.8", "draw": "G9.9", "look": "G9.10", "swap": "G9.11"}


def stop_after_round(state: State) -> None:
    """Make the round of a record its last, so that its hands stay when it has been scored."""
    state.point_limit = -1


def begin(position: Position) -> list[Event]:
    """The deal of a round."""
    top = tuple(position["discard"][-1:])
    return [
        Event(
            "deal",
            None,
            ("G1.1", "G1.2"),
            top,
            position["current_player"],
            number=position["round"],
        )
    ]


def cite(position: Position, name: str) -> tuple[str, ...]:
    """The rules that a legal move stands on."""
    if name == "knock":
        extending = "G5.2" if position["phase"] == "extend" else "G5.1"
        return ("G5.4",) if position["phase"] == "drawn" else (extending,)
    if name in _RULES:
        return _RULES[name]
    verb, what = name.rsplit(" ", 1)
    if verb.startswith("blank"):
        return ("G9.5",)
    if verb == "lay" and what.startswith("blank"):
        return ("G9.4",)
    if verb == "lay" and what in _PLAIN:
        return (_PLAIN[what],)
    return (_VERBS[verb],)


def tell(move: Move) -> list[Event]:
    """What a move was and brought."""
    rules = cite(move.before, move.name)
    events = [*_turned_over(move), *_act(move, rules)]
    if move.before["magician"] is not None and move.after["magician"] is None:
        events += _magic_is_over(move)
    if move.points is not None:
        events += _scored(move)
    return events


def _act(move: Move, rules: tuple[str, ...]) -> list[Event]:
    """The move itself."""
    seat, name, verb = move.seat, move.name, move.name.split(" ")[0]
    if verb in ("lay", "add", "run", "low", "high"):
        return [Event(verb, seat, rules, move.lost(seat))]
    if name == "draw":
        return move.draws(seat, *rules)
    if verb == "take":
        return [Event("take", seat, rules, move.gained(seat))]
    if verb == "knock":
        return _knocked(move, rules)
    if name in ("keep", "sit out", "call"):
        return [Event(name.replace(" ", "-"), seat, rules)]
    if name == "fend off":
        return [Event("fend-off", seat, rules, ("hourglass",)), *_late(move)]
    if name == "play on":
        return [Event("play-on", seat, rules), *move.draws(seat, *rules)]
    if verb in ("hand", "open", "pick", "challenge", "grab"):
        return _magic(move, verb, rules)
    return _given(move, verb, rules)


def _turned_over(move: Move) -> list[Event]:
    """Whether the discard pile became the pile (G1.4)."""
    taken = move.name.startswith("take")
    fewer = len(move.after["discard"]) < len(move.before["discard"]) - taken
    return [Event("turned-over", None, ("G1.4",))] if fewer else []


def _knocked(move: Move, rules: tuple[str, ...]) -> list[Event]:
    if move.before["phase"] != "drawn":
        return [Event("knock", move.seat, rules), *_late(move)]
    return [Event("knock.drawn", move.seat, rules, (move.before["drawn"],)), *_late(move)]


def _late(move: Move) -> list[Event]:
    """A knock that came too late costs a card (G5.7)."""
    laid = {"knock": 0, "fend off": 1}.get(move.name, 0) + (move.before["phase"] == "drawn")
    cards = len(move.before["hands"][move.seat]) - laid
    if len(move.after["hands"][move.seat]) <= cards:
        return []
    return [Event("late", move.seat, ("G5.7",)), *move.draws(move.seat, "G5.7")]


def _given(move: Move, card: str, rules: tuple[str, ...]) -> list[Event]:
    """An hourglass, or a blank's effect, on another player (G6.1, G9.5)."""
    seat, target = move.seat, move.target
    if card == "hourglass":
        return [Event("give", seat, rules, (card,), target)]
    blank = move.settings.to_dict()["blanks"][int(card[5:]) - 1]
    rules += (_EFFECTS[blank["effect"]],)
    events = [Event(f"effect.{blank['effect']}", seat, rules, (card,), target)]
    return [*events, *move.draws(target, "G9.9")] if blank["effect"] == "draw" else events


def _magic(move: Move, verb: str, rules: tuple[str, ...]) -> list[Event]:
    """A move around the Magic Hand (G7)."""
    seat, before, after = move.seat, move.before, move.after
    if verb == "hand":
        shown = [
            Event("open", other, ("G7.1",), (after["open"][other],))
            for other in move.others
            if after["open"][other] is not None
        ]
        return [Event("lay", seat, rules, ("hand",)), *shown]
    if verb == "open":
        return [Event("open", seat, rules, move.lost(seat))]
    if verb == "grab":
        challenged = before["challenged"]
        if move.sees(seat, challenged):
            return [Event("grab.cards", seat, rules, (move.name[5:],), challenged)]
        return [Event("grab.hidden", seat, rules, other=challenged)]
    target = move.target
    if verb == "pick":
        return [Event("pick", seat, rules, (before["open"][target],), target)]
    if after["phase"] == "prize":
        found = [Event("challenge.right", seat, ("G7.4", "G7.5"), other=target)]
        filled = move.gained(target)
        return [*found, *move.draws(target, "G7.5")] if filled else found
    lost = [Event("challenge.wrong", seat, ("G7.4", "G7.6"), other=target)]
    return [*lost, *move.draws(seat, "G7.6")]


def _magic_is_over(move: Move) -> list[Event]:
    """What the others draw when the Magic Hand goes on the pile (G7.3, G7.5)."""
    if move.name.startswith("challenge"):
        return []
    grabbed = {move.before["challenged"]: move.name[5:]} if move.name.startswith("grab") else {}
    drawn = (
        move.draws(seat, "G7.3", lost=[grabbed[seat]] if seat in grabbed else [])
        for seat in move.others
    )
    return [event for events in drawn for event in events]


def _scored(move: Move) -> list[Event]:
    """The end of a round, and of the game (G5.6, G8)."""
    before, after = move.before, move.after
    events = [Event("out", seat, ("G5.6",)) for seat, hand in enumerate(after["hands"]) if not hand]
    capped = after["capped_rounds"] > before["capped_rounds"]
    events += [Event("cap", None, ("G8.9",))] if capped else []
    caller = after["caller"]
    values = [worth(move.settings, hand) for hand in after["hands"]]
    rule = "G8.5"
    too_high = move.name == "call" and values[move.seat] >= FEW_POINTS
    if too_high:
        values = [CALLED_TOO_HIGH * (seat == caller) for seat in range(move.players)]
    elif caller is not None:
        mine = values[caller]
        right = all(value > mine for seat, value in enumerate(values) if seat != caller)
        values[caller] = 0 if right else WRONG_CALL
        kind, rule = ("call.right", "G8.3") if right else ("call.wrong", "G8.4")
        events.append(Event(kind, caller, (rule,), number=mine))
    for seat, number in enumerate(values):
        cited = rule if too_high or seat == caller else "G8.1"
        written = score(move, seat, number, cited)
        events.append(replace(written, cards=()) if too_high else written)  # nobody shows his hand
        if written.total != after["scores"][seat]:
            events.append(Event("halved", seat, ("G8.7",), total=after["scores"][seat]))
    if max(after["scores"]) > move.settings.to_dict()["point_limit"]:
        events += winners(after["scores"], "G8.8")
    return events


def view(position: Position, viewer: int | None) -> dict[str, Any]:
    """What lies on the table for a viewer, beside what all games have.

    discard: the last play and what was laid on it in this turn, `laid` cards. run: whether they are
    a run. drawn: the card that the viewer has just drawn and may knock. last_turns: the turns that
    are left after a call.
    """
    seats = range(len(position["hands"]))
    shown = max(position["last_play"] + position["laid"], 1)
    return {
        "discard": position["discard"][-shown:],
        "run": position["run"] or position["laid_kind"] == "run",
        "laid": position["laid"],
        "drawn": position["drawn"] if viewer in (None, position["current_player"]) else None,
        "last_turns": position["turns_left"],
        "marks": [
            {
                "front": position["front"][seat],
                "open": position["open"][seat],
                "magician": position["magician"] == seat,
                "caller": position["caller"] == seat,
            }
            for seat in seats
        ],
    }


def worth(settings: Any, cards: list[str]) -> int:
    """What cards in a hand count (G8.1, G9.2)."""
    return sum(
        settings.blanks[int(card[5:]) - 1].points
        if card.startswith("blank")
        else int(POINTS[CARDS.index(card)])
        for card in cards
    )
