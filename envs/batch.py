"""Many games of one kind in lockstep, one compiled call a step."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ..errors import MoveError, SettingsError
from .engine import kernels, rollouts
from .engine.compile import PolicyFunction, device, kernel
from .engine.game import Game, explain_illegal
from .engine.intrinsics import prefetch_next
from .engine.kernels import (
    ILLEGAL,
    REWARDS,
    Masks,
    RawObservations,
    Rows,
    States,
    Totals,
    apply,
    begin,
    observe,
    win_shares_each,
    write_mask,
    write_rewards,
    write_scaled,
)
from .engine.rng import derive
from .engine.rollouts import Buffers, DecisionCounts, Returns
from .engine.settings import GameSettings
from .engine.threads import Threads

A_GAME = 16  # decisions of a whole game, by rule of thumb: few have less


class Batch:
    """`num_games` games with the same settings.

    Row i is game i. Every method takes `rows` (int64 indices, each at most once) to act on some
    games only; left out, it acts on all. Results do not depend on the number of threads.

    states: the state records, shape (num_games,); rules read and write them in place.
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
        self.states = game.new_states(settings, num_games)
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
        self.run(kernels.start_each, rows, np.ascontiguousarray(chosen, np.uint64))

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
        row = kernels.find_illegal(self.states, rows, moves)
        if row >= 0:
            (move,) = moves[rows == row]
            raise MoveError(f"game {row}: {explain_illegal(self.game, self.states[row], move)}")
        return moves

    def observe(self, seats: ArrayLike, rows: Rows | None = None) -> tuple[RawObservations, Masks]:
        """What one seat of each row sees.

        Returns features, uint8 (rows, slices.size), and masks, int8 (rows, actions); the mask of
        a seat that is not to move is all zero.
        """
        rows = self._rows(rows)
        whose = self._seats(seats, rows)
        raw = np.empty((len(rows), self.game.observation_spec.size), np.uint8)
        masks = np.empty((len(rows), len(self.game.actions)), np.int8)
        self.run(kernels.observe_each, rows, whose, raw, masks)
        return raw, masks

    def hidden_hands(
        self, seats: ArrayLike, rows: Rows | None = None, *, others: int
    ) -> RawObservations:
        """What all but one seat of each row hold: for critics and studies, never for a player.

        Returns the features of the slice `hand`, uint8 (rows, others, size), in turn order after
        that seat; zero from `num_players - 1` on.
        """
        rows = self._rows(rows)
        whose = self._whole(seats, rows, "seats")
        part = self.game.observation_spec.range("hand")
        hands = np.zeros((len(rows), others, part.stop - part.start), np.uint8)

        def work(states: Any, rows: Rows, whose: Rows, hands: RawObservations) -> None:
            buffers, _ = self.buffers()
            kernels.hidden_hands_each(states, rows, whose, part.start, buffers, hands)

        self.run(work, rows, whose, hands)
        return hands

    def play_out(
        self, rows: Rows | None = None, policy_function: PolicyFunction | None = None
    ) -> NDArray[np.int64]:
        """Play games to their end inside the kernel; returns the decisions made, (rows,).

        policy_function: a `chooser` that decides for every seat; None picks at random. The games are the
        very ones that come about when the player is asked decision by decision; `points` and
        `win_shares` tell what came of them.

        Raises MoveError when a game was not started, and then changes nothing, or when `policy_function`
        takes an illegal action: that game stands where it did, the others are played.
        """
        rows = self._rows(rows)
        idle = (self.states["over"][rows] == 0) & ~self.states["legal"][rows].any(axis=1)
        if idle.any():
            raise MoveError(f"game {rows[idle.argmax()]}: start it first")
        decision_counts = np.zeros((len(rows), self.settings.num_players), np.int64)
        if policy_function is None:
            self.run(rollouts.play_out, rows, decision_counts, decisions=A_GAME)
        else:

            def work(states: Any, rows: Rows, decision_counts: DecisionCounts) -> None:
                rollouts.play_out_policy(
                    states, rows, decision_counts, self.buffers(), policy_function
                )

            self.run(work, rows, decision_counts, decisions=A_GAME)
            self._check_decisions(decision_counts, rows)
        decisions: NDArray[np.int64] = decision_counts.sum(axis=1)
        return decisions

    def copy(self, rows: Rows) -> "Batch":
        """A batch of copies of some games; unlike elsewhere, a row may come up many times."""
        rows = self._rows(rows, once=False)
        reward, threads = REWARDS[self.kind], self._threads.count
        copies = Batch(self.game, self.settings, len(rows), reward=reward, threads=threads)
        np.take(self.states, rows, out=copies.states)
        return copies

    def play_until_turn(
        self, seats: ArrayLike, turns: int, policy_function: PolicyFunction
    ) -> NDArray[np.float32]:
        """Play all games on until one seat of each has been to move `turns` times, or to the end.

        Its move may be due at once, which counts. policy_function: a `chooser` that decides for every seat.
        Returns what that brought those seats, float32 (games,).

        Raises MoveError when `policy_function` takes an illegal action: that game stands where it did, the
        others are played.
        """
        whose = self._seats(seats, self.rows)
        decision_counts = np.zeros((self.num_games, self.settings.num_players), np.int64)
        returns = np.zeros(self.num_games, np.float32)
        between = max(1, (turns - 1) * self.settings.num_players)

        def work(
            states: Any, rows: Rows, whose: Rows, decision_counts: DecisionCounts, returns: Returns
        ) -> None:
            task = (rows, whose, decision_counts, returns)
            rollouts.play_until_turn(
                states, *task, self.buffers(), turns, self.kind, policy_function
            )

        self.run(work, self.rows, whose, decision_counts, returns, decisions=between)
        self._check_decisions(decision_counts, self.rows)
        return returns

    @property
    def current_players(self) -> NDArray[np.int32]:
        """Seat to move in each game, int32, shape (num_games,)."""
        current_players: NDArray[np.int32] = self.states["current_player"]
        return current_players

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which games are over, shape (num_games,)."""
        over: NDArray[np.bool_] = self.states["over"] == 1
        return over

    def win_shares(self) -> NDArray[np.float64]:
        """Each seat's share of the win, shape (num_games, num_players); for finished games."""
        win_shares_each = np.zeros((self.num_games, self.settings.num_players))
        kernels.win_shares_each(self.totals, win_shares_each)
        return win_shares_each

    def points(self) -> NDArray[np.float64]:
        """Each seat's points so far, shape (num_games, num_players); low is good."""
        return self.totals / 2

    @property
    def totals(self) -> Totals:
        """The same in half points, as the records keep them: int32."""
        totals: Totals = self.states["scores"][:, : self.settings.num_players]
        return totals

    @staticmethod
    def _check_decisions(decision_counts: NDArray[np.int64], rows: Rows) -> None:
        """Raise MoveError for the first row in which a chooser's action was illegal."""
        refused = (decision_counts == ILLEGAL).any(axis=1)
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

    def _advance(self, states: Any, rows: Rows, moves: Rows) -> None:
        kernels.step_each(states, rows, moves, self.kind, self.rewards)

    def buffers(self) -> Buffers:
        """Room for what a player sees. A thread needs its own."""
        return np.empty(self.game.observation_spec.size, np.uint8), np.empty(
            len(self.game.actions), np.int8
        )

    def run(self, work: Callable[..., Any], *by_row: NDArray[Any], decisions: int = 1) -> list[Any]:
        """Run `work(states, *by_row)` on the threads, each with a part of the rows.

        So what it does to a row must not depend on the others. decisions: what a row takes,
        roughly. Returns what it returned for each part, in the order of the rows.
        """
        return self._threads.run(partial(work, self.states), *by_row, decisions=decisions)


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


class Ledger(NamedTuple):
    """What is kept of rows whose games follow one another.

    seeds_: uint64, the seed of each row's games. begun: int64, how many were dealt.
    ended: bool, whether the last decision ended a game; then totals, int32 (rows, seats), are its
    half points, and capped, bool, whether the cap on decisions ended a round of it.
    rewards: float32 (rows, seats), what the last decision brought.
    """

    seeds_: NDArray[np.uint64]
    begun: Rows
    ended: NDArray[np.bool_]
    totals: Totals
    capped: NDArray[np.bool_]
    rewards: NDArray[np.float32]


class Screens(NamedTuple):
    """Where it is written what the movers see.

    raw: uint8 (rows, size). observations: float32, the features times `scale`, of the same
    shape, or without rows where nobody wants them. masks: int8 (rows, actions).
    """

    scale: NDArray[np.float32]
    raw: RawObservations
    observations: NDArray[np.float32]
    masks: Masks


@device
def deal_next(state: Any, ledger: Ledger, row: int) -> None:
    """Start the next game of a row."""
    state.seed = derive(ledger.seeds_[row], ledger.begun[row])
    ledger.begun[row] += 1
    begin(state)


@device
def show_mover(state: Any, screens: Screens, row: int) -> None:
    """Write what the player to move sees."""
    raw = screens.raw[row]
    observe(state, state.current_player, raw)
    write_mask(state, state.current_player, screens.masks[row])
    if len(screens.observations) > 0:
        write_scaled(raw, screens.scale, screens.observations[row])


@kernel
def deal_all(states: States, rows: Rows, ledger: Ledger, screens: Screens) -> None:
    """Start the next game in some rows."""
    for k in range(len(rows)):
        state = states[rows[k]]
        deal_next(state, ledger, rows[k])
        show_mover(state, screens, rows[k])


@kernel
def turn_all(
    states: States, rows: Rows, actions: Rows, kind: int, ledger: Ledger, screens: Screens
) -> None:
    """Play one legal decision in some rows; a game that ends is written down, the next dealt."""
    for k in range(len(rows)):
        prefetch_next(states, rows, k)
        row = rows[k]
        state = states[row]
        apply(state, actions[k])
        write_rewards(state, kind, ledger.rewards[row])
        ledger.ended[row] = state.over == 1
        if state.over == 1:
            for seat in range(state.num_players):
                ledger.totals[row, seat] = state.scores[seat]
            ledger.capped[row] = state.capped_rounds > 0
            deal_next(state, ledger, row)
        show_mover(state, screens, row)


@dataclass(frozen=True)
class Results:
    """The games that ended with a step, by row.

    rows: int64 (ended,). points, win_shares: float64 (ended, num_players); low points are good,
    the shares of a game sum to 1. capped: bool (ended,), whether the cap on decisions ended a
    round of it (A8.1, G8.9): such a game shows that players make no end, not who plays better.
    """

    rows: Rows
    points: NDArray[np.float64]
    win_shares: NDArray[np.float64]
    capped: NDArray[np.bool_]


class Lockstep:
    """`num_games` games, each followed by the next one as soon as it ends.

    A step is one decision in every game. The games of row i follow from `seed` and i alone,
    whatever the number of threads. These arrays are written in place:

    observations: what the player to move sees, (num_games, slices.size): float32 (scaled, see
        `Slices`) or uint8 (the features as they are). Give an array of either kind to have it
        filled; left out, there is a new one of float32.
    masks: int8 (num_games, actions), 1 for each legal action. Given or new, too.
    rewards: float32 (num_games, num_players), what the last decision of each row brought.

    Raises SettingsError for an array of another shape or dtype, or not C-contiguous.
    """

    def __init__(
        self,
        game: Game,
        settings: GameSettings,
        num_games: int,
        *,
        seed: int = 0,
        reward: str = "points",
        threads: int = 1,
        observations: NDArray[Any] | None = None,
        masks: Masks | None = None,
    ) -> None:
        self.batch = Batch(game, settings, num_games, reward=reward, threads=threads)
        size, seats = game.observation_spec.size, settings.num_players
        self.observations = _buffer(
            "observations", observations, (num_games, size), np.float32, np.uint8
        )
        self.masks: Masks = _buffer("masks", masks, (num_games, len(game.actions)), np.int8)
        self.rewards = self.batch.rewards
        self._ledger = Ledger(
            seeds_=derive_seeds(seed, num_games),
            begun=np.zeros(num_games, np.int64),
            ended=np.zeros(num_games, np.bool_),
            totals=np.zeros((num_games, seats), np.int32),
            capped=np.zeros(num_games, np.bool_),
            rewards=self.rewards,
        )
        scaled = self.observations.dtype == np.float32
        self._screens = Screens(
            scale=game.observation_spec.scale,
            raw=np.zeros((num_games, size), np.uint8) if scaled else self.observations,
            observations=self.observations if scaled else np.zeros((0, size), np.float32),
            masks=self.masks,
        )

    @property
    def current_players(self) -> NDArray[np.int32]:
        """Seat to move in each game, int32 (num_games,)."""
        return self.batch.current_players

    @property
    def raw(self) -> NDArray[np.uint8]:
        """What the movers see as whole numbers, uint8 (num_games, slices.size)."""
        return self._screens.raw

    def reset(self) -> None:
        """Deal the next game in every row."""
        self.rewards[:] = 0
        self.batch.run(self._deal, self.batch.rows)

    def step(self, actions: ArrayLike) -> Results:
        """Play one decision in every game, actions (num_games,); returns the games it ended.

        Raises MoveError, and changes nothing, when any of the actions is illegal.
        """
        if not self._ledger.begun[0]:
            raise MoveError("call reset before step")
        rows = self.batch.rows
        self.batch.run(self._turn, rows, self.batch.legal_only(actions, rows))
        ended = np.flatnonzero(self._ledger.ended)
        totals = self._ledger.totals[ended]
        win_shares = np.empty(totals.shape)
        win_shares_each(totals, win_shares)
        return Results(ended, totals / 2, win_shares, self._ledger.capped[ended])

    def _deal(self, states: States, rows: Rows) -> None:
        deal_all(states, rows, self._ledger, self._screens)

    def _turn(self, states: States, rows: Rows, moves: Rows) -> None:
        turn_all(states, rows, moves, self.batch.kind, self._ledger, self._screens)


def _buffer(
    name: str, given: NDArray[Any] | None, shape: tuple[int, int], *dtypes: DTypeLike
) -> NDArray[Any]:
    """The array that a caller gave, if it can be written to as it is, or a new one."""
    if given is None:
        return np.zeros(shape, dtypes[0])
    kinds = " or ".join(np.dtype(dtype).name for dtype in dtypes)
    fits = isinstance(given, np.ndarray) and given.shape == shape and given.dtype in dtypes
    if not fits or not given.flags.carray:
        what = f"not {type(given).__name__}"
        if isinstance(given, np.ndarray):
            kind = "" if given.flags.c_contiguous else "not contiguous, "
            kind += "" if given.flags.writeable else "read-only, "
            what = f"not {kind}{given.dtype} of shape {given.shape}"
        raise SettingsError(
            f"{name} must be a writable C-contiguous array, {kinds} of shape {shape}; {what}"
        )
    return np.asarray(given)  # the very array; a memory map as the plain array in it
