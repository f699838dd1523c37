"""Agents that a file names: no code of theirs is imported, and nothing downloaded, unasked."""

from collections.abc import Collection, Iterable

from ..errors import AgentError, quoted
from .registry import is_code, is_remote


def needs_trust(name: str) -> bool:
    """Return whether loading the agent of a name may run code of its own or ask the Hub for it."""
    return is_code(name) or is_remote(name)


def check_trust(
    names: Iterable[str], source: str, *, typed: Collection[str] = (), trust: bool = False
) -> None:
    """Raise AgentError for names of code or downloads that nobody has asked for.

    Args:
        names: Names of what is to be loaded, such as agents.
        source: What names them, for the message.
        typed: Names that the person has given in this command.
        trust: Whether the person trusts them all.
    """
    foreign = [name for name in dict.fromkeys(names) if needs_trust(name) and name not in typed]
    if foreign and not trust:
        code = any(map(is_code, foreign))
        what = "code to run" if code else "models of the Hub"
        listed = ", ".join(quoted(name) for name in foreign[:3])
        more = f" and {len(foreign) - 3} more" if len(foreign) > 3 else ""
        raise AgentError(
            "{source} names {what}: {names}; --trust (in Python trust=True) {does} it",
            code="trust-code" if code else "trust-hub",
            source=source,
            what=what,
            names=listed + more,
            does="imports" if code else "downloads",
        )
