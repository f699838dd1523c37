"""Settings of a game: whole numbers with a range and words with a choice, checked on creation."""

from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

from goldgriff.envs.core.errors import SettingsError


def number(default: int, low: int, high: int, meaning: str) -> Any:
    """A setting that is a whole number in `low .. high`."""
    return field(default=default, metadata={"range": (low, high), "meaning": meaning})


def choice(default: str, *words: str, meaning: str) -> Any:
    """A setting that is one of `words`."""
    return field(default=default, metadata={"words": words, "meaning": meaning})


def flag(meaning: str) -> Any:
    """A setting that is on or off, off by default."""
    return field(default=False, metadata={"words": (False, True), "meaning": meaning})


@dataclass(frozen=True, kw_only=True)
class GameSettings:
    """Base of every game's settings: what the doors (environments, tournaments) rely on."""

    num_players: int

    def __post_init__(self) -> None:
        for entry in fields(self):
            value, allowed = getattr(self, entry.name), entry.metadata
            if "words" in allowed:
                # By type, too: 1 equals True, but is no answer to a question of yes or no.
                if not any(type(value) is type(w) and value == w for w in allowed["words"]):
                    words = " or ".join(repr(word) for word in allowed["words"])
                    raise SettingsError(f"{entry.name} must be {words}, not {value!r}")
            elif "range" in allowed:
                low, high = allowed["range"]
                if type(value) is not int or not low <= value <= high:
                    raise SettingsError(
                        f"{entry.name} must be a whole number from {low} to {high}, not {value!r}"
                    )

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

    def codes(self) -> dict[str, Any]:
        """The settings as numbers for the state record: a word becomes its place in the choice."""
        return {
            entry.name: entry.metadata["words"].index(getattr(self, entry.name))
            if "words" in entry.metadata
            else getattr(self, entry.name)
            for entry in fields(self)
            if entry.metadata
        }
