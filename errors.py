"""Errors that come from bad input; each message is one line that names the fault."""

import re
import reprlib
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

MAX_REASON = 200  # characters of what an agent did wrong, as stored and shown
MAX_QUOTED = 80  # characters of what was given, in a message
_LONG_WORD = re.compile(rf"\S{{{MAX_QUOTED + 1},}}")  # most are paths

_BRIEF = reprlib.Repr()
_BRIEF.maxlevel, _BRIEF.maxlist, _BRIEF.maxtuple, _BRIEF.maxdict = 3, 12, 12, 12
_BRIEF.maxstring = _BRIEF.maxother = MAX_QUOTED


@cache
def message_texts(language: str) -> dict[str, Any]:
    """Return the messages of a language by code."""
    content = Path(__file__).with_name("messages.toml").read_text("utf-8")
    texts: dict[str, Any] = tomllib.loads(content)[language]
    return texts


class GoldgriffError(ValueError):
    """Base class of all errors that come from bad input rather than from a fault in the library.

    A word of more than `MAX_QUOTED` characters in the message, such as a path, is shortened.

    Args:
        message: The message in English, with a gap such as `{path}` for each value, if there are
            values; by default that of the code.
        code: Names the message in `messages.toml`, which has it in all languages; empty where no
            player can meet it.
        values: What fills the gaps, by name: numbers, texts, tuples of choices (`a or b`), or
            another error.

    Attributes:
        code: The code.
        values: The values.
    """

    def __init__(self, message: str = "", *, code: str = "", **values: Any) -> None:
        message = message or message_texts("en").get(code, "")
        if values:
            message = message.format(**{name: _written(value) for name, value in values.items()})
        super().__init__(short_words(message))
        self.code, self.values = code, values


class SettingsError(GoldgriffError):
    """Settings are out of range or unknown."""


class UnknownSettingError(SettingsError, TypeError):
    """There is no such setting; a `TypeError` too, as for any unknown keyword argument."""


class MoveError(GoldgriffError):
    """A move is unknown, not legal here or not this player's to make; nothing was changed."""


class ResetError(GoldgriffError, AttributeError):
    """An attribute of an environment does not exist before the first `reset`."""


class AgentError(GoldgriffError):
    """An agent does not exist, cannot be loaded, or fails in a game.

    Where it fails in a game, the code is one of eval/tournament/faults.py.
    """


class PositionError(GoldgriffError):
    """A position cannot arise in a game."""


class RecordError(GoldgriffError):
    """A recorded game does not replay."""


def one_line(text: str, length: int = MAX_REASON) -> str:
    """Return a text as one line of at most `length` characters, all of which print.

    Control characters, lone surrogates and others that do not print are escaped as in Python.
    """
    begun = text[: 8 * length]
    line = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode()
        for char in " ".join(begun.split())
    )
    fits = len(line) <= length and len(begun) == len(text)
    return line if fits else line[: length - 3] + "..."


def quoted(value: object) -> str:
    """Return a value, as Python writes it, in one line of at most `MAX_QUOTED` characters.

    Whatever it is: also a number of thousands of digits, or an object whose `repr` raises.
    """
    try:
        return one_line(_BRIEF.repr(value), MAX_QUOTED)
    except Exception:
        return f"<{one_line(type(value).__name__, MAX_QUOTED - 2)}>"


def short_words(text: str) -> str:
    """Return a text whose words of more than `MAX_QUOTED` characters lack their middles."""
    begin, end = MAX_QUOTED // 2 - 2, 1 - MAX_QUOTED // 2
    return _LONG_WORD.sub(lambda word: f"{word[0][:begin]}...{word[0][end:]}", text)


def _written(value: Any) -> Any:
    return " or ".join(value) if isinstance(value, tuple) else value


def describe_error(error: BaseException) -> str:
    """Return type and text of an exception as one line, also of one whose text raises another."""
    try:
        return one_line(f"{type(error).__name__}: {error}")
    except BaseException:
        return "an exception without a readable text"
