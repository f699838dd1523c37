"""Self-play with sb3-contrib's MaskablePPO.

Invalid action masking: Huang and Ontanon, "A closer look at invalid action masking in policy
gradient algorithms", 2020 (arXiv 2006.14171); PPO: Schulman et al., 2017 (arXiv 1707.06347).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure

from ..agents.network import Network
from ..envs.engine.settings import fraction, whole
from .export import to_network
from .lean_policy import LeanPolicy, shared_trunk
from .settings import RunSettings
from .tables import Tables
from .vec_env import SelfPlayVecEnv

PRESETS: dict[str, dict[str, Any]] = {
    "smoke": {
        "total_steps": 2_048,
        "tables": 16,
        "steps_per_table": 32,
        "batch_size": 256,
        "hidden": [32],
    },
    "quick": {"total_steps": 4_000_000},
    "long": {
        "total_steps": 30_000_000,
        "tables": 1024,
        "batch_size": 8_192,
        "learning_rate": 3e-4,
        "entropy_weight": 0.005,
        "snapshot_every": 10,
        "pool_size": 6,
    },
}


@dataclass(frozen=True, kw_only=True)
class MaskableSettings(RunSettings):
    """Settings of MaskablePPO beside those of every run; named as there, where it has them.

    learning_rate to max_grad_norm: `discount` is its gamma, the weights are its coefficients.
    pool_size: at least 1, as its newest member plays the other seats.
    """

    pool_size: int = whole(4)
    learning_rate: float = fraction(5e-4)
    batch_size: int = whole(2048)
    epochs: int = whole(3)
    discount: float = fraction(0.995)
    gae_lambda: float = fraction(0.95)
    clip_range: float = fraction(0.2)
    entropy_weight: float = fraction(0.01)
    value_weight: float = fraction(0.5)
    max_grad_norm: float = fraction(0.5)


class MaskableLearner:
    """MaskablePPO at tables of one learner each (see `Learner` in train/algorithms.py)."""

    ONE_LEARNER = True

    def __init__(self, tables: Tables, settings: MaskableSettings) -> None:
        self.env = SelfPlayVecEnv(tables, scaled=False)
        self.model = MaskablePPO(
            LeanPolicy,
            self.env,
            learning_rate=settings.learning_rate,
            n_steps=settings.steps_per_table,
            batch_size=settings.batch_size,
            n_epochs=settings.epochs,
            gamma=settings.discount,
            gae_lambda=settings.gae_lambda,
            clip_range=settings.clip_range,
            ent_coef=settings.entropy_weight,
            vf_coef=settings.value_weight,
            max_grad_norm=settings.max_grad_norm,
            policy_kwargs=shared_trunk(settings.hidden, tables.game.observation_spec),
            seed=settings.seed,
            device="cpu",
        )
        self.model.set_logger(configure(None, []))

    @property
    def steps(self) -> int:
        """Decisions learnt from so far."""
        return int(self.model.num_timesteps)

    def begin(self) -> None:
        """Deal the first games."""
        self.model._last_obs = self.env.reset()
        self.model._last_episode_starts = np.ones(self.env.num_envs, bool)

    def update(self) -> dict[str, float]:
        """Play on at all tables and learn from that."""
        samples = self.model.n_steps * self.env.num_envs
        self.model.learn(samples, log_interval=2, reset_num_timesteps=False)  # an update is one
        values = self.model.logger.name_to_value
        figures = {name: float(values[f"train/{name}"]) for name in _FIGURES}
        self.model.logger.dump()
        return figures

    def player(self) -> Network:
        """The policy as it stands."""
        policy: Any = self.model.policy
        return to_network([*policy.features_extractor.layers, policy.action_net])

    def state(self) -> dict[str, Any]:
        """All that `restore` needs."""
        return {
            "steps": self.steps,
            "policy": self.model.policy.state_dict(),
            "optimizer": self.model.policy.optimizer.state_dict(),
            "torch_random": torch.get_rng_state(),
            "numpy_random": _numpy_random(),
            "episode_starts": torch.from_numpy(np.asarray(self.model._last_episode_starts)),
            "tables": {
                name: torch.from_numpy(array) for name, array in self.env.tables.state().items()
            },
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on exactly where `state` was asked for."""
        model = self.model
        model.policy.load_state_dict(state["policy"])
        model.policy.optimizer.load_state_dict(state["optimizer"])
        model.num_timesteps = state["steps"]
        self.env.tables.restore({name: t.numpy() for name, t in state["tables"].items()})
        model._last_obs = self.env.observe()
        model._last_episode_starts = state["episode_starts"].numpy()
        _set_numpy_random(state["numpy_random"])
        torch.set_rng_state(state["torch_random"])


_FIGURES = ("policy_gradient_loss", "value_loss", "entropy_loss", "approx_kl", "clip_fraction")


def _numpy_random() -> dict[str, Any]:
    """State of NumPy's global generator, which SB3 shuffles its batches with."""
    state: Any = np.random.get_state(legacy=False)  # noqa: NPY002
    return {
        "key": torch.from_numpy(state["state"]["key"].astype(np.int64)),
        "pos": int(state["state"]["pos"]),
    }


def _set_numpy_random(saved: dict[str, Any]) -> None:
    state: Any = np.random.get_state(legacy=False)  # noqa: NPY002
    state["state"] = {"key": saved["key"].numpy().astype(np.uint32), "pos": saved["pos"]}
    np.random.set_state(state)  # noqa: NPY002
