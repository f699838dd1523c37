"""Settings on the command line: NAME=VALUE, values as in JSON or as plain words."""

import json
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from .errors import GoldgriffError, SettingsError


def named_values(option: str, given: Sequence[str]) -> dict[str, Any]:
    """What was given to an option that takes NAME=VALUE, as plain data by name.

    Raises SettingsError for what has no value and for a name that comes twice.
    """
    values: dict[str, Any] = {}
    for each in given:
        name, equals, text = each.partition("=")
        if not equals:
            raise SettingsError(f"{option} takes NAME=VALUE, not {each!r}")
        if name in values:
            raise SettingsError(f"{name} is given twice")
        values[name] = _value(text)
    return values


def _value(text: str) -> Any:
    """JSON, which Python's True and False are taken for, or a word such as an agent's name."""
    try:
        return json.loads(text.lower() if text.lower() in ("true", "false") else text)
    except (ValueError, RecursionError):
        return text


def import_extra(module: str, extra: str, what: str) -> Any:
    """A module that needs an extra of the package; what: needs it, for people.

    Raises GoldgriffError, naming the extra, where something of it is missing.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise GoldgriffError(
            f"{error.name} is missing; {what} needs the extra: pip install 'goldgriff[{extra}]'"
        ) from None
