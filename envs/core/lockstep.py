"""Many tables at which one game follows the other: what trains and measures at full speed."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from goldgriff.envs.core.batch import Batch, derive_seeds
from goldgriff.envs.core.chance import derive
from goldgriff.envs.core.compiled import kernel, rule
from goldgriff.envs.core.errors import MoveError, SettingsError
from goldgriff.envs.core.game import Game
from goldgriff.envs.core.kernels import (
    Features,
    Games,
    Masks,
    Rows,
    Totals,
    apply,
    begin,
    observe,
    pay,
    scale_features,
    shares,
    show_mask,
)
from goldgriff.envs.core.memory import fetch_ahead
from goldgriff.envs.core.settings import GameSettings


class Ledger(NamedTuple):
    """What is kept of rows whose games follow one another.

    luck: uint64, the seed of each row's games. begun: int64, how many were dealt.
    ended: bool, whether the last decision ended a game; then totals, int32 (rows, seats), are its
    half points, and capped, bool, whether the cap on decisions ended a round of it.
    rewards: float32 (rows, seats), what the last decision brought.
    """

    luck: NDArray[np.uint64]
    begun: Rows
    ended: NDArray[np.bool_]
    totals: Totals
    capped: NDArray[np.bool_]
    rewards: NDArray[np.float32]


class Screens(NamedTuple):
    """Where it is written what the movers see.

    features: uint8 (rows, size). observations: float32, the features times `scale`, of the same
    shape, or without rows where nobody wants them. masks: int8 (rows, actions).
    """

    scale: NDArray[np.float32]
    features: Features
    observations: NDArray[np.float32]
    masks: Masks


@rule
def deal_next(game: Any, ledger: Ledger, row: int) -> None:
    """Start the next game of a row."""
    game.seed = derive(ledger.luck[row], ledger.begun[row])
    ledger.begun[row] += 1
    begin(game)


@rule
def show_mover(game: Any, screens: Screens, row: int) -> None:
    """Write what the player to move sees."""
    features = screens.features[row]
    observe(game, game.mover, features)
    show_mask(game, game.mover, screens.masks[row])
    if len(screens.observations) > 0:
        scale_features(features, screens.scale, screens.observations[row])


@kernel
def deal_all(games: Games, rows: Rows, ledger: Ledger, screens: Screens) -> None:
    """Start the next game in some rows."""
    for k in range(len(rows)):
        game = games[rows[k]]
        deal_next(game, ledger, rows[k])
        show_mover(game, screens, rows[k])


@kernel
def turn_all(
    games: Games, rows: Rows, actions: Rows, kind: int, ledger: Ledger, screens: Screens
) -> None:
    """Play one legal decision in some rows; a game that ends is written down, the next dealt."""
    for k in range(len(rows)):
        fetch_ahead(games, rows, k)
        row = rows[k]
        game = games[row]
        apply(game, actions[k])
        pay(game, kind, ledger.rewards[row])
        ledger.ended[row] = game.over == 1
        if game.over == 1:
            for seat in range(game.num_players):
                ledger.totals[row, seat] = game.scores[seat]
            ledger.capped[row] = game.capped_rounds > 0
            deal_next(game, ledger, row)
        show_mover(game, screens, row)


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
        size, seats = game.slices.size, settings.num_players
        self.observations = _buffer(
            "observations", observations, (num_games, size), np.float32, np.uint8
        )
        self.masks: Masks = _buffer("masks", masks, (num_games, len(game.actions)), np.int8)
        self.rewards = self.batch.rewards
        self._ledger = Ledger(
            luck=derive_seeds(seed, num_games),
            begun=np.zeros(num_games, np.int64),
            ended=np.zeros(num_games, np.bool_),
            totals=np.zeros((num_games, seats), np.int32),
            capped=np.zeros(num_games, np.bool_),
            rewards=self.rewards,
        )
        scaled = self.observations.dtype == np.float32
        self._screens = Screens(
            scale=game.slices.scale,
            features=np.zeros((num_games, size), np.uint8) if scaled else self.observations,
            observations=self.observations if scaled else np.zeros((0, size), np.float32),
            masks=self.masks,
        )

    @property
    def movers(self) -> NDArray[np.int32]:
        """Seat to move in each game, int32 (num_games,)."""
        return self.batch.movers

    @property
    def features(self) -> NDArray[np.uint8]:
        """What the movers see as whole numbers, uint8 (num_games, slices.size)."""
        return self._screens.features

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
        shares(totals, win_shares)
        return Results(ended, totals / 2, win_shares, self._ledger.capped[ended])

    def _deal(self, games: Games, rows: Rows) -> None:
        deal_all(games, rows, self._ledger, self._screens)

    def _turn(self, games: Games, rows: Rows, moves: Rows) -> None:
        turn_all(games, rows, moves, self.batch.kind, self._ledger, self._screens)


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
