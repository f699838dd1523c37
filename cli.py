"""The command line: `goldgriff --help`."""

import argparse
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from rich.console import Console
from rich.table import Table
from rich_argparse import RawDescriptionRichHelpFormatter

from . import __version__
from .agents.registry import AGENTS
from .envs.engine.game import GAMES
from .errors import GoldgriffError, SettingsError
from .eval.bench.commands import add_bench_options, bench_command
from .eval.commands import (
    add_ceiling_options,
    add_store,
    add_tournament_options,
    ceiling_command,
    leaderboard_command,
    replay_command,
    tournament_command,
)
from .options import named_values
from .play.commands import add_play_options, play_command
from .train.commands import add_train_options, train_command, training

ABOUT = """\
Goldgriff: train players of two card games, and let them meet.

  goldgriff agents                                    who can play
  goldgriff train auruxxx --preset quick --out runs/quick
                                                      a trained player in three minutes
  goldgriff tournament auruxxx --agents runs/quick expert random random --deals 500
                                                      how strong it is
  goldgriff ceiling auruxxx                           what there is to win
  goldgriff leaderboard results/auruxxx               who is strongest
  goldgriff replay results/auruxxx 17                 what happened in a game
  goldgriff play auruxxx --agents expert              sit down at the table yourself

`goldgriff COMMAND --help` explains a command's options.
"""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line; the usage is one `--help` away."""

    def error(self, message: str) -> NoReturn:
        """Leave with status 2."""
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status is 0, 1 for bad input or 130 when interrupted."""
    options = parser().parse_args(arguments)
    try:
        options.run(options)
    except GoldgriffError as error:
        print(f"goldgriff {options.command}: {error}", file=sys.stderr)
        return 1
    except MemoryError as error:
        print(f"goldgriff {options.command}: too little memory: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"goldgriff {options.command}: interrupted", file=sys.stderr)
        return 130
    return 0


def parser() -> Parser:
    """All commands and their options."""
    style = RawDescriptionRichHelpFormatter
    top = Parser(prog="goldgriff", description=ABOUT, formatter_class=style)
    top.add_argument("--version", action="version", version=f"goldgriff {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: Any, about: str, example: str) -> Parser:
        added: Parser = commands.add_parser(
            name,
            help=about,
            description=f"{about[0].upper()}{about[1:]}.",
            epilog=f"example:\n  {example}",
            formatter_class=style,
        )
        added.set_defaults(run=run)
        return added

    added = command(
        "agents", list_agents, "list the players that can be had by name", "goldgriff agents"
    )
    added.add_argument("game", nargs="?", choices=list(GAMES), help="only those of a game")

    added = command(
        "train",
        lambda options: train_command(options, _rules(options)),
        "train a player by self-play",
        "goldgriff train auruxxx --preset quick --out runs/quick",
    )
    _add_game(added, several=True)
    add_train_options(added)

    added = command(
        "tournament",
        lambda options: tournament_command(options, _rules(options)),
        "let players meet, every deal in every arrangement of the seats",
        "goldgriff tournament auruxxx --agents runs/quick expert random random --deals 500",
    )
    _add_game(added, several=True)
    add_tournament_options(added)

    added = command(
        "ceiling",
        lambda options: ceiling_command(options, _rules(options)),
        "how much there is to win: a search that sees all hands, and one that does not",
        "goldgriff ceiling auruxxx --players 4 --deals 32",
    )
    _add_game(added)
    add_ceiling_options(added)

    added = command(
        "leaderboard",
        leaderboard_command,
        "rate all agents that a folder of tournaments holds",
        "goldgriff leaderboard results/auruxxx",
    )
    add_store(added)

    added = command(
        "replay",
        replay_command,
        "show a game of a tournament move by move",
        "goldgriff replay results/auruxxx 17",
    )
    add_store(added)
    added.add_argument("number", type=int, metavar="GAME", help="its number, as in games.csv")

    added = command(
        "play",
        lambda options: play_command(options, _rules(options)),
        "sit down at the table yourself, with any agents",
        "goldgriff play auruxxx --agents expert bluffer --players 3 --browser",
    )
    _add_game(added)
    add_play_options(added)

    added = command(
        "bench",
        lambda options: bench_command(options, training),
        "measure decisions, playouts and training samples a second",
        "goldgriff bench auruxxx --only step-1024 aec",
    )
    add_bench_options(added)
    return top


def _add_game(added: argparse.ArgumentParser, *, several: bool = False) -> None:
    added.add_argument("game", choices=list(GAMES), help=f"one of: {', '.join(GAMES)}")
    if several:
        about = "players at a table, or several numbers (default: 4)"
        added.add_argument("--players", type=int, metavar="N", nargs="+", help=about)
    else:
        about = "players at a table (default: 4)"
        added.add_argument("--players", type=int, metavar="N", help=about)
    added.add_argument(
        "--rules",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=VALUE",
        help="settings of the game (docs/rules), values as in JSON: max_decisions=1000",
    )


def _rules(options: argparse.Namespace) -> dict[str, Any]:
    """The settings of the game that --rules names, as plain data."""
    rules = named_values("--rules", options.rules)
    if "num_players" in rules and options.players is not None:
        raise SettingsError("num_players is given twice")
    return rules


def list_agents(options: argparse.Namespace) -> None:
    """Print who can play."""
    table = Table("game", "agent", "what it does")
    for entry in AGENTS:
        if options.game in (None, entry.game):
            table.add_row(entry.game, entry.name, entry.description)
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
