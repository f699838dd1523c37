"""Self-play as a stable-baselines3 VecEnv: one learner in every game, the others from the pool.

A row's transitions are its learner's own: the observation and mask of its decision, and all rewards
until its next one. Opponents change only between games.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from ..envs.aec import observation_space
from ..envs.engine.protocol import RawObservations
from .self_play import SelfPlayEnvs


class SelfPlayVecEnv(VecEnv):
    """Games with one learner each; their pool needs a member before `reset`.

    `env_method("action_masks")` returns bool (games, actions), all at once. A finished game is
    followed by the next.

    Args:
        games: The games.
        seed: Of the games.
        scaled: Whether observations are float32, (games, size); otherwise they are uint8, a quarter
            as large, for a network that scales them itself.
    """

    def __init__(self, games: SelfPlayEnvs, seed: int, *, scaled: bool = True) -> None:
        self.render_mode = None
        game = games.game
        seen = (
            observation_space(game)
            if scaled
            else spaces.Box(0, game.observation_spec.high, dtype=np.uint8)
        )
        super().__init__(games.num_games, seen, spaces.Discrete(len(game.actions)))
        self.games, self._scaled = games, scaled
        self._seed: int | None = seed  # None after the first reset
        self._actions = np.zeros(games.num_games, np.int64)
        self._masks = np.zeros((games.num_games, len(game.actions)), bool)

    def reset(self) -> NDArray[Any]:
        """Start a new game in every row."""
        self.games.reset(self._seed)
        self._seed = None
        return self.observe()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Take the learners' actions, (games,)."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play them, and everything up to each learner's next decision."""
        learners = np.arange(self.num_envs), self.games.current_players
        earned, dones = self.games.step(self._actions)
        infos: list[dict[str, Any]] = [{}] * self.num_envs
        # A capped round is scored in full: nothing is left to be estimated, so
        # "TimeLimit.truncated" is never set.
        ended = self.games.ended_games
        for row, raw in zip(ended.rows.tolist(), self._shown(ended.raw), strict=True):
            infos[row] = {"terminal_observation": raw}
        return self.observe(), earned[learners], dones, infos

    def observe(self) -> NDArray[Any]:
        """Return what the learners see now; `action_masks` are theirs from here on."""
        raw, masks = self.games.observe()
        self._masks = masks.astype(bool)
        return self._shown(raw)

    def _shown(self, raw: RawObservations) -> NDArray[Any]:
        return self.games.game.observation_spec.to_float(raw) if self._scaled else raw

    def env_method(
        self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any
    ) -> Any:
        """Answer `action_masks` for all games at once; there is no environment to ask singly."""
        if method_name != "action_masks" or indices is not None or args or kwargs:
            raise AttributeError(f"SelfPlayVecEnv answers action_masks, not {method_name}")
        return self._masks

    def has_attr(self, attr_name: str) -> bool:
        """Return whether `env_method` or `get_attr` can answer."""
        return attr_name in ("action_masks", "render_mode")

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return the same value for every game."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, *_: Any, **__: Any) -> None:
        """Refuse: games share their attributes."""
        raise AttributeError(f"cannot set {attr_name} of single games")

    def env_is_wrapped(self, _: Any, indices: VecEnvIndices = None) -> list[bool]:
        """Return False: no game is wrapped; they report their episodes themselves."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Nothing is held open."""
