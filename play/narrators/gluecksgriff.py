"""Glücksgriff for people: the events of a move, and what a seat sees of the table."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...envs.gluecksgriff.rules import CALLED_TOO_HIGH, CARDS, FEW_POINTS, POINTS, WRONG_CALL
from ...envs.gluecksgriff.state import State
from .advice import Advice
from .events import Event, Move, Note, Position, score, winners
from .narrator import Narrator

# The rules of moves by name, of others by their first word; the rest stands in `cite`.
_RULES = {
    **dict.fromkeys(("low", "high"), "G5.2"),
    **dict.fromkeys(("take", "draw"), "G4.1"),
    **dict.fromkeys(("take low", "take high"), "G4.2"),
    **dict.fromkeys(("knock low", "knock high"), "G5.4"),
    **{"keep": "G5.5", "sit out": "G6.3", "fend off": "G6.4", "play on": "G6.6"},
    **{
        "hand": "G7.1",
        "call": "G8.2",
        "decline": "G8.2",
        "hourglass": "G6.1",
        "pick": "G7.2",
        "grab": "G7.5",
    },
    **dict.fromkeys(("lay", "add", "run"), "G3.1"),
    **dict.fromkeys(("challenge", "open"), "G7.4"),
    **{"lay joker": "G3.3", "lay hourglass": "G6.7", "lay hand": "G7.7"},
}
_KNOCKS = {"extend": "G5.2", "drawn": "G5.4"}  # by phase
_ENTRY_RULES = {"hand": "G8.1", "wrong_call": "G8.4", "halving": "G8.7"}
_EFFECTS = {"sit_out": "G9.8", "draw": "G9.9", "look": "G9.10", "swap": "G9.11"}


class GluecksgriffNarrator(Narrator):
    """Tells a game of Glücksgriff."""

    deal_rules = ("G1.1", "G1.2")
    has_view = True

    def stop_after_round(self, state: State) -> bool:
        """Make the round of a state the last one."""
        state.point_limit = -1
        return True

    def cite(self, position: Position, name: str) -> tuple[str, ...]:
        """Return the ids of the rules that allow a legal move."""
        verb = name.partition(" ")[0]
        if name == "knock":
            return (_KNOCKS.get(position["phase"], "G5.1"),)
        if verb.startswith("blank"):
            return ("G9.5",)
        if name.startswith("lay blank"):
            return ("G9.4",)
        return (_RULES.get(name) or _RULES[verb],)

    def cite_entry(self, entry: str, points: float) -> str:
        """Return the id of the rule of an entry of the score sheet."""
        too_high = entry == "wrong_call" and points == CALLED_TOO_HIGH
        return "G8.5" if too_high else _ENTRY_RULES[entry]

    def narrate(self, move: Move) -> list[Event]:
        """Return the events of a move."""
        taken = move.name.startswith("take")
        fewer = len(move.after["discard"]) < len(move.before["discard"]) - taken
        events = [Event("turned-over", None, ("G1.4",))] if fewer else []
        events += _act(move, self.cite(move.before, move.name))
        if move.before["magician"] is not None and move.after["magician"] is None:
            events += _magic_is_over(move)
        return events if move.points is None else events + self._scores(move)

    def view(self, position: Position, viewer: int | None) -> dict[str, Any]:
        """Return the last play, what was laid on it in this turn, and the card just drawn."""
        shown = max(position["last_play"] + position["laid"], 1)
        extending = position["phase"] == "extend"  # cards may then lie below the last play
        return {
            "discard": position["discard"][-shown:],
            "run": position["run"] or position["laid_kind"] == "run",
            "laid": 0 if extending else position["laid"],
            "drawn": position["drawn"] if viewer in (None, position["current_player"]) else None,
        }

    def seat_notes(self, position: Position, seat: int) -> list[Note]:
        """Return what lies in front of a player, and whether it called or played the Magic Hand."""
        signs = {"caller": "!", "magician": "✋"}
        notes = [Note(key, sign) for key, sign in signs.items() if position[key] == seat]
        cards = {key: position[key][seat] for key in ("front", "open")}
        return [*notes, *(Note(key, card=card) for key, card in cards.items() if card)]

    def turn_notes(self, position: Position, viewer: int | None) -> list[Note]:
        """Return the turns left after a call, and the card that the viewer has just drawn."""
        last, drawn = position["turns_left"], self.view(position, viewer)["drawn"]
        notes = [Note("last", number=last)] if last else []
        return [*notes, Note("drawn", card=drawn)] if drawn else notes

    def hand_points(self, settings: Any, cards: list[str]) -> int:
        """Return the points that cards in a hand count (G8.1, G9.2)."""
        points = dict(zip(CARDS, POINTS.tolist(), strict=True))
        points |= {f"blank{k}": blank.points for k, blank in enumerate(settings.blanks, start=1)}
        return sum(points[card] for card in cards)

    def card_texts(self, settings: Any, texts: Mapping[str, str]) -> dict[str, str]:  # noqa: ARG002
        """Return the names that the players gave to blank cards (G9.1)."""
        return {f"card.blank{k}": blank.name for k, blank in enumerate(settings.blanks, start=1)}

    def card_of(self, position: Position, name: str) -> str | None:
        """Return the card that a move uses; a grabbed card is in the hand of another player."""
        if name in ("low", "high"):
            return str(run_ends(position)[name == "high"])
        if name == "fend off":
            return "hourglass"
        if name.startswith("knock"):
            drawn: str | None = position["drawn"]
            return drawn
        return None if name.startswith("grab") else super().card_of(position, name)

    def advise(self, settings: Any, position: Position, name: str) -> tuple[Advice, ...]:
        """Return what speaks for or against a legal move, by what its player knows."""
        hand = position["hands"][position["current_player"]]
        if name == "call":
            return (Advice("hand", points=self.hand_points(settings, hand)),)
        if name.startswith("knock") and not settings.late_knock:
            left = len(hand) - (position["drawn"] is not None)
            return (Advice("knock-out" if left == 0 else "knock"),)
        return super().advise(settings, position, name)

    def _scores(self, move: Move) -> list[Event]:
        """Return the end of a round, and of the game (G5.6, G8)."""
        hands, totals, caller = move.after["hands"], move.after["scores"], move.after["caller"]
        events = [Event("out", seat, ("G5.6",)) for seat, hand in enumerate(hands) if not hand]
        if move.after["capped_rounds"] > move.before["capped_rounds"]:
            events.append(Event("cap", None, ("G8.9",)))
        elif not events and caller is None:
            events.append(Event("turns", None, ("G8.9",)))
        points = [self.hand_points(move.settings, hand) for hand in hands]
        rule, too_high = "G8.5", move.name == "call" and points[move.seat] >= FEW_POINTS
        if too_high:
            points = [CALLED_TOO_HIGH * (seat == caller) for seat in range(len(hands))]
        elif caller is not None:
            held = points[caller]
            right = all(other > held for seat, other in enumerate(points) if seat != caller)
            points[caller] = 0 if right else WRONG_CALL
            kind, rule = ("call.right", "G8.3") if right else ("call.wrong", "G8.4")
            events.append(Event(kind, caller, (rule,), number=held))
        for seat, number in enumerate(points):
            scored = score(move, seat, number, rule if too_high or seat == caller else "G8.1")
            events.append(replace(scored, cards=()) if too_high else scored)  # hands stay hidden
            if scored.total != totals[seat]:
                events.append(Event("halved", seat, ("G8.7",), total=totals[seat]))
        return events + winners(move, "G8.8") if move.over else events


def last_play(position: Position) -> list[str]:
    """Return the last play, from before this turn; with its extension while it is extended."""
    discard, extends = position["discard"], position["phase"] == "extend"
    end = len(discard) - position["laid"]
    play: list[str] = discard[end - position["last_play"] : None if extends else end]
    return play


def low_of(run: Sequence[str]) -> int:
    """Return the lowest value of a run; a joker's follows from the trick cards."""
    return next(int(card) - place for place, card in enumerate(run) if card.isdecimal())


def run_ends(position: Position) -> tuple[int, int]:
    """Return the values that would extend the run on the discard pile, below and above."""
    run = last_play(position)
    return low_of(run) - 1, low_of(run) + len(run)


def _act(move: Move, rules: tuple[str, ...]) -> list[Event]:
    """Return the events of the move itself."""
    seat, name, verb = move.seat, move.name, move.name.partition(" ")[0]
    if verb in ("lay", "add", "run", "low", "high"):
        return [Event(verb, seat, rules, move.lost(seat))]
    if name == "draw":
        return move.draws(seat, *rules)
    if verb == "take":
        return [Event("take", seat, rules, move.gained(seat))]
    if verb == "knock":
        drawn = move.before["drawn"]
        event = Event("knock.drawn" if drawn else "knock", seat, rules, (drawn,) if drawn else ())
        return [event, *_late(move)]
    if name in ("keep", "sit out", "call", "decline"):
        return [Event(name.replace(" ", "-"), seat, rules)]
    if name == "fend off":
        return [Event("fend-off", seat, rules, ("hourglass",)), *_late(move)]
    if name == "play on":
        return [Event("play-on", seat, rules), *move.draws(seat, *rules)]
    if verb in ("hand", "open", "pick", "challenge", "grab"):
        return _magic(move, verb, rules)
    return _played_on(move, verb, rules)


def _late(move: Move) -> list[Event]:
    """Return the events of a knock that came too late: it costs a card (G5.7)."""
    drawn = move.before["drawn"]
    laid = ["hourglass"] if move.name == "fend off" else [drawn] if drawn else []
    cards = len(move.before["hands"][move.seat]) - len(laid)
    if len(move.after["hands"][move.seat]) <= cards:
        return []
    return [Event("late", move.seat, ("G5.7",)), *move.draws(move.seat, "G5.7", lost=laid)]


def _played_on(move: Move, card: str, rules: tuple[str, ...]) -> list[Event]:
    """Return the events of an hourglass or a blank card, played on another player (G6.1, G9.5)."""
    seat, target = move.seat, move.target
    if card == "hourglass":
        return [Event("give", seat, rules, (card,), target)]
    effect = move.settings.blanks[int(card[5:]) - 1].effect
    events = [Event(f"effect.{effect}", seat, (*rules, _EFFECTS[effect]), (card,), target)]
    return [*events, *move.draws(target, "G9.9")] if effect == "draw" else events


def _magic(move: Move, verb: str, rules: tuple[str, ...]) -> list[Event]:
    """Return the events of a move around the Magic Hand (G7)."""
    seat, shown = move.seat, move.after["open"]
    if verb == "hand":
        opened = [other for other in move.others if shown[other] is not None]
        events = [Event("open", other, ("G7.1",), (shown[other],)) for other in opened]
        return [Event("lay", seat, rules, ("hand",)), *events]
    if verb == "open":
        return [Event("open", seat, rules, move.lost(seat))]
    if verb == "grab":
        challenged = move.before["challenged"]
        if move.sees(seat, challenged):
            return [Event("grab.cards", seat, rules, (move.name[5:],), challenged)]
        return [Event("grab.hidden", seat, rules, other=challenged)]
    target = move.target
    if verb == "pick":
        return [Event("pick", seat, rules, (move.before["open"][target],), target)]
    if move.after["phase"] == "prize":
        filled = move.draws(target, "G7.5") if move.gained(target) else []
        return [Event("challenge.right", seat, ("G7.4", "G7.5"), other=target), *filled]
    wrong = Event("challenge.wrong", seat, ("G7.4", "G7.6"), other=target)
    return [wrong, *move.draws(seat, "G7.6")]


def _magic_is_over(move: Move) -> list[Event]:
    """Return what the others draw when the Magic Hand goes on the pile (G7.3, G7.5)."""
    if move.name.startswith("challenge"):
        return []
    grabbed = {move.before["challenged"]: [move.name[5:]]} if move.name.startswith("grab") else {}
    return [
        event
        for seat in move.others
        for event in move.draws(seat, "G7.3", lost=grabbed.get(seat, []))
    ]


NARRATOR = GluecksgriffNarrator
