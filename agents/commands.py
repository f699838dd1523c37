"""The command `agents`; `cli.py` puts all commands together."""

import argparse

from rich.console import Console
from rich.table import Table

from ..envs.engine.game import get_game
from .registry import AGENTS


def add_agents_options(added: argparse.ArgumentParser) -> None:
    """Add the options of `goldgriff agents`."""
    added.add_argument("game", nargs="?", metavar="GAME", help="list those of one game only")


def agents_command(options: argparse.Namespace) -> None:
    """Print the agents that are known by name."""
    game = options.game and get_game(options.game).name
    table = Table("game", "agent", "what it does")
    for entry in AGENTS:
        if game in (None, entry.game):
            table.add_row(entry.game, entry.name, entry.description)
    Console().print(table)
