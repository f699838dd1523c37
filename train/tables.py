"""Tables for self-play, of one size or of several, at which one network learns in every seat."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..envs.batch import Batch, derive_seeds
from ..envs.engine.game import Game
from ..envs.engine.kernels import Masks, RawObservations, Rows, derive_each
from ..envs.engine.settings import GameSettings
from ..envs.policy import Policy
from ..envs.self_play import LEARNER, SelfPlayBatch
from .opponent_pool import OpponentPool


class Ended(NamedTuple):
    """A finished game: its table, who met the single learner (or LEARNER where all learnt).

    share: the single learner's of the win. raw: what he saw last, uint8 (slices.size,).
    """

    table: int
    member: int
    share: float
    raw: RawObservations


class Scored(NamedTuple):
    """Rounds that a step ended, and how their games stand with that.

    tables: int64 (rounds,). points: of each seat in that round; totals: in the game so far; both
    float64 (rounds, seats), inf where nobody sits. played: rounds of the game so far.
    """

    tables: Rows
    points: NDArray[np.float64]
    totals: NDArray[np.float64]
    played: Rows


class Tables:
    """`count` games in lockstep, each followed by the next; sizes of tables get even parts.

    sizes: the settings of the tables, one for each number of players. Who plays whom is drawn by
    the pool anew for every game, and the single learner's seat moves one on with each.
    one_learner: whether one seat learns in games among newest selves, too; the others are then
    played by the pool's newest member.

    seats: the most seats at a table. current_players: int64 (count,). ended: the games that the last step
    ended. scored: the rounds that it ended.
    """

    def __init__(
        self,
        game: Game,
        sizes: Sequence[GameSettings],
        count: int,
        pool: OpponentPool,
        *,
        reward: str,
        seed: int,
        threads: int = 1,
        one_learner: bool = False,
    ) -> None:
        self.game, self.count, self.pool, self.one_learner = game, count, pool, one_learner
        shares = np.array_split(np.arange(count), len(sizes))
        self.groups = [
            SelfPlayBatch(game, settings, len(rows), reward=reward, threads=threads)
            for settings, rows in zip(sizes, shares, strict=True)
        ]
        for group in self.groups:
            group.opponents = pool.members
        self._rows = [slice(rows[0], rows[-1] + 1) for rows in shares]
        self.seats = max(settings.num_players for settings in sizes)
        self.current_players = np.zeros(count, np.int64)
        self.ended: list[Ended] = []
        self._luck = derive_seeds(seed, count)
        self._begun = np.zeros(count, np.int64)

    def reset(self) -> None:
        """Start a new game at every table."""
        for group, rows in zip(self.groups, self._rows, strict=True):
            self._begin(group, rows, np.arange(group.batch.num_games))
        self._find_current_players()

    def observe(self) -> tuple[RawObservations, Masks]:
        """What the players to move see: uint8 (count, slices.size), int8 (count, actions)."""
        seen = [group.batch.observe(group.batch.current_players) for group in self.groups]
        raw, masks = zip(*seen, strict=True)
        return np.concatenate(raw), np.concatenate(masks)

    def observe_player(self, seat: int) -> RawObservations:
        """What one seat sees, uint8 (count, slices.size); its own at tables without such a seat."""
        return np.concatenate(
            [group.batch.observe(self._whole(group, seat))[0] for group in self.groups]
        )

    def hidden_hands(self, seat: int | None = None) -> RawObservations:
        """The hands of all but a seat, or but the movers, as `Batch.hidden_hands` gives them."""
        return np.concatenate(
            [
                group.batch.hidden_hands(
                    group.batch.current_players if seat is None else self._whole(group, seat),
                    others=self.seats - 1,
                )
                for group in self.groups
            ]
        )

    def step(self, actions: Rows) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Play the learners' decisions and everything up to the next ones.

        Returns what that brought every seat, float32 (count, seats), and which games it ended.
        """
        earned = np.zeros((self.count, self.seats), np.float32)
        over = np.zeros(self.count, np.bool_)
        self.ended, scored = [], []
        for group, rows in zip(self.groups, self._rows, strict=True):
            everywhere, batch = np.arange(group.batch.num_games), group.batch
            before = batch.states["round_index"].copy()
            earned[rows, : batch.settings.num_players] = group.step(actions[rows], everywhere)
            over[rows] = batch.over
            scored.append(self._score(batch, rows.start, before))
            ended = np.flatnonzero(over[rows])
            if len(ended):
                self._note(group, rows.start, ended)
                self._begin(group, rows, ended)
        self.scored = Scored._make(np.concatenate(parts) for parts in zip(*scored, strict=True))
        self._find_current_players()
        return earned, over

    def members(self) -> Rows:
        """Who of the pool meets the single learner, or LEARNER where all learn, (count,)."""
        return np.concatenate([group.members for group in self.groups])

    def column(self, name: str) -> NDArray[Any]:
        """A field of all games' records, (count, ...)."""
        return np.concatenate([group.batch.states[name] for group in self.groups])

    def add(self, policy: Policy) -> None:
        """Add a past self to the pool, which forgets whom no game needs any more."""
        self.pool.add(policy)
        self.pool.forget({int(n) for group in self.groups for n in np.unique(group.seating)})

    def state(self) -> dict[str, NDArray[Any]]:
        """All that a later `restore` needs to go on exactly here, beside the pool."""
        groups = {
            f"{name}{k}": array
            for k, group in enumerate(self.groups)
            for name, array in group.state().items()
        }
        return groups | {"begun": self._begun}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Go on from a `state`."""
        for name, array in self.state().items():
            array[:] = state[name]
        self._find_current_players()

    @staticmethod
    def _whole(group: SelfPlayBatch, seat: int) -> Rows:
        players = group.batch.settings.num_players
        return np.full(group.batch.num_games, seat % players)

    def _find_current_players(self) -> None:
        for group, rows in zip(self.groups, self._rows, strict=True):
            self.current_players[rows] = group.batch.current_players

    def _score(self, batch: Batch, first: int, before: NDArray[Any]) -> Scored:
        """What ended of the rounds of these numbers, before the next games begin."""
        rows = np.flatnonzero(batch.over | (batch.states["round_index"] != before))
        games, players = batch.states[rows], batch.settings.num_players
        points, totals = np.full((2, len(rows), self.seats), np.inf)
        points[:, :players] = games["round_points"][:, :players] / 2
        totals[:, :players] = games["scores"][:, :players] / 2
        played = games["round_index"].astype(np.int64)
        return Scored(first + rows, points, totals, played)

    def _note(self, group: SelfPlayBatch, first: int, ended: Rows) -> None:
        raw, _ = group.observe(ended)
        shares = group.batch.win_shares()[ended, group.seats[ended]]
        members = group.members[ended]
        self.ended += [
            Ended(first + int(row), int(member), float(share), seen)
            for row, member, share, seen in zip(ended, members, shares, raw, strict=True)
        ]

    def _begin(self, group: SelfPlayBatch, part: slice, rows: Rows) -> None:
        """Start new games, up to a learner's first decision in each."""
        seats = group.seating.shape[1]
        newest = self.pool.past[-1] if self.one_learner else LEARNER
        rng, begun = self._luck[part], self._begun[part]
        while len(rows):  # a game may be over before a learner was asked anything
            random_bits = np.empty((2, len(rows)), np.uint64)
            derive_each(rng[rows], 2 * begun[rows], random_bits[0])
            derive_each(rng[rows], 2 * begun[rows] + 1, random_bits[1])
            seating = np.repeat(self.pool.draw(random_bits[1], newest)[:, None], seats, axis=1)
            seating[np.arange(len(rows)), begun[rows] % seats] = LEARNER
            begun[rows] += 1
            group.begin(rows, random_bits[0], seating)
            rows = rows[group.batch.over[rows]]
