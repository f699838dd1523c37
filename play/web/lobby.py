"""The lobby: all games of a folder, of either kind and any rules, and the form for a new one.

A store holds one game with one set of rules. So the folder of the game that the command begins has
a folder `tables`, with a folder for each other kind of game or set of rules.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from ...envs.engine.game import Game
from ...envs.engine.settings import GameSettings
from ...errors import GoldgriffError, quoted
from ...eval.analysis.action_probabilities import default_hint_agent
from ...eval.tournament.recorder import PERSON
from ...eval.tournament.store import STORE, Store
from ..commands import WATCH, seating
from .access import Access, RequestError, Seat
from .form import read_form, read_seed
from .game_list import games_in
from .rooms import Rooms

TABLES = "tables"  # folder of the other games
NAME = r"[a-z0-9_-]+"  # of such a folder: it stands in addresses


class Lobby:
    """The games of a folder, and of the folders in its `tables`.

    Args:
        rooms: The games of the folder itself.
        access: Who may ask; whoever begins a game sits on the host's seat.
    """

    def __init__(self, rooms: Rooms, access: Access) -> None:
        self._own, self._access = rooms, access
        self._tables: dict[str, Rooms] = {}  # by the name of the folder in `tables`
        self._lock = Lock()
        self._begun: dict[str, str] = {}  # the addresses of games, by the ids of their requests
        self._beginning = Lock()

    def table(self, name: str) -> Rooms:
        """Return the games of a folder in `tables`. Raises RequestError if there is none."""
        with self._lock:
            if name not in self._tables:
                if name not in self._names():
                    raise RequestError(404, code="no-table", name=quoted(name))
                with Store.open(self._folder(name)) as store:
                    self._add(name, store.game, store.game.settings.from_dict(store.rules))
            return self._tables[name]

    def begin(self, asked: dict[str, Any]) -> str:
        """Begin the game that a form describes; return the address of its page.

        Args:
            asked: `game`; `rules`, its settings by name, of which `preset` may be one; `agents`,
                the names of those on the other seats, PERSON for a person; `seed`, a text, empty
                for a random one; `id`, if it is a text, begins one game however often it is sent.

        Raises:
            GoldgriffError: Something of it cannot be.
        """
        sent = asked.get("id")
        if not isinstance(sent, str):
            return self._begin_form(asked)
        with self._beginning:
            if sent not in self._begun:
                self._begun[sent] = self._begin_form(asked)
            return self._begun[sent]

    def _begin_form(self, asked: dict[str, Any]) -> str:
        game, settings, agents = read_form(asked)
        seat = self._access.seat
        if seat is None and self._access.is_local:
            seat = 0
        names = seating(settings, agents, WATCH if seat is None else str(seat))
        seed = read_seed(asked.get("seed", ""))
        rules = _shared_rules(settings)
        if game is self._own.game and rules == _shared_rules(self._own.settings):
            return self._begin(self._own, settings, names, seed)
        digest = hashlib.sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()[:12]
        name = f"{game.name}-{digest}"
        with self._lock:
            if name not in self._tables:
                self._add(name, game, settings)
            rooms = self._tables[name]
        return self._begin(rooms, settings, names, seed)

    def games(self, seats: set[Seat] | None) -> tuple[list[dict[str, Any]], list[GoldgriffError]]:
        """Return the games, and what is wrong with the folders that cannot be read.

        The newest of each folder come first: of each `game_list.games_in`. No address has a token:
        the list shows nobody the way to a seat.

        Args:
            seats: Those that the asker may act for; None for all.
        """
        games, faults = list[dict[str, Any]](), list[GoldgriffError]()
        tables = [(_prefix(name), self._folder(name)) for name in self._names()]
        for prefix, folder in [("", self._own.folder), *tables]:
            try:
                listed = games_in(folder, prefix, self._access.host_of)
            except GoldgriffError as error:
                faults.append(error)
                continue
            games += [game for game in listed if seats is None or game["seat"] in seats]
        return games, faults

    def _begin(self, rooms: Rooms, settings: GameSettings, names: Sequence[str], seed: int) -> str:
        address = rooms.address(rooms.begin(settings, names, seed))
        people = [seat for seat, name in enumerate(names) if name == PERSON]
        if len(people) < 2 or not self._access.is_local:
            return address
        # The page of whoever begins it has no token on loopback: it gets that of its seat.
        return f"{address}?token={next(iter(self._access.tokens(people, address).values()))}"

    def _folder(self, name: str) -> Path:
        return self._own.folder / TABLES / name

    def _names(self) -> list[str]:
        """Return the names of the folders with games in `tables`, of those that `begin` makes."""
        names = (store.parent.name for store in self._folder("").glob(f"*/{STORE}"))
        return sorted(name for name in names if re.fullmatch(NAME, name))

    def _add(self, name: str, game: Game, settings: GameSettings) -> None:
        agent = default_hint_agent(game)
        self._tables[name] = Rooms(game, settings, (), self._folder(name), agent, _prefix(name))


def _prefix(name: str) -> str:
    """Return what the addresses of the games of a folder in `tables` begin with."""
    return f"/{TABLES}/{name}"


def _shared_rules(settings: GameSettings) -> dict[str, Any]:
    """Return the settings that all games of a store have."""
    return {name: value for name, value in settings.to_dict().items() if name != "num_players"}
