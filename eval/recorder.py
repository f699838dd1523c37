"""One game kept in a store while it is being played, so that a crash loses nothing of it.

What is stored can be replayed, rated and looked at like the games of a tournament. A game that is
not over stands there as given up by whoever had to move.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..envs.engine.game import Game
from ..envs.engine.settings import GameSettings
from ..envs.match import Match
from ..files import make_folder
from .store import STORE, Store

UNFINISHED = "not finished"
SINGLE = "single"  # format of a run that is one game rather than a tournament
PERSON = "you"  # the name that stands in a store for the person


class Recorder:
    """A game's place in a store. Every call opens the store anew, so any thread may write.

    store: the file. number: the game's number there.
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
    ) -> "Recorder":
        """Note a game that begins; the folder and its store are made if they are not there.

        agents: name and fingerprint for each seat.
        Raises StoreError when the store has another game or other rules, FileError.
        """
        rules = settings.to_dict()
        players = rules.pop("num_players")
        make_folder(folder)
        path = folder / STORE
        opened = Store.open(path) if path.exists() else Store.create(path, game, rules)
        with opened as store:
            store.check_game(game, rules)
            with store.writing() as connection:
                connection.executemany(
                    "INSERT INTO agents (name, fingerprint) VALUES (?, ?) ON CONFLICT DO NOTHING",
                    agents,
                )
                known = {(name, mark): agent for agent, name, mark in store.agents()}
                plan = json.dumps(_plan(agents, players, seed))
                run = connection.execute(
                    "INSERT INTO runs (plan, deals, finished) VALUES (?, 1, 1)", (plan,)
                ).lastrowid
                (last,) = store.one("SELECT coalesce(max(game), 0) FROM games")
                row = (last + 1, run, players, str(seed), 0, UNFINISHED)
                connection.execute(
                    "INSERT INTO games VALUES (?, ?, 0, ?, ?, 0, ?, ?, x'')",
                    row,
                )
                connection.executemany(
                    "INSERT INTO seats VALUES (?, ?, ?, NULL, 0)",
                    ((last + 1, seat, known[agent]) for seat, agent in enumerate(agents)),
                )
        return cls(path, last + 1)

    def keep(self, match: Match, fault: str = "") -> None:
        """Write the game as it stands, whole or not at all.

        fault: what the agent that has to move did wrong, if that ended the game.
        """
        seats = match.settings.num_players
        if match.over:
            points: list[float | None] = [*match.scores]
            shares, loser, reason = match.win_shares(), None, None
        else:
            loser, reason = match.current_player, fault or UNFINISHED
            points = [None] * seats
            shares = [0.0 if seat == loser else 1 / (seats - 1) for seat in range(seats)]
        kind = np.dtype(np.min_scalar_type(len(match.game.actions) - 1)).newbyteorder("<")
        actions = np.array(match.moves, kind).tobytes()
        capped = int(match.capped_rounds > 0)
        with Store.open(self.store) as store, store.writing() as connection:
            connection.execute(
                "UPDATE games SET capped = ?, forfeiter = ?, reason = ?, actions = ? "
                "WHERE game = ?",
                (capped, loser, reason, actions, self.number),
            )
            connection.executemany(
                "UPDATE seats SET points = ?, win_share = ? WHERE game = ? AND seat = ?",
                ((points[seat], shares[seat], self.number, seat) for seat in range(seats)),
            )


def _plan(agents: Sequence[tuple[str, str]], players: int, seed: int) -> dict[str, object]:
    """What a run says of itself, in the fields of a tournament's plan."""
    return {
        "format": SINGLE,
        "agents": [name for name, _ in agents],
        "fingerprints": [mark for _, mark in dict.fromkeys(agents)],
        "challengers": 1,
        "players": [players],
        "deals": 1,
        "seed": str(seed),
        "until": None,
    }
