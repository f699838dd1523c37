"""Agents that are code: what a file names is never imported unasked."""

import argparse
from collections.abc import Collection, Iterable

from ..errors import AgentError, quoted
from .registry import is_code


def add_trust(added: argparse.ArgumentParser, what: str) -> None:
    """Add the option --trust for what is named by files of a command."""
    about = f"import and run what {what} names as module:Class"
    added.add_argument("--trust", action="store_true", help=about)


def check_trust(
    names: Iterable[str], source: str, *, typed: Collection[str] = (), trust: bool = False
) -> None:
    """Raise AgentError for names that would run code which nobody has asked for.

    Args:
        names: Names of what is to be loaded, such as agents.
        source: What names them, for the message.
        typed: Names that the person has given in this command.
        trust: Whether the person trusts them all.
    """
    foreign = [name for name in dict.fromkeys(names) if is_code(name) and name not in typed]
    if foreign and not trust:
        listed = ", ".join(quoted(name) for name in foreign[:3])
        more = f" and {len(foreign) - 3} more" if len(foreign) > 3 else ""
        raise AgentError(
            f"{source} names code to run: {listed}{more}; --trust (in Python trust=True) imports it"
        )
