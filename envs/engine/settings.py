"""Settings that are checked on creation: of a game, and of a training run (train/settings.py)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, ClassVar, Self

import numpy as np

from ...errors import SettingsError, UnknownSettingError, quoted
from ...naming import did_you_mean, likely_name, unknown_name
from .reading import number_or_none, whole_or_none

Deck = tuple[tuple[str, int], ...]  # copies by the name of the card, in the order of card types


def number(default: Any, low: int, high: int, meaning: str) -> Any:
    """Declare a whole number in `low .. high`."""
    return field(default=default, metadata={"range": (low, high), "meaning": meaning})


def cards(default: int, low: int, high: int, meaning: str) -> Any:
    """Declare a number of cards, which `deck` gives card by card instead."""
    return field(
        default=default, metadata={"range": (low, high), "meaning": meaning, "counts": True}
    )


def choice(default: Any, *choices: str, meaning: str) -> Any:
    """Declare one of some strings."""
    return field(default=default, metadata={"choices": choices, "meaning": meaning})


def flag(meaning: str) -> Any:
    """Declare a switch that is off by default."""
    return field(default=False, metadata={"choices": (False, True), "meaning": meaning})


def whole(default: int, *, least: int = 1, most: int = 10**12) -> Any:
    """Declare a whole number of at least `least`, and at most `most`."""
    return field(default=default, metadata={"range": (least, most)})


def fraction(default: float) -> Any:
    """Declare a number from 0 to 1."""
    return field(default=default, metadata={"fraction": True})


@dataclass(frozen=True, kw_only=True)
class CheckedSettings:
    """Settings by name.

    Raises:
        SettingsError: A value is not allowed; the message names what is.
    """

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = _read_setting(entry.name, getattr(self, entry.name), entry.metadata)
            object.__setattr__(self, entry.name, value)

    @classmethod
    def from_dict(cls, given: Any) -> Self:
        """Read settings from plain data; what is left out keeps its default.

        Raises:
            UnknownSettingError: A name is unknown.
            SettingsError: A value is not allowed.
        """
        if not isinstance(given, dict):
            raise SettingsError(code="settings", given=quoted(given))
        known = [entry.name for entry in fields(cls)]
        for name in given:
            if type(name) is not str or name not in known:
                raise unknown_name(UnknownSettingError, "setting", name, known, "known are")
        return cls(**given)

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain data, as `from_dict` reads them."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class GameSettings(CheckedSettings):
    """Base of every game's settings: what environments and tournaments rely on.

    Attributes:
        PRESETS: Settings by the name of a preset of rules. In plain data `preset` stands for them.
        FIXED: Names of settings that a preset fixes, where it has them.
        num_players: Players at the table.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    FIXED: ClassVar[tuple[str, ...]] = ("num_players", "rounds", "max_rounds")

    num_players: int

    @classmethod
    def from_dict(cls, given: Any) -> Self:
        """Read settings from plain data, in which `preset` may name a preset of rules.

        Raises:
            SettingsError: A name or a preset is unknown, or a value is not allowed.
        """
        return super().from_dict(cls.resolve(given) if isinstance(given, dict) else given)

    @classmethod
    def resolve(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return settings by name with those of their `preset` in place of it.

        A setting that is given beside the preset wins, unless it is fixed: a preset that is made
        for a number of players or rounds is for these only.

        Raises:
            SettingsError: There is no such preset, or it fixes a setting that is given otherwise.
        """
        values = dict(given)
        if cls.PRESETS and "preset" in values:
            preset = values.pop("preset")
            if type(preset) is not str or preset not in cls.PRESETS:
                raise unknown_name(SettingsError, "preset", preset, cls.PRESETS)
            for name, value in cls.PRESETS[preset].items():
                other = values.setdefault(name, value) if name in cls.FIXED else value
                if other is not value and whole_or_none(other) != value:
                    shown = quoted(other)
                    raise SettingsError(
                        code="preset-fixed", preset=preset, setting=name, value=value, given=shown
                    )
            values = {**cls.PRESETS[preset], **values}
        return values

    @classmethod
    def fixed_players(cls, given: Mapping[str, Any]) -> int | None:
        """Return the number of players that the `preset` in some settings fixes, if it does."""
        preset = given.get("preset")
        players: int | None = (
            cls.PRESETS[preset].get("num_players")
            if type(preset) is str and preset in cls.PRESETS
            else None
        )
        return players

    def read_deck(self, given: Any, counted_by: Mapping[str, str]) -> Deck:
        """Return a deck given by card: an object of names and copies, or pairs of them.

        Args:
            given: The setting `deck`; None or empty where the other settings count the cards.
            counted_by: By card, in the order of card types, the setting that counts it otherwise.

        Raises:
            SettingsError: A card is unknown, a number is out of the range of the setting that
                counts the card otherwise, or one of these settings is given beside the deck.
        """
        declared = {entry.name: entry for entry in fields(self)}
        try:
            deck = {} if given is None else dict(given)
        except Exception:  # it may be any object
            raise SettingsError(
                f"deck must be an object of cards and numbers, not {quoted(given)}"
            ) from None
        for card, copies in deck.items():
            if type(card) is not str or card not in counted_by:
                raise unknown_name(SettingsError, "card in deck:", card, counted_by)
            deck[card] = _read_setting(f"deck: {card}", copies, declared[counted_by[card]].metadata)
        for name, entry in declared.items():
            if deck and entry.metadata.get("counts") and getattr(self, name) != entry.default:
                raise SettingsError(code="deck-counts", name=name)
        return tuple((card, deck[card]) for card in counted_by if deck.get(card))

    def points_bound(self) -> int:
        """Return a number of points that no seat ends a game behind the others' mean.

        An illegal action that ends a game costs more (`illegal_loss` in engine/rewards.py). A game
        may know a lower bound than this one.
        """
        return 10_000

    def card_orbits(self) -> Sequence[int]:
        """Return for each card type the first one that it could change names with.

        All cards of a colour change names with those of another at once; no rule tells one game
        from the other. Empty, the default, for a game in which there is no such thing.
        """
        return ()

    def codes(self) -> dict[str, Any]:
        """Return the settings as numbers for the state: a choice becomes its place."""
        return {
            entry.name: entry.metadata["choices"].index(getattr(self, entry.name))
            if "choices" in entry.metadata
            else getattr(self, entry.name)
            for entry in fields(self)
            if entry.metadata
        }


def allowed_values(declared: Mapping[str, Any]) -> str:
    """Return which values a setting takes, in words; empty where its class checks it otherwise.

    Args:
        declared: The `metadata` of its field.
    """
    if "choices" in declared:
        return " or ".join(repr(one) for one in declared["choices"])
    if "range" in declared:
        low, high = declared["range"]
        return f"a whole number from {low} to {high}"
    return "a number from 0 to 1" if "fraction" in declared else ""


def _read_setting(name: str, value: Any, declared: Mapping[str, Any]) -> Any:
    """Return the value of a setting as it is kept. Raise SettingsError when it is not allowed."""
    about, code = "{setting} must be {allowed}, not {given}", ""
    values: dict[str, Any] = {"allowed": allowed_values(declared)}
    if "choices" in declared:
        # By type, too: 1 equals True, but does not answer a question of yes or no.
        plain = bool(value) if isinstance(value, np.bool_) else value
        if any(type(plain) is type(entry) and plain == entry for entry in declared["choices"]):
            return plain
        texts = [choice for choice in declared["choices"] if type(choice) is str]
        about, code = "{setting} must be {choices}, not {given}{hint}", "choice"
        values = {"hint": did_you_mean(value, texts), "meant": likely_name(value, texts)}
        values["choices"] = tuple(map(repr, declared["choices"]))
    elif "range" in declared:
        low, high = declared["range"]
        whole_number = whole_or_none(value)
        if whole_number is not None and low <= whole_number <= high:
            return whole_number
        code, values = "range", values | {"low": low, "high": high}
    elif "fraction" in declared:
        share = number_or_none(value)
        if share is not None and 0 <= share <= 1:
            return share
    else:
        return value
    raise SettingsError(about, code=code, setting=name, given=quoted(value), **values)
