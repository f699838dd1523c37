"""A match in the terminal: the person types moves, the screen prints what comes of them."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ...agents.trust import needs_trust
from ...cli.console import command_line
from ...errors import MAX_QUOTED, AgentError, MoveError, one_line
from ...eval.analysis.action_probabilities import default_hint_agent
from ..session.event_log import rule_id_of
from ..session.session import Session
from ..texts import LANGUAGES, Texts
from ..texts.messages import error_line
from ..texts.rulebook import read_rulebook, rules_named
from .entries import COMMANDS, command_of, parse_entry
from .screen import Screen


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
        again = command_line("replay", folder, session.number, *options)
        screen.line(f"  {again}", whole=True)
    else:
        screen.line(texts.text("terminal.kept"))
        screen.line(f"  {resume_command(session, folder, hint_agent, options)}", whole=True)
    if session.progress.failed:
        raise AgentError(texts.text("error.agent", name=repr(session.progress.failed)))


def resume_command(
    session: Session, folder: Path, hint_agent: str, options: Sequence[str] = ()
) -> str:
    """Return the command that goes on with a session; agents that are code need --trust.

    Args:
        session: The session.
        folder: The folder of its store.
        hint_agent: The agent to ask for hints.
        options: Other options.
    """
    arguments = ["--out", folder, "--resume", session.number, *options]
    if hint_agent != default_hint_agent(session.game):
        arguments += ["--hints", hint_agent]
    if any(map(needs_trust, session.names)):
        arguments.append("--trust")
    return command_line("play", session.game.name, *arguments)


class _Terminal:
    """The conversation: what is typed, and what it does."""

    def __init__(self, session: Session, screen: Screen, texts: Texts, hint_agent: str) -> None:
        self._session = session
        self._screen = screen
        self._texts = texts
        self._commands: dict[str, Callable[[], None]] = {
            "help": lambda: self._help(hint_agent),
            "hint": lambda: screen.hint(session.hint(hint_agent)),
            "undo": self._undo,
            "rules": self._rules,
            "quit": self._quit,
            "resign": self._resign,
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
        version = self._session.progress.version
        while self._session.progress.version == version:
            entry = input(self._texts.text("terminal.prompt"))
            if not sys.stdin.isatty():  # what was typed is not seen, nor the end of its line
                self._screen.line(entry)
            if not entry.strip():
                return
            try:
                word, *behind = entry.split()
                if behind and command_of(word.casefold(), self._texts) == "rules":
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
                self._screen.line(error_line(error, self._texts.language))

    def _help(self, agent: str) -> None:
        """Print what can be typed, with a legal move as the example."""
        session, texts = self._session, self._texts
        names = [session.game.actions[action] for action in session.legal]
        cards = {name: name.rpartition(" ")[2] for name in names}
        name = next((move for move in names if cards[move] in session.game.cards), names[0])
        typed = {"place": str(names.index(name) + 1), "name": name}
        typed["written"] = texts.move(name, session.match.current_player)
        if cards[name] in session.game.cards and not cards[name].isdecimal():
            typed["card"] = cards[name]
        typed["table"] = texts.text("help.enter")
        typed |= {command: texts.text(f"command.{command}") for command in COMMANDS}
        cited = rule_id_of(session.match, session.game.actions.index(name))
        about = {"agent": agent, "rule": cited, "section": cited.partition(".")[0]}
        helps = {key: texts.text(f"help.{key}", **about) for key in typed}
        if not cited:
            helps["rules"] = texts.text("page.rules")
        self._screen.pairs((typed[key], helps[key]) for key in typed)

    def _resign(self) -> None:
        """Give the game up if that is typed once more."""
        answer = input(self._texts.text("terminal.resign"))
        if command_of(answer.strip().casefold(), self._texts) == "resign":
            self._session.resign()

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
            blocks = rules_named(rule, blocks)
        if not blocks:
            raise MoveError(texts.text("terminal.no-rule", rule=one_line(rule, MAX_QUOTED)))
        self._screen.rules(blocks)

    def _quit(self) -> None:
        raise EOFError
