"""A table as a gymnasium environment: one learner against given opponents."""

from collections.abc import Sequence
from typing import Any, Self

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ..errors import AgentError, MoveError, PositionError, SettingsError
from .aec import RENDER_MODES, check_render_mode, observation_space
from .engine import kernels
from .engine.game import Game
from .engine.kernels import GAME_OVER, GOES_ON
from .engine.settings import GameSettings
from .match import Match
from .policy import ObservationBatch, Policy, RandomPolicy, wants_information_states

LOSS = -1.0  # reward of an illegal action where that ends the episode


class SingleAgentEnv(gymnasium.Env[NDArray[np.float32], np.int64 | int]):
    """One learner at a table; an episode is a game.

    An action is the learner's; the opponents' decisions up to his next one are part of the step,
    and its reward is all that came to him meanwhile, also when an opponent's move ended the
    round; in the first step of an episode, rounds that ended before it, too. Observation: float32,
    the game's slices; legal actions: `action_masks()`.

    opponents: one policy for all other seats or one for each, clockwise from the learner.
    seat: the learner's, or None for another one at random in each episode.
    illegal: what an illegal action does: "raise" MoveError, or "lose" (the episode ends with a
        reward of -1), which suits tools that sample actions without the mask.
    """

    def __init__(
        self,
        game: Game,
        settings: GameSettings,
        *,
        opponents: Policy | Sequence[Policy] | None = None,
        seat: int | None = 0,
        reward: str = "points",
        illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        players = settings.num_players
        others = seat_opponents(opponents, players)
        check_render_mode(render_mode)
        check_seat(seat, players)
        if illegal not in ("raise", "lose"):
            raise SettingsError(f"illegal must be 'raise' or 'lose', not {illegal!r}")
        self.match = Match(game, settings, reward)
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}
        self.render_mode = render_mode
        self.observation_space: spaces.Space[Any] = observation_space(game)
        self.action_space: spaces.Space[Any] = spaces.Discrete(len(game.actions))
        self._opponents = others
        self._fixed_seat = seat
        self._illegal = illegal
        self._pending_rewards = (
            0.0  # what rounds brought that ended before the learner's first decision
        )
        self._ended = True  # until the first reset
        self.seat = seat or 0

    @classmethod
    def make(
        cls,
        game: Game,
        *,
        opponents: Policy | Sequence[Policy] | None = None,
        seat: int | None = 0,
        reward: str = "points",
        illegal: str = "raise",
        render_mode: str | None = None,
        **settings: Any,
    ) -> Self:
        """Make an environment, the settings of the game given by name."""
        return cls(
            game,
            game.settings.from_dict(settings),
            opponents=opponents,
            seat=seat,
            reward=reward,
            illegal=illegal,
            render_mode=render_mode,
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start a new game and play it up to the learner's first decision.

        Raises PositionError for a position that cannot arise; the game so far then goes on. So it
        does for one that ends before the learner is to move, after which only `reset` helps.
        """
        super().reset(seed=seed)
        seat = self._fixed_seat
        if seat is None:
            seat = int(self.np_random.integers(self.match.settings.num_players))
        position = (options or {}).get("position")
        while True:  # a game may be over before the learner was asked anything
            self.match.start(int(self.np_random.integers(2**63)), position)
            self._seeds = self.np_random.integers(2**64, dtype=np.uint64)
            self.seat, self._ended = seat, True  # an opponent may fail
            self._pending_rewards = self._play_opponents()
            if not self.match.over:
                break
            if position is not None:
                raise PositionError("position: the game ends before the learner is to move")
        self._ended = False
        self._show()
        return self._observation(), {}

    def step(
        self, action: np.int64 | int
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play the learner's decision and the others' up to his next one.

        Raises MoveError, and changes nothing, when the action is illegal (see `illegal`), and
        AgentError, after which only `reset` helps, when an opponent's is.
        """
        if self._ended:
            raise MoveError("the episode is over: reset starts a new one")
        try:
            outcome = self.match.act(int(action) if isinstance(action, np.integer) else action)
        except MoveError:
            if self._illegal == "raise":
                raise
            self._ended = True
            return self._observation(), LOSS, True, False, {"illegal": True}
        self._ended = True  # an opponent may fail
        reward, self._pending_rewards = self._pending_rewards, 0.0
        if outcome != GOES_ON:
            reward += float(self.match.rewards[self.seat])
        if outcome != GAME_OVER:
            reward += self._play_opponents()
        over, capped = self.match.over, bool(self.match.capped_rounds)
        info: dict[str, Any] = {}
        if over:
            info = {"scores": self.match.scores, "win_shares": self.match.win_shares()}
        self._ended = over
        self._show()
        return self._observation(), reward, over and not capped, over and capped, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions the learner may take, bool (actions,), as sb3-contrib asks for them."""
        return self.match.mask.astype(bool) & (not self._ended)

    def render(self) -> Any:
        """The table as the learner sees it: text (`ansi`), printed (`human`) or a picture."""
        if self.render_mode == "ansi":
            return self.match.draw(self.seat)
        if self.render_mode == "rgb_array":
            return self.match.picture(self.seat)
        self._show()
        return None

    def _show(self) -> None:
        if self.render_mode == "human":
            print(self.match.draw(self.seat), end="\n\n")

    def _play_opponents(self) -> float:
        """Play until the learner is to move or the game is over; what that brought him."""
        match, returns, outcome = self.match, 0.0, GOES_ON
        players = match.settings.num_players
        while match.current_player != self.seat and outcome != GAME_OVER:
            number = (match.current_player - self.seat) % players - 1
            policy = self._opponents[number]
            bits = np.empty(1, np.uint64)
            kernels.seeds_from(self._seeds, len(match.moves), bits)
            hidden = (
                match.hidden(match.current_player) if wants_information_states(policy) else None
            )
            observations = ObservationBatch(
                match.game, match.raw[None], match.mask[None], bits, hidden
            )
            (action,) = policy.act(observations)
            try:
                outcome = match.act(action)
            except MoveError as error:
                raise AgentError(f"opponent {number}: {error}") from None
            if outcome != GOES_ON:
                returns += float(match.rewards[self.seat])
        return returns

    def _observation(self) -> NDArray[np.float32]:
        if self.seat == self.match.current_player:
            return self.match.observation.copy()
        (raw,), _ = self.match.observe(self.seat)
        return self.match.game.observation_spec.to_float(raw)


def seat_opponents(opponents: Policy | Sequence[Policy] | None, players: int) -> list[Policy]:
    """One policy for each other seat; None are random ones. Raises SettingsError for a misfit."""
    if opponents is None:
        opponents = RandomPolicy()
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        others = list(opponents)
    else:
        others = [opponents] * (players - 1)
    if len(others) != players - 1:
        raise SettingsError(f"{players} players need {players - 1} opponents, not {len(others)}")
    if not all(callable(getattr(policy, "act", None)) for policy in others):
        raise SettingsError("opponents must have a method act(views); find_agent makes one by name")
    return others


def check_seat(seat: int | None, players: int) -> None:
    """Raise SettingsError for a learner's seat that is not there."""
    if seat is not None and (type(seat) is not int or not 0 <= seat < players):
        raise SettingsError(f"seat must be None or from 0 to {players - 1}, not {seat!r}")
