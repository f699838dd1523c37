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
from ..envs.engine.history import Events
from ..envs.engine.protocol import RawObservations
from ..envs.history import history_space
from .self_play import SelfPlayEnvs

Observations = Any  # (games, size), or where games keep a history a dict of that and `history`


class SelfPlayVecEnv(VecEnv):
    """Games with one learner each; their pool needs a member before `reset`.

    `env_method("action_masks")` returns bool (games, actions), all at once. A finished game is
    followed by the next. Where the games keep a history, an observation is a dict of `observation`
    and `history`, int32 (games, history, 6).

    Args:
        games: The games.
        seed: Of the games.
        scaled: Whether observations are float32, (games, size); otherwise they are uint8, a quarter
            as large, for a network that scales them itself.
    """

    def __init__(self, games: SelfPlayEnvs, seed: int, *, scaled: bool = True) -> None:
        self.render_mode = None
        game = games.game
        raw_space = spaces.Box(0, game.observation_spec.high, dtype=np.uint8)
        seen: spaces.Space[Any] = observation_space(game) if scaled else raw_space
        if games.history_length:
            settings = max((one.settings for one in games.batches), key=lambda one: one.num_players)
            past = history_space(game, settings, games.history_length)
            seen = spaces.Dict({"observation": seen, "history": past})
        super().__init__(games.num_games, seen, spaces.Discrete(len(game.actions)))
        self.games, self._scaled = games, scaled
        self._seed: int | None = seed  # None after the first reset
        self._actions = np.zeros(games.num_games, np.int64)
        self._masks = np.zeros((games.num_games, len(game.actions)), bool)

    def reset(self) -> Observations:
        """Start a new game in every row."""
        self.games.reset(self._seed)
        self._seed = None
        return self.observe()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keep the learners' actions, (games,), for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Step every game to its learner's next decision; return what `VecEnv` defines."""
        learners = np.arange(self.num_envs), self.games.current_players
        rewards, dones = self.games.step(self._actions)
        infos: list[dict[str, Any]] = [{}] * self.num_envs
        # A capped round is scored in full: nothing is left to be estimated, so
        # "TimeLimit.truncated" is never set.
        ended = self.games.ended_games
        raw, events = ended.raw, ended.history
        for row, *last in zip(ended.rows.tolist(), self._shown(raw), events, strict=True):
            infos[row] = {"terminal_observation": join_history(*last)}
        return self.observe(), rewards[learners], dones, infos

    def observe(self) -> Observations:
        """Return the learners' observations; `action_masks` returns their masks from here on."""
        raw, masks = self.games.observe()
        self._masks = masks.astype(bool)
        return join_history(self._shown(raw), self.games.observe_history())

    def _shown(self, raw: RawObservations) -> NDArray[Any]:
        return self.games.game.observation_spec.to_float(raw) if self._scaled else raw

    def env_method(
        self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any
    ) -> Any:
        """Return the result of `action_masks` for all games; games have no methods of their own."""
        if method_name != "action_masks" or indices is not None or args or kwargs:
            raise AttributeError(f"SelfPlayVecEnv has no method {method_name}, only action_masks")
        return self._masks

    def has_attr(self, attr_name: str) -> bool:
        """Return whether `env_method` or `get_attr` can answer."""
        return attr_name in ("action_masks", "render_mode")

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return the same value for every game."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, *_: Any, **__: Any) -> None:
        """Raise AttributeError: games share their attributes."""
        raise AttributeError(f"cannot set {attr_name} of single games")

    def env_is_wrapped(self, _: Any, indices: VecEnvIndices = None) -> list[bool]:
        """Return False for each game: none is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Do nothing: no resource is held."""


def join_history(observations: NDArray[Any], events: Events) -> Observations:
    """Return observations with their events, or alone where no events are kept."""
    return {"observation": observations, "history": events} if events.size else observations
