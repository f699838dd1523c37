"""Games with learners: everything between two of their decisions is one step."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy, deepcopy
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import AgentError, MoveError, PositionError
from ..naming import counted
from .agent_state import AgentStates, has_agent_state
from .batch import Batch, derive_seeds
from .engine.compile import address_of
from .engine.history import Events
from .engine.kernels import derive_each, draw_random_bits
from .engine.protocol import Masks, RawObservations, Rows
from .engine.rewards import OWN
from .engine.rollouts import list_opponents, play_opponent
from .policy import Policy, ask, is_compiled, observation_batch, wants_information_states

LEARNER = -1  # in a seating: a learner sits here
NOBODY = -2  # in a seating: there is no such seat
PER_ROW = ("seating", "learners", "decision_counts", "row_seeds", "games_begun")
LOG_SIZE = 64  # decisions of an opponent in one call that are recorded, and one more
Part = tuple[Batch, Any, Rows]  # a batch, which of some rows are its own, and their rows in it

# Called with a number of players, the number of each game in its row, and random bits for each,
# uint64 (games,); returns who sits where, int64 (games, players): LEARNER or an opponent's number.
Seating = Callable[[int, Rows, NDArray[np.uint64]], Rows]


class EndedRows(NamedTuple):
    """The games that a step ended.

    Attributes:
        rows: int64 (ended,).
        learners: int64 (ended,), the seat of the learner, or of the first where several learnt.
        seating: int64 (ended, seats), who sat where.
        raw: uint8 (ended, size), the last observation of the learner.
        scores: float64 (ended, seats), points; 0 where nobody sits.
        win_shares: float64 (ended, seats).
        capped: bool (ended,), whether the cap on decisions ended a round.
        history: int32 (ended, history, 6), the last events as the learner knows them.
    """

    rows: Rows
    learners: Rows
    seating: Rows
    raw: RawObservations
    scores: NDArray[np.float64]
    win_shares: NDArray[np.float64]
    capped: NDArray[np.bool_]
    history: Events


class EndedRounds(NamedTuple):
    """The rounds that a step ended.

    Attributes:
        rows: int64 (rounds,).
        points: float64 (rounds, seats), points of each seat in that round, inf where nobody sits.
        totals: float64 (rounds, seats), its points in the game so far.
        rounds: int64 (rounds,), rounds of the game that have ended.
    """

    rows: Rows
    points: NDArray[np.float64]
    totals: NDArray[np.float64]
    rounds: Rows


class SelfPlayBatch:
    """Games in which learners sit among opponents, of one number of players or of several.

    Rows are numbered through all batches. A game that ends is followed by the next one within
    `step`. Game k of row i follows from the seed, i and k alone: its seed is
    `derive(row_seed, k)` (`game_seed` in engine/kernels.py), and the random bits that seat its
    players are `derive(~row_seed, k)`. The opponents' decisions are made together for each
    opponent.

    Attributes:
        batches: The games by number of players.
        opponents: Policies by number.
        num_games: Rows in all batches.
        max_players: The largest number of players; arrays over seats have this width.
        history_length: How many events of each game are kept, the same in all batches.
        seating: int64 (num_games, max_players), who sits where.
        learners: int64 (num_games,), the seat of the learner, or of the first where several learn.
        decision_counts: int64 (num_games, max_players), decisions of each opponent's seat.
        pending: float32 (num_games, max_players), rewards of rounds that ended before a learner's
            first decision in the current game.
        row_seeds: uint64 (num_games,). games_begun: int64 (num_games,).
        moves: With `record_moves=True` and one row, seat and action of each decision in the
            current game.
        ended_games: The games that the last step ended.
        ended_rounds: The rounds that it ended.
        score_sheets: int32 (num_games, max_players, entries), the half points by entry of the
            score sheet in the rounds that the last step ended. Those of rounds that ended before a
            learner's first decision in a game come, like `pending`, with its first step.
    """

    def __init__(
        self,
        batches: Sequence[Batch],
        seating: Seating,
        opponents: dict[int, Policy],
        *,
        record_moves: bool = False,
    ) -> None:
        self.batches, self.opponents = list(batches), opponents
        self.game = batches[0].game
        self._number_rows()
        self.max_players = max(batch.settings.num_players for batch in batches)
        self.history_length = batches[0].past.length
        self._seat = seating
        self.seating = np.full((self.num_games, self.max_players), NOBODY)
        self.learners = np.zeros(self.num_games, np.int64)
        self.decision_counts = np.zeros_like(self.seating)
        self.pending = np.zeros(self.seating.shape, np.float32)
        self._agent_states: dict[int, AgentStates] = {}  # of opponents that have some
        for number in opponents:
            self._states_of(number)
        self.moves: list[tuple[int, int]] = []
        self._record = record_moves
        self._log = self._new_log()
        entries = len(self.game.score_sheet)
        self.score_sheets = np.zeros((*self.seating.shape, entries), np.int32)
        self._sheets = np.zeros_like(self.score_sheets)  # since a learner's last decision
        self._rounds_shown = False  # whether `score_sheets` may hold something
        self.position: Any = None
        self.row_seeds = derive_seeds(0, self.num_games)
        self.games_begun = np.zeros(self.num_games, np.int64)
        self.ended_games = self.results(np.arange(0))

    # --- Playing ------------------------------------------------------------

    def reset(
        self,
        seed: int | None = None,
        position: Any = None,
        row_seeds: Mapping[int, np.uint64] | None = None,
        rows: Rows | None = None,
    ) -> None:
        """Start the next game of every row, or of some.

        Args:
            seed: Starts with the first games of this seed; None continues the last one.
            position: A position as plain data in which every game starts, instead of a deal.
            row_seeds: New row seeds for some rows, which start with their first games.
            rows: Which start; left out, all. No other row gets a new seed.

        Raises:
            PositionError: The position cannot arise, or the game ends before a learner decides.
        """
        before = self.row_seeds.copy(), self.games_begun.copy()
        rows = self.rows if rows is None else rows
        if seed is not None:
            row_seeds = dict(enumerate(derive_seeds(seed, self.num_games)))
        new_seeds = row_seeds or {}
        for row in new_seeds.keys() & set(rows.tolist()):
            self.row_seeds[row], self.games_begun[row] = new_seeds[row], 0
        try:
            self.start_next(rows, position)
        except PositionError:
            self.row_seeds[:], self.games_begun[:] = before
            raise

    def step(self, actions: Rows) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Play the learners' decisions and all others up to the learners' next ones.

        Args:
            actions: int64 (num_games,).

        Returns:
            The rewards of all seats, float32 (num_games, max_players), and which games ended.

        Raises:
            MoveError: A learner's action is illegal; then nothing was changed in its batch.
            AgentError: An opponent's action is illegal.
        """
        before = self.column("round_index")
        rewards = self.advance(actions, self.rows)
        over = self.over
        self.ended_rounds = self._ended_rounds(before)
        rows = np.flatnonzero(over)
        self.ended_games = self.results(rows)
        self.start_next(rows)
        return rewards, over

    def advance(self, actions: Rows, rows: Rows) -> NDArray[np.float32]:
        """Play as `step` does in some rows, without starting new games.

        Returns:
            The rewards of all seats, float32 (num_games, max_players), 0 in other rows.
        """
        if actions.shape != rows.shape:
            raise MoveError(f"actions must be {counted(len(rows), 'whole number')}, one a row")
        rewards = np.zeros(self.seating.shape, np.float32)
        parts = list(self.parts(rows))
        legal = [
            batch.legal_only(actions[own], local, int(rows[own][0] - local[0]))
            for batch, own, local in parts
        ]
        for (batch, own, local), chosen in zip(parts, legal, strict=True):
            if self._record:
                self.moves.append((int(batch.current_players[0]), int(chosen[0])))
            batch.play(chosen, local)
            self._add_sheets(batch, int(rows[own][0] - local[0]), local)
            rewards[rows[own], : batch.settings.num_players] = batch.rewards[local]
        self.play_opponents(rows, rewards)
        if self._rounds_shown:
            self.score_sheets[:] = 0
        self._rounds_shown = bool(np.count_nonzero(self._sheets))  # faster than `any`
        if self._rounds_shown:
            self.score_sheets[rows], self._sheets[rows] = self._sheets[rows], 0
        return rewards

    def play_opponents(self, rows: Rows, rewards: NDArray[np.float32]) -> NDArray[np.float32]:
        """Play some rows until learners decide or the game has ended.

        Args:
            rows: Which games.
            rewards: Rewards so far, float32 (num_games, max_players), added to.

        Returns:
            The same array.
        """
        for batch, own, local in self.parts(rows):
            first = int(rows[own][0] - local[0])
            own_rows = slice(first, first + batch.num_games)
            self._play_batch(batch, own_rows, local, rewards[own_rows])
        return rewards

    def seat(self, rows: Rows, seating: Rows) -> None:
        """Seat learners and opponents, int64 (rows, players), for games that start now."""
        self.seating[rows, : seating.shape[1]] = seating
        self.learners[rows] = (seating == LEARNER).argmax(axis=1)
        self.decision_counts[rows] = 0
        for states in self._agent_states.values():
            states.restart(rows)

    def copy(self, rows: Rows) -> "SelfPlayBatch":
        """Return copies of some games, in ascending order of rows, which may come up many times."""
        copies = copy(self)
        copies.batches = [batch.copy(local) for batch, _, local in self.parts(rows)]
        copies._number_rows()
        for name in (*PER_ROW, "pending", "score_sheets", "_sheets"):
            setattr(copies, name, getattr(self, name)[rows])
        copies._agent_states = {k: states.copy(rows) for k, states in self._agent_states.items()}
        copies.moves, copies._record = [], False
        copies._log = copies._new_log()
        return copies

    # --- What is seen ------------------------------------------------------------

    def observe(
        self, rows: Rows | None = None, seats: Rows | None = None
    ) -> tuple[RawObservations, Masks]:
        """Return what the current players observe, or other seats: uint8 and int8 (rows, ...)."""
        raw, masks = self._look(Batch.observe, rows, seats)
        return raw, masks

    def observe_history(self, rows: Rows | None = None, seats: Rows | None = None) -> Events:
        """Return the newest events as the current players know them, or other seats.

        Returns:
            int32 (rows, history, 6); see `Batch.observe_history`.
        """
        (events,) = self._look(lambda *which: (Batch.observe_history(*which),), rows, seats)
        return events

    def hidden_hands(self, rows: Rows | None = None, seats: Rows | None = None) -> RawObservations:
        """Return the hands of all but the current players, or but other seats.

        Returns:
            uint8 (rows, max_players - 1, card types); see `Batch.hidden_hands`.
        """
        hands = partial(Batch.hidden_hands, others=self.max_players - 1)
        (hidden,) = self._look(lambda *which: (hands(*which),), rows, seats)
        return hidden

    def _look(
        self,
        look: Callable[[Batch, Rows, Rows], tuple[NDArray[Any], ...]],
        rows: Rows | None,
        seats: Rows | None,
    ) -> tuple[NDArray[Any], ...]:
        """Return what `look` returns for a batch, seats and rows, of all batches together."""
        rows = self.rows if rows is None else rows
        seats = self.current_players[rows] if seats is None else seats
        parts = list(self.parts(rows)) or [(self.batches[0], slice(None), rows)]
        seen = [look(batch, seats[own], local) for batch, own, local in parts]
        return seen[0] if len(seen) == 1 else tuple(map(np.concatenate, zip(*seen, strict=True)))

    def seats_of(self, seat: int) -> Rows:
        """Return one seat for every row, counted on from 0 in games with fewer players."""
        return seat % self.column("num_players").astype(np.int64)

    def column(self, name: str) -> NDArray[Any]:
        """Return a copy of one field of all states, (num_games, ...)."""
        return np.concatenate([batch.states[name] for batch in self.batches])

    @property
    def current_players(self) -> Rows:
        """The seat that decides in each game, int64 (num_games,)."""
        return self.column("current_player").astype(np.int64)

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which games have ended, (num_games,)."""
        over: NDArray[np.bool_] = self.column("over") == 1
        return over

    def points_by_entry(self) -> NDArray[np.float64]:
        """Return `score_sheets` as points, in a new array; mostly, no round has ended."""
        shape = self.score_sheets.shape
        return self.score_sheets / 2 if self._rounds_shown else np.zeros(shape)

    def points(self, rows: Rows, field: str = "scores") -> NDArray[np.float64]:
        """Return points of some rows, float64 (rows, max_players), inf where nobody sits."""
        points = np.full((len(rows), self.max_players), np.inf)
        for batch, own, local in self.parts(rows):
            players = batch.settings.num_players
            points[own, :players] = batch.states[field][local, :players] / 2
        return points

    # --- State ------------------------------------------------------------

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the arrays, not copies, that a later `restore` needs beside the opponents."""
        games: dict[str, NDArray[Any]] = {
            f"states{k}": batch.states.view(np.uint8).reshape(batch.num_games, -1)
            for k, batch in enumerate(self.batches)
        }
        if self.history_length:
            games |= {f"events{k}": batch.past.logs for k, batch in enumerate(self.batches)}
        for number, agent_states in self._agent_states.items():
            games |= {f"opponent{number}.{k}": v for k, v in enumerate(agent_states.arrays())}
        return games | {name: getattr(self, name) for name in PER_ROW}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned."""
        for name, array in self.state().items():
            array[:] = state[name]

    # --- Internals ------------------------------------------------------------

    def _number_rows(self) -> None:
        """Set the numbers of the rows, through all batches."""
        sizes = [batch.num_games for batch in self.batches]
        self._first, self.num_games = np.cumsum([0, *sizes]).tolist(), sum(sizes)
        # Where there is one batch, it knows its rows and does not check them.
        self.rows = self.batches[0].rows if len(sizes) == 1 else np.arange(self.num_games)

    def parts(self, rows: Rows) -> Iterator[Part]:
        """Yield each batch that has some of the rows."""
        if len(self.batches) == 1:
            if len(rows):
                yield self.batches[0], slice(None), rows
            return
        for batch, first in zip(self.batches, self._first, strict=False):
            own = np.flatnonzero((rows >= first) & (rows < first + batch.num_games))
            if len(own):
                yield batch, own, rows[own] - first

    def start_next(self, rows: Rows, position: Any = None) -> None:
        """Start the next games of some rows, up to a learner's first decision in each.

        Args:
            rows: Which games.
            position: See `reset`.

        Raises:
            PositionError: As `reset`.
        """
        while len(rows):  # a game may end before a learner decides
            for batch, own, local in self.parts(rows):
                mine = rows[own]
                seeds, bits = np.empty((2, len(mine)), np.uint64)
                derive_each(self.row_seeds[mine], self.games_begun[mine], seeds)
                derive_each(~self.row_seeds[mine], self.games_begun[mine], bits)
                players = batch.settings.num_players
                batch.start(seeds, local, position)
                self.seat(mine, self._seat(players, self.games_begun[mine], bits))
            self.moves.clear()
            self.position = deepcopy(position)
            self.games_begun[rows] += 1
            self.pending[rows], self._sheets[rows] = 0, 0
            self.play_opponents(rows, self.pending)
            rows = rows[self.over[rows]]
            if len(rows) and position is not None:
                raise PositionError("position: the game ends before a learner decides")

    def _play_batch(
        self, batch: Batch, own_rows: slice, rows: Rows, rewards: NDArray[np.float32]
    ) -> None:
        """Play opponents in one batch; `rows` are its own, `rewards` (its games, max_players)."""
        seating, waiting, numbers = self.seating[own_rows], rows.copy(), np.empty_like(rows)
        count = len(rows)
        while count := list_opponents(batch.states, waiting, count, seating, numbers):
            due, whose = waiting[:count], numbers[:count]
            for number in np.flatnonzero(np.bincount(whose)).tolist():
                play = self._run if is_compiled(self.opponents[number]) else self._ask
                try:
                    play(number, batch, own_rows, due[whose == number], rewards)
                except MoveError as error:
                    raise AgentError(f"opponent {number}: {error}") from None

    def _run(
        self, number: int, batch: Batch, own_rows: slice, rows: Rows, rewards: NDArray[np.float32]
    ) -> None:
        """Let a compiled opponent decide in each row until somebody else is the current player."""
        policy: Any = self.opponents[number]
        log, address = self._log[own_rows], address_of(policy.policy_function)
        opponent = self.seating[own_rows], number, self.decision_counts[own_rows]
        task = *opponent, batch.reward_kind, rewards, log, self._sheets[own_rows]

        def work(states: Any, rows: Rows) -> int:
            before = np.take(states, rows) if self.history_length else None
            refused = play_opponent(states, rows, *task, batch.buffers(), address)
            if before is not None:
                batch.past.follow(before, rows, log[rows])
            return refused

        if log.size:
            log[:, 0] = 0
        refused = max(batch.run(work, rows))
        if batch.reward_kind == OWN:
            ended = rows[batch.over[rows]]
            rewards[ended, : batch.settings.num_players] += batch.final_rewards(ended)
        if self._record:
            self.moves += map(tuple, log[0, 1 : 1 + log[0, 0, 0]].tolist())
        if refused >= 0:
            raise MoveError(f"illegal action in game {own_rows.start + refused}")

    def _ask(
        self, number: int, batch: Batch, own_rows: slice, rows: Rows, rewards: NDArray[np.float32]
    ) -> None:
        """Let an opponent decide once in each row."""
        policy, random_bits = self.opponents[number], np.empty(len(rows), np.uint64)
        draw_random_bits(batch.states, rows, self.decision_counts[own_rows], random_bits)
        information_states = wants_information_states(policy)
        observations = observation_batch(batch, rows, random_bits, information_states)
        who = own_rows.start + rows, batch.current_players[rows].astype(np.int64)
        states = self._states_of(number)
        answer, state = ask(policy, observations, states and states.take(*who))
        actions = batch.legal_only(answer, rows, own_rows.start)
        if states:
            states.put(*who, state)
        if self._record:
            self.moves.append((int(batch.current_players[0]), int(actions[0])))
        batch.play(actions, rows)
        self._add_sheets(batch, own_rows.start, rows)
        rewards[rows, : batch.settings.num_players] += batch.rewards[rows]

    def _states_of(self, number: int) -> AgentStates | None:
        """Return the agent states of an opponent; None for one that has none."""
        policy = self.opponents[number]
        if not has_agent_state(policy):
            return None
        if number not in self._agent_states:
            self._agent_states[number] = AgentStates(policy, self.num_games, self.max_players)
        return self._agent_states[number]

    def _add_sheets(self, batch: Batch, first: int, rows: Rows) -> None:
        """Add the score sheets of rounds that the last decisions ended; `first` is its row 0."""
        ended = rows[batch.states["round_ended"][rows] == 1]
        if len(ended):
            _, seats, entries = self._sheets.shape
            self._sheets[first + ended] += batch.states["score_sheet"][ended, :seats, :entries]

    def results(self, rows: Rows) -> EndedRows:
        """Return the results of games that have ended."""
        raw = np.empty((len(rows), self.game.observation_spec.size), np.uint8)
        scores, shares = np.zeros((2, len(rows), self.max_players))
        capped = np.zeros(len(rows), np.bool_)
        for batch, own, local in self.parts(rows):
            players = batch.settings.num_players
            raw[own], _ = batch.observe(self.learners[rows[own]], local)
            scores[own, :players] = batch.points()[local]
            shares[own, :players] = batch.win_shares()[local]
            capped[own] = batch.states["capped_rounds"][local] > 0
        who = self.learners[rows], self.seating[rows]
        events = self.observe_history(rows, self.learners[rows])
        return EndedRows(rows, *who, raw, scores, shares, capped, events)

    def _new_log(self) -> Rows:
        """Return where compiled opponents note their moves: nowhere if nobody asks for them."""
        size = LOG_SIZE if self._record or self.history_length else 0
        return np.zeros((self.num_games, size, 2), np.int64)

    def _ended_rounds(self, before: NDArray[Any]) -> EndedRounds:
        """Return the rounds that ended since `round_index` was `before`."""
        after = self.column("round_index")
        rows = np.flatnonzero(self.over | (after != before))
        points, totals = self.points(rows, "round_points"), self.points(rows)
        return EndedRounds(rows, points, totals, after[rows].astype(np.int64))
