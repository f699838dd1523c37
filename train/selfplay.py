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
from goldgriff.envs.core.batch import Batch, derive_seeds
from goldgriff.envs.core.game import Game
from goldgriff.envs.core.kernels import Rows, derive_each, draw_words
from goldgriff.envs.core.policy import Policy, Views
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
        self.batch = Batch(game, settings, tables, reward=reward, threads=threads)
        self.pool_size = pool_size
        self.pool: list[int] = []  # members that new games may draw, the newest last
        self.members: dict[int, Policy] = {}  # the pool, and who else still sits at a table
        self._luck = derive_seeds(seed, tables)  # of each table, for its games and opponents
        self._all = np.arange(tables)
        self._begun = np.zeros(tables, np.int64)  # games
        self._learners = np.zeros(tables, np.int64)  # seats
        self._opponents = np.full(tables, -1, np.int64)  # members
        self._asked = np.zeros((tables, settings.num_players), np.int64)
        self._returns = np.zeros(tables)
        self._lengths = np.zeros(tables, np.int64)
        self._actions = np.zeros(tables, np.int64)
        self._masks = np.zeros((tables, len(game.actions)), bool)

    def add_opponent(self, policy: Policy) -> None:
        """Add a past self to the pool; the oldest leaves it when it is full."""
        self.pool.append(max(self.members, default=-1) + 1)
        self.members[self.pool[-1]] = policy
        self.pool = self.pool[-self.pool_size :]
        needed = {*self.pool, *self._opponents.tolist()}
        self.members = {key: member for key, member in self.members.items() if key in needed}

    def reset(self) -> NDArray[np.float32]:
        """Start a new game at every table."""
        self._begin(self._all)
        return self._observe()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Take the learners' actions, (tables,)."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play them, and everything up to each learner's next decision."""
        earned = np.zeros(self.num_envs, np.float32)
        self.batch.step(self._actions)
        earned += self.batch.rewards[self._all, self._learners]
        self._play_opponents(self._all, earned)
        self._returns += earned
        self._lengths += 1

        infos: list[dict[str, Any]] = [{}] * self.num_envs
        dones: NDArray[np.bool_] = self.batch.over.copy()
        ended = np.flatnonzero(dones)
        if len(ended):
            features, _ = self.batch.look(self._learners[ended], ended)
            last = self.game.slices.to_float(features)
            shares = self.batch.win_shares()[ended, self._learners[ended]]
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
        games = self.batch.games.view(np.uint8).reshape(self.num_envs, -1)
        named = ("_begun", "_learners", "_opponents", "_asked", "_returns", "_lengths")
        return {"games": games, **{name[1:]: getattr(self, name) for name in named}}

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
        while len(rows):  # a game may be over before its learner was asked anything
            words = np.empty((2, len(rows)), np.uint64)
            derive_each(self._luck[rows], 2 * self._begun[rows], words[0])
            derive_each(self._luck[rows], 2 * self._begun[rows] + 1, words[1])
            newest = words[1] % np.uint64(2) == 0
            drawn = (words[1] >> np.uint64(1)) % np.uint64(len(self.pool))
            pool = np.array(self.pool)
            self._opponents[rows] = np.where(newest, pool[-1], pool[drawn.astype(np.int64)])
            self._learners[rows] = self._begun[rows] % self.batch.settings.num_players
            self._begun[rows] += 1
            self._asked[rows] = 0
            self._returns[rows] = 0
            self._lengths[rows] = 0
            self.batch.start(words[0], rows)
            self._play_opponents(rows, np.zeros(self.num_envs, np.float32))
            rows = rows[self.batch.over[rows]]

    def _play_opponents(self, rows: Rows, earned: NDArray[np.float32]) -> None:
        """Play until every learner is to move or his game is over; add up what that brought."""
        batch = self.batch
        while True:
            rows = rows[~batch.over[rows] & (batch.movers[rows] != self._learners[rows])]
            if not len(rows):
                return
            features, masks = batch.look(batch.movers[rows], rows)
            words = np.empty(len(rows), np.uint64)
            draw_words(batch.games, rows, self._asked, words)
            actions = np.empty(len(rows), np.int64)
            for member in np.unique(self._opponents[rows]):
                mine = np.flatnonzero(self._opponents[rows] == member)
                views = Views(self.game, features[mine], masks[mine], words[mine])
                actions[mine] = self.members[int(member)].act(views)
            batch.step(actions, rows)
            earned[rows] += batch.rewards[rows, self._learners[rows]]

    def _observe(self) -> NDArray[np.float32]:
        features, masks = self.batch.look(self._learners)
        self._masks = masks.astype(bool)
        return self.game.slices.to_float(features)
