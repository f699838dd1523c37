"""The command `completion`: a script that completes commands, options and values in a shell."""

import argparse
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import shtab

from ..agents.registry import AGENTS
from ..envs.engine.game import GAMES
from ..errors import GoldgriffError
from ..eval.game_theory.commands import SOLUTION
from ..train.api import training
from .options import NameOf, Options, Parser, option

# Bash cuts NAME=VALUE at "=". This puts the words together again, asks for the completions of the
# last one, and leaves out of them what stands before the cut.
_BASH = """
_goldgriff() {
  local line=${COMP_LINE:0:COMP_POINT} words word
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1))
  word=${words[COMP_CWORD]}
  _shtab_goldgriff
  if [[ $word == *=* && $COMP_WORDBREAKS == *=* ]]; then
    COMPREPLY=("${COMPREPLY[@]#"${word%"${word##*=}"}"}")
  fi
  [[ ${COMPREPLY[*]} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o bashdefault -o default -F _goldgriff goldgriff"""


@dataclass(kw_only=True)
class CompletionOptions(Options):
    """The options of `goldgriff completion`.

    Attributes:
        shell: One of: bash, zsh, tcsh, fish.
    """

    shell: str = option(type=NameOf("shell", shtab.SUPPORTED_SHELLS))


def completion_command(options: CompletionOptions, parser: Callable[[], Parser]) -> None:
    """Print the script of a shell.

    Args:
        options: Those of the command.
        parser: Returns the parser of all commands.
    """
    top, values_of = parser(), _values()
    for name, command in commands_of(top).items():
        for action in command._actions:
            values = values_of.get(f"{name}.{action.dest}") or values_of.get(action.dest)
            if isinstance(action.type, NameOf):
                action.choices = list(action.type.names)
            elif values:
                action.choices = values
            elif action.type is Path or action.dest == "replay":
                action.complete = shtab.FILE
    print(shtab.complete(top, options.shell) + (_BASH if options.shell == "bash" else ""))


def commands_of(top: Parser) -> dict[str, Any]:
    """Return the parsers of the commands by their names."""
    (commands,) = (
        action for action in top._actions if isinstance(action, argparse._SubParsersAction)
    )
    return dict(commands.choices)


def _values() -> dict[str, list[str]]:
    """Return the values that complete an argument: by its name, or by `COMMAND.NAME`.

    What needs the extra `train` is left out where it is missing.
    """
    agents = sorted({entry.name for entry in AGENTS})
    rules = [game.settings for game in GAMES.values()]
    presets = sorted({f"preset={name}" for settings in rules for name in settings.PRESETS})
    rule_values = [*presets, *_settings(rules)]
    values = dict.fromkeys(("agents", "hints", "agent"), agents)
    values |= {"game": list(GAMES), "exploit.agent": [*agents, SOLUTION], "rules": rule_values}
    try:
        algorithms = training("algorithms").ALGORITHMS
    except GoldgriffError:
        return values
    settings = _settings(algorithm.settings for algorithm in algorithms.values())
    names = {name for algorithm in algorithms.values() for name in algorithm.presets}
    values |= {"algorithm": list(algorithms), "preset": sorted(names)}
    return values | {"set": settings, "sweep.vary": settings}


def _settings(classes: Iterable[Any]) -> list[str]:
    """Return NAME=VALUE for each value of the settings that have a list, NAME= for the others."""
    words = set()
    for entry in (entry for settings in classes for entry in fields(settings)):
        values = entry.metadata.get("choices", [""])
        words |= {f"{entry.name}={str(v).lower() if type(v) is bool else v}" for v in values}
    return sorted(words)
