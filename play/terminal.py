"""A match in the terminal: the person types moves, the screen prints what comes of them."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ..agents.trust import needs_trust
from ..console import command_line
from ..envs.engine.game import Game
from ..errors import MAX_QUOTED, AgentError, MoveError, one_line
from ..eval.action_probabilities import default_hint_agent
from .reasons import explain_card, explain_move, see
from .rulebook import read_rulebook
from .screen import Screen
from .session import Session
from .texts import LANGUAGES, Texts

COMMANDS = ("help", "hint", "undo", "rules", "quit")


def play_in_terminal(session: Session, folder: Path, hint_agent: str, language: str) -> None:
    """Play a session to its end, or until the person leaves; end of input and Ctrl-C leave too.

    The last lines name the folder, where the session stores its match. Raises AgentError when an
    agent fails; the match is kept all the same.
    """
    texts = Texts(language, session.game, session.settings, session.names)
    screen = Screen(session, texts)
    try:
        _Terminal(session, screen, texts, hint_agent).play()
    except (EOFError, KeyboardInterrupt):
        screen.line("")
    options = ["--language", language] if language != LANGUAGES[0] else []
    if session.over:
        screen.score_sheet()
        screen.line(texts.text("terminal.again"))
        screen.line(f"  {command_line('replay', folder, session.number, *options)}")
    else:
        screen.line(texts.text("terminal.kept"))
        of = session.game, session.number, session.names
        screen.line(f"  {resume_command(*of, folder, hint_agent, options)}")
    if session.failed:
        raise AgentError(texts.text("error.agent", name=repr(session.failed)))


def resume_command(
    game: Game,
    number: int,
    names: Sequence[str],
    folder: Path,
    hint_agent: str,
    options: Sequence[str] = (),
) -> str:
    """Return the command that goes on with a game of a folder.

    Args:
        game: The kind of game.
        number: Number of the match in the folder.
        names: Who plays; those that are code or on the Hub need --trust.
        folder: The folder.
        hint_agent: The agent to ask for hints.
        options: Other options.
    """
    given = ["--out", folder, "--resume", number, *options]
    if hint_agent != default_hint_agent(game):
        given += ["--hints", hint_agent]
    if any(map(needs_trust, names)):
        given.append("--trust")
    return command_line("play", game.name, *given)


class _Terminal:
    """The conversation: what is typed, and what it does."""

    def __init__(self, session: Session, screen: Screen, texts: Texts, hint_agent: str) -> None:
        self._session = session
        self._screen = screen
        self._texts = texts
        self._commands: dict[str, Callable[[], None]] = {
            "help": lambda: screen.line(texts.text("terminal.help", agent=hint_agent)),
            "hint": lambda: screen.hint(session.hint(hint_agent)),
            "undo": self._undo,
            "rules": self._rules,
            "quit": self._quit,
        }

    def play(self) -> None:
        """Let everybody move in turn. Raises EOFError where the person leaves."""
        session, screen = self._session, self._screen
        screen.events()
        while not session.over:
            if session.your_turn:
                screen.table()
                screen.moves()
                self._ask()
            else:
                session.step()
            screen.events()

    def _ask(self) -> None:
        """Read until the match has changed or the table is to be shown again."""
        version = self._session.version
        while self._session.version == version:
            if sys.stdin is None:  # it was closed
                raise EOFError
            entry = input(self._texts.text("terminal.prompt"))
            if not entry.strip():
                return
            try:
                word, *behind = entry.split()
                if behind and command_names(self._texts).get(word.casefold()) == "rules":
                    self._rules(" ".join(behind))
                    continue
                meant = parse_entry(entry, self._session, self._texts)
                if isinstance(meant, str):
                    self._commands[meant]()
                else:
                    self._session.play(meant)
            except MoveError as error:
                self._screen.line(str(error))
            except AgentError as error:
                self._screen.line(self._texts.text("error.other", reason=error))

    def _undo(self) -> None:
        if not self._session.can_undo:
            raise MoveError(self._texts.text("terminal.nothing"))
        self._session.undo()
        self._screen.skip_events()
        self._screen.line(self._texts.text("terminal.undone"))

    def _rules(self, rule: str = "") -> None:
        """Print the rules of the game, or one of them by its id."""
        texts, game = self._texts, self._session.game.name
        blocks = read_rulebook(game, texts.language)
        if not blocks:
            raise MoveError(texts.text("page.no-rules"))
        if rule:
            blocks = tuple(block for block in blocks if block.rule == rule.upper())
        if not blocks:
            raise MoveError(texts.text("terminal.no-rule", rule=one_line(rule, MAX_QUOTED)))
        self._screen.rules(blocks)

    def _quit(self) -> None:
        raise EOFError


def command_names(texts: Texts) -> dict[str, str]:
    """Return the commands by what is typed for them: their English names, those of the language."""
    return {name: name for name in COMMANDS} | {
        texts.text(f"command.{name}"): name for name in COMMANDS
    }


def parse_entry(entry: str, session: Session, texts: Texts) -> int | str:
    """Return the legal action or the command that an entry means.

    A move may be given by its number in the list, its name, its text or its card; a full match goes
    before one of the beginning.

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
    for name, action in names.items():
        card = name.rsplit(" ", 1)[-1]
        for key in {texts.move(name, session.match.current_player), card} - {*names, *commands}:
            meanings.setdefault(key.casefold(), set()).add(action)
    meanings |= {name: {command} for name, command in commands.items()}
    meanings |= {name.casefold(): {action} for name, action in names.items()}
    begun = (each for key, each in meanings.items() if key.startswith(wanted))
    found = meanings.get(wanted) or set[int | str]().union(*begun)
    if not found:
        raise MoveError(explain_entry(wanted, session, texts) or unknown)
    if len(found) > 1:
        moves = [
            texts.text(f"command.{each}") if isinstance(each, str) else session.game.actions[each]
            for each in found
        ]
        raise MoveError(texts.text("terminal.several", entry=entry, moves=", ".join(sorted(moves))))
    return found.pop()


def explain_entry(wanted: str, session: Session, texts: Texts) -> str:
    """Return why a move, or a card, cannot be played, with the rules; "" where it is neither.

    `wanted` is its whole name or text, in small letters.
    """
    seen, seat = see(session), session.match.current_player
    for name in session.game.actions:
        if wanted in (name.casefold(), texts.move(name, seat).casefold()):
            reason = explain_move(seen, name)
            break
    else:
        cards = session.game.cards
        card = next((c for c in cards if wanted in (c.casefold(), texts.card(c).casefold())), None)
        reason = explain_card(seen, card) if card else None
    return f"{texts.reason(reason)} ({', '.join(reason.rules)})" if reason else ""
