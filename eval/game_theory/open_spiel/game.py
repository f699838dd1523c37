"""The games in OpenSpiel: `pyspiel.load_game("goldgriff_auruxxx(preset=tiny-a)")`.

OpenSpiel asks a state written in Python for everything, and copies it attribute by attribute. So a
state has one attribute, a `Node`, which is never changed and is its own copy.
"""

from collections.abc import Callable
from functools import partialmethod
from typing import Any, NamedTuple

import numpy as np
import pyspiel

from ....envs.engine.catalog import VERSIONS
from ....envs.engine.game import get_game
from ....envs.engine.rewards import POINTS_SCALE
from ....errors import GoldgriffError, quoted
from ..information import COLUMNS
from ..node import CHANCE, TERMINAL, Node, root_node
from .parameters import Parameters, read_parameters, specification

PREFIX = "goldgriff_"
SAMPLE = 0  # the only outcome of chance where it is sampled
MAX_CARD_POINTS, OTHER_POINTS = 105, 100  # a round: of a card, also as a bonus; and beside cards
_PLAYERS = {CHANCE: pyspiel.PlayerId.CHANCE, TERMINAL: pyspiel.PlayerId.TERMINAL}


class PlayerAction(NamedTuple):
    """One move of a history."""

    player: int
    action: int


def game_type(name: str, parameters: Parameters | None = None) -> pyspiel.GameType:
    """Return the type of a game: with these parameters, or in general."""
    game = get_game(name)
    sampled = parameters is not None and parameters.sampled
    modes, rewards = pyspiel.GameType.ChanceMode, pyspiel.GameType.RewardModel
    by_round = parameters is not None and parameters.reward == "points"
    low, high = game.settings.__dataclass_fields__["num_players"].metadata["range"]
    return pyspiel.GameType(
        short_name=PREFIX + game.name,
        long_name=f"{game.title} (Goldgriff)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.SAMPLED_STOCHASTIC if sampled else modes.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=rewards.REWARDS if by_round else rewards.TERMINAL,
        max_num_players=high,
        min_num_players=low,
        provides_information_state_string=True,
        provides_information_state_tensor=parameters is None or parameters.tensor_rows > 0,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=specification(game),
    )


def game_info(name: str, parameters: Parameters) -> pyspiel.GameInfo:
    """Return the numbers of a game with these parameters."""
    game, settings = get_game(name), parameters.settings
    counts: Any = settings
    deck = counts.card_counts()
    players, rounds = settings.num_players, parameters.max_rounds
    low, high = -1.0, 1.0
    if parameters.reward == "win":
        low = -1.0 / (players - 1)
    elif parameters.reward == "points":
        high = rounds * (MAX_CARD_POINTS * sum(deck) + OTHER_POINTS) / POINTS_SCALE
        low = -high
    most = max(deck) + 1 if parameters.multisets else 0
    outcomes = 1 if parameters.sampled else max(len(game.cards), most)
    return pyspiel.GameInfo(
        num_distinct_actions=len(game.actions),
        max_chance_outcomes=outcomes,
        num_players=players,
        min_utility=low,
        max_utility=high,
        utility_sum=0.0,
        max_game_length=rounds * counts.max_decisions,
    )


class OpenSpielGame(pyspiel.Game):
    """A game with its parameters.

    Attributes:
        parameters: What they mean.
        root: The node before the deal.
        rng: Where sampled chance comes from.
    """

    def __init__(self, name: str, params: dict[str, Any] | None = None) -> None:
        game = get_game(name)
        parameters = self.parameters = read_parameters(game, params or {})
        kind, info = game_type(name, parameters), game_info(name, parameters)
        super().__init__(kind, info, dict(parameters.changed))
        multisets, reward = parameters.multisets, parameters.reward
        self.root = root_node(game, parameters.settings, multisets=multisets, reward=reward)
        self.rng = np.random.default_rng(self.parameters.rng_seed)

    def new_initial_state(self) -> "State":
        """Return the state before the deal."""
        return State(self, self.root)

    def max_chance_nodes_in_history(self) -> int:
        """Return how often chance decides at most."""
        settings: Any = self.parameters.settings
        deck = sum(settings.card_counts())
        # A deal, and in a decision no card is drawn twice.
        return int(self.parameters.max_rounds * deck + self.max_game_length() * (deck + 1))

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> "Observer | None":
        """Return an observer; None for one that does not observe all that a single player can see.

        Raises:
            GoldgriffError: It is given parameters.
        """
        if params:
            raise GoldgriffError(f"an observer has no parameters, not {quoted(params)}")
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        single = wanted.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        return Observer(self, wanted.perfect_recall) if single and wanted.public_info else None


class State(pyspiel.State):
    """A state; see `Node`.

    Attributes:
        node: The node.
    """

    def __init__(self, game: OpenSpielGame, node: Node) -> None:
        super().__init__(game)
        self.node = node

    def current_player(self) -> int:
        """Return the player that decides, or what stands for chance or the end."""
        player = self.node.current_player
        return player if player >= 0 else _PLAYERS[player]

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.node.current_player == TERMINAL

    def _legal_actions(self, _player: int) -> list[int]:
        return self.node.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of chance with their probabilities; one where it is sampled."""
        if self.get_game().parameters.sampled:
            return [(SAMPLE, 1.0)]
        return self.node.outcomes

    def _apply_action(self, action: int) -> None:
        game = self.get_game()
        if self.node.current_player == CHANCE and game.parameters.sampled:
            self.node = self.node.sample(int(game.rng.integers(2**64, dtype=np.uint64)))
        else:
            self.node = self.node.child(action)

    def undo_action(self, _player: int, _action: int) -> None:
        """Take the last move back."""
        assert self.node.parent is not None
        self.node = self.node.parent

    def _action_to_string(self, player: int, action: int) -> str:
        if player >= 0:
            return self.node.game.actions[action]
        if self.get_game().parameters.sampled:
            return "sample"
        return self.node.outcome_name(action)

    def returns(self) -> list[float]:
        """Return the sums of rewards so far; zeros before the end for `win` and `rank`."""
        return list(self.node.returns)

    def rewards(self) -> list[float]:
        """Return the rewards for the last move."""
        return list(self.node.rewards)

    def full_history(self) -> list[Any]:
        """Return all moves with their players."""
        return [
            PlayerAction(player, SAMPLE if isinstance(move, bytes) else move)
            for player, move in self.node.history
        ]

    def history(self) -> list[int]:
        """Return all moves."""
        return [move.action for move in self.full_history()]

    def history_str(self) -> str:
        """Return all moves as text."""
        return ", ".join(map(str, self.history()))

    def move_number(self) -> int:
        """Return how many moves there were."""
        return len(self.node.history)

    def is_initial_state(self) -> bool:
        """Return whether there was no move."""
        return self.node.parent is None

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "State":
        """Return a state that a player cannot tell from this one; see `Node.resample`."""
        bits = int(sampler() * 2**32) << 32 | int(sampler() * 2**32)
        return State(self.get_game(), self.node.resample(player, bits))

    def __str__(self) -> str:
        return self.node.describe()


class Observer:
    """Observer of a player, with the interface of OpenSpiel's observers.

    With perfect recall that is the information state: the tensor has the observation of the
    player's last decision, and a row for each piece of what it has observed and done. Otherwise it
    is the present observation.

    Attributes:
        tensor: float32; None for information states without a tensor.
        dict: Its parts by name: `player`, `observation`, `history`.
    """

    def __init__(self, game: OpenSpielGame, perfect_recall: bool) -> None:
        self._recall, self._spec = perfect_recall, game.root.game.observation_spec
        rows, players = game.parameters.tensor_rows, game.parameters.settings.num_players
        self.dict: dict[str, Any] = {}
        self.tensor: Any = None
        if rows or not self._recall:
            observed = players + self._spec.size
            size = observed + rows * COLUMNS if self._recall else observed
            self.tensor = np.zeros(size, np.float32)
            self.dict["player"] = self.tensor[:players]
            self.dict["observation"] = self.tensor[players:observed]
            if self._recall:
                self.dict["history"] = self.tensor[observed:].reshape(rows, COLUMNS)

    def set_from(self, state: State, player: int) -> None:
        """Write what a player observes.

        Raises:
            SettingsError: The information state has more than `tensor_rows` numbers.
        """
        if self.tensor is None:
            raise GoldgriffError(
                "these settings have no tensor of information states: tensor_rows=0"
            )
        self.dict["player"][:] = 0
        self.dict["player"][player] = 1
        node = state.node
        raw = node.information(player).seen if self._recall else node.observation(player)
        self.dict["observation"][:] = self._spec.to_float(raw)
        if self._recall:
            node.workspace.describer.write_rows(node.information(player), self.dict["history"])

    def string_from(self, state: State, player: int) -> str:
        """Return what a player observes as text."""
        if self._recall:
            return state.node.information_state(player)
        describer = state.node.workspace.describer
        return f"p{player}:{describer.observation(state.node.observation(player))}"


def register() -> None:
    """Register the games of the library with OpenSpiel; more than once does no harm."""
    for name in VERSIONS:
        # A class, since OpenSpiel holds on to it until after Python has ended: a function would be
        # freed then, which crashes.
        init = partialmethod(OpenSpielGame.__init__, name)
        game = type(name.capitalize(), (OpenSpielGame,), {"__init__": init})
        pyspiel.register_game(game_type(name), game)
