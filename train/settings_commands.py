"""The command `settings`: what `--rules`, `--set` and their Python arguments take."""

import argparse
import inspect
import json
import re
from dataclasses import fields
from typing import Any

from rich.console import Console
from rich.table import Column, Table

from ..cli.console import print_json
from ..cli.options import add_json
from ..envs.engine.game import GAMES, REPLACED, get_game
from ..envs.engine.settings import CheckedSettings, allowed_values
from ..errors import GoldgriffError
from ..naming import unknown_name
from .commands import PRESET, training

_ENTRY = re.compile(r"^    (\w+): (.+(?:\n {8}.+)*)", re.MULTILINE)  # of a docstring's `Attributes`


def add_settings_options(added: argparse.ArgumentParser) -> None:
    """Add the options of `goldgriff settings`."""
    about = "a game, whose settings are its rules (--rules), or an algorithm of `train` (--set)"
    added.add_argument("name", metavar="NAME", help=about)
    about = f"show the values of this preset (default: of a game its rules, else {PRESET})"
    added.add_argument("--preset", metavar="NAME", help=about)
    add_json(added, "the settings")


def settings_command(options: argparse.Namespace) -> None:
    """Print the settings of a game or an algorithm."""
    settings = _settings(options.name, options.preset)
    meanings = _meanings(type(settings))
    rows = [
        {
            "setting": entry.name,
            "value": getattr(settings, entry.name),
            "allowed": allowed_values(entry.metadata),
            "meaning": entry.metadata.get("meaning") or meanings.get(entry.name, ""),
        }
        for entry in fields(settings)
    ]
    if options.json:
        print_json(rows)
        return
    table = Table(Column("setting", no_wrap=True), Column("value", overflow="fold"), "what it is")
    for row in rows:
        value = row["value"] if isinstance(row["value"], str) else json.dumps(row["value"])
        texts = (row["meaning"].rstrip("."), row["allowed"])
        table.add_row(row["setting"], value, "; ".join(filter(None, texts)))
    Console().print(table)


def _settings(name: str, preset: str | None) -> CheckedSettings:
    """Return the settings of a game or an algorithm. Raises GoldgriffError."""
    try:
        game = get_game(name)
    except GoldgriffError as error:
        if str(error) in REPLACED.values():
            raise
        algorithms = training("algorithms").ALGORITHMS
        if name in algorithms:
            settings: CheckedSettings = algorithms[name].preset(preset or PRESET)
            return settings
        raise GoldgriffError(
            unknown_name("game or algorithm", name, [*GAMES, *algorithms])
        ) from None
    return game.settings.from_dict({"preset": preset} if preset else {})


def _meanings(settings: type[Any]) -> dict[str, str]:
    """Return what the docstrings of a class and those that it extends say of each attribute."""
    found: dict[str, str] = {}
    for each in settings.__mro__:
        section = (inspect.cleandoc(each.__doc__ or "")).partition("Attributes:\n")[2]
        for name, text in _ENTRY.findall(section.partition("\n\n")[0]):
            found.setdefault(name, " ".join(text.split()))
    return found
