"""The command line: `goldgriff --help`."""

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich_argparse import RawDescriptionRichHelpFormatter

from . import __version__
from .agents.registry import AGENTS
from .console import run
from .envs.engine.game import GAMES
from .errors import SettingsError
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
from .options import Parser, named_values
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
HELP = {  # by command: what it does, and the arguments of an example
    "agents": ("list the agents that are known by name", ""),
    "train": ("train an agent by self-play", "auruxxx --preset quick --out runs/quick"),
    "tournament": (
        "play a tournament: every deal in every arrangement of the seats",
        "auruxxx --agents runs/quick expert random random --deals 500",
    ),
    "bound": (
        "compare the win share of a search with perfect information to the same search without it",
        "auruxxx --players 4 --deals 32",
    ),
    "leaderboard": ("rate all agents in a folder of tournaments", "results/auruxxx"),
    "replay": ("show a stored game move by move", "results/auruxxx 17"),
    "play": (
        "play yourself in the terminal or browser, or watch agents",
        "auruxxx --agents expert bluffer --players 3 --browser",
    ),
    "bench": (
        "measure decisions, playouts and training samples a second",
        "auruxxx --only step-1024 aec",
    ),
}
RENAMED = {"ceiling": "bound"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status (see `console.run`); 2 leaves by SystemExit."""
    given = sys.argv[1:] if arguments is None else arguments
    command = given[0] if given and given[0] in HELP else ""

    def work() -> None:
        if given and given[0] in RENAMED:
            parser().error(f"{given[0]} is now called {RENAMED[given[0]]}")
        options = parser().parse_args(given)
        options.run(options)

    return run(f"goldgriff {command}".strip(), work, given)


def parser() -> Parser:
    """Return the parser of all commands."""
    style = RawDescriptionRichHelpFormatter
    top = Parser(prog="goldgriff", description=ABOUT, formatter_class=style)
    top.add_argument("--version", action="version", version=f"goldgriff {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(
        name: str,
        run_command: Callable[..., None],
        add_options: Callable[[argparse.ArgumentParser], None],
        *,
        takes_game: bool = False,
    ) -> None:
        """Add a command of HELP; one that `takes_game` has its settings, too."""
        about, example = HELP[name]
        added: Parser = commands.add_parser(
            name,
            help=about,
            description=f"{about[0].upper()}{about[1:]}.",
            epilog=f"example:\n  goldgriff {name} {example}",
            formatter_class=style,
        )
        added.set_defaults(run=run_command)
        if takes_game:
            _add_game(added, several=run_command in (train_command, tournament_command))
            added.set_defaults(run=lambda options: run_command(options, _rules(options)))
        add_options(added)

    command("agents", list_agents, _add_list_options)
    command("train", train_command, add_train_options, takes_game=True)
    command("tournament", tournament_command, add_tournament_options, takes_game=True)
    command("bound", bound_command, add_bound_options, takes_game=True)
    command("leaderboard", leaderboard_command, add_store)
    command("replay", replay_command, add_replay_options)
    command("play", play_command, add_play_options, takes_game=True)
    command("bench", lambda options: bench_command(options, training), add_bench_options)
    return top


def _add_list_options(added: argparse.ArgumentParser) -> None:
    added.add_argument("game", nargs="?", choices=list(GAMES), help="list those of one game only")


def _add_game(added: argparse.ArgumentParser, *, several: bool) -> None:
    add = added.add_argument
    add("game", choices=list(GAMES), help=f"one of: {', '.join(GAMES)}")
    count, about = ("+", ", or several numbers") if several else (None, "")
    about = f"number of players{about} (default: 4)"
    add("--players", type=int, metavar="N", nargs=count, help=about)
    about = "settings of the game (docs/rules), values as in JSON: max_decisions=1000; "
    about += f"preset=NAME for those of a book: {_presets()}"
    add("--rules", nargs="+", action="extend", default=[], metavar="NAME=VALUE", help=about)


def _presets() -> str:
    """Return the presets of rules of every game that has some."""
    named = {name: ", ".join(game.settings.PRESETS) for name, game in GAMES.items()}
    return "; ".join(f"{presets} ({name})" for name, presets in named.items() if presets)


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
