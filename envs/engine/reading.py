"""Numbers as callers give them: Python's, NumPy's or other ones, but no truth values."""

from numbers import Real
from operator import index
from typing import Any

from ...errors import SettingsError, quoted

MAX_SEED = 2**64 - 1


def whole_or_none(value: Any) -> int | None:
    """Return a whole number; None for anything that is none, a float with no fraction included."""
    try:
        return None if isinstance(value, bool) else index(value)
    except TypeError:
        return None


def number_or_none(value: Any) -> float | None:
    """Return a number, an `int` as it is; None for anything that is none, a string included."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    return value if isinstance(value, int) else float(value)


def read_whole(name: str, value: Any, low: int, high: int | None = None) -> int:
    """Return a whole number in low .. high, or from `low` on.

    Args:
        name: What it is, for the message.
        value: As a caller gave it.
        low: The lowest.
        high: The highest, if there is one.

    Raises:
        SettingsError: It is none of these.
    """
    number = whole_or_none(value)
    if number is None or number < low or (high is not None and number > high):
        about = "{setting} must be a whole number from {range}, not {given}"
        allowed = f"{low}" if high is None else f"{low} to {high}"
        raise SettingsError(about, setting=name, range=allowed, given=quoted(value))
    return number


def read_seed(value: Any) -> int:
    """Return a seed. Raise SettingsError when it is no whole number of 64 bits."""
    number = whole_or_none(value)
    if number is None or not 0 <= number <= MAX_SEED:
        raise SettingsError(code="seed", setting="seed", given=quoted(value))
    return number
