"""The command line: `goldgriff --help`."""

import argparse
import re
import shlex
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from importlib import import_module
from typing import NamedTuple, get_type_hints

from rich_argparse import RawDescriptionRichHelpFormatter

from .. import __version__
from ..errors import SettingsError
from ..naming import unknown_name
from .console import run
from .options import Options, Parser


class Command(NamedTuple):
    """A command of `goldgriff`: `NAME_command` in its module, which takes its `Options`.

    Attributes:
        module: The module, which is imported when the command is used.
        about: What it does.
        example: The arguments of an example.
    """

    module: str
    about: str
    example: str


COMMANDS = {
    "agents": Command("..agents.commands", "list the agents that are known by name", ""),
    "train": Command(
        "..train.commands", "train an agent", "auruxxx --preset quick --out runs/quick"
    ),
    "sweep": Command(
        "..train.sweep_commands",
        "train an agent for each of several seeds and settings",
        "auruxxx --algorithm ppo --seeds 1 2 3 --vary learning_rate=0.0003,0.001",
    ),
    "tournament": Command(
        "..eval.tournament.commands",
        "play a tournament: every deal with every agent in every seat",
        "auruxxx --agents runs/quick expert random random --deals 500",
    ),
    "bound": Command(
        "..eval.tournament.commands",
        "compare the win share of a search with perfect information to the same search without it",
        "auruxxx --players 4 --deals 32",
    ),
    "solve": Command(
        "..eval.game_theory.commands",
        "solve a small game: an equilibrium of all players",
        "auruxxx --rules preset=tiny-b --out tiny-b.safetensors",
    ),
    "exploit": Command(
        "..eval.game_theory.commands",
        "compute what best responses win against an agent, exactly, in a small game",
        "auruxxx expert --rules preset=tiny-a",
    ),
    "settings": Command(
        "..train.settings_commands",
        "list the settings of a game or of an algorithm of `train`",
        "ppo",
    ),
    "leaderboard": Command(
        "..eval.tournament.commands",
        "rate all agents in a folder of tournaments",
        "results/auruxxx",
    ),
    "replay": Command(
        "..play.commands",
        "show a stored game move by move, or analyse it",
        "results/auruxxx 17 --analyse",
    ),
    "play": Command(
        "..play.commands",
        "play yourself in the terminal or browser, or watch agents",
        "auruxxx --agents expert bluffer --players 3 --browser",
    ),
    "completion": Command(
        ".completion", "print what completes commands and options in a shell", "bash"
    ),
}
_EXAMPLES = "\n".join(f"  goldgriff {name} {command.example}" for name, command in COMMANDS.items())
ABOUT = (
    f"Goldgriff: train agents for card games and evaluate them.\n\n{_EXAMPLES}\n\n"
    "`goldgriff COMMAND --help` explains the options of a command."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status (see `console.run`); 2 leaves by SystemExit."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words:
        words = ["--help"]
    if words[0] == "help":
        words = [*words[1:2], "--help"]
    name = words[0]

    asked = re.search(r" --lang\w*[= ](\w+)", " ".join(words))
    Parser.translate = partial(_translate, asked[1] if asked else "")

    def work() -> None:
        top = parser([name])
        if name.startswith("-"):  # an option without a command
            if name not in top.option_strings:
                top.refuse(words)
        elif name not in COMMANDS:
            top.error(str(unknown_name(SettingsError, "command", name, COMMANDS)))
        namespace = top.parse_args(words)
        namespace.line = shlex.join(["goldgriff", *words])
        namespace.run(namespace)

    return run(f"goldgriff {name}" if name in COMMANDS else "goldgriff", work, words)


def _translate(language: str, line: str) -> str:
    """Return a line about wrong arguments in a language, as it is where there is no text."""
    texts = import_module("..play.texts.messages", __package__) if language else None
    return str(texts.translate_usage(line, language)) if texts else line


def parser(names: Iterable[str] = tuple(COMMANDS)) -> Parser:
    """Return the parser of all commands.

    Args:
        names: The commands that get their options, for which their modules are imported.
    """
    style = RawDescriptionRichHelpFormatter
    top = Parser(prog="goldgriff", description=ABOUT, formatter_class=style)
    top.add_argument("-V", "--version", action="version", version=f"goldgriff {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        command_parser = commands.add_parser(
            name,
            help=command.about,
            description=f"{command.about[0].upper()}{command.about[1:]}.",
            epilog=f"example:\n  goldgriff {name} {command.example}",
            formatter_class=style,
        )
        if name in names:
            _add_options(command_parser, name)
    return top


def _add_options(command_parser: Parser, name: str) -> None:
    """Add the options of a command, and what runs it."""
    function = getattr(import_module(COMMANDS[name].module, __package__), f"{name}_command")
    options: type[Options] = get_type_hints(function)["options"]
    options.add_to(command_parser)
    if name == "completion":
        function = partial(function, parser=parser)

    def run_command(namespace: argparse.Namespace) -> None:
        function(options.read(namespace))

    command_parser.set_defaults(run=run_command)


if __name__ == "__main__":
    sys.exit(main())
