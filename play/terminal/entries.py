"""Read what a person types in the terminal: a command, or a move by number, name, text or card."""

import re
from collections.abc import Iterator
from itertools import chain

from ...errors import MAX_QUOTED, MoveError, one_line
from ...naming import likely_name
from ..reasons import explain_card, explain_move, see
from ..session.session import Session
from ..texts import Texts

COMMANDS = ("help", "hint", "undo", "rules", "quit", "resign")
# What else people type for a command, in any language, in whole words only.
SYNONYMS = {
    "help": ("hilfe", "help"),
    "hint": ("tipp", "tip", "hinweis", "hint"),
    "undo": ("zurück", "zurueck", "zurücknehmen", "rückgängig", "undo", "back"),
    "rules": ("regeln", "regel", "rules", "rule"),
    "resign": ("aufgeben", "resign"),
    "quit": ("schluss", "ende", "aufhören", "verlassen", "quit", "exit", "leave", "bye"),
}
_WORD = re.compile(r"\w+")
_SHORTEST = 3  # letters of a word that is found inside another one
_ENDING = 2  # letters that a typed word may have more: "gelbe" for "gelb"


def command_names(texts: Texts) -> dict[str, str]:
    """Return the commands by what is typed for them: their English names, those of the language."""
    translated = {texts.text(f"command.{name}"): name for name in COMMANDS}
    return {name: name for name in COMMANDS} | translated | {"?": "help"}


def command_of(word: str, texts: Texts) -> str | None:
    """Return the command that a whole word means, a synonym in any language, too."""
    synonyms = {synonym: name for name, words in SYNONYMS.items() for synonym in words}
    return (synonyms | command_names(texts)).get(word)


def parse_entry(entry: str, session: Session, texts: Texts) -> int | str:
    """Return the legal action or the command that an entry means.

    A move may be given by its number in the list, its name, its text or its card; a full match goes
    before one of the beginning, and that before one of words in any order ("lege rot 1").

    Raises:
        MoveError: For an entry that means nothing or several things, with one line.
    """
    entry = one_line(entry, MAX_QUOTED) if len(entry) > MAX_QUOTED else entry
    unknown = texts.text("terminal.unknown", entry=entry, last=len(session.legal))
    wanted = " ".join(entry.casefold().split())
    if wanted.isdecimal():
        if 1 <= int(wanted) <= len(session.legal):
            return session.legal[int(wanted) - 1]
        raise MoveError(unknown)
    names = {session.game.actions[action]: action for action in session.legal}
    commands = command_names(texts)
    meanings: dict[str, set[int | str]] = {}
    written: dict[str, set[int | str]] = {}
    for name, action in names.items():
        card = name.rsplit(" ", 1)[-1]
        for key in {card, texts.card(card)} - {*names, *commands}:
            meanings.setdefault(key.casefold(), set()).add(action)
        text = texts.move(name, session.match.current_player).casefold()
        written.setdefault(text, set()).add(action)
    meanings |= written
    meanings |= {name: {command} for name, command in commands.items()}
    meanings |= {name.casefold(): {action} for name, action in names.items()}
    beginnings = (
        meaning
        for key, meaning in meanings.items()
        if key.startswith(wanted) and meaning != {"resign"}  # which is meant as a whole word only
    )
    matches = meanings.get(wanted) or set[int | str]()
    if not matches and (command := command_of(wanted, texts)):  # "ende" may be meant as a move, too
        meant = _named_by_words(wanted, session, texts)
        matches = {command, *(names[name] for name in meant if name in names)}
    matches = matches or set[int | str]().union(*beginnings)
    if not matches:
        if reason := explain_entry(wanted, session, texts):
            raise MoveError(reason)
        matches = {names[name] for name in _named_by_words(wanted, session, texts) if name in names}
    if not matches:
        close = likely_name(wanted, [*meanings, *chain(*SYNONYMS.values())])
        hint = texts.text("terminal.meant", meant=close) if close else ""
        raise MoveError(f"{unknown}{hint}")
    if len(matches) > 1:
        actions = session.game.actions
        moves = [
            texts.text(f"command.{meaning}") if isinstance(meaning, str) else actions[meaning]
            for meaning in matches
        ]
        raise MoveError(texts.text("terminal.several", entry=entry, moves=", ".join(sorted(moves))))
    return matches.pop()


def explain_entry(wanted: str, session: Session, texts: Texts) -> str:
    """Return why a move, or a card, cannot be played, with the rules; "" where it is neither.

    `wanted` is its whole name or text, in small letters, or has all words of the text.
    """
    seen, seat = see(session), session.match.current_player
    said = [name for name in session.game.actions if wanted in _spellings(name, seat, texts)]
    said += _named_by_words(wanted, session, texts, whole=True)
    if said:
        reason = None if said[0] in session.match.legal else explain_move(seen, said[0])
    else:
        cards = session.game.cards
        card = next((c for c in cards if wanted in (c.casefold(), texts.card(c).casefold())), None)
        reason = explain_card(seen, card) if card else None
    return f"{texts.note(reason)} ({', '.join(reason.rules)})" if reason else ""


def _spellings(name: str, seat: int, texts: Texts) -> tuple[str, str]:
    """Return the name of a move and its text, in small letters."""
    return name.casefold(), texts.move(name, seat).casefold()


def _named_by_words(
    wanted: str, session: Session, texts: Texts, *, whole: bool = False
) -> Iterator[str]:
    """Yield the moves whose text has all words that were typed.

    A card may have its text or its name. A word of the text may be longer, as an infinitive is
    ("lege" for "legen", "setze aus" for "aussetzen"), or shorter by an ending ("rote" for "rot");
    what has a digit is the same.

    Args:
        wanted: What was typed, in small letters.
        session: The session.
        texts: Its texts.
        whole: Whether all words of the text must have been typed, too.
    """
    forms = dict(form.split("=") for form in texts.text("terminal.forms").split())
    typed = [forms.get(word, word) for word in _WORD.findall(wanted)]
    typed = [word for word in typed if word]
    for name in session.game.actions if typed else ():
        text, card = texts.move(name, session.match.current_player), name.rsplit(" ", 1)[-1]
        for phrase in {text, text.replace(texts.card(card), card)}:
            words = _WORD.findall(phrase.casefold())
            matched = [
                {k for k, word in enumerate(words) if _fits(typed_word, word)}
                for typed_word in typed
            ]
            if all(matched) and (not whole or set().union(*matched) == {*range(len(words))}):
                yield name
                break


def _fits(typed: str, word: str) -> bool:
    """Return whether a typed word may stand for a word of a text."""
    if any(char.isdecimal() for char in typed + word):
        return typed == word
    if len(word) >= _SHORTEST and typed.startswith(word):
        return len(typed) - len(word) <= _ENDING
    return word.startswith(typed) or (len(typed) >= _SHORTEST and typed in word)
