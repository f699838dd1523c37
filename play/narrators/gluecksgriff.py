"""Glücksgriff for people: what its decisions are in words, and what a seat sees of the table."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...envs.engine.events import EventKind, Unrecorded
from ...envs.gluecksgriff.rounds import Ending
from ...envs.gluecksgriff.rules import CARDS, POINTS
from .advice import Advice
from .decision import Decision, Happening, draw_line
from .lines import Line, Note, Position
from .narrator import Narrator

_LINES = {  # texts of what needs no other words
    EventKind.SHUFFLE: "turned-over",
    EventKind.LAY_RUN: "run",
    EventKind.TAKE: "take",
    EventKind.KEEP: "keep",
    EventKind.SIT_OUT: "sit-out",
    EventKind.FEND_OFF: "fend-off",
    EventKind.PLAY_ON: "play-on",
    EventKind.CALL: "call",
    EventKind.DECLINE: "decline",
    EventKind.OPEN: "open",
    EventKind.PICK: "pick",
}

_ASKS = {  # notes that say what a player is asked, by phase
    "hourglass": "ask-hourglass",
    "giving": "ask-take",
    "open": "ask-open",
    "magic": "ask-magic",
    "prize": "ask-prize",
    "grab": "ask-grab",
}


class GluecksgriffNarrator(Narrator):
    """Narrates Glücksgriff."""

    deal_rules = ("G1.1", "G1.2")
    has_view = True

    def narrate(self, decision: Decision) -> list[Line]:
        """Return the lines of a decision."""
        lines = [line for happening in decision.happenings for line in _lines(decision, happening)]
        return lines if decision.points is None else lines + _scores(decision)

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
        notes = [Note(key) for key in ("caller", "magician") if position[key] == seat]
        cards = {key: position[key][seat] for key in ("front", "open")}
        return [*notes, *(Note(key, card=card) for key, card in cards.items() if card)]

    def turn_notes(self, position: Position, viewer: int | None) -> list[Note]:
        """Return what the viewer is asked, the turns left after a call, and the card just drawn."""
        last, drawn = position["turns_left"], self.view(position, viewer)["drawn"]
        asked = _ASKS.get(position["phase"], "") if viewer == position["current_player"] else ""
        notes = [Note(asked)] if asked else []
        if last and viewer == position["current_player"]:
            notes.append(Note("ask-last", other=position["caller"]))
        elif last:
            notes.append(Note("last", number=last))
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


def _lines(decision: Decision, happening: Happening) -> list[Line]:
    """Return the lines of one thing that happened; none where another one says it, too."""
    event_kind, match = happening.kind, decision.match
    verb = match.game.actions[match.moves[-1]].partition(" ")[0]
    if event_kind in _LINES:
        return [happening.line(_LINES[EventKind(event_kind)])]
    match event_kind:
        case EventKind.LAY | EventKind.LAY_LOW | EventKind.LAY_HIGH if verb != "knock":
            return [happening.line(verb)]
        case EventKind.KNOCK:
            drawn = decision.all_of(EventKind.LAY, EventKind.LAY_LOW, EventKind.LAY_HIGH)
            cards = drawn[0].cards if drawn else ()
            return [replace(happening.line("knock.drawn" if drawn else "knock"), cards=cards)]
        case EventKind.DRAW | EventKind.PENALTY | Unrecorded.NO_DRAW:
            if happening.rule == "G7.5" and not happening.count:
                return []  # the hand was full
            late = [Line("late", happening.seat, ("G5.7",))] if happening.rule == "G5.7" else []
            return [*late, draw_line(happening)]
        case EventKind.GIVE | EventKind.PLAY:
            return [_play(decision, happening)]
        case EventKind.STEAL:
            return [happening.line("grab.cards" if happening.cards else "grab.hidden")]
        case EventKind.RIGHT_CHALLENGE | EventKind.WRONG_CHALLENGE:
            text = "right" if event_kind == EventKind.RIGHT_CHALLENGE else "wrong"
            line = happening.line(f"challenge.{text}")
            return [replace(line, rules=("G7.4", *line.rules))]
    return []


def _play(decision: Decision, happening: Happening) -> Line:
    """Return the line of a Magic Hand, an hourglass or a blank card that was played."""
    (card,) = happening.cards
    if card == "hand":
        return happening.line("lay")
    if card == "hourglass":
        return happening.line("give")
    settings: Any = decision.match.settings
    effect = settings.blanks[int(card[5:]) - 1].effect
    return replace(happening.line(f"effect.{effect}"), rules=("G9.5", happening.rule))


def _scores(decision: Decision) -> list[Line]:
    """Return the end of a round, and of the game (G5.6, G8)."""
    assert decision.points is not None
    (ending,) = decision.all_of(Unrecorded.ROUND_ENDED)
    calls = decision.all_of(Unrecorded.CALL_RIGHT, Unrecorded.CALL_WRONG, Unrecorded.CALL_TOO_HIGH)
    too_high = ending.count == Ending.HIGH_CALL
    lines = [empty.line("out") for empty in decision.all_of(Unrecorded.HAND_EMPTY)]
    if ending.count == Ending.CAP or (ending.count == Ending.TURNS and not lines):
        text = "cap" if ending.count == Ending.CAP else "turns"
        lines.append(replace(ending.line(text), seat=None))
    for call in calls if not too_high else ():
        text = "call.right" if call.kind == Unrecorded.CALL_RIGHT else "call.wrong"
        lines.append(call.line(text, number=call.count))
    for seat, total in enumerate(decision.after["scores"]):
        rule = next((call.rule for call in calls if too_high or call.seat == seat), "G8.1")
        line = decision.points_line(seat, rule)
        halving = dict(line.entries).get("halving", 0)
        cards = () if too_high else line.cards  # hands stay hidden
        number, before = decision.points[seat] - halving, total - halving
        lines.append(replace(line, cards=cards, number=number, total=before, entries=()))
        if halving:
            lines.append(Line("halved", seat, ("G8.7",), total=total))
    return lines + decision.winner_lines()


NARRATOR = GluecksgriffNarrator
