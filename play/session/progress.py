"""Keeps what the sessions of all people of a match share beside the match itself."""

import secrets
from dataclasses import dataclass, field
from typing import Any

from ...errors import SettingsError, quoted

MAX_NAME = 20  # characters of what a person is called


@dataclass
class Progress:
    """Holds how far a match has come, and what its people are called.

    Attributes:
        failed: The name of the agent that failed, empty if none has; the match then goes on no
            further. How it failed may show its hand: that stands in the store only.
        resigned: The seat of the person who has given up, None if nobody has.
        called: What people want to be called, by seat.
    """

    failed: str = ""
    resigned: int | None = None
    called: dict[int, str] = field(default_factory=dict)
    _mark: str = field(default_factory=lambda: secrets.token_hex(8))
    _changes: int = 0
    _news: int = 0

    @property
    def version(self) -> str:
        """Names what there is to see, new after every change. It follows from nothing hidden."""
        return f"{self._position}.{self._news}"

    def fits(self, version: Any) -> bool:
        """Return whether a version names the position as it is, whatever else has changed."""
        return isinstance(version, str) and version.partition(".")[0] == self._position

    def renew(self) -> None:
        """Say that the position has changed."""
        self._changes += 1

    def announce(self) -> None:
        """Say that something beside the position has changed, so that pages look at it again."""
        self._news += 1

    def call(self, seat: int, name: Any) -> str:
        """Call a person by a name, shortened to what can be shown; return what is left of it.

        Raises:
            SettingsError: It is no text.
        """
        if not isinstance(name, str):
            raise SettingsError(code="name", given=quoted(name))
        shown = "".join(char if char.isprintable() else " " for char in name[: 4 * MAX_NAME])
        self.called[seat] = " ".join(shown.split())[:MAX_NAME].rstrip()
        self.announce()
        return self.called[seat]

    @property
    def _position(self) -> str:
        return f"{self._mark}-{self._changes}"
