"""The games of a server: those that are played and those that are looked at."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from ...envs.engine.game import Game
from ...envs.engine.settings import GameSettings
from ...eval.tournament.store import STORE
from ..session.session import Session, random_seed
from .replay import Replay

KEPT = 8  # replays that are kept ready


class Rooms:
    """The games of people, by their numbers in the store of `folder`.

    Args:
        names: Who plays in the games of `open_new`; they may be code.
        hint_agent: The agent that gives hints.
        prefix: What the addresses of the games begin with.

    Attributes:
        game: The kind of game.
        settings: The settings of the game that was set up first.
        folder: The folder.
        replays: The games that are over, to be looked at.
    """

    def __init__(
        self,
        game: Game,
        settings: GameSettings,
        names: Sequence[str],
        folder: Path,
        hint_agent: str,
        prefix: str = "",
    ) -> None:
        self.game, self.settings, self.folder = game, settings, folder
        self.hint_agent, self._prefix = hint_agent, prefix
        self._before: dict[int, int] = {}  # by the number of a game: the one whose people go on
        # By the number of a game: the last one begun from it, and on which version.
        self._after: dict[int, tuple[int, Any]] = {}
        self.replays = Replays(folder / STORE, finished=True, agent=hint_agent)
        self._following = Lock()
        self._names = names
        self._sessions: dict[int, Session] = {}
        self._lock = Lock()

    def open_new(self, seed: int) -> int:
        """Begin a game as it was set up first; return its number."""
        return self.begin(self.settings, self._names, seed)

    def open_next(self, number: int, version: Any = None) -> int:
        """Begin a game of the people of another one, with the same agents; return its number.

        It is begun once: for several people, who would be parted by another, and for a `version`
        of the game that is asked for again, since the answer was lost or by a second page.
        """
        session = self.session(number)
        with self._following:
            begun, begun_on = self._after.get(number, (0, None))
            repeated = version is not None and version == begun_on
            if begun and (repeated or len(session.people) > 1):
                return begun
            following = self.begin(session.settings, session.names, random_seed())
            self._before[following] = number
            self._after[number] = following, version
            with session.lock:
                session.progress.announce()
        return following

    def next_of(self, number: int) -> int | None:
        """Return the last game that the people of a game have begun from it, None for none."""
        return self._after.get(number, (None,))[0]

    def address(self, number: int) -> str:
        """Return the address of the page of a game."""
        return f"{self._prefix}/game/{number}"

    def first_address(self, number: int) -> str:
        """Return the address of the first of the games that the same people play in turn."""
        while number in self._before:
            number = self._before[number]
        return self.address(number)

    def begin(self, settings: GameSettings, names: Sequence[str], seed: int) -> int:
        """Begin a game of the same rules; return its number. Raises as `Session`."""
        with self._lock:
            session = Session(self.game, settings, names, seed, self.folder)
            self._sessions[session.number] = session
        return session.number

    def delete(self, number: int) -> None:
        """Remove a game from the store."""
        self.session(number).delete()
        with self._lock:
            del self._sessions[number]
            self.replays.replay.cache_clear()
            self._after = {n: begun for n, begun in self._after.items() if begun[0] != number}

    @property
    def last(self) -> Session | None:
        """The game that was used last; None before the first."""
        return next(reversed(self._sessions.values()), None)

    def session(self, number: int) -> Session:
        """Return the session of a game, for its first person.

        It is read from the store at first, and where another program has played on.

        Raises:
            StoreError: The game is not there.
        """
        with self._lock:
            session = self._sessions.pop(number, None)
            if session is None or not session.is_current:
                called = session.progress.called if session else {}
                session = Session.resume(self.folder, number, typed=self._names)
                session.progress.called = called
            self._sessions[number] = session  # the last: that used last
        return session


class Replays:
    """The games of a store, by their numbers.

    Args:
        finished: Whether games that can go on are refused.
        agent: Name of the agent that analyses them; the usual one if empty.
    """

    def __init__(self, store: Path, *, finished: bool = False, agent: str = "") -> None:
        self.replay = lru_cache(KEPT)(
            lambda number: Replay(store, number, finished=finished, agent=agent)
        )
