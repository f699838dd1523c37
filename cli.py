"""The command line: `goldgriff --help`."""

import argparse
import sys
from collections.abc import Callable, Sequence
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
    add_bound_options,
    add_replay_options,
    add_store,
    add_tournament_options,
    bound_command,
    leaderboard_command,
    replay_command,
    tournament_command,
)
from .options import named_values
from .play.commands import add_play_options, play_command
from .train.commands import add_train_options, train_command, training

ABOUT = """\
Goldgriff: train agents for card games and evaluate them.

  goldgriff agents                                    list the agents
  goldgriff train auruxxx --preset quick --out runs/quick
                                                      train an agent in three minutes
  goldgriff tournament auruxxx --agents runs/quick expert random random --deals 500
                                                      compare it with others
  goldgriff bound auruxxx                             compare with perfect information
  goldgriff leaderboard results/auruxxx               rate the agents of a tournament
  goldgriff replay results/auruxxx 17                 show a game move by move
  goldgriff play auruxxx --agents expert              play yourself

`goldgriff COMMAND --help` explains the options of a command.
"""
RENAMED = {"ceiling": "bound"}


class Parser(argparse.ArgumentParser):
    """An argument parser that says what is wrong in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        """Exit with status 2."""
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status: 0, 1 for bad input, 130 when interrupted."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments and arguments[0] in RENAMED:
        parser().error(f"{arguments[0]} is now called {RENAMED[arguments[0]]}")
    options = parser().parse_args(arguments)
    try:
        options.run(options)
        return 0
    except GoldgriffError as error:
        message, status = str(error), 1
    except MemoryError as error:
        message, status = f"too little memory: {error}", 1
    except KeyboardInterrupt:
        message, status = "interrupted", 130
    print(f"goldgriff {options.command}: {message}", file=sys.stderr)
    return status


def parser() -> Parser:
    """Return the parser of all commands."""
    style = RawDescriptionRichHelpFormatter
    top = Parser(prog="goldgriff", description=ABOUT, formatter_class=style)
    top.add_argument("--version", action="version", version=f"goldgriff {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(
        run: Callable[..., None],
        add_options: Callable[[argparse.ArgumentParser], None],
        about: str,
        example: str,
        *,
        takes_game: bool = False,
    ) -> None:
        """Add a command; one that `takes_game` has its settings, too."""
        added: Parser = commands.add_parser(
            example.split()[1],
            help=about,
            description=f"{about[0].upper()}{about[1:]}.",
            epilog=f"example:\n  {example}",
            formatter_class=style,
        )
        added.set_defaults(run=run)
        if takes_game:
            _add_game(added, several=run in (train_command, tournament_command))
            added.set_defaults(run=lambda options: run(options, _rules(options)))
        add_options(added)

    command(
        list_agents, _add_list_options, "list the agents that are known by name", "goldgriff agents"
    )
    command(
        train_command,
        add_train_options,
        "train an agent by self-play",
        "goldgriff train auruxxx --preset quick --out runs/quick",
        takes_game=True,
    )
    command(
        tournament_command,
        add_tournament_options,
        "play a tournament: every deal in every arrangement of the seats",
        "goldgriff tournament auruxxx --agents runs/quick expert random random --deals 500",
        takes_game=True,
    )
    command(
        bound_command,
        add_bound_options,
        "compare the win share of a search with perfect information to the same search without it",
        "goldgriff bound auruxxx --players 4 --deals 32",
        takes_game=True,
    )
    command(
        leaderboard_command,
        add_store,
        "rate all agents in a folder of tournaments",
        "goldgriff leaderboard results/auruxxx",
    )
    command(
        replay_command,
        add_replay_options,
        "show a stored game move by move",
        "goldgriff replay results/auruxxx 17",
    )
    command(
        play_command,
        add_play_options,
        "play yourself in the terminal or browser, or watch agents",
        "goldgriff play auruxxx --agents expert bluffer --players 3 --browser",
        takes_game=True,
    )
    command(
        lambda options: bench_command(options, training),
        add_bench_options,
        "measure decisions, playouts and training samples a second",
        "goldgriff bench auruxxx --only step-1024 aec",
    )
    return top


def _add_list_options(added: argparse.ArgumentParser) -> None:
    added.add_argument("game", nargs="?", choices=list(GAMES), help="list those of one game only")


def _add_game(added: argparse.ArgumentParser, *, several: bool) -> None:
    added.add_argument("game", choices=list(GAMES), help=f"one of: {', '.join(GAMES)}")
    about = "number of players, or several numbers" if several else "number of players"
    added.add_argument(
        "--players",
        type=int,
        metavar="N",
        nargs="+" if several else None,
        help=f"{about} (default: 4)",
    )
    added.add_argument(
        "--rules",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=VALUE",
        help="settings of the game (docs/rules), values as in JSON: max_decisions=1000",
    )


def _rules(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings of the game that --rules names."""
    rules = named_values("--rules", options.rules)
    if "num_players" in rules and options.players is not None:
        raise SettingsError("num_players is given twice")
    return rules


def list_agents(options: argparse.Namespace) -> None:
    """Print the agents that are known by name."""
    table = Table("game", "agent", "what it does")
    for entry in AGENTS:
        if options.game in (None, entry.game):
            table.add_row(entry.game, entry.name, entry.description)
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
