"""Small settings, and evaluation of what was learnt."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from goldgriff.agents.network import Network
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import Batch
from goldgriff.envs.engine.protocol import Rows
from goldgriff.envs.policy import ObservationBatch, RandomPolicy
from goldgriff.envs.self_play import LEARNER, SelfPlayBatch
from goldgriff.train.self_play import SelfPlayEnvs
from goldgriff.train.settings import RunSettings

from .small import new_envs

SMALL: dict[str, Any] = {
    "players": [2],
    "rules": {"rounds": 1, "max_decisions": 20},
    "n_envs": 8,
    "n_steps": 32,
    "hidden": [32],
}


def envs_of(settings: RunSettings) -> SelfPlayEnvs:
    """Return the games of a run with these settings, in which all seats learn."""
    return new_envs(*settings.players, count=settings.n_envs, self_play=1.0, **settings.rules)


def share_against_random(policy: Network, games: int = 400) -> float:
    """Return the win share in games of one round for two, in either seat alike."""
    settings = AURUXXX.settings.from_dict({**SMALL["rules"], "num_players": 2})
    batch = Batch(AURUXXX, settings, games)

    def seat(_: int, __: Rows, random_bits: NDArray[np.uint64]) -> Rows:
        return np.where((random_bits[:, None] & np.uint64(1)) == [0, 1], LEARNER, 0)

    envs = SelfPlayBatch([batch], seat, {0: RandomPolicy()})
    envs.reset(1000)
    rng, rows = np.random.default_rng(0), np.arange(games)
    while len(rows):
        bits = rng.integers(0, 2**64, len(rows), dtype=np.uint64)
        actions = policy.act(ObservationBatch(AURUXXX, *envs.observe(rows), bits))
        envs.advance(actions, rows)
        rows = rows[~envs.over[rows]]
    return float(batch.win_shares()[np.arange(games), envs.learners].mean())


def same(one: Any, other: Any) -> bool:
    """Return whether two states hold the same, bit for bit."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(torch.equal(one, other)) if isinstance(one, torch.Tensor) else one == other
