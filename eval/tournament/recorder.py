"""Keep one game in a store while it is being played, so that a crash loses nothing of it.

Such a game can be replayed and rated like the games of a tournament. A game that is not over is
stored as forfeited by the seat that has to move.
"""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np

from ...envs.engine.game import Game
from ...envs.engine.settings import GameSettings
from ...envs.match import Match
from ...files import make_folder
from .store import STORE, Store, open_or_create
from .store_rows import action_dtype, insert_run
from .store_tables import BEGUN, SINGLE

UNFINISHED = "not finished"
PERSON = "you"  # name of the person in a store


class Recorder:
    """The place of one game in a store; every call opens the store anew, so any thread may write.

    Attributes:
        store: The file.
        number: Number of the game in it.
    """

    def __init__(self, store: Path, number: int) -> None:
        self.store = store
        self.number = number

    @classmethod
    def begin(
        cls,
        folder: Path,
        game: Game,
        settings: GameSettings,
        agents: Sequence[tuple[str, str]],
        seed: int,
    ) -> Self:
        """Add a game that begins.

        Args:
            folder: Folder of the store; both are made if they do not exist.
            game: Kind of game.
            settings: Its settings.
            agents: Name and fingerprint for each seat.
            seed: Seed of the game.

        Raises:
            StoreError: The store has another game or other rules.
            FileError: The folder cannot be written to.
        """
        rules = settings.to_dict()
        players = rules.pop("num_players")
        config = {
            "format": SINGLE,
            "agents": [name for name, _ in agents],
            "fingerprints": [mark for _, mark in dict.fromkeys(agents)],
            "player_counts": [players],
            "deals": 1,
            "seed": str(seed),
            BEGUN: int(time.time()),
        }
        make_folder(folder)
        with open_or_create(folder, game, rules) as store:
            store.check_game(game, rules)
            with store.writing() as connection:
                run = insert_run(connection, json.dumps(config), agents, deals=1)
                known = {(name, mark): agent for agent, name, mark in store.agents()}
                number = store.one("SELECT coalesce(max(game), 0) FROM games")[0] + 1
                connection.execute(
                    "INSERT INTO games VALUES (?, ?, 0, ?, ?, 0, ?, ?, x'')",
                    (number, run, players, str(seed), 0, UNFINISHED),
                )
                connection.executemany(
                    "INSERT INTO seats VALUES (?, ?, ?, NULL, 0)",
                    ((number, seat, known[agent]) for seat, agent in enumerate(agents)),
                )
        return cls(folder / STORE, number)

    def keep(self, match: Match, fault: str = "") -> None:
        """Write the game as it stands, whole or not at all.

        Args:
            match: The game.
            fault: What the agent that has to move did wrong, if that ended the game.
        """
        seats = match.settings.num_players
        if match.over:
            points: list[float | None] = [*match.scores]
            shares, loser, reason = match.win_shares(), None, None
        else:
            loser, reason = match.current_player, fault or UNFINISHED
            points = [None] * seats
            shares = [0.0 if seat == loser else 1 / (seats - 1) for seat in range(seats)]
        actions = np.array(match.moves, action_dtype(match.game)).tobytes()
        capped = int(match.capped_rounds > 0)
        with Store.open(self.store, checked=False) as store, store.writing() as connection:
            connection.execute(
                "UPDATE games SET capped = ?, forfeiter = ?, reason = ?, actions = ? "
                "WHERE game = ?",
                (capped, loser, reason, actions, self.number),
            )
            connection.executemany(
                "UPDATE seats SET points = ?, win_share = ? WHERE game = ? AND seat = ?",
                ((points[seat], shares[seat], self.number, seat) for seat in range(seats)),
            )
