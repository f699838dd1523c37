"""Self-play as a stable-baselines3 VecEnv: every table has one learner, the rest is the pool's.

All tables are stepped in one compiled call; between two decisions of the learner the opponents'
decisions are made in batches, one for each member. A row's transitions are its learner's own: the
observation and mask of his decision, and all reward until his next one. Opponents change only
between games.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from goldgriff.envs.core.aec import observation_space
from goldgriff.train.tables import Tables


class SelfPlayVecEnv(VecEnv):
    """`Tables` with one learner each; their pool needs a member before `reset`.

    Observations: float32 (tables, slices.size). `env_method("action_masks")`: bool (tables,
    actions), all at once. A finished game restarts by itself; its `info` has `episode` with the
    sum of rewards `r`, the learner's decisions `l` and his share of the win `win`.
    """

    def __init__(self, tables: Tables) -> None:
        self.render_mode = None
        game = tables.game
        super().__init__(tables.count, observation_space(game), spaces.Discrete(len(game.actions)))
        self.tables = tables
        self._returns = np.zeros(tables.count)
        self._lengths = np.zeros(tables.count, np.int64)
        self._actions = np.zeros(tables.count, np.int64)
        self._masks = np.zeros((tables.count, len(game.actions)), bool)

    def reset(self) -> NDArray[np.float32]:
        """Start a new game at every table."""
        self.tables.reset()
        self._returns[:] = 0
        self._lengths[:] = 0
        return self._observe()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Take the learners' actions, (tables,)."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play them, and everything up to each learner's next decision."""
        learners = np.arange(self.num_envs), self.tables.movers.copy()
        earned, dones = self.tables.step(self._actions)
        rewards = earned[learners]
        self._returns += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{}] * self.num_envs
        for game in self.tables.ended:
            infos[game.table] = {
                "episode": {
                    "r": float(self._returns[game.table]),
                    "l": int(self._lengths[game.table]),
                    "win": game.share,
                },
                # A capped round is scored in full: nothing is left to be estimated, so
                # "TimeLimit.truncated" is never set.
                "terminal_observation": self.tables.game.slices.to_float(game.features),
            }
        self._returns[dones] = 0
        self._lengths[dones] = 0
        return self._observe(), rewards, dones, infos

    def state(self) -> dict[str, NDArray[Any]]:
        """All that a later `restore` needs to go on exactly here, beside the pool."""
        return self.tables.state() | {"returns": self._returns, "lengths": self._lengths}

    def restore(self, state: dict[str, NDArray[Any]]) -> NDArray[np.float32]:
        """Go on from a `state`. Returns the observations."""
        self.tables.restore(state)
        self._returns[:], self._lengths[:] = state["returns"], state["lengths"]
        return self._observe()

    def env_method(
        self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any
    ) -> Any:
        """Answer `action_masks` for all tables at once; there is no environment to ask singly."""
        if method_name != "action_masks" or indices is not None or args or kwargs:
            raise AttributeError(f"SelfPlayVecEnv answers action_masks, not {method_name}")
        return self._masks

    def has_attr(self, attr_name: str) -> bool:
        """Whether `env_method` or `get_attr` can answer."""
        return attr_name in ("action_masks", "render_mode")

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The same value for every table."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, *_: Any, **__: Any) -> None:
        """Refuse: tables share their attributes."""
        raise AttributeError(f"cannot set {attr_name} of single tables")

    def env_is_wrapped(self, _: Any, indices: VecEnvIndices = None) -> list[bool]:
        """No table is wrapped; they report their episodes themselves."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Nothing is held open."""

    def _observe(self) -> NDArray[np.float32]:
        features, masks = self.tables.look()
        self._masks = masks.astype(bool)
        return self.tables.game.slices.to_float(features)
