"""Many games of one kind, stepped in one compiled call."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ..errors import MoveError, PositionError, SettingsError
from ..naming import counted
from .engine import kernels, rollouts
from .engine.compile import PolicyFunction
from .engine.game import Game, explain_illegal, get_game
from .engine.history import Events
from .engine.kernels import ILLEGAL, Outputs, new_resets
from .engine.protocol import Masks, RawObservations, Rows, States
from .engine.reading import read_seed, read_whole
from .engine.rewards import Reward, Totals, final_rewards, read_reward, win_shares_each
from .engine.rollouts import Buffers, Returns
from .engine.settings import GameSettings
from .engine.threads import Threads
from .history import FIELDS, BatchHistory, one_move_each

TYPICAL_GAME = 16  # decisions; few games have less


@dataclass(frozen=True)
class EndedGames:
    """The games that a step ended.

    Attributes:
        rows: int64 (ended,).
        points: float64 (ended, num_players); low points are good.
        win_shares: float64 (ended, num_players); the shares of a game sum to 1.
        capped: bool (ended,), whether the cap on decisions ended a round (A8.1, G8.9). Such a game
            shows that the players do not finish, not who plays better.
    """

    rows: Rows
    points: NDArray[np.float64]
    win_shares: NDArray[np.float64]
    capped: NDArray[np.bool_]


_NONE = np.empty((0, 0))
_NO_GAMES = EndedGames(np.empty(0, np.int64), _NONE, _NONE, np.empty(0, np.bool_))


class Batch:
    """`num_games` games with the same settings.

    Row i is game i. Most methods take `rows` (int64, each at most once) to act on some games only;
    left out, they act on all. Results do not depend on the number of threads.

    With `auto_reset=True` the next game of a row starts as soon as one ends: call `reset` once,
    then `step` for all rows. Game k of row i follows from the seed, i and k alone (`game_seed` in
    engine/kernels.py). With `out` the observations of the current players are written into the
    caller's arrays by every call that starts or steps games.

    With `history=K` the batch keeps the K newest public events of the current round of each game
    (docs/envs), whoever plays them. A new round, a new game and a position start an empty history.

    Attributes:
        game: The kind of game.
        settings: Its settings.
        reward: As it was given.
        states: The states, (num_games,); the rules read and write them in place.
        rewards: float32 (num_games, num_players), those of the last decision in each row.
        observations: The first array of `out`: float32 or uint8 (num_games, size).
        masks: The second one: int8 (num_games, actions), 1 for each legal action.
        raw: `observations` as whole numbers, uint8 (num_games, size).
        past: The events; with `history=0` there are none.
        history: With `out` and `history=K`, int32 (num_games, K, 6), what the current players know
            of the events; see `observe_history`.
        rows: All rows, int64 (num_games,).
    """

    def __init__(
        self,
        game: Game | str,
        settings: GameSettings | Mapping[str, Any] | None,
        num_games: int,
        *,
        reward: Reward = "points",
        threads: int = 1,
        auto_reset: bool = False,
        out: tuple[NDArray[Any] | None, ...] | None = None,
        history: int = 0,
    ) -> None:
        """Make a batch; no game is started yet.

        Args:
            game: The kind of game, or its name.
            settings: Its settings, also by name; None for the defaults.
            num_games: From 1.
            reward: `points`, `win`, `rank`, a function of the final points, or the name of one as
                `module:function` (see `read_reward` in engine/rewards.py).
            threads: From 1.
            auto_reset: Whether a game that ends is followed by the next one.
            out: Arrays for observations, float32 (scaled) or uint8 (raw), and masks. None for
                either makes a new one, of float32. With `history` a third array may follow, for
                that. Left out, nothing is written, except with auto-reset.
            history: How many events to keep of each game, from 0.

        Raises:
            SettingsError: A value is out of range, or an array of `out` has another shape or
                dtype, is not C-contiguous or cannot be written to.
        """
        num_games = read_whole("num_games", num_games, 1)
        self.game = game = get_game(game)
        self.settings = settings = game.read_settings(settings)
        self.num_games = num_games
        self.states = game.new_states(settings, num_games)
        self.rewards = np.zeros((num_games, settings.num_players), np.float32)
        self.reward, (self.reward_kind, self._reward_function) = reward, read_reward(reward)
        self.rows = np.arange(num_games, dtype=np.int64)
        self.auto_reset = auto_reset
        self._threads = Threads(threads)
        self._resets = new_resets(num_games if auto_reset else 0, settings.num_players)
        self.past = BatchHistory(self.game, self.states, settings.num_players, history)
        out = (None, None) if auto_reset and out is None else out
        if history and out is not None:
            out, given = (out[:2], out[2]) if len(out) == 3 else (out, None)
            self.past.out = _checked("history", given, (num_games, history, FIELDS), np.int32)
        self._out = _outputs(game, num_games, out)
        self.history = self.past.out
        self.raw, self.masks = self._out.raw, self._out.masks
        self.observations = self._out.observations if len(self._out.observations) else self.raw

    def reset(self, seed: int | None = None) -> None:
        """Start the next game of every row, with auto-reset.

        Args:
            seed: Starts with the first games of this seed; None continues the last one (or 0).

        Raises:
            SettingsError: The seed is out of range, or the batch has no auto-reset.
        """
        if not self.auto_reset:
            raise SettingsError("reset is for auto_reset=True; start takes a seed for each game")
        if seed is not None or not self._resets.games_begun[0]:
            self._resets.row_seeds[:] = derive_seeds(0 if seed is None else seed, self.num_games)
            self._resets.games_begun[:] = 0
        seeds = np.empty(self.num_games, np.uint64)
        kernels.derive_each(self._resets.row_seeds, self._resets.games_begun, seeds)
        self._resets.games_begun[:] += 1
        self.rewards[:] = 0
        self.run(self._start_each, self.rows, seeds)

    def start(self, seeds: ArrayLike, rows: Rows | None = None, position: Any = None) -> None:
        """Start new games.

        Args:
            seeds: uint64, one a row.
            rows: Left out, all.
            position: A position as plain data in which they start, with the chance of their seeds,
                instead of a deal.

        Raises:
            SettingsError: The seeds are not whole numbers from 0 to 2**64 - 1.
            PositionError: The position cannot arise; the games so far are unchanged.
        """
        rows = self._rows(rows)
        chosen = np.asarray(seeds)
        if chosen.dtype.kind not in "iu" or chosen.shape != rows.shape or (chosen < 0).any():
            raise SettingsError(
                f"seeds must be {counted(len(rows), 'whole number')} from 0 to 2**64 - 1"
            )
        seeds = np.ascontiguousarray(chosen, np.uint64)
        if position is None or not len(rows):
            self.run(self._start_each, rows, seeds)
            return
        positioned = Batch(self.game, self.settings, len(rows))
        positioned.start(seeds)
        for row in range(len(rows)):
            self.game.read_position(positioned.states[row : row + 1], self.settings, position)
        self.states[rows] = positioned.states
        kernels.outputs_each(self.states, rows, self._out)
        self.past.clear(rows)

    def step(self, actions: ArrayLike, rows: Rows | None = None) -> EndedGames:
        """Play one decision in each row and write `rewards`.

        Args:
            actions: int64, one a row.
            rows: Left out, all; with auto-reset always all.

        Returns:
            The games that ended, with auto-reset; without it an empty list, see `over`.

        Raises:
            MoveError: An action is illegal; then nothing was changed.
        """
        if self.auto_reset and not self._resets.games_begun[0]:
            raise MoveError("call reset before step")
        if self.auto_reset and rows is not None:
            raise MoveError("with auto_reset, step plays all rows")
        rows = self._rows(rows)
        self.play(self.legal_only(actions, rows), rows)
        if not self.auto_reset:
            return _NO_GAMES
        ended = np.flatnonzero(self._resets.ended)
        totals = self._resets.totals[ended]
        win_shares = np.empty(totals.shape)
        win_shares_each(totals, win_shares)
        return EndedGames(ended, totals / 2, win_shares, self._resets.capped[ended])

    def legal_only(self, actions: ArrayLike, rows: Rows, first: int = 0) -> Rows:
        """Return the actions, int64 (rows,), if each is legal.

        Args:
            actions: One a row.
            rows: The games.
            first: What the message counts the games from.

        Raises:
            MoveError: One is illegal, or they are not whole numbers, one a row.
        """
        moves = self._whole(actions, rows, "actions")
        # On one thread: to wake others takes longer than this check.
        row = kernels.find_illegal(self.states, rows, moves, np.empty(len(rows), np.bool_))
        if row >= 0:
            why = explain_illegal(self.game, self.states[row], moves[rows == row][0])
            raise MoveError(f"game {first + row}: {why}")
        return moves

    def illegal(self, actions: ArrayLike, rows: Rows | None = None) -> NDArray[np.bool_]:
        """Return in which rows an action is illegal, bool (rows,).

        Args:
            actions: int64, one a row.
            rows: Left out, all.

        Raises:
            MoveError: They are not whole numbers, one a row.
        """
        rows = self._rows(rows)
        marks = np.empty(len(rows), np.bool_)
        kernels.find_illegal(self.states, rows, self._whole(actions, rows, "actions"), marks)
        return marks

    def play(self, actions: Rows, rows: Rows) -> None:
        """Play one decision in each row as `step` does, without checking that it is legal."""
        self.run(self._step_each, rows, actions)
        if self._reward_function:
            ended = rows[(self._resets.ended if self.auto_reset else self.over)[rows]]
            totals = (self._resets.totals if self.auto_reset else self.totals)[ended]
            self.rewards[ended] = final_rewards(self._reward_function, totals / 2)

    def observe(self, seats: ArrayLike, rows: Rows | None = None) -> tuple[RawObservations, Masks]:
        """Return what one seat of each row observes.

        Returns:
            Raw observations, uint8 (rows, size), and masks, int8 (rows, actions); the mask of a
            seat that is not to decide is all zero.
        """
        rows = self._rows(rows)
        chosen = self._seats(seats, rows)
        raw = np.empty((len(rows), self.game.observation_spec.size), np.uint8)
        masks = np.empty((len(rows), len(self.game.actions)), np.int8)
        self.run(kernels.observe_each, rows, chosen, raw, masks)
        return raw, masks

    def observe_history(self, seats: ArrayLike, rows: Rows | None = None) -> Events:
        """Return what one seat of each row knows of the newest public events of its round.

        Returns:
            int32 (rows, history, 6), newest last and zeros before; the fields are those of
            `EVENT_FIELDS` in engine/events.py.
        """
        rows = self._rows(rows)
        chosen = self._seats(seats, rows)
        return self.past.observe(chosen, rows)

    def hidden_hands(
        self, seats: ArrayLike, rows: Rows | None = None, *, others: int
    ) -> RawObservations:
        """Return the hands of all but one seat of each row: for critics, never for a player.

        Args:
            seats: A seat for each row.
            rows: Left out, all.
            others: Hands to return for each row, from num_players - 1; those of seats that do not
                exist are zero.

        Returns:
            The observation's field `hand` of each other seat, clockwise: uint8 (rows, others,
            card types).
        """
        rows, players = self._rows(rows), self.settings.num_players
        hands = np.zeros((len(rows), others, len(self.game.cards)), np.uint8)
        clockwise = (self._seats(seats, rows)[:, None] + np.arange(1, players)) % players
        hands[:, : players - 1] = self.states["hands"][rows[:, None], clockwise]
        return hands

    def play_out(
        self, rows: Rows | None = None, policy_function: PolicyFunction | None = None
    ) -> NDArray[np.int64]:
        """Play games to their end inside the kernel.

        The games are those that come about when the policy is asked decision by decision;
        `points` and `win_shares` return their results.

        Args:
            rows: Left out, all.
            policy_function: A compiled policy that decides for every seat; None plays at random.

        Returns:
            The decisions made in each game, int64 (rows,).

        Raises:
            MoveError: A game was not started, or the batch keeps histories, and nothing was
                changed; or `policy_function` chose an illegal action: that game stops there, the
                others are played.
        """
        self._refuse_history("play_out")
        rows = self._rows(rows)
        self._check_started(rows)
        counts = np.zeros((len(rows), self.settings.num_players), np.int64)

        if policy_function is None:
            self.run(rollouts.play_out, rows, counts, decisions=TYPICAL_GAME)
        else:
            seats, turns = np.zeros_like(rows), rollouts.FOREVER
            self._play_on(rows, seats, turns, policy_function, counts, TYPICAL_GAME)
        decisions: NDArray[np.int64] = counts.sum(axis=1)
        return decisions

    def play_until_turn(
        self, seats: ArrayLike, turns: int, policy_function: PolicyFunction
    ) -> NDArray[np.float32]:
        """Play all games on until one seat of each has its turn number `turns`, or to the end.

        Args:
            seats: A seat for each game. It may be the current player already, which counts.
            turns: From 1.
            policy_function: A compiled policy that decides for every seat.

        Returns:
            The rewards of those seats meanwhile, float32 (games,).

        Raises:
            SettingsError: `turns` is below 1.
            MoveError: A game was not started, or the batch keeps histories, and nothing was
                changed; or `policy_function` chose an illegal action: that game stops there, the
                others are played.
        """
        self._refuse_history("play_until_turn")
        chosen = self._seats(seats, self.rows)
        self._check_started(self.rows)
        turns = read_whole("turns", turns, 1)
        counts = np.zeros((self.num_games, self.settings.num_players), np.int64)
        between, playing = max(1, (turns - 1) * self.settings.num_players), ~self.over
        returns = self._play_on(self.rows, chosen, turns, policy_function, counts, between)
        ended = np.flatnonzero(playing & self.over)
        returns[ended] += self.final_rewards(ended)[np.arange(len(ended)), chosen[ended]]
        return returns

    def _play_on(
        self,
        rows: Rows,
        seats: Rows,
        turns: int,
        policy_function: PolicyFunction,
        counts: Rows,
        decisions: int,
    ) -> Returns:
        """Play as `rollouts.play_until_turn` does; `decisions` is what a row takes, roughly."""
        returns = np.zeros(len(rows), np.float32)

        def work(states: Any, rows: Rows, seats: Rows, counts: Rows, returns: Returns) -> None:
            # Buffers are of the thread.
            options = self.reward_kind, returns, self.buffers(), policy_function
            rollouts.play_until_turn(states, rows, seats, turns, counts, *options)

        self.run(work, rows, seats, counts, returns, decisions=decisions)
        refused = (counts == ILLEGAL).any(axis=1)
        if refused.any():
            row = rows[refused.argmax()]
            raise MoveError(f"game {row}: the compiled policy chose an illegal action")
        return returns

    def final_rewards(self, rows: Rows) -> NDArray[np.float32]:
        """Return what a reward function says of finished games, float32 (rows, num_players).

        Kernels leave it out. With a reward that has a name it is zero.
        """
        if not self._reward_function:
            return np.zeros((len(rows), self.settings.num_players), np.float32)
        return final_rewards(self._reward_function, self.totals[rows] / 2)

    @classmethod
    def from_states(
        cls,
        game: Game | str,
        settings: GameSettings | Mapping[str, Any] | None,
        states: States,
        **options: Any,
    ) -> Self:
        """Return a batch that plays on from copies of some states, without auto-reset.

        Args:
            game: The kind of game, or its name.
            settings: The settings with which the states came about.
            states: Whole states, (games,), such as `Match.sample_states` returns.
            **options: Those of the constructor. The history begins empty.

        Raises:
            SettingsError: The states are of another game or of other settings.
            PositionError: A state is an information state: sample whole ones from it first.
        """
        given = np.atleast_1d(np.asarray(states))
        batch = cls(game, settings, len(given), **options)
        if given.dtype.names != batch.states.dtype.names or given.ndim != 1:
            raise SettingsError(f"states must be those of {batch.game.title}, (games,)")
        if batch.game.settings_in(given) != batch.game.settings_in(batch.states):
            raise SettingsError("states must be of games with these settings")
        if (given["hands"].sum(axis=2, dtype=np.int64) != given["hand_sizes"]).any():
            raise PositionError("states must be whole, as sample_states returns them")
        batch.states[:] = given
        kernels.outputs_each(batch.states, batch.rows, batch._out)
        batch.past.clear(batch.rows)
        return batch

    def copy(self, rows: Rows, *, history: bool = True) -> "Batch":
        """Return copies of some games, without auto-reset; a row may come up many times.

        Args:
            rows: Which games.
            history: Whether the copies keep the history, if this batch does. `play_out` and
                `play_until_turn` are for copies that do not.
        """
        rows = self._rows(rows, once=False)
        reward, threads = self.reward, self._threads.count
        length = self.past.length if history else 0
        copies = Batch(
            self.game, self.settings, len(rows), reward=reward, threads=threads, history=length
        )
        # Clipping: for errors, NumPy would take into a buffer, and copy that field by field.
        np.take(self.states, rows, out=copies.states, mode="clip")
        if length:
            copies.past.logs[:] = self.past.logs[rows]
        return copies

    @property
    def current_players(self) -> NDArray[np.int32]:
        """The seat that decides in each game, int32 (num_games,)."""
        seats: NDArray[np.int32] = self.states["current_player"]
        return seats

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which games have ended, bool (num_games,)."""
        over: NDArray[np.bool_] = self.states["over"] == 1
        return over

    def win_shares(self) -> NDArray[np.float64]:
        """Return each seat's share of the win, (num_games, num_players), of finished games."""
        shares = np.zeros((self.num_games, self.settings.num_players))
        win_shares_each(np.ascontiguousarray(self.totals), shares)
        return shares

    def points(self) -> NDArray[np.float64]:
        """Return each seat's points so far, (num_games, num_players); low is good."""
        return self.totals / 2

    @property
    def totals(self) -> Totals:
        """The same in half points, as the states keep them: int32."""
        totals: Totals = self.states["scores"][:, : self.settings.num_players]
        return totals

    def buffers(self) -> Buffers:
        """Return working space for one observation; each thread needs its own."""
        spec = self.game.observation_spec
        return np.empty(spec.size, np.uint8), np.empty(len(self.game.actions), np.int8)

    def run(self, work: Callable[..., Any], *by_row: NDArray[Any], decisions: int = 1) -> list[Any]:
        """Run `work(states, *by_row)` on the threads, each with a part of the rows.

        What it does to a row must not depend on the others. See `Threads.run`.
        """
        return self._threads.run(partial(work, self.states), *by_row, decisions=decisions)

    def _start_each(self, states: States, rows: Rows, seeds: NDArray[np.uint64]) -> None:
        kernels.start_each(states, rows, seeds, self._out)
        self.past.clear(rows)

    def _step_each(self, states: States, rows: Rows, moves: Rows) -> None:
        before = np.take(states, rows) if self.past.length else None  # whole records at once
        kernels.step_each(
            states, rows, moves, self.reward_kind, self.rewards, self._resets, self._out
        )
        if before is not None:
            self.past.follow(before, rows, one_move_each(moves))
            if self.auto_reset:
                self.past.clear(rows[self._resets.ended[rows]])

    def _refuse_history(self, name: str) -> None:
        if self.past.length:
            raise MoveError(f"{name} keeps no history: call it on batch.copy(rows, history=False)")

    def _check_started(self, rows: Rows) -> None:
        """Raise MoveError for the first row in which no game was started."""
        idle = (self.states["over"][rows] == 0) & ~self.states["legal"][rows].any(axis=1)
        if idle.any():
            raise MoveError(f"game {rows[idle.argmax()]}: start it first")

    def _rows(self, rows: Rows | None, *, once: bool = True) -> Rows:
        if rows is None or rows is self.rows:
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
        """Return seats that exist, one a row."""
        seats = self._whole(given, rows, "seats")
        if seats.size and seats.view(np.uint64).max() >= self.settings.num_players:  # or negative
            raise MoveError(f"seats must be from 0 to {self.settings.num_players - 1}")
        return seats

    def _whole(self, given: ArrayLike, rows: Rows, what: str) -> Rows:
        """Return whole numbers, one a row; the kernels check nothing more."""
        values = np.asarray(given)
        if values.dtype.kind not in "iu" or values.shape != rows.shape:
            raise MoveError(f"{what} must be {counted(len(rows), 'whole number')}, one a row")
        return np.ascontiguousarray(values, np.int64)


def derive_seeds(seed: int, count: int, first: int = 0) -> NDArray[np.uint64]:
    """Return `count` seeds derived from one, numbers first, first + 1, ...; uint64 (count,).

    Raises:
        SettingsError: `seed` is not a whole number from 0 to 2**64 - 1.
    """
    seeds = np.empty(count, np.uint64)
    numbers = np.arange(first, first + count)
    kernels.derive_each(np.full(count, read_seed(seed), np.uint64), numbers, seeds)
    return seeds


def _outputs(game: Game, rows: int, out: tuple[NDArray[Any] | None, ...] | None) -> Outputs:
    """Return where kernels write the observations of current players; arrays of no row for None."""
    spec, actions = game.observation_spec, len(game.actions)
    if out is None:
        rows, out = 0, (None, None)
    if not isinstance(out, tuple) or len(out) != 2:
        raise SettingsError("out must be a pair, observations and masks; None for a new array")
    observations = _checked("observations", out[0], (rows, spec.size), np.float32, np.uint8)
    masks = _checked("masks", out[1], (rows, actions), np.int8)
    if observations.dtype == np.uint8:
        return Outputs(spec.scale, observations, np.zeros((0, spec.size), np.float32), masks)
    return Outputs(spec.scale, np.zeros((rows, spec.size), np.uint8), observations, masks)


def _checked(name: str, array: object, shape: tuple[int, ...], *dtypes: DTypeLike) -> NDArray[Any]:
    """Return the array that a caller gave, if it can be written to as it is."""
    if array is None:
        return np.zeros(shape, dtypes[0])
    if isinstance(array, np.ndarray):
        if array.shape == shape and array.dtype in dtypes and array.flags.carray:
            return np.asarray(array)  # the very array; a memory map as the plain array in it
        faults = "" if array.flags.c_contiguous else "not contiguous, "
        faults += "" if array.flags.writeable else "read-only, "
        what = f"not {faults}{array.dtype} of shape {array.shape}"
    else:
        what = f"not {type(array).__name__}"
    kinds = " or ".join(np.dtype(dtype).name for dtype in dtypes)
    raise SettingsError(
        f"{name} must be a writable C-contiguous array, {kinds} of shape {shape}; {what}"
    )
