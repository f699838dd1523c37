"""The command `completion`: a script that completes commands and options in a shell."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import shtab

from .envs.engine.game import GAMES
from .options import Parser, name_of

_USE = """\
bash: eval "$(goldgriff completion bash)" in ~/.bashrc
zsh:  goldgriff completion zsh > _goldgriff, in a folder of $fpath
fish: goldgriff completion fish > ~/.config/fish/completions/goldgriff.fish"""


def add_completion_options(added: argparse.ArgumentParser) -> None:
    """Add the argument of `goldgriff completion`: a shell."""
    shells = list(shtab.SUPPORTED_SHELLS)
    about = f"one of: {', '.join(shells)}"
    added.add_argument("shell", type=name_of("shell", shells), metavar="SHELL", help=about)
    added.epilog = f"{added.epilog}\n\n{_USE}"


def completion_command(options: argparse.Namespace, parser: Callable[[], Parser]) -> None:
    """Print the script of a shell.

    Args:
        options: Those of the command.
        parser: Returns the parser of all commands.
    """
    top = parser()
    for command in commands_of(top).values():
        command.complete()
        for action in command._actions:
            if action.dest in ("game", "games"):
                action.choices = list(GAMES)
            elif action.type is Path:
                action.complete = shtab.FILE
    print(shtab.complete(top, options.shell))


def commands_of(top: Parser) -> dict[str, Any]:
    """Return the parsers of the commands by their names."""
    (commands,) = (
        action for action in top._actions if isinstance(action, argparse._SubParsersAction)
    )
    return dict(commands.choices)
