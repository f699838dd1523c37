"""Games that restart by themselves, on the batch."""

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.core.batch import Batch, derive_seeds
from goldgriff.envs.core.game import Game
from goldgriff.envs.core.kernels import Rows
from goldgriff.envs.core.settings import GameSettings


class Lockstep:
    """`num_games` games; a finished one restarts in the step that ended it."""

    def __init__(
        self,
        game: Game,
        settings: GameSettings,
        num_games: int,
        *,
        seed: int = 1,
        threads: int = 1,
        observations: NDArray[np.float32] | NDArray[np.uint8] | None = None,
        masks: NDArray[np.int8] | None = None,
    ) -> None:
        self._batch = Batch(game, settings, num_games, threads=threads)
        self._seed = seed
        self._begun = 0
        self.observations = observations
        self.masks = masks

    def reset(self) -> None:
        """Start all games."""
        self._start(np.arange(self._batch.num_games))
        self._look()

    def step(self, actions: Rows) -> None:
        """Play one decision in each game."""
        self._batch.step(actions)
        ended = np.flatnonzero(self._batch.over)
        if len(ended):
            self._start(ended)
        self._look()

    def _start(self, rows: Rows) -> None:
        self._batch.start(derive_seeds(self._seed, len(rows), self._begun), rows)
        self._begun += len(rows)

    def _look(self) -> None:
        features, masks = self._batch.look(self._batch.movers)
        if self.masks is not None:
            self.masks[:] = masks
        if self.observations is not None and self.observations.dtype == np.uint8:
            self.observations[:] = features
        elif self.observations is not None:
            np.multiply(features, self._batch.game.slices.scale, out=self.observations)
