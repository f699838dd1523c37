"""A table as a PettingZoo AEC environment, for every game."""

from typing import Any, Self

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from goldgriff.envs.core.batch import derive_seeds
from goldgriff.envs.core.errors import MoveError, SettingsError
from goldgriff.envs.core.game import Game
from goldgriff.envs.core.kernels import GAME_OVER, GOES_ON
from goldgriff.envs.core.settings import GameSettings
from goldgriff.envs.core.table import Table

RENDER_MODES = ("ansi", "human")
Observation = dict[str, Any]


class TableEnv(AECEnv[str, Observation, int]):
    """A game with agents `player_0`, `player_1`, ...; a turn may be several decisions in a row.

    An observation is a dict of `observation` (float32, the game's slices) and `action_mask`
    (int8, all zero for an agent that is not to move). Rewards are paid when a round (`points`)
    or the game (`win`) ends and sum to zero. A game with a round that reached the cap on
    decisions ends as truncated. `infos` tell what came of a round in the step that ended it.

    An action that is illegal, out of range or no number raises MoveError and changes nothing.
    """

    def __init__(
        self,
        game: Game,
        settings: GameSettings,
        *,
        reward: str = "points",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            modes = ", ".join(map(repr, RENDER_MODES))
            raise SettingsError(f"render_mode must be None or one of {modes}, not {render_mode!r}")
        self.table = Table(game, settings, reward)
        self.render_mode = render_mode
        self.metadata = {
            "name": game.id,
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(settings.num_players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        space = spaces.Dict(
            {"observation": observation_space(game), "action_mask": mask_space(game)}
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {
            agent: spaces.Discrete(len(game.actions)) for agent in self.possible_agents
        }
        self._seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        self._games_played = 0
        self._paid = False

    @classmethod
    def make(
        cls, game: Game, *, reward: str = "points", render_mode: str | None = None, **settings: Any
    ) -> Self:
        """Make an environment, the settings of the game given by name."""
        chosen = game.settings.from_dict(settings)
        return cls(game, chosen, reward=reward, render_mode=render_mode)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Space of an agent's observations; the same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Space of an agent's actions; the same for all."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        With a seed, the game is that seed's; without one it follows from the last seed given.
        `options={"position": ...}` starts from a position instead of a deal (`Table.start`);
        other options are ignored, as PettingZoo's own tests ask for.
        """
        position = (options or {}).get("position")
        if seed is None:
            first = int(derive_seeds(self._seed, 1, self._games_played)[0])
            self.table.start(first, position)
            self._games_played += 1
        else:
            given = int(seed) if isinstance(seed, np.integer) else seed
            self.table.start(given, position)
            self._seed, self._games_played = given, 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._paid = False
        self.agent_selection = self.possible_agents[self.table.mover]
        self._show()

    def step(self, action: int | None) -> None:
        """Play the decision of `agent_selection`; None once its game is over (PettingZoo).

        Raises MoveError, see the class.
        """
        agent = self.agent_selection
        if not self.agents:
            raise MoveError("the game is over: reset starts a new one")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise MoveError(f"{agent} must act: None is for agents whose game is over")
        outcome = self.table.act(action)
        self._cumulative_rewards[agent] = 0.0
        if self._paid:
            self._clear_rewards()
            self.infos = {agent: {} for agent in self.agents}
            self._paid = False
        if outcome != GOES_ON:
            self._end_round(over=outcome == GAME_OVER)
        self.agent_selection = self.possible_agents[self.table.mover]
        self._show()

    def observe(self, agent: str) -> Observation:
        """What an agent sees now; fresh arrays."""
        table, seat = self.table, self._seats[agent]
        if seat == table.mover:
            features, mask = table.features, table.mask.copy()
        else:
            (features,), (mask,) = table.look(seat)
        return {"observation": table.game.slices.to_float(features), "action_mask": mask}

    def render(self) -> str | None:
        """The table with all hands open: returned (`ansi`) or printed (`human`)."""
        if self.render_mode == "ansi":
            return self.table.draw()
        self._show()
        return None

    def close(self) -> None:
        """Nothing is held open."""

    def _end_round(self, *, over: bool) -> None:
        """Pay the rewards and tell what came of the round."""
        state, seats = self.table.state, range(len(self.possible_agents))
        info: dict[str, Any] = {
            "round_winner": int(state.round_winner),
            "round_points": [float(state.round_points[seat]) / 2 for seat in seats],
            "scores": self.table.scores,
            "capped_rounds": int(state.capped_rounds),
        }
        if over:
            info["win_shares"] = self.table.win_shares()
            flags = self.truncations if state.capped_rounds else self.terminations
            flags.update(dict.fromkeys(self.agents, True))
        for agent, reward in zip(self.possible_agents, self.table.rewards, strict=True):
            self.rewards[agent] = float(reward)
            self.infos[agent] = info.copy()
        self._accumulate_rewards()
        self._paid = True

    def _show(self) -> None:
        if self.render_mode == "human":
            print(self.table.draw(), end="\n\n")


def observation_space(game: Game) -> spaces.Box:
    """Space of the float32 observation of a game."""
    high = game.slices.to_float(game.slices.high)
    return spaces.Box(np.zeros_like(high), high, dtype=np.float32)


def mask_space(game: Game) -> spaces.Box:
    """Space of the action mask of a game."""
    return spaces.Box(0, 1, (len(game.actions),), np.int8)
