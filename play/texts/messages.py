"""Errors and notices of the library in a person's language.

Those that a player can meet have a code and values (`GoldgriffError`); `messages.toml` has the text
of each code in all languages.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ...envs.engine.cache import NOTICES
from ...envs.engine.game import GAMES
from ...errors import GoldgriffError, message_texts, one_line, short_words
from ...eval.tournament.replay import StoredGame
from . import LANGUAGES, shared_text, texts_in

_MORE_TEXTS = {"num_players": "page.players"}  # of settings without `setting.NAME`


def error_line(error: Exception, language: str, otherwise: str = "other") -> str:
    """Return the message of an error as one line in a language.

    Args:
        error: The error.
        language: One of `LANGUAGES`.
        otherwise: Names the text (`error.OTHERWISE`) in place of a message without a translation.
    """
    if language == LANGUAGES[0]:
        return one_line(str(error))
    code, values = (error.code, error.values) if isinstance(error, GoldgriffError) else ("", {})
    return translate(code, values, language) or shared_text(f"error.{otherwise}", language)


def reason_line(stored: StoredGame, language: str) -> str:
    """Return why an agent has forfeited a stored game, in a language."""
    fault = stored.fault
    if language == LANGUAGES[0] or fault is None:
        return stored.reason
    return translate(fault.code, fault.values, language) or shared_text("error.untold", language)


@contextmanager
def speaking(language: str | None) -> Iterator[None]:
    """Let notices, such as that something compiles, and errors be in a language, if it has a text.

    Raises:
        GoldgriffError: An error in that language.
    """
    language = language or LANGUAGES[0]
    NOTICES.clear()
    NOTICES.update(message_texts(language))
    try:
        yield
    except GoldgriffError as error:
        line = translate(error.code, error.values, language)
        if language == LANGUAGES[0] or not line:
            raise
        raise GoldgriffError(line) from error


def translate(code: str, values: Mapping[str, Any], language: str) -> str:
    """Return the text of a message in a language other than English, "" where there is none.

    Args:
        code: That of the message. `CODE.meant` is its text where the value `meant` names what may
            have been meant, `CODE.one` its text where the value `count` is 1.
        values: What fills its gaps.
        language: One of `LANGUAGES`.
    """
    texts = message_texts(language)
    keys = [f"{code}.meant"] if values.get("meant") else []
    keys += [f"{code}.one", code] if values.get("count") == 1 else [code]
    text = next((texts[key] for key in keys if key in texts), "")
    gaps = {name: _gap(name, value, language) for name, value in values.items()}
    return short_words(text.format_map(defaultdict(str, gaps)))


def translate_usage(line: str, language: str) -> str:
    """Return a line about wrong arguments of a command in a language, as it is without a text."""
    for english, text in message_texts("usage").get(language, {}).items():
        pattern = re.escape(english).replace(r"\{\}", "(.+?)")
        if gaps := re.fullmatch(pattern, line):
            return str(text).format(*(translate_usage(gap, language) for gap in gaps.groups()))
    return line


def _gap(name: str, value: Any, language: str) -> Any:
    """Return what stands in a gap of a message, in a language."""
    if isinstance(value, GoldgriffError):
        return error_line(value, language, "untold")
    if isinstance(value, tuple):
        return f" {shared_text('error.or', language)} ".join(value)
    return _setting(value, language) if name == "setting" else value


def _setting(name: str, language: str) -> str:
    """Return the label of a setting in the lobby, its name where it has none."""
    key = _MORE_TEXTS.get(name, f"setting.{name}")
    return texts_in(language, "shared", *GAMES).get(key, name)
