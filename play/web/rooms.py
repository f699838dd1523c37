"""The games of a server: those that are played and those that are looked at."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Any

from ...envs.engine.game import Game
from ...envs.engine.settings import GameSettings
from ..session.session import Session, random_seed
from .access import RequestError
from .replay import Replay

KEPT = 8  # replays that are kept ready
MAX_WAITING = 6  # requests for one game at a time: an agent that hangs must not block all threads


@dataclass
class Room:
    """A session that many requests share.

    Attributes:
        turn: Held by the request that may change the game; a page that is loaded then need not
            wait for the agent that thinks.
        places: One for each request that may have it.
    """

    session: Session
    turn: Lock = field(default_factory=Lock)
    places: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(MAX_WAITING))


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
        self._after: dict[int, int] = {}  # by the number of a game: the last one begun from it
        self._begun_on: dict[int, Any] = {}  # and the version that this was asked for on
        self._following = Lock()
        self._names = names
        self._rooms: dict[int, Room] = {}
        self._lock = Lock()

    def open_new(self, seed: int) -> int:
        """Begin a game as it was set up first; return its number."""
        return self.begin(self.settings, self._names, seed)

    def open_next(self, number: int, version: Any = None) -> int:
        """Begin a game of the people of another one, with the same agents; return its number.

        It is begun once: for several people, who would be parted by another, and for a `version`
        of the game that is asked for again, since the answer was lost or by a second page.
        """
        with self.use(number) as room, self._following:
            session, begun = room.session, self._after.get(number)
            repeated = version is not None and version == self._begun_on.get(number)
            if begun is not None and (repeated or len(session.people) > 1):
                return begun
            following = self.begin(session.settings, session.names, random_seed())
            self._before[following] = number
            self._after[number], self._begun_on[number] = following, version
            with session.lock:
                session.progress.announce()
        return following

    def next_of(self, number: int) -> int | None:
        """Return the last game that the people of a game have begun from it, None for none."""
        return self._after.get(number)

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
            self._rooms[session.number] = Room(session)
        return session.number

    @property
    def last(self) -> Session | None:
        """The game that was used last; None before the first."""
        return next((room.session for room in reversed(self._rooms.values())), None)

    @contextmanager
    def use(self, number: int) -> Iterator[Room]:
        """Lend the room of a game; one that is not ready is read from the store.

        Raises:
            StoreError: The game is not there.
            RequestError: Too many requests have it.
        """
        with self._lock:
            room = self._rooms.pop(number, None) or Room(
                Session.resume(self.folder, number, typed=self._names)
            )
            self._rooms[number] = room  # the last: that used last
        if not room.places.acquire(blocking=False):
            about = "too many requests wait for game {number}"
            raise RequestError(503, about, code="busy", number=number)
        try:
            yield room
        finally:
            room.places.release()


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
