"""Many games as a gymnasium vector environment, with one learner in each."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from ..errors import MoveError, PositionError, SettingsError, quoted
from .aec import learner_space
from .batch import Batch, derive_seeds
from .engine.game import Game, get_game
from .engine.rewards import Reward
from .engine.settings import GameSettings
from .single_agent import ALL, Opponents, learner_batch

Infos = dict[str, Any]
Observations = Any  # float32 (num_envs, size); with a history a dict of that and `history`


class SingleAgentVectorEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """`num_envs` games, all stepped in compiled calls; an episode is a game.

    A game that ends is followed by the next one within the step (`AutoresetMode.SAME_STEP`). The
    infos hold `action_mask`, int8 (num_envs, actions); where a game has ended (`_final_info`) also
    `final_obs`, the learner's last observation (zeros elsewhere), and `final_info` with `scores`
    and `win_shares`, float64 (num_envs, num_players). `score_sheet`, an object array (num_envs,),
    has the score sheets of rounds that ended since the learner's last decision, None elsewhere;
    those of a game that has ended are in `final_info`. See `SingleAgentEnv` for the rest.
    """

    OPTIONS = frozenset({"opponents", "player", "reward", "threads", "history"})

    def __init__(
        self,
        game: Game | str,
        settings: GameSettings | Mapping[str, Any] | None,
        num_envs: int,
        *,
        opponents: Opponents = None,
        player: int | str | None = 0,
        reward: Reward = "points",
        threads: int = 1,
        history: int = 0,
    ) -> None:
        """Make the environment.

        Args:
            game: The kind of game, or its name.
            settings: Its settings, also by name; None for the defaults.
            num_envs: Games, from 1.
            opponents: See `SingleAgentEnv`; `player` and `reward`, too.
            player: The learner's seat, None for a random one in each game, or `all`: every decision
                is the learner's. Then the infos have `current_player`, int64 (num_envs,), the seat
                that decides next, and after a step `rewards`, float32 (num_envs, num_players).
            reward: See `Batch`.
            threads: From 1; results are the same for every number.
            history: How many events an observation holds; 0 for none. See `SingleAgentEnv`.
        """
        if type(num_envs) is not int or num_envs < 1:
            raise SettingsError(f"num_envs must be a whole number from 1, not {quoted(num_envs)}")
        batch = Batch(game, settings, num_envs, reward=reward, threads=threads, history=history)
        game, settings = batch.game, batch.settings
        self.games = learner_batch(batch, opponents, player)
        self._all_seats = player == ALL
        self.num_envs = num_envs
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = learner_space(game, settings, history)
        self.single_action_space = spaces.Discrete(len(game.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._all = np.arange(num_envs)
        self._seeded = self._ready = False

    @classmethod
    def make(cls, game: Game | str, num_envs: int = 1, **options: Any) -> Self:
        """Make an environment; options are those of the class and the settings of the game."""
        game = get_game(game)
        settings, own = game.read_options(options, cls.OPTIONS)
        return cls(game, settings, num_envs, **own)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, Infos]:
        """Start a new game in every row.

        Args:
            seed: One for all rows, or one for each (None continues that row). Left out, games
                continue from the last seed, or from entropy where there was none.
            options: `{"position": ...}` starts every game from a position as plain data.

        Raises:
            SettingsError: The seeds are out of range or too few.
            PositionError: The position cannot arise, or a game ends before its learner decides.
        """
        games, ready = self.games, self._ready
        if not self._seeded and not isinstance(seed, int | np.integer):
            games.row_seeds[:] = np.random.SeedSequence().generate_state(self.num_envs, np.uint64)
        row_seeds: dict[int, np.uint64] = {}
        if isinstance(seed, Sequence | np.ndarray):
            if len(seed) != self.num_envs:
                raise SettingsError(f"seeds must be {self.num_envs}, one a row, not {len(seed)}")
            row_seeds = {k: derive_seeds(s, 1)[0] for k, s in enumerate(seed) if s is not None}
            seed = None
        self._ready = False
        try:
            games.reset(seed, (options or {}).get("position"), row_seeds)
        except (PositionError, SettingsError):
            self._ready = ready and not games.over.any()
            raise
        self._seeded = self._ready = True
        return self._observe()

    def step(
        self, actions: ArrayLike
    ) -> tuple[Observations, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Play the learners' decisions, (num_envs,), and the others' up to their next ones.

        Raises:
            MoveError: An action is illegal; then nothing was changed.
            AgentError: An opponent's action is illegal; then only `reset` helps.
        """
        if not self._ready:
            raise MoveError("call reset before step")
        games = self.games
        learners, pending = games.learners.copy(), games.pending.copy()
        games.pending[:] = 0
        self._ready = False  # an opponent may fail in the middle of the step
        try:
            rewards, over = games.step(np.asarray(actions))
        except MoveError:
            games.pending[:] = pending
            self._ready = True
            raise
        self._ready = True
        capped, ended, last = np.zeros_like(over), games.ended_games, Infos()
        if len(ended.rows):
            capped[ended.rows] = ended.capped
            final = np.zeros((self.num_envs, games.game.observation_spec.size), np.float32)
            final[ended.rows] = games.game.observation_spec.to_float(ended.raw)
            last = {"final_obs": final, "_final_obs": over, "_final_info": over}
            if games.history_length:
                events = np.zeros((self.num_envs, *ended.history.shape[1:]), np.int32)
                events[ended.rows] = ended.history
                last["final_obs"] = {"observation": final, "history": events}
                last["final_obs"] |= {"_observation": over, "_history": over}
            last["final_info"] = {}
            for name in ("scores", "win_shares"):
                values = np.zeros((self.num_envs, games.max_players))
                values[ended.rows] = getattr(ended, name)
                last["final_info"] |= {name: values, f"_{name}": over}
            last["final_info"] |= self._score_sheets(over)
        last |= self._score_sheets(~over)
        if self._all_seats:
            last |= {"rewards": rewards, "_rewards": np.ones(self.num_envs, np.bool_)}
        observations, infos = self._observe()
        total = (pending + rewards)[self._all, learners]
        return observations, total, over & ~capped, over & capped, infos | last

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions the learners may take, bool (num_envs, actions)."""
        _, masks = self.games.observe(seats=self.games.learners)
        return masks.astype(bool)

    def _score_sheets(self, which: NDArray[np.bool_]) -> Infos:
        """Return the score sheets of some rows as gymnasium puts them; nothing where none is."""
        sheets = {row: rounds for row, rounds in self.games.score_sheets.items() if which[row]}
        if not sheets:
            return {}
        values, has = np.full(self.num_envs, None), np.zeros(self.num_envs, np.bool_)
        for row, rounds in sheets.items():
            values[row], has[row] = rounds, True
        return {"score_sheet": values, "_score_sheet": has}

    def _observe(self) -> tuple[Observations, Infos]:
        if self._all_seats:
            self.games.learners[:] = self.games.current_players
        raw, masks = self.games.observe(seats=self.games.learners)
        infos = {"action_mask": masks, "_action_mask": np.ones(self.num_envs, np.bool_)}
        if self._all_seats:
            infos |= {"current_player": self.games.learners.copy()}
            infos |= {"_current_player": np.ones(self.num_envs, np.bool_)}
        observations = self.games.game.observation_spec.to_float(raw)
        if not self.games.history_length:
            return observations, infos
        events = self.games.observe_history(seats=self.games.learners)
        return {"observation": observations, "history": events}, infos
