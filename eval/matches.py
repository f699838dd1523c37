"""Playing many games between given players, in lockstep and in batches for each player."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..envs.batch import Batch
from ..envs.engine.game import Game
from ..envs.engine.kernels import draw_random_bits
from ..envs.engine.protocol import Rows
from ..envs.engine.settings import GameSettings
from ..envs.policy import observation_batch, wants_information_states
from ..errors import AgentError
from .guard import AgentGuard, Clock, Hang, Player

BATCH_SIZE = 2048  # games in play at a time; results do not depend on it


@dataclass(frozen=True)
class Forfeit:
    """A game that ended because the player in one seat was at fault, with the reason."""

    game: int
    seat: int
    reason: str


@dataclass(frozen=True)
class Outcomes:
    """What came of the games, in their order.

    points: float64 (games, seats), low is good; NaN in a forfeited game.
    win_shares: float64 (games, seats), sum to 1; whoever forfeits gets 0, the others even shares.
    capped: bool (games,), whether a round reached the cap on decisions.
    forfeits: in the order of the games.
    actions: of all games in the smallest unsigned type; those of game k from `starts[k]`, int64
    (games + 1,), to `starts[k + 1]`.
    seconds, decisions: (players,), time spent deciding and decisions asked for.
    """

    points: NDArray[np.float64]
    win_shares: NDArray[np.float64]
    capped: NDArray[np.bool_]
    forfeits: tuple[Forfeit, ...]
    actions: NDArray[np.uint8]
    starts: NDArray[np.int64]
    seconds: NDArray[np.float64]
    decisions: NDArray[np.int64]


def play_games(
    game: Game,
    settings: GameSettings,
    players: Sequence[Player],
    seating: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    *,
    batch_size: int = BATCH_SIZE,
    threads: int = 1,
    forfeits: bool = False,
    hangs: Sequence[Hang] = (),
    clock: Clock | None = None,
    on_finished: Callable[[int], None] = lambda _: None,
) -> Outcomes:
    """Play a game for each row of `seating`, which holds the seats' players by number.

    seating: (games, seats). seeds: (games,); games with one seed meet the same deals, and a seat
    the same luck. forfeits: whether a player that fails or chooses an illegal action forfeits that
    game and the rest goes on. hangs, clock: see `asking`. on_finished: called with the number of
    games that have just ended.

    Raises AgentError, naming the player, for a fault without `forfeits`.
    """
    batch = Batch(game, settings, min(batch_size, len(seeds)), threads=threads)
    played = _Played(batch, AgentGuard(players, hangs, clock), seating, seeds, on_finished)
    while len(played.active):
        actions, faults = played.ask()
        if faults and not forfeits:
            fault = next(iter(faults.values()))
            raise AgentError(
                f"agent {players[seating[fault.game, fault.seat]].name!r}: {fault.reason}"
            )
        played.step(actions, faults)
    return played.outcomes()


class _Played:
    """The games in play at the tables of a batch, and what came of those that are over.

    active: the tables with a game in play.
    """

    def __init__(
        self,
        batch: Batch,
        asker: AgentGuard,
        seating: NDArray[np.int64],
        seeds: NDArray[np.uint64],
        on_finished: Callable[[int], None],
    ) -> None:
        self._batch, self._asker, self._seating, self._seeds = batch, asker, seating, seeds
        self._on_finished = on_finished
        total, seats = seating.shape
        self._points, self._shares = np.full((total, seats), np.nan), np.zeros((total, seats))
        self._capped = np.zeros(total, bool)
        self._forfeits: list[Forfeit] = []
        self._log = _Log(batch.game, total)
        self._decision_counts = np.zeros(
            (batch.num_games, seats), np.int64
        )  # of each seat, for its luck
        self._numbers = np.arange(batch.num_games)  # the game at each table
        self._begun = batch.num_games
        self.active = np.arange(batch.num_games)
        batch.start(seeds[: self._begun])

    def ask(self) -> tuple[Rows, dict[int, Forfeit]]:
        """Actions for the active tables, and whose player was at fault, by place among them."""
        rows, batch = self.active, self._batch
        current_players, numbers, moves = (
            batch.current_players[rows],
            self._numbers[rows],
            self._decision_counts[rows].sum(1),
        )
        random_bits = np.empty(len(rows), np.uint64)
        draw_random_bits(batch.states, rows, self._decision_counts, random_bits)
        whose = self._seating[numbers, current_players]
        actions, faults = np.empty(len(rows), np.int64), dict[int, Forfeit]()
        for player in np.unique(whose).tolist():
            mine = np.flatnonzero(whose == player)
            information_states = wants_information_states(self._asker.players[player].policy)
            observations = observation_batch(
                batch, rows[mine], random_bits[mine], information_states=information_states
            )
            actions[mine], reasons = self._asker.ask(
                player, observations, numbers[mine], moves[mine]
            )
            for row, reason in reasons.items():
                place = mine[row]
                faults[int(place)] = Forfeit(
                    int(numbers[place]), int(current_players[place]), reason
                )
        return actions, faults

    def step(self, actions: Rows, faults: Mapping[int, Forfeit]) -> None:
        """Play the actions where nobody was at fault; games that are over make room for others."""
        rows, left = self.active, self.active[:0]
        if faults:
            lost = list(faults)
            left, rows, actions = rows[lost], np.delete(rows, lost), np.delete(actions, lost)
            self._give_up(faults.values())
        self._batch.step(actions, rows)
        self._log.add(self._numbers[rows], actions)
        over = self._batch.over[rows]
        if over.any() or len(left):
            self._note(rows[over])
            self._begin_next(np.concatenate([rows[over], left]), rows[~over])

    def outcomes(self) -> Outcomes:
        """What came of all games."""
        forfeits = tuple(sorted(self._forfeits, key=lambda forfeit: forfeit.game))
        told = self._points, self._shares, self._capped, forfeits, *self._log.by_game()
        return Outcomes(*told, self._asker.seconds, self._asker.decisions)

    def _give_up(self, faults: Iterable[Forfeit]) -> None:
        """The others share the win."""
        for fault in faults:
            self._shares[fault.game] = 1 / (self._shares.shape[1] - 1)
            self._shares[fault.game, fault.seat] = 0
            self._forfeits.append(fault)

    def _note(self, rows: Rows) -> None:
        """What came of the games that are over at some tables."""
        numbers, batch = self._numbers[rows], self._batch
        self._points[numbers] = batch.points()[rows]
        self._shares[numbers] = batch.win_shares()[rows]
        self._capped[numbers] = batch.states["capped_rounds"][rows] > 0

    def _begin_next(self, free: Rows, busy: Rows) -> None:
        """Start the games that wait at tables that are free."""
        self._on_finished(len(free))
        again = free[: len(self._seeds) - self._begun]
        self._numbers[again] = np.arange(self._begun, self._begun + len(again))
        self._begun += len(again)
        self._decision_counts[again] = 0
        if len(again):
            self._batch.start(self._seeds[self._numbers[again]], again)
        self.active = np.sort(np.concatenate([busy, again]))


class _Log:
    """The actions as they are played, step by step."""

    def __init__(self, game: Game, total: int) -> None:
        self._total = total
        self._kind = np.min_scalar_type(len(game.actions) - 1)
        self._small = np.min_scalar_type(total)  # small numbers are sorted much faster
        self._games: list[NDArray[np.integer]] = []
        self._actions: list[NDArray[np.uint8]] = []

    def add(self, games: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Note an action of each of some games."""
        self._games.append(games.astype(self._small))
        self._actions.append(actions.astype(self._kind))

    def by_game(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """All actions game by game, and where each game's begin."""
        games, actions = np.concatenate(self._games), np.concatenate(self._actions)
        starts = np.zeros(self._total + 1, np.int64)
        np.cumsum(np.bincount(games, minlength=self._total), out=starts[1:])
        return actions[np.argsort(games, kind="stable")], starts
