"""The gate for what files name: no code of theirs is imported, and nothing downloaded, unasked."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from ..errors import AgentError, quoted
from .registry import is_code, is_remote


def needs_trust(name: str) -> bool:
    """Return whether what a name stands for may run code of its own, or is asked of the Hub for.

    A file of the same name makes no difference to what can be imported, as an agent or a reward.
    """
    return is_code(name) or is_remote(name) or (":" in name and "/" not in name)


def check_trust(
    data: object, source: str, *, typed: Collection[str] = (), trust: bool = False
) -> None:
    """Raise AgentError for names of code or downloads that nobody has asked for.

    Call it with all that was read from a file, before anything is made of it.

    Args:
        data: What a file holds, as plain data: every text in it may be such a name.
        source: The file, for the message.
        typed: Names that the person has given in this command.
        trust: Whether the person trusts them all.
    """
    names = dict.fromkeys(_texts(data))
    foreign = [name for name in names if needs_trust(name) and name not in typed]
    if foreign and not trust:
        code = not all(map(is_remote, foreign))
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


def _texts(data: object) -> Iterator[str]:
    """Yield every text in plain data, names of values among them."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, Iterable):
        for item in data.items() if isinstance(data, Mapping) else data:
            yield from _texts(item)
