"""Settings that are checked on creation: of a game, and of a training run (train/settings.py)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

from ...errors import SettingsError


def number(default: int, low: int, high: int, meaning: str) -> Any:
    """A setting that is a whole number in `low .. high`."""
    return field(default=default, metadata={"range": (low, high), "meaning": meaning})


def choice(default: str, *words: str, meaning: str) -> Any:
    """A setting that is one of `words`."""
    return field(default=default, metadata={"words": words, "meaning": meaning})


def flag(meaning: str) -> Any:
    """A setting that is on or off, off by default."""
    return field(default=False, metadata={"words": (False, True), "meaning": meaning})


def whole(default: int, *, least: int = 1) -> Any:
    """A setting that is a whole number without an upper end."""
    return field(default=default, metadata={"least": least})


def fraction(default: float) -> Any:
    """A setting that is a number from 0 to 1."""
    return field(default=default, metadata={"fraction": True})


@dataclass(frozen=True, kw_only=True)
class CheckedSettings:
    """Settings by name. Raises SettingsError for a value that is none, naming what is allowed."""

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            if wanted := _wanted(value, entry.metadata):
                raise SettingsError(f"{entry.name} must be {wanted}, not {value!r}")

    @classmethod
    def from_dict(cls, given: Any) -> Self:
        """Read settings from plain data; what is left out keeps its default.

        Raises SettingsError for an unknown name or a value out of range.
        """
        if not isinstance(given, dict):
            raise SettingsError(f"settings must be an object of names and values, not {given!r}")
        known = [entry.name for entry in fields(cls)]
        for name in given:
            if name not in known:
                raise SettingsError(f"unknown setting {name!r}; known are {', '.join(known)}")
        return cls(**given)

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain data, as `from_dict` reads them."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class GameSettings(CheckedSettings):
    """Base of every game's settings: what the doors (environments, tournaments) rely on."""

    num_players: int

    def codes(self) -> dict[str, Any]:
        """The settings as numbers for the state record: a word becomes its place in the choice."""
        return {
            entry.name: entry.metadata["words"].index(getattr(self, entry.name))
            if "words" in entry.metadata
            else getattr(self, entry.name)
            for entry in fields(self)
            if entry.metadata
        }


def _wanted(value: Any, allowed: Mapping[str, Any]) -> str:
    """What is allowed in place of a value, in words; nothing where it is allowed."""
    fits, wanted, is_whole = True, "", type(value) is int
    if "words" in allowed:
        # By type, too: 1 equals True, but is no answer to a question of yes or no.
        fits = any(type(value) is type(word) and value == word for word in allowed["words"])
        wanted = " or ".join(repr(word) for word in allowed["words"])
    elif "range" in allowed:
        low, high = allowed["range"]
        fits, wanted = is_whole and low <= value <= high, f"a whole number from {low} to {high}"
    elif "least" in allowed:
        least = allowed["least"]
        fits, wanted = is_whole and value >= least, f"a whole number of at least {least}"
    elif "fraction" in allowed:
        fits = (is_whole or type(value) is float) and 0 <= value <= 1
        wanted = "a number from 0 to 1"
    return "" if fits else wanted
