"""A game played in the terminal: the person types moves, the screen tells what comes of them."""

import shlex
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from ..errors import AgentError, MoveError
from .screen import Screen
from .session import Session
from .texts import LANGUAGES
from .wording import Words

COMMANDS = ("help", "hint", "undo", "quit")
ADVISER = "expert"  # who is asked for hints, unless another is named


def play_in_terminal(session: Session, folder: Path, adviser: str, language: str) -> None:
    """Play a session to its end, or until the person leaves; end of input and Ctrl-C leave too.

    folder: where the session keeps its game. adviser: the agent that is asked for hints.
    Raises AgentError when an agent fails; the game is kept all the same.
    """
    words = Words(language, session.settings, session.names)
    screen = Screen(session, words, Console(highlight=False))
    try:
        _Terminal(session, screen, words, adviser).play()
    except (EOFError, KeyboardInterrupt):
        screen.say("")
    place = shlex.quote(str(folder))
    if session.over:
        screen.sheet()
        screen.say(words.text("terminal.again"))
        screen.say(f"  goldgriff replay {place} {session.number}")
    else:
        screen.say(words.text("terminal.kept"))
        resume = f"--out {place} --resume {session.number}"
        if language != LANGUAGES[0]:
            resume += f" --language {language}"
        if adviser != ADVISER:
            resume += f" --hints {shlex.quote(adviser)}"
        screen.say(f"  goldgriff play {session.game.name} {resume}")
    if session.fault:
        raise AgentError(session.fault)


class _Terminal:
    """The conversation: what is typed, and what it does."""

    def __init__(self, session: Session, screen: Screen, words: Words, adviser: str) -> None:
        self._session = session
        self._screen = screen
        self._words = words
        self._adviser = adviser
        self._commands: dict[str, Callable[[], None]] = {
            "help": lambda: screen.say(words.text("terminal.help", agent=adviser)),
            "hint": self._hint,
            "undo": self._undo,
            "quit": self._quit,
        }

    def play(self) -> None:
        """Let everybody move in turn. Raises EOFError where the person leaves."""
        session, screen = self._session, self._screen
        screen.tell()
        while not session.over:
            if session.asked:
                screen.table()
                screen.moves()
                self._ask()
            else:
                session.step()
            screen.tell()

    def _ask(self) -> None:
        """Read until the game has changed or the table is to be shown again."""
        version = self._session.version
        while self._session.version == version:
            entry = input(self._words.text("terminal.prompt"))
            if not entry.strip():
                return
            try:
                meant = understand(entry, self._session, self._words)
                if isinstance(meant, str):
                    self._commands[meant]()
                else:
                    self._session.play(meant)
            except (MoveError, AgentError) as error:
                self._screen.say(str(error))

    def _hint(self) -> None:
        self._screen.hint(self._session.hint(self._adviser))

    def _undo(self) -> None:
        if not self._session.can_undo:
            raise MoveError(self._words.text("terminal.nothing"))
        self._session.undo()
        self._screen.forget()
        self._screen.say(self._words.text("terminal.undone"))

    def _quit(self) -> None:
        raise EOFError


def understand(entry: str, session: Session, words: Words) -> int | str:
    """The legal action or the command that an entry means.

    Meant is a move by its number in the list, its name, its words or its card, or a command; what
    stands there in full goes before what only begins so. Raises MoveError, with one line, for an
    entry that means nothing or several things.
    """
    wanted = " ".join(entry.casefold().split())
    if wanted.isdecimal():
        if 1 <= int(wanted) <= len(session.legal):
            return session.legal[int(wanted) - 1]
        raise MoveError(words.text("terminal.unknown", entry=entry, last=len(session.legal)))
    names = {session.game.actions[action]: action for action in session.legal}
    meanings: dict[str, set[int | str]] = {}
    for name, action in names.items():
        card = name.rsplit(" ", 1)[-1]
        for key in {words.move(name, session.match.current_player), card} - {*names, *COMMANDS}:
            meanings.setdefault(key.casefold(), set()).add(action)
    meanings |= {command: {command} for command in COMMANDS}
    meanings |= {name.casefold(): {action} for name, action in names.items()}
    begun = (each for key, each in meanings.items() if key.startswith(wanted))
    found = meanings.get(wanted) or set[int | str]().union(*begun)
    if not found:
        raise MoveError(words.text("terminal.unknown", entry=entry, last=len(session.legal)))
    if len(found) > 1:
        moves = [each if isinstance(each, str) else session.game.actions[each] for each in found]
        raise MoveError(words.text("terminal.several", entry=entry, moves=", ".join(sorted(moves))))
    return found.pop()
