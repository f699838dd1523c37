"""Self-play with sb3-contrib's MaskablePPO.

Actor and critic share one trunk, so each hidden layer is computed once.

Invalid action masking: Huang and Ontañón, "A closer look at invalid action masking in policy
gradient algorithms", 2020 (arXiv 2006.14171); PPO: Schulman et al., 2017 (arXiv 1707.06347).
"""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.logger import configure
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from ..agents.network import Network
from ..envs.engine.observation import ObservationSpec
from ..envs.engine.settings import whole
from ..errors import SettingsError
from .networks import ILLEGAL_LOGIT, copy_layers, forward_hidden, sample_actions
from .self_play import SelfPlayEnvs
from .settings import SMOKE, PolicyGradientSettings
from .vec_env import SelfPlayVecEnv

PRESETS: dict[str, dict[str, Any]] = {
    "smoke": SMOKE | {"total_timesteps": 2_048},
    "quick": {"total_timesteps": 4_000_000},
    "long": {
        "total_timesteps": 30_000_000,
        "n_envs": 1024,
        "batch_size": 8_192,
        "learning_rate": 3e-4,
        "ent_coef": 0.005,
        "snapshot_every_updates": 10,
        "pool_size": 6,
    },
}


@dataclass(frozen=True, kw_only=True)
class MaskableSettings(PolicyGradientSettings):
    """Settings of MaskablePPO beside those of every run, with its own names and meanings.

    Attributes:
        pool_size: Past versions of the agent in the pool; at least 1, since the newest of them
            plays the other seats in self-play.
    """

    pool_size: int = whole(4, most=1000)

    def __post_init__(self) -> None:
        super().__post_init__()
        decisions = self.n_envs * self.n_steps
        if decisions % self.batch_size == 1:  # MaskablePPO divides by the deviation of each part
            raise SettingsError(
                f"batch_size must not leave a single one of the {decisions} decisions of an "
                f"update, as {self.batch_size} does"
            )


class SharedTrunk(BaseFeaturesExtractor):
    """Hidden layers with ReLU, of widths `hidden`.

    Args:
        spec: Scales observations that are not scaled yet; None: they are.
    """

    def __init__(
        self, observation_space: spaces.Box, hidden: list[int], spec: ObservationSpec | None = None
    ) -> None:
        super().__init__(observation_space, features_dim=hidden[-1])
        self._scale = None if spec is None else torch.from_numpy(spec.scale)
        widths = [observation_space.shape[0], *hidden]
        self.layers = nn.ModuleList(nn.Linear(before, after) for before, after in pairwise(widths))

    def forward(self, observations: Tensor) -> Tensor:
        """Return features, float32 (rows, hidden[-1]), of observations, float32 (rows, size)."""
        if self._scale is not None:
            observations = observations * self._scale
        return forward_hidden(self.layers, observations)


def shared_trunk(hidden: list[int], spec: ObservationSpec | None = None) -> dict[str, Any]:
    """Return the `policy_kwargs` that put both heads on one `SharedTrunk`."""
    return {
        "features_extractor_class": SharedTrunk,
        "features_extractor_kwargs": {"hidden": hidden, "spec": spec},
        "net_arch": [],
    }


class LeanPolicy(MaskableActorCriticPolicy):
    """sb3-contrib's policy without its distribution objects, which cost as much as a layer.

    Probabilities, log-probabilities and entropies are the same, from one pass over the logits.
    Masks must be given: bool (rows, actions), or 1 for each legal action and 0 for all others.
    """

    def forward(  # type: ignore[override]
        self, obs: Tensor, *, action_masks: Any
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return actions, int64 (rows,), values, (rows, 1), and log-probabilities, (rows,)."""
        values, logs, _ = self._evaluate(obs, action_masks)
        actions = sample_actions(logs)
        return actions, values, logs.gather(1, actions[:, None]).squeeze(1)

    def evaluate_actions(  # type: ignore[override]
        self, obs: Tensor, actions: Tensor, action_masks: Any
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return values, (rows, 1), log-probabilities and entropies, both (rows,)."""
        values, logs, legal = self._evaluate(obs, action_masks)
        chosen = logs.gather(1, actions[:, None]).squeeze(1)
        logs = logs * legal  # illegal actions contribute exp(0) * 0; exp is slow close to 0
        entropies = -(logs.exp() * logs).sum(dim=1)
        return values, chosen, entropies

    def _evaluate(self, obs: Tensor, masks: Any) -> tuple[Tensor, Tensor, Tensor]:
        """Return values, log-probabilities of all actions, and masks as float32."""
        features = self.extract_features(obs)
        legal = torch.as_tensor(masks, dtype=torch.float32)
        # Sums and products: masked_fill takes ten times as long.
        logits = self.action_net(features) + (legal - 1) * -ILLEGAL_LOGIT
        return self.value_net(features), logits.log_softmax(dim=1), legal


def new_model(
    env: SelfPlayVecEnv, settings: MaskableSettings, policy_kwargs: dict[str, Any]
) -> MaskablePPO:
    """Return MaskablePPO on the CPU with a `LeanPolicy`, which logs to no file."""
    model = MaskablePPO(
        LeanPolicy,
        env,
        n_steps=settings.n_steps,
        **{name: getattr(settings, name) for name in PolicyGradientSettings.__annotations__},
        policy_kwargs=policy_kwargs,
        seed=settings.seed,
        device="cpu",
    )
    model.set_logger(configure(None, []))
    return model


class MaskableLearner:
    """MaskablePPO with one learner in each game (see `Learner` in train/algorithms.py)."""

    ONE_LEARNER = True

    def __init__(self, envs: SelfPlayEnvs, settings: MaskableSettings) -> None:
        self.env = SelfPlayVecEnv(envs, settings.seed)
        trunk = shared_trunk(settings.hidden, envs.game.observation_spec)
        self.model = new_model(self.env, settings, trunk)

    @property
    def num_timesteps(self) -> int:
        """Decisions learnt from so far."""
        return int(self.model.num_timesteps)

    def begin(self) -> None:
        """Start the first games."""
        self.model._last_obs = self.env.reset()
        self.model._last_episode_starts = np.ones(self.env.num_envs, bool)

    def update(self) -> dict[str, float]:
        """Play on in all games, and learn from that."""
        samples = self.model.n_steps * self.env.num_envs
        self.model.learn(samples, log_interval=2, reset_num_timesteps=False)  # one update
        values = self.model.logger.name_to_value
        figures = {name: float(values[name]) for name in _FIGURES}
        self.model.logger.dump()
        if math.isnan(figures[EXPLAINED]):  # the returns do not vary
            del figures[EXPLAINED]
        return figures

    def export(self) -> Network:
        """Return the newest policy."""
        policy: Any = self.model.policy
        return Network(copy_layers([*policy.features_extractor.layers, policy.action_net]))

    def state(self) -> dict[str, Any]:
        """Return what `restore` needs."""
        numpy_random: Any = np.random.get_state()  # noqa: NPY002 (SB3 shuffles its batches by it)
        key, position = numpy_random[1:3]
        return {
            "num_timesteps": self.num_timesteps,
            "policy": self.model.policy.state_dict(),
            "optimizer": self.model.policy.optimizer.state_dict(),
            "torch_random": torch.get_rng_state(),
            "numpy_random": torch.from_numpy(key.astype(np.int64)),
            "numpy_position": position,
            "episode_starts": torch.from_numpy(np.asarray(self.model._last_episode_starts)),
            "envs": {name: torch.from_numpy(a) for name, a in self.env.games.state().items()},
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue exactly where `state` was called."""
        model = self.model
        model.policy.load_state_dict(state["policy"])
        model.policy.optimizer.load_state_dict(state["optimizer"])
        model.num_timesteps = state["num_timesteps"]
        self.env.games.restore({name: t.numpy() for name, t in state["envs"].items()})
        model._last_obs = self.env.observe()
        model._last_episode_starts = state["episode_starts"].numpy()
        key: Any = state["numpy_random"].numpy().astype(np.uint32)
        numpy_random: Any = ("MT19937", key, state["numpy_position"])
        np.random.set_state(numpy_random)  # noqa: NPY002
        torch.set_rng_state(state["torch_random"])


EXPLAINED = "train/explained_variance"
_LOSSES = "loss", "policy_gradient_loss", "value_loss", "entropy_loss"
_FIGURES = [f"train/{name}" for name in (*_LOSSES, "approx_kl", "clip_fraction")] + [EXPLAINED]
