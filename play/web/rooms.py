"""The games of a server: those that are played and those that are looked at."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from ...envs.engine.game import Game
from ...envs.engine.settings import GameSettings
from ..session.session import Session
from .replay import Replay
from .requests import RequestError

KEPT = 8  # replays that are kept ready
KEPT_ROOMS = 32  # games that are kept ready; the others are read from the store
MAX_WAITING = 6  # requests for one game at a time: an agent that hangs must not block all threads


@dataclass
class Room:
    """A session that many requests share.

    Attributes:
        turn: Held by the request that may change the game.
        lock: Held while the game changes or is looked at; not while an agent thinks, so that a page
            that is loaded then need not wait.
        users: Requests that have it at the moment.
    """

    session: Session
    turn: Lock = field(default_factory=Lock)
    lock: Lock = field(default_factory=Lock)
    users: int = 0


class Rooms:
    """The games of people, by their numbers in the store of `folder`.

    Args:
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
        seed: int,
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
        self._typed = tuple(names)
        self._setup = settings, self._typed, seed
        self._rooms: dict[int, Room] = {}
        self._lock = Lock()

    def open_new(self) -> int:
        """Begin a game like the one begun last, with the next seed; return its number."""
        return self.begin(*self._setup)

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
            following = self.begin(session.settings, session.names, self._setup[-1])
            self._before[following] = number
            self._after[number], self._begun_on[number] = following, version
            with room.lock:
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
            self._setup = settings, tuple(names), (seed + 1) % 2**64
            self._keep(session.number, Room(session))
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
                Session.resume(self.folder, number, typed=self._typed)
            )
            self._keep(number, room)
            if room.users >= MAX_WAITING:
                about = "too many requests wait for game {number}"
                raise RequestError(503, about, code="busy", number=number)
            room.users += 1
        try:
            yield room
        finally:
            with self._lock:
                room.users -= 1

    def _keep(self, number: int, room: Room) -> None:
        """Keep a room as the last used; give up the others that have not been used for longest."""
        idle = [key for key, kept in self._rooms.items() if not kept.users]
        for key in idle[: max(0, len(self._rooms) - KEPT_ROOMS + 1)]:
            del self._rooms[key]
        self._rooms[number] = room


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
