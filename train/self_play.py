"""The games of a training run, seated from the opponent pool."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.batch import Batch
from ..envs.engine.game import Game
from ..envs.engine.protocol import Rows
from ..envs.engine.settings import GameSettings
from ..envs.policy import Policy
from ..envs.self_play import LEARNER, SelfPlayBatch
from .episodes import EpisodeRecorder
from .opponent_pool import OpponentPool


class SelfPlayEnvs(SelfPlayBatch):
    """`count` games in which learners sit among members of a pool, drawn anew for every game.

    The single learner's seat moves one on with each game of a row.

    Args:
        game: The game.
        settings: One for each number of players; they get equal parts of the games.
        count: Number of games.
        pool: Whom learners meet.
        reward: `points` or `win`.
        threads: Of the games.
        one_learner: Whether one seat learns in self-play, too; the newest past version then plays
            the others.
        history: How many events of each game are kept (see `Batch`).

    Attributes:
        episodes: The learners' newest episodes.
    """

    def __init__(
        self,
        game: Game,
        settings: Sequence[GameSettings],
        count: int,
        pool: OpponentPool,
        *,
        reward: str,
        threads: int = 1,
        one_learner: bool = False,
        history: int = 0,
    ) -> None:
        parts = np.array_split(np.arange(count), len(settings))
        batches = [
            Batch(game, rules, len(rows), reward=reward, threads=threads, history=history)
            for rules, rows in zip(settings, parts, strict=True)
        ]
        self.pool, self.one_learner = pool, one_learner
        super().__init__(batches, self._draw, pool.members)
        self.episodes = EpisodeRecorder(self.num_games, self.max_players)

    def reset(self, *arguments: Any, **options: Any) -> None:
        """Start the next game of every row; for the arguments see `SelfPlayBatch.reset`."""
        super().reset(*arguments, **options)
        self.episodes.start()

    def step(self, actions: Rows) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Step all games as `SelfPlayBatch.step` does, and record episodes and results."""
        players = self.current_players
        rewards, over = super().step(actions)
        self.episodes.add(players, rewards, self.ended_games)
        self.pool.record(self.ended_games)
        return rewards, over

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the arrays, not copies, that a later `restore` needs beside the opponents."""
        return super().state() | self.episodes.state()

    def add(self, policy: Policy) -> None:
        """Add a past version to the pool, which drops members that no game needs any more."""
        self.pool.add(policy)
        self.pool.forget(set(np.unique(self.seating).tolist()))

    def seats_seen(self, seat: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return observations and other hands of one seat of every game (see `seats_of`)."""
        seats = self.seats_of(seat)
        return self.observe(seats=seats)[0], self.hidden_hands(seats=seats)

    def _draw(self, players: int, games_begun: Rows, random_bits: NDArray[np.uint64]) -> Rows:
        newest = self.pool.past[-1] if self.one_learner else LEARNER
        seating = self.pool.draw(random_bits, newest, players)
        seating[np.arange(len(seating)), games_begun % players] = LEARNER
        return seating
