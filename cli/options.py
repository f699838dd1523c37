"""Settings on the command line: NAME=VALUE, values as in JSON or as plain words."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn

from ..errors import GoldgriffError, SettingsError, one_line, quoted, shortened
from ..naming import likely_name, unknown_name

MAX_LINE = 2000  # characters of a message
_NUMBERS = {  # what argparse says of a value, and what people read
    "invalid int value: ": "a whole number is needed, not ",
    "invalid float value: ": "a number is needed, not ",
}


class Parser(argparse.ArgumentParser):
    """An argument parser that says what is wrong in one line, without the usage."""

    _given: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments, as argparse does."""
        self._given = [] if args is None else list(args)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Exit with status 2."""
        for theirs, ours in _NUMBERS.items():
            message = message.replace(theirs, ours, 1)
        line = one_line(shortened(message, self._given), MAX_LINE)
        self.exit(2, f"{self.prog}: {line} (see {self.prog} --help)\n")

    @property
    def option_strings(self) -> list[str]:
        """The options as they are written, such as `--help`."""
        return [each for action in self._actions for each in action.option_strings]

    def refuse(self, unknown: Sequence[str]) -> NoReturn:
        """Exit with status 2, and name the option that was probably meant."""
        first = unknown[0]
        if not first.startswith("-"):
            self.error(f"unexpected argument {quoted(first)}")
        option = first.partition("=")[0]
        meant = likely_name(option, self.option_strings)
        self.error(f"unknown option {option}{f' (did you mean {meant}?)' if meant else ''}")


@dataclass(frozen=True, eq=False)
class NameOf:
    """A `type` for argparse: one of some names, or an error that says what was meant.

    Attributes:
        what: What is named, such as `format`.
        names: The valid names.
    """

    what: str
    names: Sequence[str]

    def __call__(self, text: str) -> str:
        """Return the name that was given. Raises ArgumentTypeError for one that is unknown."""
        if text not in self.names:
            raise argparse.ArgumentTypeError(unknown_name(self.what, text, self.names))
        return text


def add_json(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the option `--json` to a command that prints tables."""
    parser.add_argument("--json", action="store_true", help=f"print {what} as JSON, nothing else")


def named_values(option: str, given: Sequence[str]) -> dict[str, Any]:
    """Return the values given to an option that takes NAME=VALUE, by name.

    Args:
        option: The option, for messages.
        given: Its arguments.

    Raises:
        SettingsError: An argument has no value, or a name is given twice.
    """
    values: dict[str, Any] = {}
    for each in given:
        name, equals, text = each.partition("=")
        if not equals:
            raise SettingsError(f"{option} takes NAME=VALUE, not {quoted(each)}")
        if name in values:
            raise SettingsError(f"{name} is given twice")
        values[name] = _value(text)
    return values


def varied_values(given: Sequence[str]) -> dict[str, list[Any]]:
    """Return the values given to `--vary`, several for each name.

    Raises:
        SettingsError: A name has none, or is given twice.
    """
    found: dict[str, list[Any]] = {}
    for each in given:
        name, equals, text = each.partition("=")
        if not equals or not text:
            raise SettingsError(f"--vary takes NAME=VALUE,VALUE,..., not {quoted(each)}")
        if name in found:
            raise SettingsError(f"{name} is given twice")
        try:
            found[name] = json.loads(f"[{text}]")
        except (ValueError, RecursionError):
            found[name] = [_value(word) for word in text.split(",")]
    return found


def _value(text: str) -> Any:
    """Return a value from JSON (True and False included), or else the word itself."""
    try:
        return json.loads(text.lower() if text.lower() in ("true", "false") else text)
    except (ValueError, RecursionError):
        return text


def import_extra(module: str, extra: str, what: str) -> Any:
    """Import a module that needs an extra of the package.

    Args:
        module: Name of the module.
        extra: Name of the extra.
        what: What needs it, for the message.

    Raises:
        GoldgriffError: A package of the extra is missing.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise GoldgriffError(
            f"{error.name} is missing; {what} needs the extra: pip install 'goldgriff[{extra}]'"
        ) from None
