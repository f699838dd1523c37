"""Play many games between given agents, in batches."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...envs.batch import Batch
from ...envs.engine.game import Game
from ...envs.engine.kernels import draw_random_bits
from ...envs.engine.protocol import Rows
from ...envs.engine.settings import GameSettings
from ...envs.policy import observation_batch
from ...errors import AgentError, quoted
from .faults import Fault
from .guard import AgentGuard, Player

BATCH_SIZE = 2048  # games in play at a time; results do not depend on it


@dataclass(frozen=True)
class Forfeit:
    """A game that ended because the agent in one seat was at fault."""

    game: int
    seat: int
    fault: Fault


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of games, in their order.

    Attributes:
        points: Points, float64 (games, seats), low is good; NaN in a forfeited game.
        win_shares: Shares of the win, float64 (games, seats), which sum to 1. An agent that
            forfeits gets 0, the others even shares.
        capped: Whether a round reached the cap on decisions, bool (games,).
        forfeits: Forfeits in the order of the games.
        actions: Actions of all games in the smallest unsigned dtype; those of game k are
            `actions[starts[k] : starts[k + 1]]`.
        starts: int64 (games + 1,).
        seconds: Time each agent spent deciding, float64 (players,).
        decisions: Decisions each agent was asked for, int64 (players,).
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
    forfeits: bool = False,
    guard: AgentGuard | None = None,
    on_finished: Callable[[int], None] = lambda _: None,
) -> Outcomes:
    """Play one game for each row of `seating`.

    Args:
        game: Kind of game.
        settings: Its settings.
        players: The agents.
        seating: Agent of each seat, int64 (games, seats).
        seeds: Seeds of the games, uint64 (games,). Games with the same seed have the same deals,
            and a seat has the same random bits.
        batch_size: Games in play at a time; no result depends on it.
        forfeits: Whether an agent that fails or chooses an illegal action forfeits its game while
            the others go on.
        guard: Calls the agents; by default without time limit.
        on_finished: Called with the number of games that have just ended.

    Raises:
        AgentError: An agent is at fault and `forfeits` is false.
    """
    batch = Batch(game, settings, min(batch_size, len(seeds)))
    run = _BatchRun(batch, guard or AgentGuard(players), seating, seeds, on_finished)
    while len(run.active):
        actions, faults = run.choose()
        if faults and not forfeits:
            forfeit = next(iter(faults.values()))
            name = players[seating[forfeit.game, forfeit.seat]].name
            raise AgentError(f"agent {quoted(name)}: {forfeit.fault.text}")
        run.step(actions, faults)
    return run.outcomes()


class _BatchRun:
    """The games in play in a batch, and the outcomes of those that are over.

    Attributes:
        active: Rows of the batch with a game in play.
    """

    def __init__(
        self,
        batch: Batch,
        guard: AgentGuard,
        seating: NDArray[np.int64],
        seeds: NDArray[np.uint64],
        on_finished: Callable[[int], None],
    ) -> None:
        self._batch, self._guard, self._seating, self._seeds = batch, guard, seating, seeds
        self._on_finished = on_finished
        total, seats = seating.shape
        self._points, self._shares = np.full((total, seats), np.nan), np.zeros((total, seats))
        self._capped = np.zeros(total, bool)
        self._forfeits: list[Forfeit] = []
        self._game_dtype = np.min_scalar_type(total)  # small numbers are sorted much faster
        self._action_dtype = np.min_scalar_type(len(batch.game.actions) - 1)
        self._played_games: list[NDArray[np.integer]] = []  # step by step
        self._played_actions: list[NDArray[np.uint8]] = []
        self._decision_counts = np.zeros((batch.num_games, seats), np.int64)
        self._agent_states = [
            guard.begin_states(agent, batch.num_games, seats) for agent in range(len(guard.players))
        ]
        self._games = np.arange(batch.num_games)  # the game in each row
        self._started = batch.num_games
        self.active = np.arange(batch.num_games)
        batch.start(seeds[: self._started])

    def choose(self) -> tuple[Rows, dict[int, Forfeit]]:
        """Return an action for each active row, and faults by place among these rows."""
        rows, batch = self.active, self._batch
        seats, games = batch.current_players[rows], self._games[rows]
        decisions = self._decision_counts[rows].sum(1)
        random_bits = np.empty(len(rows), np.uint64)
        draw_random_bits(batch.states, rows, self._decision_counts, random_bits)
        agents = self._seating[games, seats]
        actions, faults = np.empty(len(rows), np.int64), dict[int, Forfeit]()
        for agent in np.unique(agents).tolist():
            mine = np.flatnonzero(agents == agent)
            observations = observation_batch(
                batch,
                rows[mine],
                random_bits[mine],
                self._guard.players[agent].wants_information_states,
            )
            states, my_seats = self._agent_states[agent], seats[mine].astype(np.int64)
            state = states.take(rows[mine], my_seats) if states else None
            actions[mine], my_faults, state = self._guard.ask(
                agent, observations, games[mine], decisions[mine], state
            )
            if states:
                states.put(rows[mine], my_seats, state)
            for row, fault in my_faults.items():
                place = int(mine[row])
                faults[place] = Forfeit(int(games[place]), int(seats[place]), fault)
        return actions, faults

    def step(self, actions: Rows, faults: Mapping[int, Forfeit]) -> None:
        """Play the actions of rows without a fault, and start new games in rows that are free."""
        rows, lost = self.active, list(faults)
        forfeited = rows[lost]
        if lost:
            rows, actions = np.delete(rows, lost), np.delete(actions, lost)
        for fault in faults.values():
            self._shares[fault.game] = 1 / (self._shares.shape[1] - 1)
            self._shares[fault.game, fault.seat] = 0
            self._forfeits.append(fault)
        self._batch.step(actions, rows)
        self._played_games.append(self._games[rows].astype(self._game_dtype))
        self._played_actions.append(actions.astype(self._action_dtype))
        over = self._batch.over[rows]
        if over.any() or lost:
            self._write_outcomes(rows[over])
            self._start_next(np.concatenate([rows[over], forfeited]), rows[~over])

    def outcomes(self) -> Outcomes:
        """Return the outcomes of all games."""
        games, actions = np.concatenate(self._played_games), np.concatenate(self._played_actions)
        starts = np.zeros(len(self._seeds) + 1, np.int64)
        np.cumsum(np.bincount(games, minlength=len(self._seeds)), out=starts[1:])
        return Outcomes(
            self._points,
            self._shares,
            self._capped,
            tuple(sorted(self._forfeits, key=lambda forfeit: forfeit.game)),
            actions[np.argsort(games, kind="stable")],
            starts,
            self._guard.seconds,
            self._guard.decisions,
        )

    def _write_outcomes(self, rows: Rows) -> None:
        games, batch = self._games[rows], self._batch
        self._points[games] = batch.points()[rows]
        self._shares[games] = batch.win_shares()[rows]
        self._capped[games] = batch.states["capped_rounds"][rows] > 0

    def _start_next(self, free: Rows, busy: Rows) -> None:
        self._on_finished(len(free))
        rows = free[: len(self._seeds) - self._started]
        self._games[rows] = np.arange(self._started, self._started + len(rows))
        self._started += len(rows)
        self._decision_counts[rows] = 0
        for states in filter(None, self._agent_states):
            states.restart(rows)
        if len(rows):
            self._batch.start(self._seeds[self._games[rows]], rows)
        self.active = np.sort(np.concatenate([busy, rows]))
