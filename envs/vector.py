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
from .engine.protocol import Rows
from .engine.reading import read_whole, whole_or_none
from .engine.rewards import Reward, illegal_loss
from .engine.serialization import position_of
from .engine.settings import GameSettings
from .single_agent import ALL, Opponents, learner_batch

Infos = dict[str, Any]
Observations = Any  # float32 (num_envs, size); with a history a dict of that and `history`


class SingleAgentVectorEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """`num_envs` games, all stepped in compiled calls; an episode is a game.

    The infos hold `action_mask`, int8 (num_envs, actions). A game that has ended is followed by the
    next one within the step (`AutoresetMode.SAME_STEP`): where it ended (`_final_info`), the infos
    have `final_obs`, the learner's last observation (zeros elsewhere), and `final_info` with
    `scores` and `win_shares`, float64 (num_envs, num_players), and `illegal`, bool (num_envs,),
    whether an illegal action ended it. With `AutoresetMode.NEXT_STEP` the last observation is that
    of the step, the infos themselves have these entries at every step, zeros where no game has
    ended, and the next step starts the next game, whatever its action: with a reward of 0.
    `score_sheet`, float64 (num_envs, num_players, entries), has the points of the rounds that ended
    since the learner's last decision; those of a game that has ended are among its results. See
    `SingleAgentEnv` for the rest.

    Attributes:
        autoreset_mode: The mode, also in `metadata`.
    """

    def __init__(
        self,
        game: Game | str,
        settings: GameSettings | Mapping[str, Any] | None,
        num_envs: int,
        *,
        opponents: Opponents = None,
        player: int | str | None = 0,
        reward: Reward = "points",
        illegal: str = "lose",
        illegal_reward: float | None = None,
        threads: int = 1,
        history: int = 0,
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
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
            illegal: What an illegal action does: `lose`, so that its game ends, or `raise`
                MoveError.
            illegal_reward: See `SingleAgentEnv`.
            threads: From 1; results are the same for every number.
            history: How many events an observation holds; 0 for none. See `SingleAgentEnv`.
            autoreset_mode: `SameStep` or `NextStep`, also as gymnasium's `AutoresetMode`.

        Raises:
            SettingsError: An option is not one of these.
        """
        num_envs = read_whole("num_envs", num_envs, 1)
        batch = Batch(game, settings, num_envs, reward=reward, threads=threads, history=history)
        game, settings = batch.game, batch.settings
        self.games = learner_batch(batch, opponents, player)
        self._all_seats = player == ALL
        self.num_envs = num_envs
        self.autoreset_mode = _read_mode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self._loss = illegal_loss(illegal, illegal_reward, batch.reward_kind, settings)
        self.single_observation_space = learner_space(game, settings, history)
        self.single_action_space = spaces.Discrete(len(game.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._all = np.arange(num_envs)
        self._waiting = np.zeros(num_envs, np.bool_)  # for the step that starts their next game
        self._seeded = self._ready = False

    @classmethod
    def make(cls, game: Game | str, num_envs: int = 1, **options: Any) -> Self:
        """Make an environment; options are those of the class and the settings of the game."""
        game = get_game(game)
        settings, own = game.read_options(options, cls)
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
                continue from the last seed; where there was none, all 64 bits of each are drawn
                anew.
            options: `{"position": ...}` starts every game from a position as plain data;
                `{"reset_mask": mask}`, bool (num_envs,), starts games in some rows only, and the
                others go on.

        Raises:
            SettingsError: The seeds are out of range or too few, an option is unknown, or the mask
                is none.
            PositionError: The position cannot arise, or a game ends before its learner decides.
        """
        games, ready = self.games, self._ready
        position = position_of(options, ("position", "reset_mask"))
        rows = self._rows_of(options)
        seeded = seed is not None or self._seeded
        if not self._seeded and whole_or_none(seed) is None:
            entropy = np.random.SeedSequence().generate_state(len(rows), np.uint64)
            games.row_seeds[rows] = entropy
        row_seeds: dict[int, np.uint64] = {}
        if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str):
            if len(seed) != self.num_envs:
                raise SettingsError(f"seeds must be {self.num_envs}, one a row, not {len(seed)}")
            row_seeds = {k: derive_seeds(s, 1)[0] for k, s in enumerate(seed) if s is not None}
            seed = None
        self._ready = False
        try:
            games.reset(seed, position, row_seeds, rows)
        except (PositionError, SettingsError):
            self._ready = ready and not (games.over & ~self._waiting).any()
            raise
        self._waiting[rows] = False
        games.score_sheets[:] = 0
        self._seeded, self._ready = seeded, True
        nothing = np.zeros_like(self._waiting)
        observations, infos = self._observe(np.zeros_like(games.pending))
        return observations, infos | self._results(nothing, nothing)[0]

    def _rows_of(self, options: dict[str, Any] | None) -> Rows:
        """Return the rows that the options of `reset` name. Raises SettingsError."""
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return self.games.rows
        mask = np.asarray(mask)
        if mask.shape != self._waiting.shape or mask.dtype != np.bool_:
            raise SettingsError(f"reset_mask must be bool of shape ({self.num_envs},)")
        if not (self._ready or mask.all()):
            raise SettingsError("reset_mask: the first reset is one of all games")
        return np.flatnonzero(mask)

    def step(
        self, actions: ArrayLike
    ) -> tuple[Observations, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Play the learners' decisions, (num_envs,), and the others' up to their next ones.

        Raises:
            MoveError: An action is illegal (see `illegal`), or they are not whole numbers, one a
                row; then nothing was changed.
            AgentError: An opponent's action is illegal; then only `reset` helps.
        """
        if not self._ready:
            raise MoveError("call reset before step")
        games, chosen, starting = self.games, np.asarray(actions), self._waiting
        lost = np.zeros_like(starting)
        if self._loss is not None:
            lost = games.batches[0].illegal(chosen) & ~starting
        rows, played = games.rows, chosen
        if (starting | lost).any():
            rows = np.flatnonzero(~(starting | lost))
            played = chosen[rows]
        learners, pending = games.learners.copy(), games.pending.copy()
        games.pending[rows] = 0
        self._ready = False  # an opponent may fail in the middle of the step
        try:
            rewards = games.advance(played, rows)
        except MoveError:
            games.pending[:] = pending
            self._ready = True
            raise
        total = np.zeros(self.num_envs, np.float32)
        total[rows] = (pending + rewards)[rows, learners[rows]]
        if lost.any():
            total[lost] = rewards[lost, learners[lost]] = self._loss
        games.start_next(np.flatnonzero(starting))
        over = games.over | lost
        infos, capped = self._results(over, lost)
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            games.start_next(np.flatnonzero(over))
        else:
            self._waiting = over
        self._ready = True
        observations, seen = self._observe(rewards)
        return observations, total, over & ~capped, capped, seen | infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions the learners may take, bool (num_envs, actions)."""
        _, masks = self.games.observe(seats=self.games.learners)
        return masks.astype(bool) & ~self._waiting[:, None]

    def _results(
        self, over: NDArray[np.bool_], lost: NDArray[np.bool_]
    ) -> tuple[Infos, NDArray[np.bool_]]:
        """Return what the infos say of the last step, and which games are truncated.

        Args:
            over: The games that it ended.
            lost: Those of them that ended by an illegal action.
        """
        same_step = self.autoreset_mode == AutoresetMode.SAME_STEP
        capped, everywhere = np.zeros_like(over), np.ones_like(over)
        infos: Infos = {"score_sheet": self.games.points_by_entry()}
        if same_step and not over.any():
            return _with_rows(infos, everywhere), capped
        ended = self.games.results(np.flatnonzero(over))
        capped[ended.rows] = ended.capped
        capped &= ~lost
        results: Infos = {"illegal": lost}
        for name in ("scores", "win_shares"):
            results[name] = self._all_rows(ended.rows, getattr(ended, name))
        results["win_shares"][lost] = 0
        if not same_step:
            return _with_rows(infos | results, everywhere), capped
        results["score_sheet"] = np.where(over[:, None, None], infos["score_sheet"], 0)
        infos["score_sheet"] -= results["score_sheet"]
        final = self.games.game.observation_spec.to_float(ended.raw)
        last: Observations = self._all_rows(ended.rows, final)
        if self.games.history_length:
            events = self._all_rows(ended.rows, ended.history)
            last = _with_rows({"observation": last, "history": events}, over)
        ends = {"final_obs": last, "final_info": _with_rows(results, over.copy())}
        return _with_rows(infos, everywhere) | _with_rows(ends, over.copy()), capped

    def _all_rows(self, rows: Rows, values: NDArray[Any]) -> NDArray[Any]:
        """Return values of some rows as an array of all rows, zeros elsewhere."""
        everywhere = np.zeros((self.num_envs, *values.shape[1:]), values.dtype)
        everywhere[rows] = values
        return everywhere

    def _observe(self, rewards: NDArray[np.float32]) -> tuple[Observations, Infos]:
        if self._all_seats:  # but where a game has ended, whose last observation this is
            following = np.flatnonzero(~self._waiting)
            self.games.learners[following] = self.games.current_players[following]
        raw, masks = self.games.observe(seats=self.games.learners)
        masks[self._waiting] = 0
        infos: Infos = {"action_mask": masks}
        if self._all_seats:
            infos |= {"current_player": self.games.learners.copy(), "rewards": rewards}
        infos = _with_rows(infos, np.ones(self.num_envs, np.bool_))
        observations = self.games.game.observation_spec.to_float(raw)
        if not self.games.history_length:
            return observations, infos
        events = self.games.observe_history(seats=self.games.learners)
        return {"observation": observations, "history": events}, infos


def _with_rows(infos: Infos, rows: NDArray[np.bool_]) -> Infos:
    """Return infos with the mask of the rows that have them, under `_NAME`, as gymnasium has it."""
    return infos | {f"_{name}": rows for name in infos}


def _read_mode(mode: str | AutoresetMode) -> AutoresetMode:
    """Return gymnasium's mode, which may be given by its value. Raises SettingsError."""
    modes = (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP)
    for allowed in modes:
        if mode in (allowed.value, allowed):
            return allowed
    choices = " or ".join(repr(allowed.value) for allowed in modes)
    raise SettingsError(f"autoreset_mode must be {choices}, not {quoted(mode)}")
