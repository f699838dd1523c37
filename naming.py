"""Names as people write them: what they stand for, and what an unknown one may have meant."""

import importlib
import os
import sys
import unicodedata
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from .errors import GoldgriffError, quoted

Error = TypeVar("Error", bound=GoldgriffError)

_SPELLED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "-": "_", " ": "_"})

# Loads an agent by name or wraps a function; takes what was given, and the game. The folder `envs`
# knows no agents, so what lies above it puts the loader here (registration.py).
AGENT_LOADER: list[Callable[[Any, Any], Any]] = []


def plain_name(name: str) -> str:
    """Return a name in small ASCII letters: `Glücksgriff` becomes `gluecksgriff`."""
    return unicodedata.normalize("NFC", name).strip().lower().translate(_SPELLED)


def unknown_name(
    error: type[Error], what: str, name: object, valid: Iterable[str], said: str = "there are"
) -> Error:
    """Return the error about a name that is unknown: what was meant, perhaps, and what there is.

    Args:
        error: Its class.
        what: What it should name, such as `game`. The code of the error is `unknown-WHAT`.
        name: The unknown name; it may be no string.
        valid: The valid names.
        said: What comes before them.
    """
    names = list(valid)
    return error(
        "unknown {what} {name}{hint}; {said} {known}",
        code=f"unknown-{what}",
        what=what,
        name=quoted(name),
        hint=did_you_mean(name, names),
        meant=likely_name(name, names),
        said=said,
        known=", ".join(names),
    )


def did_you_mean(name: object, valid: Iterable[str]) -> str:
    """Return ` (did you mean 'expert'?)`, empty where no valid name is like it."""
    close = likely_name(name, valid)
    return f" (did you mean {close!r}?)" if close else ""


def likely_name(name: object, valid: Iterable[str]) -> str | None:
    """Return the valid name whose spelling is nearest to a name, None where none is near."""
    from difflib import get_close_matches  # noqa: PLC0415 (only where something is wrong)

    plain = {plain_name(spelled): spelled for spelled in valid}
    close = get_close_matches(plain_name(name)[:100], plain, 1) if isinstance(name, str) else []
    return plain[close[0]] if close else None


def did_you_mean_path(path: Path) -> str:
    """Return ` (did you mean 'results/auruxxx'?)`, empty where no file or folder is like a path.

    Each part of the path that is not there is compared to what is in the folder above it.
    """
    near = Path()
    for part in path.parts:
        if not os.path.exists(near / part):  # unlike Path.exists, false for a name too long
            with suppress(OSError):
                part = likely_name(part, os.listdir(near)) or part  # noqa: PLW2901
        near /= part
    return f" (did you mean {str(near)!r}?)" if near != path and os.path.exists(near) else ""


def import_attribute(name: str) -> Any:
    """Return what `module:attribute` names, from a module on the path or in the current folder.

    Raises:
        Exception: Whatever the import of the module raises, or the look-up of the attribute.
    """
    module, _, attribute = name.partition(":")
    folder = str(Path.cwd())
    sys.path.insert(0, folder)
    try:
        value = importlib.import_module(module)
        for part in attribute.split("."):
            try:
                value = getattr(value, part)
            except AttributeError as error:
                raise AttributeError(f"{error}{did_you_mean(part, dir(value))}") from None
        return value
    finally:
        with suppress(ValueError):
            sys.path.remove(folder)


def counted(number: float, noun: str) -> str:
    """Return a number with a noun, whose plural ends in s: "1 deal", "1,000 deals"."""
    written = f"{number:,.0f}" if float(number).is_integer() else f"{number:,g}"
    return f"{written} {noun}{'' if number == 1 else 's'}"
