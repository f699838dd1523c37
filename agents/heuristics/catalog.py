"""The agents that can be had by name, and those among them that can be base policies."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...envs.engine.game import Game, get_game
from ...envs.engine.protocol import RawObservations
from ...envs.policy import Agent, CompiledPolicy, ObservationBatch
from ...errors import AgentError
from ...naming import unknown_name


@dataclass(frozen=True)
class AgentEntry:
    """An agent that can be had by name.

    Attributes:
        game: Name of its game.
        name: Its own name.
        make: Makes the agent.
        description: What it does, in one line.
        scripted: Whether it needs no training and no search.
    """

    game: str
    name: str
    make: Callable[[], Agent]
    description: str
    scripted: bool = False


AGENTS: list[AgentEntry] = []  # of all games, each game's together


@dataclass(frozen=True)
class BasePolicy:
    """A scripted agent whose action is an input of a network."""

    name: str
    policy: CompiledPolicy

    def one_hot_actions(self, batch: ObservationBatch) -> RawObservations:
        """Return its action in each row, one-hot: uint8 (rows, actions)."""
        one_hot = np.zeros(batch.masks.shape, np.uint8)
        one_hot[np.arange(len(batch)), self.policy.act(batch)] = 1
        return one_hot


def find_base_policy(name: str, game: Game | str) -> BasePolicy:
    """Return the base policy of a name; raise AgentError, naming those there are, for another."""
    game = get_game(game)
    scripted = {e.name: e.make for e in AGENTS if e.scripted and e.game == game.name}
    policy = scripted[name]() if name in scripted else None
    if not isinstance(policy, CompiledPolicy):
        raise unknown_name(AgentError, "base policy", name, scripted)
    return BasePolicy(name, policy)
