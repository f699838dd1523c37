"""The command `agents`; `cli/main.py` puts all commands together."""

import argparse

from rich.console import Console
from rich.table import Table

from ..cli.console import print_json
from ..cli.options import add_json
from ..envs.engine.game import get_game
from .registry import AGENTS


def add_agents_options(added: argparse.ArgumentParser) -> None:
    """Add the options of `goldgriff agents`."""
    added.add_argument("game", nargs="?", metavar="GAME", help="list those of one game only")
    add_json(added, "the agents")


def agents_command(options: argparse.Namespace) -> None:
    """Print the agents that are known by name."""
    game = options.game and get_game(options.game).name
    found = [entry for entry in AGENTS if game in (None, entry.game)]
    if options.json:
        print_json([{"game": e.game, "name": e.name, "description": e.description} for e in found])
        return
    table = Table("game", "agent", "what it does")
    for entry in found:
        table.add_row(entry.game, entry.name, entry.description)
    Console().print(table)
