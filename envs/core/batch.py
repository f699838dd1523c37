"""Many games of one kind in lockstep, one compiled call a step."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldgriff.envs.core import kernels
from goldgriff.envs.core.errors import MoveError, SettingsError
from goldgriff.envs.core.game import Game, explain_illegal
from goldgriff.envs.core.kernels import REWARDS, Features, Masks, Rows
from goldgriff.envs.core.settings import GameSettings

_WORTH_A_THREAD = 256  # games below this are faster on one thread


class Batch:
    """`num_games` games with the same settings.

    Row i is game i. Every method takes `rows` (int64 indices, each at most once) to act on some
    games only; left out, it acts on all. Results do not depend on the number of threads.

    games: the state records, shape (num_games,); rules read and write them in place.
    rewards: float32, shape (num_games, num_players): what the last decision of each row brought.
    """

    def __init__(
        self,
        game: Game,
        settings: GameSettings,
        num_games: int,
        *,
        reward: str = "points",
        threads: int = 1,
    ) -> None:
        self.game = game
        self.settings = settings
        self.num_games = num_games
        self.games = game.new_games(settings, num_games)
        self.rewards = np.zeros((num_games, settings.num_players), np.float32)
        if reward not in REWARDS:
            raise SettingsError(f"reward must be {' or '.join(map(repr, REWARDS))}, not {reward!r}")
        self._kind = REWARDS.index(reward)
        self._all = np.arange(num_games, dtype=np.int64)
        self._threads = min(threads, os.cpu_count() or 1)
        self._pool: ThreadPoolExecutor | None = None  # made when first needed

    def start(self, seeds: ArrayLike, rows: Rows | None = None) -> None:
        """Start new games from their seeds, uint64, one a row."""
        rows = self._rows(rows)
        chosen = np.asarray(seeds)
        if chosen.dtype.kind not in "iu" or chosen.shape != rows.shape or (chosen < 0).any():
            raise SettingsError(f"seeds must be {len(rows)} whole numbers from 0 to 2**64 - 1")
        self._spread(kernels.start, rows, np.ascontiguousarray(chosen, np.uint64))

    def step(self, actions: ArrayLike, rows: Rows | None = None) -> None:
        """Play one decision in each row; writes `rewards`.

        Raises MoveError, and changes nothing, when any of the actions is illegal.
        """
        rows = self._rows(rows)
        moves = self._whole(actions, rows, "actions")
        wrong = kernels.find_illegal(self.games, rows, moves)
        if wrong >= 0:
            row = rows[wrong]
            raise MoveError(
                f"game {row}: {explain_illegal(self.game, self.games[row], moves[wrong])}"
            )
        self._spread(self._advance, rows, moves)

    def look(self, seats: ArrayLike, rows: Rows | None = None) -> tuple[Features, Masks]:
        """What one seat of each row sees.

        Returns features, uint8 (rows, slices.size), and masks, int8 (rows, actions); the mask of
        a seat that is not to move is all zero.
        """
        rows = self._rows(rows)
        whose = self._whole(seats, rows, "seats")
        if whose.size and not 0 <= whose.min() <= whose.max() < self.settings.num_players:
            raise MoveError(f"seats must be from 0 to {self.settings.num_players - 1}")
        features = np.empty((len(rows), self.game.slices.size), np.uint8)
        masks = np.empty((len(rows), len(self.game.actions)), np.int8)
        self._spread(kernels.look, rows, whose, features, masks)
        return features, masks

    @property
    def movers(self) -> NDArray[np.int32]:
        """Seat to move in each game, int32, shape (num_games,)."""
        movers: NDArray[np.int32] = self.games["mover"]
        return movers

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which games are over, shape (num_games,)."""
        over: NDArray[np.bool_] = self.games["over"] == 1
        return over

    def win_shares(self) -> NDArray[np.float64]:
        """Each seat's share of the win, shape (num_games, num_players); for finished games."""
        shares = np.zeros((self.num_games, self.settings.num_players))
        kernels.shares(self.games, shares)
        return shares

    def points(self) -> NDArray[np.float64]:
        """Each seat's points so far, shape (num_games, num_players); low is good."""
        halves: NDArray[np.int32] = self.games["scores"][:, : self.settings.num_players]
        return halves / 2

    def __getstate__(self) -> dict[str, Any]:
        """All but the threads: a copy makes its own."""
        return {**vars(self), "_pool": None}

    def _rows(self, rows: Rows | None) -> Rows:
        if rows is None:
            return self._all
        chosen = np.asarray(rows)
        if chosen.size and (chosen.dtype.kind not in "iu" or chosen.ndim != 1):
            raise MoveError("rows must be a list of whole numbers")
        chosen = np.ascontiguousarray(chosen, np.int64)
        if chosen.size and not 0 <= chosen.min() <= chosen.max() < self.num_games:
            raise MoveError(f"rows must be from 0 to {self.num_games - 1}")
        if chosen.size and np.bincount(chosen).max() > 1:
            raise MoveError("rows must name each game once at most")
        return chosen

    def _whole(self, given: ArrayLike, rows: Rows, what: str) -> Rows:
        """Whole numbers, one a row: the kernels look no further."""
        values = np.asarray(given)
        if values.dtype.kind not in "iu" or values.shape != rows.shape:
            raise MoveError(f"{what} must be {len(rows)} whole numbers, one a row")
        return np.ascontiguousarray(values, np.int64)

    def _advance(self, games: Any, rows: Rows, moves: Rows) -> None:
        kernels.advance(games, rows, moves, self._kind, self.rewards)

    def _spread(self, work: Callable[..., None], *by_row: NDArray[Any]) -> None:
        """Run a kernel over rows, in equal parts on the threads: games never touch each other."""
        if self._threads == 1 or len(by_row[0]) < _WORTH_A_THREAD * self._threads:
            work(self.games, *by_row)
            return
        self._pool = self._pool or ThreadPoolExecutor(self._threads)
        parts = zip(*(np.array_split(array, self._threads) for array in by_row), strict=True)
        for running in [self._pool.submit(work, self.games, *part) for part in parts]:
            running.result()


def derive_seeds(seed: int, count: int, first: int = 0) -> NDArray[np.uint64]:
    """`count` seeds derived from one, numbers first, first + 1, ...; uint64, shape (count,)."""
    seeds = np.empty(count, np.uint64)
    kernels.seeds_from(np.uint64(seed), first, seeds)
    return seeds
