"""Games as a stable-baselines3 VecEnv: one learner in every game, among opponents or the pool.

A row's transitions are its learner's own: the observation and mask of its decision, and all rewards
until its next one. Opponents change only between games.
"""

from functools import partial
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv, VecMonitor
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from ..envs.batch import derive_seeds
from ..envs.engine.game import Game
from ..envs.vector import SingleAgentVectorEnv
from ..errors import SettingsError
from .self_play import SelfPlayEnvs

Observations = Any  # (games, size), or where games keep a history a dict of that and `history`


class LearnersVecEnv(VecEnv):
    """Base of the vector environments with one learner a game; subclasses step them.

    `env_method("action_masks")` returns bool (games, actions), all at once, or those of `indices`.
    """

    def __init__(self, num_envs: int, observations: spaces.Space[Any], game: Game) -> None:
        self.render_mode = None
        super().__init__(num_envs, observations, spaces.Discrete(len(game.actions)))
        self._actions = np.zeros(num_envs, np.int64)
        self._masks = np.zeros((num_envs, len(game.actions)), bool)

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keep the learners' actions, (games,), for `step_wait`."""
        self._actions = actions

    def env_method(
        self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any
    ) -> Any:
        """Return the result of `action_masks`; games have no other methods of their own."""
        if method_name != "action_masks" or args or kwargs:
            name = type(self).__name__
            raise AttributeError(f"{name} has no method {method_name}, only action_masks")
        return self._masks if indices is None else self._masks[list(self._get_indices(indices))]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return the same value for every game; of `action_masks`, a function for each."""
        rows = list(self._get_indices(indices))
        if attr_name == "action_masks":
            return [partial(self._masks.__getitem__, row) for row in rows]
        return [getattr(self, attr_name)] * len(rows)

    def set_attr(self, attr_name: str, *_: Any, **__: Any) -> None:
        """Raise AttributeError: games share their attributes."""
        raise AttributeError(f"cannot set {attr_name} of single games")

    def env_is_wrapped(self, _: Any, indices: VecEnvIndices = None) -> list[bool]:
        """Return False for each game: none is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Do nothing: no resource is held."""


class SB3VecEnv(LearnersVecEnv):
    """A `SingleAgentVectorEnv` for Stable-Baselines3: one learner in each game.

    The infos of a game that has ended hold `terminal_observation`, `TimeLimit.truncated` (whether
    the cap on decisions ended it) and `scores` and `win_shares`, or `illegal` where an illegal
    action ended it. `reset_infos` hold nothing.

    Args:
        envs: The games, with `AutoresetMode.SAME_STEP`.
    """

    def __init__(self, envs: SingleAgentVectorEnv) -> None:
        self.envs = envs
        super().__init__(envs.num_envs, envs.single_observation_space, envs.games.game)

    def reset(self) -> Observations:
        """Start a new game in every row, by the seeds and options that were set (`VecEnv.seed`).

        Raises:
            SettingsError: The options are not the same for all rows.
        """
        options, seeds = self._options[0], self._seeds
        if any(row_options != options for row_options in self._options):
            raise SettingsError("options must be the same for all games")
        seeded = any(seed is not None for seed in seeds)
        observations, infos = self.envs.reset(seed=seeds if seeded else None, options=options)
        self._masks = infos["action_mask"].astype(bool)
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_wait(self) -> VecEnvStepReturn:
        """Step every game to its learner's next decision; return what `VecEnv` defines."""
        observations, rewards, terminated, truncated, all_infos = self.envs.step(self._actions)
        self._masks = all_infos["action_mask"].astype(bool)
        dones = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(dones).tolist():
            results, last = all_infos["final_info"], all_infos["final_obs"]
            infos[row] = {name: results[name][row] for name in ("scores", "win_shares", "illegal")}
            infos[row]["TimeLimit.truncated"] = bool(truncated[row])
            infos[row]["terminal_observation"] = (
                {name: last[name][row] for name in ("observation", "history")}
                if isinstance(last, dict)
                else last[row]
            )
        return observations, rewards, dones, infos


def make_vec_env(
    game: Game | str, num_envs: int, seed: int | None, options: dict[str, Any]
) -> VecMonitor:
    """Return games as an `SB3VecEnv` in a `VecMonitor`, as SB3's own `make_vec_env` has one.

    Args:
        game: The game, or its name.
        num_envs: Games, from 1.
        seed: See `VecEnv.seed`.
        options: Other arguments of `SingleAgentVectorEnv`, and the settings of the game.

    Raises:
        SettingsError: An option does not fit.
    """
    env = SB3VecEnv(SingleAgentVectorEnv.make(game, num_envs, autoreset_mode="SameStep", **options))
    if seed is not None:
        derive_seeds(seed, 1)  # refuses what is no seed
        env.seed(seed)
    return VecMonitor(env)


class SelfPlayVecEnv(LearnersVecEnv):
    """Games of a training run; their pool needs a member before `reset`.

    A finished game is followed by the next. Observations are uint8, (games, size): a quarter as
    large as scaled ones, for a network that scales them itself.

    Args:
        games: The games.
        seed: Of the games.
    """

    def __init__(self, games: SelfPlayEnvs, seed: int) -> None:
        space = spaces.Box(0, games.game.observation_spec.high, dtype=np.uint8)
        super().__init__(games.num_games, space, games.game)
        self.games = games
        self._seed: int | None = seed  # None after the first reset

    def reset(self) -> Observations:
        """Start a new game in every row."""
        self.games.reset(self._seed)
        self._seed = None
        return self.observe()

    def step_wait(self) -> VecEnvStepReturn:
        """Step every game to its learner's next decision; return what `VecEnv` defines."""
        learners = np.arange(self.num_envs), self.games.current_players
        rewards, dones = self.games.step(self._actions)
        infos: list[dict[str, Any]] = [{}] * self.num_envs
        # A capped round is scored in full: nothing is left to be estimated, so
        # "TimeLimit.truncated" is never set.
        ended = self.games.ended_games
        for row, last in zip(ended.rows.tolist(), ended.raw, strict=True):
            infos[row] = {"terminal_observation": last}
        return self.observe(), rewards[learners], dones, infos

    def observe(self) -> Observations:
        """Return the learners' observations; `action_masks` returns their masks from here on."""
        raw, masks = self.games.observe()
        self._masks = masks.astype(bool)
        return raw
