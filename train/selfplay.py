"""Self-play as a stable-baselines3 VecEnv: every table has one learner, the rest are past selves.

All tables are stepped in one compiled call; between two decisions of the learner the opponents'
decisions are made in batches, one for each past self. A row's transitions are its learner's own:
the observation and mask of his decision, and all reward until his next one.

Who plays whom: with each game the learner's seat moves one on, and all other seats are taken by
one past self: with even chances the newest or any one of the pool. Opponents change only between
games.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from goldgriff.envs.core.aec import observation_space
from goldgriff.envs.core.batch import derive_seeds
from goldgriff.envs.core.game import Game
from goldgriff.envs.core.kernels import Rows, derive_each
from goldgriff.envs.core.learners import LEARNER, Learners
from goldgriff.envs.core.policy import Policy
from goldgriff.envs.core.settings import GameSettings


class SelfPlayVecEnv(VecEnv):
    """`tables` games of one learner each against past selves; `add_opponent` before `reset`.

    Observations: float32 (tables, slices.size). `env_method("action_masks")`: bool (tables,
    actions), all at once. A finished game restarts by itself; its `info` has `episode` with the
    sum of rewards `r`, the learner's decisions `l` and his share of the win `win`.
    """

    def __init__(
        self,
        game: Game,
        settings: GameSettings,
        tables: int,
        *,
        reward: str = "points",
        seed: int = 0,
        pool_size: int = 4,
        threads: int = 1,
    ) -> None:
        self.render_mode = None
        super().__init__(tables, observation_space(game), spaces.Discrete(len(game.actions)))
        self.game = game
        self.learners = Learners(game, settings, tables, reward=reward, threads=threads)
        self.pool_size = pool_size
        self.pool: list[int] = []  # members that new games may draw, the newest last
        self._luck = derive_seeds(seed, tables)  # of each table, for its games and opponents
        self._all = np.arange(tables)
        self._begun = np.zeros(tables, np.int64)  # games
        self._returns = np.zeros(tables)
        self._lengths = np.zeros(tables, np.int64)
        self._actions = np.zeros(tables, np.int64)
        self._masks = np.zeros((tables, len(game.actions)), bool)

    @property
    def members(self) -> dict[int, Policy]:
        """The pool, and who else still sits at a table."""
        return self.learners.opponents

    def add_opponent(self, policy: Policy) -> None:
        """Add a past self to the pool; the oldest leaves it when it is full."""
        self.pool.append(max(self.members, default=-1) + 1)
        self.members[self.pool[-1]] = policy
        self.pool = self.pool[-self.pool_size :]
        needed = {*self.pool, *np.unique(self.learners.seating).tolist()}
        for key in set(self.members) - needed:
            del self.members[key]

    def reset(self) -> NDArray[np.float32]:
        """Start a new game at every table."""
        self._begin(self._all)
        return self._observe()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Take the learners' actions, (tables,)."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play them, and everything up to each learner's next decision."""
        learners, batch = self.learners, self.learners.batch
        earned = learners.step(self._actions, self._all)
        self._returns += earned
        self._lengths += 1

        infos: list[dict[str, Any]] = [{}] * self.num_envs
        dones: NDArray[np.bool_] = batch.over.copy()
        ended = np.flatnonzero(dones)
        if len(ended):
            features, _ = learners.look(ended)
            last = self.game.slices.to_float(features)
            shares = batch.win_shares()[ended, learners.seats[ended]]
            for row, observation, share in zip(ended, last, shares, strict=True):
                infos[row] = {
                    "episode": {
                        "r": float(self._returns[row]),
                        "l": int(self._lengths[row]),
                        "win": float(share),
                    },
                    # A capped round is scored in full: nothing is left to be estimated, so
                    # "TimeLimit.truncated" is never set.
                    "terminal_observation": observation,
                }
            self._begin(ended)
        return self._observe(), earned, dones, infos

    def state(self) -> dict[str, NDArray[Any]]:
        """All that a later `restore` needs to go on exactly here, beside the members."""
        own = {"begun": self._begun, "returns": self._returns, "lengths": self._lengths}
        return self.learners.state() | own

    def restore(self, state: dict[str, NDArray[Any]]) -> NDArray[np.float32]:
        """Go on from a `state`; set `members` and `pool`, too. Returns the observations."""
        for name, array in self.state().items():
            array[:] = state[name]
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

    def _begin(self, rows: Rows) -> None:
        """Start new games, up to the learner's first decision in each."""
        seats = self.learners.seating.shape[1]
        while len(rows):  # a game may be over before its learner was asked anything
            words = np.empty((2, len(rows)), np.uint64)
            derive_each(self._luck[rows], 2 * self._begun[rows], words[0])
            derive_each(self._luck[rows], 2 * self._begun[rows] + 1, words[1])
            newest = words[1] % np.uint64(2) == 0
            drawn = (words[1] >> np.uint64(1)) % np.uint64(len(self.pool))
            pool = np.array(self.pool)
            members = np.where(newest, pool[-1], pool[drawn.astype(np.int64)])
            seating = np.repeat(members[:, None], seats, axis=1)
            seating[np.arange(len(rows)), self._begun[rows] % seats] = LEARNER
            self._begun[rows] += 1
            self._returns[rows] = 0
            self._lengths[rows] = 0
            rows = self.learners.begin(rows, words[0], seating)

    def _observe(self) -> NDArray[np.float32]:
        features, masks = self.learners.look()
        self._masks = masks.astype(bool)
        return self.game.slices.to_float(features)
