"""Small settings, and evaluation of what was learnt."""

from typing import Any

import numpy as np
import torch

from goldgriff.agents.network import Network
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.policy import ObservationBatch, RandomPolicy
from goldgriff.envs.self_play import LEARNER, SelfPlayBatch
from goldgriff.train.settings import RunSettings
from goldgriff.train.tables import Tables

from .small import new_tables

SMALL: dict[str, Any] = {
    "players": [2],
    "rules": {"rounds": 1, "max_decisions": 20},
    "n_envs": 8,
    "n_steps": 32,
    "hidden": [32],
}


def envs_of(settings: RunSettings) -> Tables:
    """Return the games of a run with these settings, in which all seats learn."""
    return new_tables(*settings.players, count=settings.n_envs, self_play=1.0, **settings.rules)


def share_against_random(policy: Network, games: int = 400) -> float:
    """Return the win share in games of one round for two, in either seat alike."""
    settings = AURUXXX.settings.from_dict({**SMALL["rules"], "num_players": 2})
    tables = SelfPlayBatch(AURUXXX, settings, games)
    tables.opponents[0] = RandomPolicy()
    rows = np.arange(games)
    seating = np.where(rows[:, None] % 2 == [0, 1], LEARNER, 0)
    tables.begin(rows, rows.astype(np.uint64) + 1000, seating)
    rows = rows[~tables.batch.over[rows]]
    rng = np.random.default_rng(0)
    while len(rows):
        bits = rng.integers(0, 2**64, len(rows), dtype=np.uint64)
        tables.step(policy.act(ObservationBatch(AURUXXX, *tables.observe(rows), bits)), rows)
        rows = rows[~tables.batch.over[rows]]
    return float(tables.batch.win_shares()[np.arange(games), tables.seats].mean())


def same(one: Any, other: Any) -> bool:
    """Return whether two states hold the same, bit for bit."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(torch.equal(one, other)) if isinstance(one, torch.Tensor) else one == other
