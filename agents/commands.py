"""The command `agents`; `cli.py` puts all commands together."""

import argparse

from rich.console import Console
from rich.table import Table

from ..options import game_name
from .registry import AGENTS


def add_agents_options(added: argparse.ArgumentParser) -> None:
    """Add the options of `goldgriff agents`."""
    about = "list those of one game only"
    added.add_argument("game", nargs="?", type=game_name, metavar="GAME", help=about)


def agents_command(options: argparse.Namespace) -> None:
    """Print the agents that are known by name."""
    table = Table("game", "agent", "what it does")
    for entry in AGENTS:
        if options.game in (None, entry.game):
            table.add_row(entry.game, entry.name, entry.description)
    Console().print(table)
