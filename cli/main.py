"""The command line: `goldgriff --help`."""

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from rich_argparse import RawDescriptionRichHelpFormatter

from .. import __version__
from ..errors import GoldgriffError, SettingsError
from ..naming import unknown_name
from .console import run
from .options import Parser, named_values

ABOUT = """\
Goldgriff: train agents for card games and evaluate them.

  goldgriff agents                                    list the agents
  goldgriff train auruxxx --preset quick --out runs/quick
                                                      train an agent in three minutes
  goldgriff tournament auruxxx --agents runs/quick expert random random --deals 500
                                                      compare it with others
  goldgriff bound auruxxx                             compare with perfect information
  goldgriff solve auruxxx --rules preset=tiny-b --out tiny-b.safetensors
                                                      find an equilibrium of a small game
  goldgriff exploit auruxxx expert --rules preset=tiny-a
                                                      what best responses win against it
  goldgriff leaderboard results/auruxxx               rate the agents of a tournament
  goldgriff replay results/auruxxx 17                 show a game move by move
  goldgriff play auruxxx --agents expert              play yourself

`goldgriff COMMAND --help` explains the options of a command.
"""
HELP = {  # by command: what it does, and the arguments of an example
    "agents": ("list the agents that are known by name", ""),
    "train": ("train an agent by self-play", "auruxxx --preset quick --out runs/quick"),
    "sweep": (
        "train an agent for each of several seeds and settings",
        "auruxxx --algorithm ppo --seeds 1 2 3 --vary learning_rate=0.0003,0.001",
    ),
    "tournament": (
        "play a tournament: every deal with every agent in every seat",
        "auruxxx --agents runs/quick expert random random --deals 500",
    ),
    "bound": (
        "compare the win share of a search with perfect information to the same search without it",
        "auruxxx --players 4 --deals 32",
    ),
    "solve": (
        "solve a small game: an equilibrium of all players",
        "auruxxx --rules preset=tiny-b --out tiny-b.safetensors",
    ),
    "exploit": (
        "compute what best responses win against an agent, exactly, in a small game",
        "auruxxx expert --rules preset=tiny-a",
    ),
    "settings": ("list the settings of a game or of an algorithm of `train`", "ppo"),
    "leaderboard": ("rate all agents in a folder of tournaments", "results/auruxxx"),
    "replay": ("show a stored game move by move, or analyse it", "results/auruxxx 17 --analyse"),
    "play": (
        "play yourself in the terminal or browser, or watch agents",
        "auruxxx --agents expert bluffer --players 3 --browser",
    ),
    "completion": ("print what completes commands and options in a shell", "bash"),
}
MODULES = {  # by command: the module with its `add_NAME_options` and `NAME_command`
    "agents": "..agents.commands",
    "train": "..train.commands",
    "tournament": "..eval.tournament.commands",
    "sweep": "..train.sweep_commands",
    "bound": "..eval.tournament.commands",
    "solve": "..eval.game_theory.commands",
    "exploit": "..eval.game_theory.commands",
    "settings": "..train.settings_commands",
    "leaderboard": "..eval.tournament.commands",
    "replay": "..play.replay_commands",
    "play": "..play.commands",
    "completion": ".completion",
}
TAKE_GAME = (
    "train",
    "sweep",
    "tournament",
    "bound",
    "solve",
    "exploit",
    "play",
)  # and its settings
TAKE_PLAYERS = ("train", "sweep", "tournament")  # several numbers of players
RENAMED = {"ceiling": "bound"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status (see `console.run`); 2 leaves by SystemExit."""
    given = sys.argv[1:] if arguments is None else arguments
    if given and given[0] == "help":
        given = [*given[1:2], "--help"]
    command = given[0] if given and given[0] in HELP else ""

    def work() -> None:
        if not given:
            parser().print_help()
            return
        if given[0] in RENAMED:
            parser().error(f"{given[0]} is now called {RENAMED[given[0]]}")
        if given[0].startswith("-"):  # an option without a command
            if given[0] not in parser().option_strings:
                parser().refuse(given)
        elif given[0] not in HELP:
            parser().error(unknown_name("command", given[0], HELP))
        options = parser().parse_args(given)
        options.line = shlex.join(["goldgriff", *given])
        options.run(options)

    return run(f"goldgriff {command}".strip(), work, given)


class CommandParser(Parser):
    """The parser of one command, which adds its options when it is used.

    `goldgriff --help` and each command load no more than what they need.
    """

    add_options: Callable[[], None] | None = None

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments after the command's name."""
        self.complete()
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.refuse(unknown)
        return options, unknown

    def complete(self) -> None:
        """Add the options, if that has not been done."""
        if self.add_options:
            self.add_options()
            self.add_options = None


def parser() -> Parser:
    """Return the parser of all commands."""
    style = RawDescriptionRichHelpFormatter
    top = Parser(prog="goldgriff", description=ABOUT, formatter_class=style)
    top.add_argument("-V", "--version", action="version", version=f"goldgriff {__version__}")
    commands = top.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=CommandParser
    )
    for name, (about, example) in HELP.items():
        added = commands.add_parser(
            name,
            help=about,
            description=f"{about[0].upper()}{about[1:]}.",
            epilog=f"example:\n  goldgriff {name} {example}",
            formatter_class=style,
        )
        added.add_options = partial(_add_options, added, name)
    return top


def _add_options(added: Parser, name: str) -> None:
    """Add the options of a command, and what runs it."""
    module = import_module(MODULES[name], __package__)
    run = getattr(module, f"{name}_command")
    if name == "completion":
        run = partial(run, parser=parser)
    if name in TAKE_GAME:
        _add_game(added, several=name in TAKE_PLAYERS)
        added.set_defaults(run=lambda options: run(options, _rules(options)))
    else:
        added.set_defaults(run=run)
    getattr(module, f"add_{name}_options")(added)


def _add_game(added: argparse.ArgumentParser, *, several: bool) -> None:
    from ..envs.engine.game import GAMES

    add = added.add_argument
    add("game", type=game_name, metavar="GAME", help=f"one of: {', '.join(GAMES)}")
    count, about = ("+", ", or several numbers") if several else (None, "")
    about = f"number of players{about} (default: the preset's, or 4)"
    add("--players", type=int, metavar="N", nargs=count, help=about)
    about = "settings of the game (`goldgriff settings GAME` lists them), values as in JSON: "
    about += "max_decisions=1000; "
    presets = {name: ", ".join(game.settings.PRESETS) for name, game in GAMES.items()}
    about += "preset=NAME for settings of a book or for research: "
    about += "; ".join(f"{names} ({game})" for game, names in presets.items() if names)
    add("--rules", nargs="+", action="extend", default=[], metavar="NAME=VALUE", help=about)


def game_name(text: str) -> str:
    """Return the name of the game that was given, in whatever way; for argparse."""
    from ..envs.engine.game import get_game

    try:
        return get_game(text).name
    except GoldgriffError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _rules(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings of the game that --rules names."""
    rules = named_values("--rules", options.rules)
    if "num_players" in rules and options.players is not None:
        raise SettingsError("num_players is given twice")
    return rules


if __name__ == "__main__":
    sys.exit(main())
