"""Games, pools and settings small enough for tests."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldgriff.agents.model_folder import CHECKPOINT
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import Game
from goldgriff.envs.policy import Policy, RandomPolicy
from goldgriff.train.algorithms import ALGORITHMS
from goldgriff.train.opponent_pool import OpponentPool
from goldgriff.train.runner import run_training
from goldgriff.train.self_play import SelfPlayEnvs
from goldgriff.train.settings import RunSettings

EVERYTHING: dict[str, dict[str, Any]] = {
    "maskable": {},
    "ppo": {
        "teacher": "expert",
        "teacher_timesteps": 200,
        "ent_half_life_timesteps": 500,
        "magnet_coef": 0.1,
        "magnet_every_updates": 3,
    },
    "dmc": {},
    "nfsp": {},
    "rollout": {
        "critic_timesteps": 100,
        "base_policy_timesteps": 200,
        "base_rollout_timesteps": 400,
        "buffer_size": 300,
        "critic_hidden": [16],
        "lr_half_life_timesteps": 500,
        "mixed_tables": 0.5,
        "no_advice": 0.5,
        "priority": 1.0,
        "pool_size": 3,
    },
}


def new_envs(
    *players: int,
    count: int = 8,
    self_play: float = 0.5,
    fixed_opponents: Sequence[Policy] = (),
    threads: int = 1,
    one_learner: bool = False,
    history: int = 0,
    mixed: float = 0.0,
    game: Game = AURUXXX,
    **rules: Any,
) -> SelfPlayEnvs:
    """Start games, of Auruxxx if no other is given; the only past version plays at random."""
    pool = OpponentPool(fixed_opponents, 3, self_play, mixed=mixed)
    pool.add(RandomPolicy())
    envs = SelfPlayEnvs(
        game,
        [game.settings.from_dict({**rules, "num_players": n}) for n in players or (4,)],
        count,
        pool,
        reward="points",
        threads=threads,
        one_learner=one_learner,
        history=history,
    )
    envs.reset(3)
    return envs


def train(
    game: Game | str,
    algorithm: str,
    settings: RunSettings,
    out: str | Path,
    *,
    resume: bool = False,
) -> Path:
    """Train an agent, and return the path of its checkpoint."""
    return run_training(game, algorithm, settings, out, resume=resume).out / CHECKPOINT


def random_actions(masks: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a random legal action for each row."""
    actions: NDArray[np.int64] = (masks * rng.random(masks.shape)).argmax(axis=1)
    return actions


def tiny(algorithm: str, **more: Any) -> RunSettings:
    """Return settings of eight updates of 128 decisions that use every feature."""
    return replace(
        ALGORITHMS[algorithm].preset("smoke"),
        **{
            "total_timesteps": 8 * 128,
            "n_envs": 8,
            "n_steps": 16,
            "players": [3, 4],
            "fixed_opponents": ["expert"],
            "snapshot_every_updates": 1,
            "checkpoint_every_updates": 2,
            "eval_every_updates": 4,
            "eval_deals": 2,
            "eval_opponent": "random",
            "rules": {"rounds": 1},
            "batch_size": 64,
            "hidden": [16],
            **EVERYTHING[algorithm],
            **more,
        },
    )
