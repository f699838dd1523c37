"""A game as the page gets it: what a seat sees, its moves and the log, in words of a language."""

from typing import Any, cast

from .chronicle import Chronicle
from .events import Event
from .hints import Hint
from .session import Session
from .view import view
from .wording import Words


def state_of(session: Session, language: str) -> dict[str, Any]:
    """A session as plain data.

    version: to be named by the next move. asked: whether the person has to decide. legal: the moves
    that are then legal. The rest is described in `shown`.
    """
    words = Words(language, session.settings, session.names)
    return {
        **shown(session.chronicle, words),
        "version": session.version,
        "number": session.number,
        "seat": session.seat,
        "asked": session.asked,
        "over": session.over,
        "fault": session.fault,
        "can_undo": session.can_undo,
        "legal": [_move(session, action, words) for action in session.legal],
    }


def shown(chronicle: Chronicle, words: Words) -> dict[str, Any]:
    """What the viewer of a chronicle sees.

    moves: how many were made. table: see `view`. names: of the players. cards: all types of cards
    in words. sheet: what each seat wrote, round by round. log: what happened since the deal of this
    round, the end of the last one included; each entry with the number of its move.
    """
    first = chronicle.this_round()
    return {
        "game": chronicle.match.game.name,
        "moves": len(chronicle.match.moves),
        "table": view(chronicle),
        "names": [words.player(seat) for seat in range(len(words.names))],
        "cards": {name: words.card(name) for name in _cards(chronicle)},
        "sheet": chronicle.rounds(),
        "log": [
            _entry(number, event, words)
            for number, events in enumerate(chronicle.journal[first:], start=first)
            for event in events
        ],
    }


def hint_of(session: Session, hint: Hint, language: str) -> dict[str, Any]:
    """A hint as plain data: the agent, and its share for each legal move."""
    words = Words(language, session.settings, session.names)
    return {
        "agent": hint.agent,
        "shares": [
            {**_move(session, action, words), "share": share}
            for action, share in hint.shares.items()
        ],
    }


def _cards(chronicle: Chronicle) -> list[str]:
    """The cards that there are in this game."""
    game, settings = chronicle.match.game, cast(Any, chronicle.match.settings)
    return [name for name, count in zip(game.cards, settings.deck(), strict=True) if count]


def _move(session: Session, action: int, words: Words) -> dict[str, Any]:
    """A legal move: its action, its name, in words, its rules, and the card that it is about."""
    name = session.game.actions[action]
    position, chronicle = session.match.position(), session.chronicle
    card = next((part for part in reversed(name.split(" ")) if part in session.game.cards), None)
    return {
        "action": action,
        "name": name,
        "words": words.move(name, session.match.current_player),
        "rules": chronicle.teller.cite(position, name),
        "card": card,
    }


def _entry(number: int, event: Event, words: Words) -> dict[str, Any]:
    """A line of the log, and what is needed to show it on the table."""
    return {
        "move": number,
        "kind": event.kind,
        "seat": event.seat,
        "who": "" if event.seat is None else words.player(event.seat),
        "text": words.event(event),
        "rules": event.rules,
        "cards": event.cards,
        "other": event.other,
        "number": event.number,
        "total": event.total,
    }
