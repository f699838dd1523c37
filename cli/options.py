"""The options of a command as a dataclass, and values given as NAME=VALUE."""

import argparse
import inspect
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import MISSING, Field, dataclass, field, fields
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from types import NoneType
from typing import Any, NoReturn, Self, get_args, get_origin, get_type_hints

from ..errors import GoldgriffError, SettingsError, one_line, quoted, short_words
from ..naming import likely_name, unknown_name

MAX_LINE = 2000  # characters of a message
_METAVARS = {int: "N", float: "X", Path: "DIR", str: "NAME"}
_ENTRY = re.compile(r"^    (\w+): (.+(?:\n {8}.+)*)", re.MULTILINE)  # of a docstring's `Attributes`
_POWER = re.compile(r"[+-]?\d+(\.\d+)?[eE]\+?\d{1,2}")  # of ten
_OPTIONS = {"num_players": "players", "total_timesteps": "steps"}  # that set them


class Parser(argparse.ArgumentParser):
    """An argument parser that says what is wrong in one line, without the usage.

    Attributes:
        translate: Returns such a line in the language that was asked for.
    """

    translate: Callable[[str], str] = str

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments; an unknown one is refused here, where the options of a command are."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.refuse(unknown)
        return options, unknown

    def error(self, message: str) -> NoReturn:
        """Exit with status 2."""
        message = message.replace("invalid float value: ", "a number is needed, not ", 1)
        line = f"{one_line(short_words(message), MAX_LINE)} (see {self.prog} --help)"
        self.exit(2, f"{self.prog}: {self.translate(line)}\n")

    @property
    def option_strings(self) -> list[str]:
        """The options as they are written, such as `--help`."""
        return [flag for action in self._actions for flag in action.option_strings]

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
            error = unknown_name(GoldgriffError, self.what, text, self.names)
            raise argparse.ArgumentTypeError(str(error))
        return text


@dataclass(kw_only=True)
class Options:
    """The options of a command: each field is one, and its text of help is in the docstring.

    The type of a field says what is read: `bool` is a flag, a list takes one value or more, and
    `| None` is what was not given. A field without a default is a positional argument. `option`
    makes a field that differs.

    Attributes:
        line: The command as it was typed.
    """

    line: str = field(default="", init=False)

    @classmethod
    def add_to(cls, parser: argparse.ArgumentParser) -> None:
        """Add all options to a parser: those of the class itself first, then inherited ones."""
        types, texts = get_type_hints(cls), attribute_texts(cls)
        entries = {entry.name: entry for entry in fields(cls) if entry.init}
        names = [name for name, entry in entries.items() if _is_positional(entry)]
        names += [name for base in cls.__mro__ for name in inspect.get_annotations(base)]
        for name in dict.fromkeys(names):
            if name in entries:
                _add(parser, entries[name], types[name], texts.get(name, ""))

    @classmethod
    def read(cls, namespace: argparse.Namespace) -> Self:
        """Return the options that a parser has read."""
        values = {entry.name: getattr(namespace, entry.name) for entry in fields(cls) if entry.init}
        options = cls(**values)
        options.line = getattr(namespace, "line", "")
        return options

    def check_resumed(self, *allowed: str) -> None:
        """Check the options of a command that goes on as it was begun.

        Args:
            *allowed: Names of the options that it takes, beside those of its output.

        Raises:
            SettingsError: Another one was given.
        """
        for entry in fields(self):
            if entry.default is not MISSING and entry.name not in (*allowed, "resume", "json"):
                value = getattr(self, entry.name)
                if entry.init and value not in (entry.default, []):
                    *flags, last = (f"--{name.replace('_', '-')}" for name in allowed)
                    raise SettingsError(code="resume-only", flags=", ".join(flags), last=last)


def option(default: Any = MISSING, **arguments: Any) -> Any:
    """Return a field of `Options` for which `add_argument` has some other arguments.

    Args:
        default: The value where it is not given.
        **arguments: Arguments of `add_argument`, and `positional` for a positional argument that
            may be left out.
    """
    return field(default=default, metadata=arguments)


def attribute_texts(owner: type[Any]) -> dict[str, str]:
    """Return what the docstrings of a class and of those that it extends say of each attribute."""
    texts: dict[str, str] = {}
    for base in owner.__mro__:
        section = inspect.cleandoc(base.__doc__ or "").partition("Attributes:\n")[2]
        for name, text in _ENTRY.findall(section.partition("\n\n")[0]):
            texts.setdefault(name, " ".join(text.split()))
    return texts


def _is_positional(entry: Field[Any]) -> bool:
    required = entry.default is MISSING and "required" not in entry.metadata
    return required or "positional" in entry.metadata


def _add(parser: argparse.ArgumentParser, entry: Field[Any], annotation: Any, text: str) -> None:
    """Add the option of a field, of which `text` is the meaning, to a parser."""
    default = None if entry.default is MISSING else entry.default
    value_type = next((t for t in get_args(annotation) if t is not NoneType), annotation)
    is_list = list in (get_origin(annotation), get_origin(value_type))
    if is_list:
        value_type = next(iter(get_args(value_type)), value_type)
    positional = _is_positional(entry)
    metavar = entry.name.upper() if positional else _METAVARS.get(value_type)
    read = whole_number if value_type is int else value_type
    arguments: dict[str, Any] = {"type": read, "default": default, "metavar": metavar}
    if is_list:
        arguments |= {"nargs": "+", "action": "extend"}
        arguments["default"] = None if default is None else list(default)
    if value_type is bool:
        arguments = {"action": "store_true"}
    arguments |= {"help": "".join(_help(text, default)), **entry.metadata}
    arguments.pop("positional", None)
    flag = entry.name if positional else f"--{entry.name.replace('_', '-')}"
    parser.add_argument(flag, **arguments)


def whole_number(text: str) -> int:
    """Return a whole number, as 1000000, 1_000_000 or 1e6; for argparse."""
    with suppress(ValueError):
        return int(text)
    number = Decimal(text) if _POWER.fullmatch(text) else Decimal("0.5")
    if number != number.to_integral_value():
        raise argparse.ArgumentTypeError(f"a whole number is needed, not {quoted(text)}")
    return int(number)


def _help(text: str, default: object) -> Iterator[str]:
    """Yield the parts of a text of help: from a docstring, with the default unless it names it."""
    if not text[1:2].isupper():
        text = text[:1].lower() + text[1:]
    yield text.rstrip(".").replace("%", "%%")
    if default and "default" not in text:
        yield f" (default: {default:g})" if type(default) is float else f" (default: {default})"


def write_value(value: Any) -> str:
    """Return a value as `read_value` reads it: a text as it is, anything else in JSON."""
    return value if isinstance(value, str) else json.dumps(value)


def as_typed(message: str, setting: object, arguments: Sequence[str]) -> str:
    """Return a message about a setting, which an option may have given, with the option's name."""
    option = f"--{_OPTIONS.get(str(setting), str(setting)).replace('_', '-')}"
    is_typed = any(word.partition("=")[0] == option for word in arguments)
    return message.replace(str(setting), option, 1) if is_typed else message


def read_value(text: str) -> Any:
    """Return a value from JSON (True and False included), or else the word itself."""
    try:
        return json.loads(text.lower() if text.lower() in ("true", "false") else text)
    except (ValueError, RecursionError):
        return text


def named_values(
    option: str,
    arguments: Sequence[str],
    read: Callable[[str], Any] = read_value,
    form: str = "NAME=VALUE",
) -> dict[str, Any]:
    """Return the values given to an option that takes NAME=VALUE, by name.

    Args:
        option: The option, for messages.
        arguments: Its arguments.
        read: Returns the value that a text stands for.
        form: What an argument looks like, for messages.

    Raises:
        SettingsError: An argument has no value, or a name is given twice.
    """
    values: dict[str, Any] = {}
    for argument in arguments:
        name, equals, text = argument.partition("=")
        if not equals:
            raise SettingsError(code="no-value", option=option, form=form, given=quoted(argument))
        if name in values:
            raise SettingsError(code="given-twice", name=name)
        values[name] = read(text)
    return values


def read_values(text: str) -> list[Any]:
    """Return the values that `VALUE,VALUE,...` stands for."""
    try:
        values: list[Any] = json.loads(f"[{text}]")
        return values
    except (ValueError, RecursionError):
        return [read_value(word) for word in text.split(",")]


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
