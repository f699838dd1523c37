"""The command `settings`: what `--rules`, `--set` and their Python arguments take."""

import json
from dataclasses import dataclass, fields

from rich.console import Console
from rich.table import Column, Table

from ..cli.console import print_json
from ..cli.options import attribute_texts
from ..cli.shared_options import JsonOptions
from ..envs.engine.game import GAMES, get_game
from ..envs.engine.settings import CheckedSettings, allowed_values
from ..errors import GoldgriffError
from ..naming import unknown_name
from .api import PRESET, training


@dataclass(kw_only=True)
class SettingsOptions(JsonOptions):
    """The options of `goldgriff settings`.

    Attributes:
        name: A game, whose settings are its rules (--rules), or an algorithm of `train` (--set).
        preset: Show the values of this preset (default: of a game its rules, else quick).
        json: Print the settings as JSON, nothing else.
    """

    name: str
    preset: str | None = None


def settings_command(options: SettingsOptions) -> None:
    """Print the settings of a game or an algorithm."""
    settings = _settings(options.name, options.preset)
    meanings = attribute_texts(type(settings))
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
    except GoldgriffError:
        algorithms = training("algorithms").ALGORITHMS
        if name in algorithms:
            settings: CheckedSettings = algorithms[name].preset(preset or PRESET)
            return settings
        raise unknown_name(
            GoldgriffError, "game or algorithm", name, [*GAMES, *algorithms]
        ) from None
    return game.settings.from_dict({"preset": preset} if preset else {})
