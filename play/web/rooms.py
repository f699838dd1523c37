"""The games of a server: those that are played and those that are looked at."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Lock

from ...envs.engine.game import Game
from ...envs.engine.settings import GameSettings
from ..session import Session
from .replay import Replay

KEPT = 8  # replays that are kept ready


@dataclass
class Room:
    """A session that many requests share.

    Attributes:
        turn: Held by the request that may change the game.
        lock: Held while the game changes or is looked at; not while an agent thinks, so that a page
            that is loaded then need not wait.
    """

    session: Session
    turn: Lock = field(default_factory=Lock)
    lock: Lock = field(default_factory=Lock)


class Rooms:
    """The games of a person, by their numbers in the store of `folder`.

    Args:
        hint_agent: The agent that gives hints.
    """

    def __init__(
        self,
        game: Game,
        settings: GameSettings,
        names: Sequence[str],
        seed: int,
        folder: Path,
        hint_agent: str,
    ) -> None:
        self.hint_agent = hint_agent
        self._setup = (game, settings, tuple(names))
        self._seed = seed
        self._folder = folder
        self._rooms: dict[int, Room] = {}
        self._lock = Lock()

    def open_new(self) -> int:
        """Begin a game with the next seed; return its number."""
        with self._lock:
            session = Session(*self._setup, self._seed, self._folder)
            self._seed += 1
            self._rooms[session.number] = Room(session)
        return session.number

    def room(self, number: int) -> Room:
        """Return the room of a game; one from before this server began is read from the store.

        Raises StoreError for a game that is not there.
        """
        with self._lock:
            if number not in self._rooms:
                self._rooms[number] = Room(Session.resume(self._folder, number))
            return self._rooms[number]


class Replays:
    """The games of a store, by their numbers.

    Args:
        finished: Whether only games that are over may be looked at.
    """

    def __init__(self, store: Path, *, finished: bool = False) -> None:
        self.replay = lru_cache(KEPT)(lambda number: Replay(store, number, finished=finished))
