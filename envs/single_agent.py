"""Gymnasium environments of one learner against given opponents."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from secrets import randbits
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ..errors import MoveError, PositionError, ResetError, SettingsError, quoted
from ..naming import counted
from .aec import RENDER_MODES, check_render_mode, learner_space, render
from .batch import Batch
from .engine.game import Game, MadeByName, explain_illegal
from .engine.kernels import draw_random_bits
from .engine.protocol import Rows
from .engine.reading import read_seed, whole_or_none
from .engine.rewards import Reward, illegal_loss
from .engine.serialization import position_of
from .engine.settings import GameSettings
from .match import Match, whole_number
from .policy import (
    ObservationBatch,
    Policy,
    RandomPolicy,
    RecurrentPolicy,
    load_policy,
    observation_batch,
)
from .self_play import LEARNER, SelfPlayBatch

ALL = "all"  # of `player`: every seat is a learner's
AgentLike = (
    Policy | RecurrentPolicy | str | Callable[..., Any]
)  # see `load_agent` in agents/registry.py
Opponents = AgentLike | Sequence[AgentLike] | None


class SingleAgentEnv(MadeByName, gymnasium.Env[Any, np.int64 | int]):
    """One learner among opponents; an episode is a game.

    An action is the learner's. The opponents' decisions up to the learner's next one are part of
    the step, and its reward is all that the learner got meanwhile; in the first step of an
    episode also for rounds that ended before it. With the same seed, the episodes are those of
    row 0 of `SingleAgentVectorEnv`.

    Observations are float32, the game's `observation_spec`; `info["action_mask"]`, int8 (actions,),
    has the legal actions, also as `action_masks()`: none after the end. `info` always has
    `score_sheet`, float64 (players, entries): the points by entry of the score sheet in the rounds
    that the reward is for, those that ended since the learner's last decision; `scores`, the points
    so far, and `win_shares`, zeros until the game has ended, float64 (players,); and `illegal`,
    whether an illegal action of the learner ended it.

    With `history=K` an observation is a dict of `observation` and `history`, the K newest public
    events of the round as the learner knows them, int32 (K, 6); see `Match.events`.
    """

    def __init__(
        self,
        game: Game | str,
        settings: GameSettings | Mapping[str, Any] | None = None,
        *,
        opponents: Opponents = None,
        player: int | str | None = 0,
        reward: Reward = "points",
        illegal: str = "lose",
        illegal_reward: float | None = None,
        render_mode: str | None = None,
        history: int = 0,
    ) -> None:
        """Make the environment.

        Args:
            game: The kind of game, or its name.
            settings: Its settings, also by name; None for the defaults.
            opponents: One agent for all other seats or one for each, clockwise from the learner;
                None plays at random. An agent is a policy, a name, or a function (see
                `load_agent` in agents/registry.py).
            player: The learner's seat, None for a random one in each episode, or `all`: then every
                decision is the learner's, for the seat `player`, and `reward` is that seat's for
                this decision; `info["rewards"]` has those of all seats.
            reward: See `Batch`.
            illegal: What an illegal action does: `lose`, so that the episode ends, for tools that
                sample actions without the mask; or `raise` MoveError.
            illegal_reward: The reward of such a loss; None for that of `illegal_loss` in
                engine/rewards.py. A reward function of your own needs it.
            render_mode: None, `ansi`, `human` or `rgb_array`.
            history: How many events an observation holds; 0 for none.

        Raises:
            SettingsError: An option is not one of these.
        """
        check_render_mode(render_mode)
        batch = Batch(game, settings, 1, reward=reward, history=history)
        game, settings = batch.game, batch.settings
        self.games = learner_batch(batch, opponents, player)
        self._all_seats = player == ALL
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}
        self.render_mode = render_mode
        self.observation_space: spaces.Space[Any] = learner_space(game, settings, history)
        self.action_space: spaces.Space[Any] = spaces.Discrete(len(game.actions))
        self._loss = illegal_loss(illegal, illegal_reward, batch.reward_kind, settings)
        self._seeded = False
        self._ended = True  # until the first reset
        self._mask = np.zeros(len(game.actions), np.int8)

    @property
    def player(self) -> int:
        """The learner's seat in this episode; with `player="all"` the seat that decides next."""
        return int(self.games.learners[0])

    @property
    def match(self) -> Match:
        """The game so far as a `Match`, with its moves and its record."""
        batch = self.games.batches[0]
        match = Match(batch.game, batch.settings, batch.reward)
        match.start(int(batch.states["seed"][0]), self.games.position)
        for _, action in self.games.moves:
            match.act(action)
        return match

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start a new game and play it up to the learner's first decision.

        Args:
            seed: The first game of this seed; None continues with the next game, or draws all 64
                bits of a seed anew if none was given.
            options: `{"position": ...}` starts from a position as plain data instead of a deal.

        Raises:
            PositionError: The position cannot arise, or the game ends before the learner decides.
            SettingsError: The seed is out of range, or an option is unknown.
        """
        seeded = seed is not None or self._seeded
        seed = None if seed is None else read_seed(seed)
        super().reset(seed=seed)
        position = position_of(options, ("position",))
        ended, self._ended = self._ended, True  # an opponent may fail
        try:
            self.games.reset(seed if seeded else randbits(64), position)
        except (PositionError, SettingsError):
            self._ended = ended or bool(self.games.over[0])
            raise
        self._seeded, self._ended = seeded, False
        self._follow_current_player()
        if self.render_mode == "human":
            self.render()
        self.games.score_sheets[:] = 0
        return self._observation(), self._info(np.zeros(self.games.max_players, np.float32))

    def step(self, action: np.int64 | int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the learner's decision and the others' up to its next one.

        Raises:
            MoveError: The action is illegal (see `illegal`); then nothing was changed.
            AgentError: An opponent's action is illegal; then only `reset` helps.
        """
        if self._ended:
            raise MoveError("the episode is over: reset starts a new one")
        games, player = self.games, self.player
        pending = float(games.pending[0, player])
        self._ended = True  # an opponent may fail
        try:
            chosen = whole_number(action)
            if not 0 <= chosen < len(games.game.actions):
                raise explain_illegal(games.game, games.batches[0].states[0], chosen)
            rewards = games.advance(np.array([chosen]), games.rows)
        except MoveError:
            if self._loss is None:
                self._ended = False
                raise
            return self._lose(self._loss)
        games.pending[:] = 0
        states = games.batches[0].states
        over = self._ended = bool(states["over"][0])
        capped = over and bool(states["capped_rounds"][0])
        if self._all_seats and not over:
            self._follow_current_player()
        if self.render_mode == "human":
            self.render()
        reward = pending + float(rewards[0, player])
        return self._observation(), reward, over and not capped, capped, self._info(rewards[0])

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions the learner may take, bool (actions,), as sb3-contrib asks."""
        legal: NDArray[np.bool_] = self._mask.astype(bool) & (not self._ended)
        return legal

    def observation_batch(self, *, information_states: bool = False) -> ObservationBatch:
        """Return what the learner observes, for an agent (see `act_on` in envs/policy.py).

        Raises:
            ResetError: There is no game yet.
            MoveError: The episode is over.
        """
        if not self.games.games_begun[0]:
            raise ResetError("there is no game yet: reset starts one")
        if self._ended:
            raise MoveError("the episode is over: reset starts a new one")
        games, (batch,) = self.games, self.games.batches
        played = np.array([seat for seat, _ in games.moves], np.int64)
        counts = np.bincount(played, minlength=games.max_players)[None]
        bits = np.zeros(1, np.uint64)
        draw_random_bits(batch.states, games.rows, counts, bits)
        return observation_batch(batch, games.rows, bits, information_states)

    def render(self) -> Any:
        """Return what the learner sees as text (`ansi`) or a picture, or print it (`human`)."""
        return render(self.match, self.render_mode, self.player)

    def _lose(self, loss: float) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return what `step` returns where an illegal action ends the episode."""
        observation = self._observation()
        self._mask[:] = 0
        self.games.score_sheets[:] = 0
        rewards = np.zeros(self.games.max_players, np.float32)
        rewards[self.player] = loss
        return observation, loss, True, False, self._info(rewards, illegal=True)

    def _info(self, rewards: NDArray[np.float32], *, illegal: bool = False) -> dict[str, Any]:
        """Return what `step` says beside the rest: the same keys at every step."""
        (batch,), seats = self.games.batches, self.games.max_players
        info = {
            "action_mask": self._mask.copy(),
            "score_sheet": self.games.points_by_entry()[0],
            "scores": batch.states["scores"][0, :seats] / 2,
            "win_shares": batch.win_shares()[0] if batch.states["over"][0] else np.zeros(seats),
            "illegal": illegal,
        }
        if self._all_seats:
            info["rewards"] = rewards
        return info

    def _follow_current_player(self) -> None:
        if self._all_seats:
            self.games.learners[:] = self.games.current_players

    def _observation(self) -> Any:
        (raw,), (self._mask,) = self.games.observe(seats=self.games.learners)
        observation = self.games.game.observation_spec.to_float(raw)
        if not self.games.history_length:
            return observation
        (events,) = self.games.observe_history(seats=self.games.learners)
        return {"observation": observation, "history": events}


def learner_batch(batch: Batch, opponents: Opponents, player: int | str | None) -> SelfPlayBatch:
    """Return games with one learner each, the opponents clockwise from its seat.

    Args:
        batch: The games.
        opponents: See `SingleAgentEnv`.
        player: The learner's seat, None for a random one in each game, or `all`.

    Raises:
        SettingsError: There is no such seat, or the opponents do not fit.
    """
    players, all_learn = batch.settings.num_players, isinstance(player, str) and player == ALL
    first = None if player is None else 0 if all_learn else whole_or_none(player)
    if (player is not None and first is None) or not 0 <= (first or 0) < players:
        raise SettingsError(
            f"player must be None, {quoted(ALL)} or from 0 to {players - 1}, not {quoted(player)}"
        )
    if all_learn and opponents is not None:
        raise SettingsError(f"player={quoted(ALL)} leaves no seat for opponents")
    others = [] if all_learn else _one_each(opponents, players - 1, batch.game)
    # One policy in several seats is one opponent: its decisions are made together.
    which = [id(policy) for policy in others]
    numbers = [which.index(identity) for identity in which]
    clockwise = np.array([LEARNER, *numbers] if others else [LEARNER] * players)
    by_seat = np.array([np.roll(clockwise, seat) for seat in range(players)])
    opponents_by_number = dict(zip(numbers, others, strict=True))
    games = SelfPlayBatch(
        [batch],
        partial(_seat, by_seat, first),
        opponents_by_number,
        record_moves=batch.num_games == 1,
    )
    games.learners[:] = first or 0
    return games


def _seat(
    by_seat: Rows, first: int | None, players: int, numbers: Rows, random_bits: NDArray[np.uint64]
) -> Rows:
    """Return who sits where, int64 (games, seats).

    Args:
        by_seat: The same by the learner's seat, int64 (seats, seats).
        first: The learner's seat, None for a random one.
        players: Seats at the table.
        numbers: Of each game in its row, (games,).
        random_bits: (games,).
    """
    drawn = (random_bits % np.uint64(players)).astype(np.int64)
    seats = drawn if first is None else first
    seated: Rows = by_seat[np.broadcast_to(seats, numbers.shape)]
    return seated


def _one_each(opponents: Opponents, seats: int, game: Game) -> list[Policy]:
    """Return one policy for each seat of an opponent; one that is given twice is made once."""
    if opponents is None:
        opponents = RandomPolicy()
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        others = list(opponents)
    else:
        others = [opponents] * seats
    if len(others) != seats:
        raise SettingsError(
            f"{seats + 1} players need {counted(seats, 'opponent')}, not {len(others)}"
        )
    keys = [agent if isinstance(agent, str) else id(agent) for agent in others]
    agents = dict(zip(keys, others, strict=True))
    policies = {key: load_policy(agent, game) for key, agent in agents.items()}
    return [policies[key] for key in keys]
