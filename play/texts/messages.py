"""Messages of the library in a person's language: those of `texts/messages.toml`, by their words.

The library writes its messages in English, for whoever uses it from Python. A person who plays can
meet some of them, too; these have a German text.
"""

import re
from functools import cache

from ...envs.engine.cache import say_in
from ...envs.engine.game import GAMES
from ...errors import one_line
from . import LANGUAGES, TextError, read_texts, shared_text

_GAP = re.compile(r"\\\{(\w+)\\\}")  # of a text in which special characters are escaped
_MORE_TEXTS = {"num_players": "page.players"}  # of settings without `setting.NAME`


def error_line(error: Exception, language: str) -> str:
    """Return the message of an error as one line in a language.

    In German, a message without a German text is replaced: it says that there is none.
    """
    if isinstance(error, TextError):
        return error.line(language)
    return translate(one_line(str(error)), language) or shared_text("error.other", language)


def speak(language: str | None) -> None:
    """Let the notices that the library prints, such as that it compiles, be in a language."""
    say_in(lambda notice: translate(notice, language or LANGUAGES[0]))


def translate(message: str, language: str) -> str:
    """Return a message of the library in a language, empty where it has no text in it.

    Args:
        message: The message, in English, in one line.
        language: One of `LANGUAGES`.
    """
    if language == LANGUAGES[0]:
        return message
    for pattern, text in _patterns(language):
        if found := pattern.fullmatch(message):
            gaps = found.groupdict()
            return text.format(**{gap: _gap(gap, gaps[gap], language) for gap in gaps})
    return ""


def translate_reason(reason: str, language: str) -> str:
    """Return why an agent has lost a game, or the reason in another message, in a language."""
    return translate(reason, language) or shared_text("error.untold", language)


def _gap(name: str, value: str, language: str) -> str:
    """Return what stands in a gap of a message, in a language."""
    if name == "reason":
        return translate_reason(value, language)
    if name == "choices":
        return value.replace(" or ", f" {shared_text('error.or', language)} ")
    return _setting(value, language) if name == "setting" else value


def _setting(name: str, language: str) -> str:
    """Return the label of a setting in the lobby, its name where it has none."""
    texts = read_texts("shared")
    for game in GAMES:
        texts = texts | read_texts(game)
    key = _MORE_TEXTS.get(name, f"setting.{name}")
    return texts[key][LANGUAGES.index(language)] if key in texts else name


def _gap_pattern(gap: re.Match[str]) -> str:
    """Return the pattern of what may stand in a gap."""
    content = r"\w+" if gap[1] == "setting" else ".*?"
    return f"(?P<{gap[1]}>{content})"


@cache
def _patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """Return what finds each message, and its text in a language."""
    place = LANGUAGES.index(language)
    return [
        (re.compile(_GAP.sub(_gap_pattern, re.escape(texts[0]))), texts[place])
        for texts in read_texts("messages").values()
    ]
