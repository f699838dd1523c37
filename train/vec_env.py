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

from ..envs.aec import observation_space
from ..envs.engine.protocol import RawObservations
from .tables import Tables


class SelfPlayVecEnv(VecEnv):
    """`Tables` with one learner each; their pool needs a member before `reset`.

    scaled: whether observations are float32 (tables, slices.size); otherwise they are the features,
        uint8, a quarter as large, for a network that scales them itself.

    `env_method("action_masks")`: bool (tables, actions), all at once. A finished game restarts by
    itself.
    """

    def __init__(self, tables: Tables, *, scaled: bool = True) -> None:
        self.render_mode = None
        game = tables.game
        seen = (
            observation_space(game)
            if scaled
            else spaces.Box(0, game.observation_spec.high, dtype=np.uint8)
        )
        super().__init__(tables.count, seen, spaces.Discrete(len(game.actions)))
        self.tables, self._scaled = tables, scaled
        self._actions = np.zeros(tables.count, np.int64)
        self._masks = np.zeros((tables.count, len(game.actions)), bool)

    def reset(self) -> NDArray[Any]:
        """Start a new game at every table."""
        self.tables.reset()
        return self.observe()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Take the learners' actions, (tables,)."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play them, and everything up to each learner's next decision."""
        learners = np.arange(self.num_envs), self.tables.current_players.copy()
        earned, dones = self.tables.step(self._actions)
        infos: list[dict[str, Any]] = [{}] * self.num_envs
        for game in self.tables.ended:
            # A capped round is scored in full: nothing is left to be estimated, so
            # "TimeLimit.truncated" is never set.
            infos[game.table] = {"terminal_observation": self._shown(game.raw)}
        return self.observe(), earned[learners], dones, infos

    def observe(self) -> NDArray[Any]:
        """What the learners see now; `action_masks` are theirs from here on."""
        raw, masks = self.tables.observe()
        self._masks = masks.astype(bool)
        return self._shown(raw)

    def _shown(self, raw: RawObservations) -> NDArray[Any]:
        return self.tables.game.observation_spec.to_float(raw) if self._scaled else raw

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
