"""The command `agents`; `cli/main.py` puts all commands together."""

from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from ..cli.console import print_json
from ..cli.options import option
from ..cli.shared_options import JsonOptions
from ..envs.engine.game import get_game
from .registry import AGENTS


@dataclass(kw_only=True)
class AgentsOptions(JsonOptions):
    """The options of `goldgriff agents`.

    Attributes:
        game: List those of one game only.
        json: Print the agents as JSON, nothing else.
    """

    game: str | None = option(None, positional=True, nargs="?")


def agents_command(options: AgentsOptions) -> None:
    """Print the agents that are known by name."""
    game = options.game and get_game(options.game).name
    entries = [entry for entry in AGENTS if game in (None, entry.game)]
    if options.json:
        print_json(
            [{"game": e.game, "name": e.name, "description": e.description} for e in entries]
        )
        return
    table = Table("game", "agent", "what it does")
    for entry in entries:
        table.add_row(entry.game, entry.name, entry.description)
    Console().print(table)
