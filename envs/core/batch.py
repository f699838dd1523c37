"""Many games of one kind in lockstep, one compiled call a step."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldgriff.envs.core import kernels, rollouts
from goldgriff.envs.core.compiled import Chooser
from goldgriff.envs.core.errors import MoveError, SettingsError
from goldgriff.envs.core.game import Game, explain_illegal
from goldgriff.envs.core.kernels import ILLEGAL, REWARDS, Features, Masks, Rows, Totals
from goldgriff.envs.core.rollouts import Asked, Earned, Sight
from goldgriff.envs.core.settings import GameSettings
from goldgriff.envs.core.threads import Threads

A_GAME = 16  # decisions of a whole game, by rule of thumb: few have less


class Batch:
    """`num_games` games with the same settings.

    Row i is game i. Every method takes `rows` (int64 indices, each at most once) to act on some
    games only; left out, it acts on all. Results do not depend on the number of threads.

    games: the state records, shape (num_games,); rules read and write them in place.
    rewards: float32, shape (num_games, num_players): what the last decision of each row brought.
    rows: all of them, int64 (num_games,).
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
        if type(num_games) is not int or num_games < 1:
            raise SettingsError(f"num_games must be a whole number from 1, not {num_games!r}")
        self.game = game
        self.settings = settings
        self.num_games = num_games
        self.games = game.new_games(settings, num_games)
        self.rewards = np.zeros((num_games, settings.num_players), np.float32)
        self.kind = reward_kind(reward)
        self.rows = np.arange(num_games, dtype=np.int64)
        self._threads = Threads(threads)

    def start(self, seeds: ArrayLike, rows: Rows | None = None) -> None:
        """Start new games from their seeds, uint64, one a row."""
        rows = self._rows(rows)
        chosen = np.asarray(seeds)
        if chosen.dtype.kind not in "iu" or chosen.shape != rows.shape or (chosen < 0).any():
            raise SettingsError(f"seeds must be {len(rows)} whole numbers from 0 to 2**64 - 1")
        self.run(kernels.start, rows, np.ascontiguousarray(chosen, np.uint64))

    def step(self, actions: ArrayLike, rows: Rows | None = None) -> None:
        """Play one decision in each row; writes `rewards`.

        Raises MoveError, and changes nothing, when any of the actions is illegal.
        """
        rows = self._rows(rows)
        self.run(self._advance, rows, self.legal_only(actions, rows))

    def legal_only(self, actions: ArrayLike, rows: Rows) -> Rows:
        """The actions, int64 (rows,), when each is legal in its row; else raises MoveError."""
        moves = self._whole(actions, rows, "actions")
        # On one thread: to wake others takes longer than it does to look.
        row = kernels.find_illegal(self.games, rows, moves)
        if row >= 0:
            (move,) = moves[rows == row]
            raise MoveError(f"game {row}: {explain_illegal(self.game, self.games[row], move)}")
        return moves

    def look(self, seats: ArrayLike, rows: Rows | None = None) -> tuple[Features, Masks]:
        """What one seat of each row sees.

        Returns features, uint8 (rows, slices.size), and masks, int8 (rows, actions); the mask of
        a seat that is not to move is all zero.
        """
        rows = self._rows(rows)
        whose = self._seats(seats, rows)
        features = np.empty((len(rows), self.game.slices.size), np.uint8)
        masks = np.empty((len(rows), len(self.game.actions)), np.int8)
        self.run(kernels.look, rows, whose, features, masks)
        return features, masks

    def open_hands(self, seats: ArrayLike, rows: Rows | None = None, *, others: int) -> Features:
        """What all but one seat of each row hold: for critics and studies, never for a player.

        Returns the features of the slice `hand`, uint8 (rows, others, size), in turn order after
        that seat; zero from `num_players - 1` on.
        """
        rows = self._rows(rows)
        whose = self._whole(seats, rows, "seats")
        part = self.game.slices.range("hand")
        hands = np.zeros((len(rows), others, part.stop - part.start), np.uint8)

        def work(games: Any, rows: Rows, whose: Rows, hands: Features) -> None:
            room, _ = self.room()
            kernels.open_hands(games, rows, whose, part.start, room, hands)

        self.run(work, rows, whose, hands)
        return hands

    def play_out(
        self, rows: Rows | None = None, choose: Chooser | None = None
    ) -> NDArray[np.int64]:
        """Play games to their end inside the kernel; returns the decisions made, (rows,).

        choose: a `chooser` that decides for every seat; None picks at random. The games are the
        very ones that come about when the player is asked decision by decision; `points` and
        `win_shares` tell what came of them.

        Raises MoveError when a game was not started, and then changes nothing, or when `choose`
        takes an illegal action: that game stands where it did, the others are played.
        """
        rows = self._rows(rows)
        idle = (self.games["over"][rows] == 0) & ~self.games["legal"][rows].any(axis=1)
        if idle.any():
            raise MoveError(f"game {rows[idle.argmax()]}: start it first")
        asked = np.zeros((len(rows), self.settings.num_players), np.int64)
        if choose is None:
            self.run(rollouts.play_out, rows, asked, decisions=A_GAME)
        else:

            def work(games: Any, rows: Rows, asked: Asked) -> None:
                rollouts.play_out_with(games, rows, asked, self.room(), choose)

            self.run(work, rows, asked, decisions=A_GAME)
            self._check_asked(asked, rows)
        decisions: NDArray[np.int64] = asked.sum(axis=1)
        return decisions

    def copy(self, rows: Rows) -> "Batch":
        """A batch of copies of some games; unlike elsewhere, a row may come up many times."""
        rows = self._rows(rows, once=False)
        reward, threads = REWARDS[self.kind], self._threads.count
        copies = Batch(self.game, self.settings, len(rows), reward=reward, threads=threads)
        np.take(self.games, rows, out=copies.games)
        return copies

    def play_until(self, seats: ArrayLike, turns: int, choose: Chooser) -> NDArray[np.float32]:
        """Play all games on until one seat of each has been to move `turns` times, or to the end.

        Its move may be due at once, which counts. choose: a `chooser` that decides for every seat.
        Returns what that brought those seats, float32 (games,).

        Raises MoveError when `choose` takes an illegal action: that game stands where it did, the
        others are played.
        """
        whose = self._seats(seats, self.rows)
        asked = np.zeros((self.num_games, self.settings.num_players), np.int64)
        earned = np.zeros(self.num_games, np.float32)
        between = max(1, (turns - 1) * self.settings.num_players)

        def work(games: Any, rows: Rows, whose: Rows, asked: Asked, earned: Earned) -> None:
            task = (rows, whose, asked, earned)
            rollouts.play_until(games, *task, self.room(), turns, self.kind, choose)

        self.run(work, self.rows, whose, asked, earned, decisions=between)
        self._check_asked(asked, self.rows)
        return earned

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
        kernels.shares(self.totals, shares)
        return shares

    def points(self) -> NDArray[np.float64]:
        """Each seat's points so far, shape (num_games, num_players); low is good."""
        return self.totals / 2

    @property
    def totals(self) -> Totals:
        """The same in half points, as the records keep them: int32."""
        totals: Totals = self.games["scores"][:, : self.settings.num_players]
        return totals

    @staticmethod
    def _check_asked(asked: NDArray[np.int64], rows: Rows) -> None:
        """Raise MoveError for the first row in which a chooser's action was illegal."""
        refused = (asked == ILLEGAL).any(axis=1)
        if refused.any():
            row = rows[refused.argmax()]
            raise MoveError(f"game {row}: the chooser took an illegal action")

    def _rows(self, rows: Rows | None, *, once: bool = True) -> Rows:
        if rows is None:
            return self.rows
        chosen = np.asarray(rows)
        if chosen.size and (chosen.dtype.kind not in "iu" or chosen.ndim != 1):
            raise MoveError("rows must be a list of whole numbers")
        chosen = np.ascontiguousarray(chosen, np.int64)
        if chosen.size and not 0 <= chosen.min() <= chosen.max() < self.num_games:
            raise MoveError(f"rows must be from 0 to {self.num_games - 1}")
        if once and chosen.size and np.bincount(chosen).max() > 1:
            raise MoveError("rows must name each game once at most")
        return chosen

    def _seats(self, given: ArrayLike, rows: Rows) -> Rows:
        """Seats that there are, one a row."""
        seats = self._whole(given, rows, "seats")
        if seats.size and not 0 <= seats.min() <= seats.max() < self.settings.num_players:
            raise MoveError(f"seats must be from 0 to {self.settings.num_players - 1}")
        return seats

    def _whole(self, given: ArrayLike, rows: Rows, what: str) -> Rows:
        """Whole numbers, one a row: the kernels look no further."""
        values = np.asarray(given)
        if values.dtype.kind not in "iu" or values.shape != rows.shape:
            raise MoveError(f"{what} must be {len(rows)} whole numbers, one a row")
        return np.ascontiguousarray(values, np.int64)

    def _advance(self, games: Any, rows: Rows, moves: Rows) -> None:
        kernels.advance(games, rows, moves, self.kind, self.rewards)

    def room(self) -> Sight:
        """Room for what a player sees. A thread needs its own."""
        return np.empty(self.game.slices.size, np.uint8), np.empty(len(self.game.actions), np.int8)

    def run(self, work: Callable[..., Any], *by_row: NDArray[Any], decisions: int = 1) -> list[Any]:
        """Run `work(games, *by_row)` on the threads, each with a part of the rows.

        So what it does to a row must not depend on the others. decisions: what a row takes,
        roughly. Returns what it returned for each part, in the order of the rows.
        """
        return self._threads.run(partial(work, self.games), *by_row, decisions=decisions)


def reward_kind(reward: str) -> int:
    """The number by which kernels know a reward. Raises SettingsError for one there is not."""
    if reward not in REWARDS:
        raise SettingsError(f"reward must be one of {', '.join(REWARDS)}, not {reward!r}")
    return REWARDS.index(reward)


def derive_seeds(seed: int, count: int, first: int = 0) -> NDArray[np.uint64]:
    """`count` seeds derived from one, numbers first, first + 1, ...; uint64, shape (count,).

    Raises SettingsError when `seed` is no whole number from 0 to 2**64 - 1.
    """
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or not 0 <= seed < 2**64:
        raise SettingsError(f"seed must be a whole number from 0 to 2**64 - 1, not {seed!r}")
    seeds = np.empty(count, np.uint64)
    kernels.seeds_from(np.uint64(seed), first, seeds)
    return seeds
