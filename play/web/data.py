"""A match as the page gets it: what a seat sees, its moves and the log, with texts of a language.

All functions return plain data.
"""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..narrators.lines import UNTOLD, Line, Position
from ..narrators.round_end import ranking
from ..reasons import Reason, explain_card, explain_table, see
from ..session.event_log import EventLog, position_of, rule_id_of
from ..session.hints import Hint
from ..session.session import Session
from ..texts import Texts, percent

STATIC = Path(__file__).parent / "static"
HINTS = 8  # moves that a hint shows, the likeliest first, beside the one that it compares


def session_data(session: Session, language: str) -> dict[str, Any]:
    """Return a session: `log_data`, the legal moves and what the person may do.

    `ended` stays until the next round ends, for a page that has missed the end of this one;
    `version` has to be named by the next move; `people` are the seats of people; `your_turn` says
    whether the person has to decide, `waiting` whether another person has; `called` is what the
    person is called for the others; `reasons` say why something cannot be done, see `_reasons`.
    """
    texts = texts_of(session, language)
    return {
        **log_data(session.log, texts),
        "ended": _round_end(session.log, texts),
        "version": session.progress.version,
        "number": session.number,
        "seat": session.seat,
        "people": session.people,
        "waiting": session.waiting,
        "called": "" if session.seat is None else session.progress.called.get(session.seat, ""),
        "your_turn": session.your_turn,
        "over": session.over,
        "fault": session.progress.failed
        and texts.text("error.agent", name=repr(session.progress.failed)),
        "resigned": texts.resigned(session.progress.resigned),
        "can_undo": session.can_undo,
        "legal": [_move(session, action, texts) for action in session.legal],
        "reasons": _reasons(session, texts),
    }


def log_data(log: EventLog, texts: Texts) -> dict[str, Any]:
    """Return what the viewer of a match sees.

    `art` names the drawing of the cards; `moves` is the number of moves; `position` as in
    `EventLog.visible_position`; `cards` are the texts of all cards; `rounds` what each seat's total
    rose by in each round; `ended` as in `_round_end`. `log` holds the events since the deal of this
    round, and those of the move that ended the round before, without UNTOLD; `move` is the number
    of the move of each.
    """
    first, game, position = log.round_start(), log.match.game, log.visible_position()
    return {
        "game": game.name,
        "title": game.title,
        "art": game.name if (STATIC / f"art-{game.name}.js").exists() else "plain",
        "moves": len(log.match.moves),
        "position": _position(position, texts),
        "names": [texts.player(seat) for seat in range(len(texts.names))],
        "about": [texts.about(seat) for seat in range(len(texts.names))],
        "cards": {name: texts.card(name) for name in game.cards},
        "rounds": log.scored_rounds(),
        "ended": _round_end(log, texts) if log.round_end else None,
        "log": [
            _entry(number, event, texts)
            for number, events in enumerate(log.lines[first:], start=first)
            for event in events
            if event.kind not in UNTOLD
        ],
    }


def hint_data(session: Session, hint: Hint, language: str) -> dict[str, Any]:
    """Return a hint: the agent, its probability of each legal move, and why in sentences.

    `share` is the probability in words; `win` the estimated win probability, "" for the only move;
    `shown` says whether the move is in the list that is shown.
    """
    texts, shown = texts_of(session, language), hint.shown(HINTS)
    moves = [
        {
            **_move(session, action, texts),
            "probability": probability,
            "share": percent(probability, language),
            "win": percent(hint.values[action], language) if hint.values else "",
            "shown": action in shown,
        }
        for action, probability in hint.probabilities.items()
    ]
    seat = session.match.current_player
    reasons = [texts.advice(reason, seat) for reason in hint.reasons]
    return {"agent": hint.agent, "moves": moves, "reasons": reasons}


def texts_of(session: Session, language: str) -> Texts:
    """Return the texts for the person of a session."""
    about = session.game, session.settings, session.names, session.seat
    return Texts(language, *about, session.progress.called)


def _round_end(log: EventLog, texts: Texts) -> dict[str, Any] | None:
    """Return the end of the last round that is over, None if none is.

    `move` is the number of the move that ended it; `position` is the table with all hands open,
    None where it is not known; `seats` have the points of the round, the total, the cards that were
    left, those that it `laid` to end the round, and what the points are made of; `ranking` has
    place and seat of everybody, the best first.
    """
    if not log.round_ends:
        return None
    (move, end), match = max(log.round_ends.items()), log.match
    position = log.final_position()
    return {
        "move": move,
        "position": position and _position(position, texts),
        "ranking": [{"place": place, "seat": seat} for place, seat in ranking(match.scores)],
        "seats": [
            {
                "points": points,
                "total": match.scores[seat],
                "cards": end.lines[seat].cards,
                "laid": end.laid.cards if end.laid and end.laid.seat == seat else (),
                "parts": [
                    {"text": texts.part(entry), "points": entry.points, "rule": entry.rule}
                    for entry in end.parts[seat]
                ],
            }
            for seat, points in enumerate(end.points)
        ],
    }


def _position(position: Position, texts: Texts) -> Position:
    """Return a position with the texts of its notes."""
    for noted in (position, *position["seats"]):
        noted["notes"] = [{**asdict(note), "text": texts.note(note)} for note in noted["notes"]]
    return position


def _reasons(session: Session, texts: Texts) -> dict[str, Any]:
    """Return the text and the rules of each reason.

    `cards` has those of the cards of the hand, by name, that no legal move uses; `table` those of
    `explain_table`.
    """
    if session.seat is None or (session.over and not session.match.over):
        return {"cards": {}, "table": {}}
    seen = see(session)
    reasons = {card: explain_card(seen, card) for card in dict.fromkeys(seen.hand)}
    return {"cards": _written(reasons, texts), "table": _written(explain_table(seen), texts)}


def _written(reasons: Mapping[str, Reason | None], texts: Texts) -> dict[str, Any]:
    """Return the reasons that there are, with their texts."""
    return {
        key: {"text": texts.note(reason), "rules": reason.rules}
        for key, reason in reasons.items()
        if reason
    }


def _move(session: Session, action: int, texts: Texts) -> dict[str, Any]:
    """Return a legal move; `card` is that of the hand it uses, `other` whom it is played on."""
    name, narrator = session.game.actions[action], session.log.narrator
    position, rule = position_of(session.match), rule_id_of(session.match, action)
    mover, sizes = session.match.current_player, [len(hand) for hand in position["hands"]]
    steps = name.rpartition(" ")[2]
    return {
        "action": action,
        "name": name,
        "text": texts.move(name, mover, sizes),
        "rules": (rule,) if rule else (),
        "card": narrator.card_of(position, name),
        "other": (mover + int(steps)) % len(sizes) if steps.startswith("+") else None,
    }


def _entry(number: int, event: Line, texts: Texts) -> dict[str, Any]:
    """Return a line of the log, and what is needed to show it on the table."""
    player = "" if event.seat is None else texts.player(event.seat)
    return {**asdict(event), "move": number, "player": player, "text": texts.event(event)}
