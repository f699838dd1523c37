"""PettingZoo AEC environment of every game."""

import sys
from collections.abc import Iterator, Mapping
from itertools import repeat
from secrets import randbits
from typing import Any, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable
from pettingzoo.utils.env_logger import EnvLogger

from ..errors import MoveError, ResetError, SettingsError, quoted
from .batch import derive_seeds
from .engine.game import Game, MadeByName
from .engine.kernels import GAME_OVER, GOES_ON
from .engine.rewards import Reward, illegal_loss, read_reward
from .engine.serialization import position_of
from .engine.settings import GameSettings
from .history import checked_history, history_space
from .match import Match
from .policy import ObservationBatch

RENDER_MODES = ("ansi", "human", "rgb_array")
Observation = dict[str, Any]

_NO_GAME = "there is no game yet: reset starts one"
_OVER = "the game is over: reset starts a new one"
_BY_PLAYER = ("round_points", "score_sheet", "scores", "win_shares")  # in infos: lists, an array


class CardGameEnv(MadeByName, AECEnv[str, Observation, int]):
    """A game with agents `player_0`, `player_1`, ...; a turn may be several decisions in a row.

    An observation is a dict of `observation` (float32, the game's `observation_spec`) and
    `action_mask` (int8, all zero for an agent that is not to act); with `knowledge` also of
    `known`, the cards that the agent knows in the others' hands (uint8, see `Match.known_cards`);
    with `history=K` also of `history`, the K newest public events of the round as the agent knows
    them (int32 (K, 6), see `Match.events`).
    Rewards come when a round (`points`) or the game (`win`) ends and sum to zero. A game with a
    round that reached the cap on decisions ends as truncated. `infos` have the same keys at every
    step (docs/envs): in the step that ended a round its result with the score sheet, otherwise
    zeros.

    An illegal action ends the game, as PettingZoo's `TerminateIllegalWrapper` has it: its agent
    gets the loss, the others 0, all are terminated and truncated, a warning says so; `infos` of
    the agent hold `illegal`, and nobody has a mask. With `illegal="raise"` it raises MoveError and
    changes nothing, and so does, always, an action that is out of range or not a number. Before
    the first `reset` every method that needs a game raises ResetError, and there are no attributes
    such as `agents`. So no wrapper of PettingZoo is needed; they take longer than a decision.
    """

    # Attributes are found fastest where nothing in the class answers for them, and where nothing
    # asks for the `__dict__`: else a decision takes a third longer.

    def __init__(
        self,
        game: Game | str,
        settings: GameSettings | Mapping[str, Any] | None = None,
        *,
        reward: Reward = "points",
        illegal: str = "lose",
        illegal_reward: float | None = None,
        render_mode: str | None = None,
        knowledge: bool = False,
        history: int = 0,
    ) -> None:
        """Make the environment.

        Args:
            game: The kind of game, or its name.
            settings: Its settings, also by name; None for the defaults.
            reward: See `Batch`.
            illegal: What an illegal action does: `lose` (the game ends) or `raise` MoveError.
            illegal_reward: The reward of an agent that loses so; None for that of `illegal_loss`
                in engine/rewards.py. A reward function of your own needs it.
            render_mode: None, `ansi`, `human` or `rgb_array`.
            knowledge: Whether observations have `known`.
            history: How many events an observation holds; 0 for none.

        Raises:
            SettingsError: An option is not one of these.
        """
        super().__init__()
        check_render_mode(render_mode)
        if not isinstance(knowledge, bool):
            raise SettingsError(f"knowledge must be True or False, not {quoted(knowledge)}")
        self.knowledge, self.history = knowledge, checked_history(history)
        self._plain = not (knowledge or history)
        self.match = Match(game, settings, reward)
        game, settings = self.match.game, self.match.settings
        self._loss = illegal_loss(illegal, illegal_reward, read_reward(reward)[0], settings)
        self.render_mode = render_mode
        self.metadata = {
            "name": game.id,
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(settings.num_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        seen: dict[str, spaces.Space[Any]] = {
            "observation": observation_space(game),
            "action_mask": spaces.Box(0, 1, (len(game.actions),), np.int8),
        }
        if knowledge:
            hands = (settings.num_players - 1, len(game.cards))
            seen["known"] = spaces.Box(0, 255, hands, np.uint8)
        if history:
            seen["history"] = history_space(game, settings, history)
        own = observation_space(game)
        self.state_space = spaces.Box(
            np.tile(own.low, settings.num_players), np.tile(own.high, settings.num_players)
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, spaces.Dict(seen))
        self.action_spaces = {
            agent: spaces.Discrete(len(game.actions)) for agent in self.possible_agents
        }
        players, entries = settings.num_players, len(game.score_sheet)
        self._no_round: dict[str, Any] = {  # the info of a step that ends no round
            "round_ended": False,
            "round_winner": -1,
            "round_points": [0.0] * players,
            "score_sheet": np.zeros((players, entries)),
            "win_shares": [0.0] * players,
            "capped_rounds": 0,
            "illegal": False,
        }
        self._seed: int | None = None  # the last that was given
        self._games_played = 0
        self._cumulative_rewards: dict[str, float] = {}
        self._current_player, self._ended = "", True

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations; the same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions; the same for all."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        Args:
            seed: The game of this seed; None continues with games that follow from the last one,
                or draws all 64 bits of a seed anew if none was given.
            options: `{"position": ...}` starts from a position instead of a deal (`Match.start`);
                other options are ignored, as PettingZoo's own tests ask for.
        """
        position = position_of(options)
        if seed is not None:
            self.match.start(seed, position)
            self._seed, self._games_played = seed, 0
        elif self._seed is None:
            self.match.start(randbits(64), position)
        else:
            following = int(derive_seeds(self._seed, 1, self._games_played)[0])
            self.match.start(following, position)
            self._games_played += 1
        self.agents: list[str] = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._paid = self._ended = False
        before = {"scores": self.match.scores, "capped_rounds": self.match.capped_rounds}
        self._info = self._no_round | before
        self._write_infos(self._info)
        self._current_player = self.possible_agents[self.match.current_player]
        self.agent_selection = self._current_player
        self._moved_on = True
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Play the decision of `agent_selection`; None once its game is over (PettingZoo).

        Raises:
            MoveError: The action does not fit; see the class.
        """
        if self._ended:
            self._step_after_the_end(action)
            return
        agent, match = self.agent_selection, self.match
        chosen: Any = action  # None is no action, and raises
        try:
            outcome = match.act(chosen)
        except MoveError:
            if action is None:
                must = f"{agent} must act: None is for agents whose game is over"
                raise MoveError(must) from None
            if self._loss is None or not self.action_spaces[agent].contains(action):
                raise
            self._lose(agent, self._loss)
            return
        self._cumulative_rewards[agent] = 0.0
        if self._paid:
            self._clear_rewards()
            self._write_infos(self._info)
            self._paid = False
        if outcome != GOES_ON:
            self._end_round(over=outcome == GAME_OVER)
        self.agent_selection = self._current_player = self.possible_agents[match.current_player]
        self._moved_on = True
        if self.render_mode == "human":
            self.render()

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Observation, int]:
        """Yield the agents in the order in which they act, until all are done.

        Args:
            max_iter: The most agents to yield.

        Raises:
            MoveError: The loop did not call `step`.
        """
        return cast("AECIterable[str, Observation, int]", self._turns(max_iter))

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return what `agent_selection` observes and got since its last decision.

        Args:
            observe: Whether to observe.

        Returns:
            Observation or None, reward, terminated, truncated, info.
        """
        seen: Observation | None = None
        try:
            agent = self.agent_selection
        except AttributeError:
            raise ResetError(_NO_GAME) from None
        if observe and self._plain and agent is self._current_player:  # what `observe` does, faster
            match = self.match
            seen = {"observation": match.observation.copy(), "action_mask": match.mask.copy()}
        elif observe:
            seen = self.observe(agent)
        return (
            seen,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> Observation:
        """Return what an agent observes now, in new arrays."""
        match = self.match
        if agent == self._current_player:
            observation, mask = match.observation.copy(), match.mask.copy()
        else:
            self._check_begun()
            (raw,), (mask,) = match.observe(self._seats[agent])
            observation = match.game.observation_spec.to_float(raw)
            if self._ended:  # also where an illegal action ended it, and the match has not
                mask[:] = 0
        seen: Observation = {"observation": observation, "action_mask": mask}
        if self.knowledge:
            seen["known"] = match.known_cards(self._seats[agent])
        if self.history:
            events = match.events(self._seats[agent], self.history)
            seen["history"] = events.view(np.int32).reshape(self.history, -1)
        return seen

    def state(self) -> NDArray[np.float32]:
        """Return what all agents observe, one after the other, all hands among it.

        For centralised critics, never for a player.

        Returns:
            float32 (num_players * observation_spec.size,), in the order of `possible_agents`.
        """
        self._check_begun()
        return self.match.observe_all().ravel()

    def observation_batch(self, *, information_states: bool = False) -> ObservationBatch:
        """Return what `agent_selection` observes, for an agent (see `act_on` in envs/policy.py).

        Raises:
            ResetError: There is no game yet.
            MoveError: The game is over.
        """
        self._check_begun()
        if self._ended:
            raise MoveError(_OVER)
        return self.match.observation_batch(information_states=information_states)

    def render(self) -> Any:
        """Return the table with all hands open as text or a picture, or print it (`human`)."""
        self._check_begun()
        return render(self.match, self.render_mode, None)

    def close(self) -> None:
        """Do nothing: no resource is held."""

    def _check_begun(self) -> None:
        if not hasattr(self, "agents"):
            raise ResetError(_NO_GAME)

    def _turns(self, max_iter: int) -> Iterator[str]:
        self._check_begun()
        for _ in repeat(None, min(max_iter, sys.maxsize)):
            if self._ended and not self.agents:
                return
            self._moved_on = False
            yield self.agent_selection
            if not self._moved_on:
                raise MoveError("a loop over agent_iter must call step or reset each time")

    def _step_after_the_end(self, action: int | None) -> None:
        """Remove an agent that is done, as PettingZoo asks."""
        self._check_begun()
        if not self.agents:
            raise MoveError(_OVER)
        self._was_dead_step(action)
        self._moved_on = True

    def _end_round(self, *, over: bool) -> None:
        """Set the rewards and the infos of a round that has ended."""
        match = self.match
        if over:
            self._ended = True
            flags = self.truncations if match.capped_rounds else self.terminations
            flags.update(dict.fromkeys(self.agents, True))
        self.rewards = dict(zip(self.possible_agents, match.rewards.tolist(), strict=True))
        result: dict[str, Any] = {
            "round_ended": True,
            "round_winner": match.round_winner,
            "round_points": match.round_points,
            "score_sheet": match.round_entries,
            "scores": match.scores,
            "win_shares": match.win_shares() if over else self._info["win_shares"],
            "capped_rounds": match.capped_rounds,
        }
        self._write_infos(self._info | result)
        self._info |= {name: result[name] for name in ("scores", "capped_rounds")}
        self._accumulate_rewards()
        self._paid = True

    def _write_infos(self, info: dict[str, Any]) -> None:
        self.infos: dict[str, dict[str, Any]] = {
            agent: info | {name: info[name].copy() for name in _BY_PLAYER} for agent in self.agents
        }

    def _lose(self, agent: str, loss: float) -> None:
        """End the game after an illegal action of an agent."""
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[agent] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[agent] = loss
        self._write_infos(self._info)
        self.infos[agent]["illegal"] = True
        self._accumulate_rewards()
        self._ended = self._moved_on = True
        self._current_player = ""  # nobody decides any more
        self._deads_step_first()


def render(match: Match, mode: str | None, viewer: int | None) -> Any:
    """Return what a render mode shows of a match: text, a picture, or None for what it prints."""
    if mode == "rgb_array":
        return match.picture(viewer)
    text = match.draw(viewer)
    if mode == "human":
        print(text, end="\n\n")
    return text if mode == "ansi" else None


def check_render_mode(mode: str | None) -> None:
    """Raise SettingsError for an unknown render mode."""
    if mode not in (None, *RENDER_MODES):
        modes = ", ".join(map(repr, RENDER_MODES))
        raise SettingsError(f"render_mode must be None or one of {modes}, not {quoted(mode)}")


def learner_space(game: Game, settings: GameSettings, history: int) -> spaces.Space[Any]:
    """Return the space of a learner's observations: with a history a `Dict` of both."""
    if not history:
        return observation_space(game)
    past = history_space(game, settings, history)
    return spaces.Dict({"observation": observation_space(game), "history": past})


def observation_space(game: Game) -> spaces.Box:
    """Return the space of a game's float32 observations."""
    high = game.observation_spec.to_float(game.observation_spec.high)
    return spaces.Box(np.zeros_like(high), high, dtype=np.float32)
