"""Networks and observations that tests of agents share."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from goldgriff.agents.network import Network
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.engine.game import Game
from goldgriff.envs.policy import ObservationBatch, observation_batch


def random_network(seed: int = 0, sizes: tuple[int, ...] = (16,)) -> Network:
    rng = np.random.default_rng(seed)
    widths = (AURUXXX.observation_spec.size, *sizes, len(AURUXXX.actions))
    return Network(
        [
            (rng.normal(size=(out, into)).astype(np.float32), np.zeros(out, np.float32))
            for into, out in pairwise(widths)
        ]
    )


def some_observations(
    rows: int = 64, decisions: int = 30, game: Game = AURUXXX, **settings: int
) -> ObservationBatch:
    """Return what the current players of some unfinished games see."""
    batch = Batch(game, game.settings.from_dict(settings), rows)
    batch.start(derive_seeds(1, rows))
    rng = np.random.default_rng(1)
    for _ in range(decisions):
        _, masks = batch.observe(batch.current_players)
        batch.step((masks * rng.random(masks.shape)).argmax(axis=1))
    return observation_batch(batch, np.arange(rows), derive_seeds(2, rows), information_states=True)


def rows_of(
    observations: ObservationBatch, rows: list[int], random_bits: NDArray[np.uint64] | None = None
) -> ObservationBatch:
    """Return some rows, with their own random bits or new ones."""
    chosen = observations.take(np.array(rows))
    return chosen if random_bits is None else replace(chosen, random_bits=random_bits)
