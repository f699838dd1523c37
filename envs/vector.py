"""Many tables as a gymnasium vector environment: one learner at each, against given opponents."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from ..errors import MoveError, SettingsError
from .aec import observation_space
from .batch import derive_seeds
from .engine.game import Game
from .engine.kernels import Rows, derive_each
from .engine.settings import GameSettings
from .policy import Policy
from .self_play import LEARNER, SelfPlayBatch
from .single_agent import check_seat, seat_opponents

Infos = dict[str, Any]
Observations = NDArray[np.float32]


class SingleAgentVectorEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """`num_envs` tables, all stepped in compiled calls; an episode is a game (see `SoloEnv`).

    A game that ends is followed by the next one within the step (`AutoresetMode.SAME_STEP`). The
    infos hold `action_mask`, int8 (num_envs, actions); where a game has ended (`_final_info`) also
    `final_obs`, the learner's last observation (zeros elsewhere), and `final_info` with `scores`
    and `win_shares`, float64 (num_envs, num_players).

    opponents, seat, reward: as in `SoloEnv`; the opponents sit clockwise from the learner.
    threads: results are the same for every number of them.
    """

    def __init__(
        self,
        game: Game,
        settings: GameSettings,
        num_envs: int,
        *,
        opponents: Policy | Sequence[Policy] | None = None,
        seat: int | None = 0,
        reward: str = "points",
        threads: int = 1,
    ) -> None:
        if type(num_envs) is not int or num_envs < 1:
            raise SettingsError(f"num_envs must be a whole number from 1, not {num_envs!r}")
        players = settings.num_players
        others = seat_opponents(opponents, players)
        check_seat(seat, players)
        self.num_envs = num_envs
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = observation_space(game)
        self.single_action_space = spaces.Discrete(len(game.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.learners = SelfPlayBatch(game, settings, num_envs, reward=reward, threads=threads)
        # One policy in several seats is one player: its decisions are made together.
        which = [id(policy) for policy in others]
        numbers = [which.index(one) for one in which]
        self.learners.opponents = dict(zip(numbers, others, strict=True))
        # Row s: who sits where when the learner sits in seat s.
        clockwise = np.array([LEARNER, *numbers])
        self._arrangements = np.array([np.roll(clockwise, first) for first in range(players)])
        self._seat = seat
        self._all = np.arange(num_envs, dtype=np.int64)
        self._seeds = np.zeros(num_envs, np.uint64)
        self._begun = np.zeros(num_envs, np.int64)
        # What rounds brought the learners that ended before their first decision in a game.
        self._pending_rewards = np.zeros(num_envs, np.float32)
        self._ready = False

    @classmethod
    def make(
        cls,
        game: Game,
        num_envs: int = 1,
        *,
        opponents: Policy | Sequence[Policy] | None = None,
        seat: int | None = 0,
        reward: str = "points",
        threads: int = 1,
        **settings: Any,
    ) -> Self:
        """Make the tables, the settings of the game given by name."""
        return cls(
            game,
            game.settings.from_dict(settings),
            num_envs,
            opponents=opponents,
            seat=seat,
            reward=reward,
            threads=threads,
        )

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, Infos]:
        """Start a new game at every table.

        seed: one for all tables, or one for each (None: goes on as before). Without any, games go
        on to follow from the last seed given, or from chance where there was none.

        Raises SettingsError for seeds that are none or too few, and for a start from a position:
        that is for single tables.
        """
        if options and "position" in options:
            raise SettingsError("positions are for single tables, gymnasium.make or Table.start")
        seeds_, begun = self._seeds.copy(), self._begun.copy()
        if not self._ready:
            seeds_[:] = np.random.SeedSequence().generate_state(self.num_envs, np.uint64)
        if isinstance(seed, Sequence | np.ndarray):
            if len(seed) != self.num_envs:
                raise SettingsError(f"seeds must be {self.num_envs}, one a table, not {len(seed)}")
            for table, own in enumerate(seed):
                if own is not None:
                    seeds_[table], begun[table] = derive_seeds(own, 1)[0], 0
        elif seed is not None:
            seeds_, begun = derive_seeds(seed, self.num_envs), np.zeros_like(begun)
        self._seeds, self._begun = seeds_, begun
        self._ready = False
        self._begin(self._all)
        self._ready = True
        return self._observe()

    def step(
        self, actions: ArrayLike
    ) -> tuple[Observations, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Play the learners' decisions, (num_envs,), and the others' up to their next ones.

        Raises MoveError, and changes nothing, when any of the actions is illegal; AgentError, after
        which only `reset` helps, when an opponent's is.
        """
        if not self._ready:
            raise MoveError("call reset before step")
        learners, batch = self.learners, self.learners.batch
        self._ready = False  # an opponent may fail in the middle of the step
        try:
            returns = learners.step(np.asarray(actions), self._all)
        except MoveError:
            self._ready = True
            raise
        rewards = self._pending_rewards + returns[self._all, learners.seats]
        self._pending_rewards[:] = 0
        over = batch.over.copy()
        capped = batch.states["capped_rounds"] > 0
        last: Infos = {}
        if over.any():
            ended = np.flatnonzero(over)
            final = np.zeros((self.num_envs, batch.game.observation_spec.size), np.float32)
            final[ended] = batch.game.observation_spec.to_float(learners.observe(ended)[0])
            results = {"scores": batch.points(), "win_shares": batch.win_shares()}
            marks = {f"_{name}": over for name in results}
            last = {"final_obs": final, "_final_obs": over}
            last |= {"final_info": results | marks, "_final_info": over}
            self._begin(ended)
        self._ready = True
        observations, infos = self._observe()
        return observations, rewards, over & ~capped, over & capped, infos | last

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions the learners may take, bool (num_envs, actions)."""
        _, masks = self.learners.observe()
        return masks.astype(bool)

    def _observe(self) -> tuple[Observations, Infos]:
        raw, masks = self.learners.observe()
        everywhere = np.ones(self.num_envs, np.bool_)
        infos = {"action_mask": masks, "_action_mask": everywhere}
        return self.learners.batch.game.observation_spec.to_float(raw), infos

    def _begin(self, rows: Rows) -> None:
        """Start the next games; where one is over before its learner was asked, one more."""
        while len(rows):
            seeds, random_bits = np.empty(len(rows), np.uint64), np.empty(len(rows), np.uint64)
            derive_each(self._seeds[rows], 2 * self._begun[rows], seeds)
            derive_each(self._seeds[rows], 2 * self._begun[rows] + 1, random_bits)
            self._begun[rows] += 1
            if self._seat is None:
                first = (random_bits % np.uint64(len(self._arrangements))).astype(np.int64)
            else:
                first = np.full(len(rows), self._seat)
            returns = self.learners.begin(rows, seeds, self._arrangements[first])
            self._pending_rewards[rows] = returns[np.arange(len(rows)), self.learners.seats[rows]]
            rows = rows[self.learners.batch.over[rows]]
