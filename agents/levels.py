"""Opponents of six levels: a trained agent that errs by a temperature and by blunders."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.protocol import Rows
from ..envs.policy import Agent, ObservationBatch, wants_information_states
from .ensemble import TrainedPolicy
from .pretrained import masked_softmax

_FRACTION = np.uint64(11)  # bits by which random bits are shifted to the 53 of a fraction


class Level(NamedTuple):
    """The errors of an agent.

    Attributes:
        temperatures: By game. It divides the logits: the higher it is, the more often the second
            best action.
        blunder_rate: Probability of a random legal action, each equally likely.
        ratings: On Elo's scale, by game, of the six levels against each other; their mean is 1500.
    """

    temperatures: Mapping[str, float]
    blunder_rate: float
    ratings: Mapping[str, int]

    @property
    def description(self) -> str:
        """An agent of this level, in one line."""
        errors = f"{self.blunder_rate:.0%} random moves" if self.blunder_rate else "without errors"
        return f"the champion, {errors}: docs/agents/levels.md"


def _by_game(auruxxx: int, gluecksgriff: int) -> Mapping[str, int]:
    return {"auruxxx": auruxxx, "gluecksgriff": gluecksgriff}


# By name. The rates were chosen so that each level wins more than the one below, by a step that a
# few hundred deals show (docs/agents/levels.md, which has the ratings and their intervals).
LEVELS = {
    "level-1": Level(_by_game(2000, 400), 0.4, _by_game(1286, 782)),
    "level-2": Level(_by_game(900, 250), 0.28, _by_game(1388, 1144)),
    "level-3": Level(_by_game(450, 150), 0.18, _by_game(1452, 1470)),
    "level-4": Level(_by_game(260, 75), 0.11, _by_game(1542, 1710)),
    "level-5": Level(_by_game(170, 25), 0.05, _by_game(1601, 1882)),
    "level-6": Level(_by_game(1, 1), 0.0, _by_game(1731, 2012)),
}


class LevelPolicy(Agent):
    """Plays like a trained agent, with the errors of a level.

    Args:
        trained: The trained agent.
        level: How much it errs.
    """

    def __init__(self, trained: TrainedPolicy, level: Level) -> None:
        self.trained, self.level = trained, level
        self.wants_information_states = wants_information_states(trained)

    def act(self, batch: ObservationBatch) -> Rows:
        """Choose a legal action for each row by the row's random bits, int64 (rows,)."""
        cumulative = self.action_probabilities(batch).cumsum(axis=1)
        points = (batch.random_bits >> _FRACTION).astype(np.float64) / 2.0**53 * cumulative[:, -1]
        actions: Rows = (cumulative > points[:, None]).argmax(axis=1)
        return actions

    def action_probabilities(self, batch: ObservationBatch) -> NDArray[np.float64]:
        """Return the probability of each action, float64 (rows, actions); 0 for illegal ones."""
        logits, legal = self.trained.logits(batch), batch.masks == 1
        softmax = masked_softmax(logits, batch.masks, self.level.temperatures[batch.game.name])
        uniform = legal / legal.sum(axis=1, keepdims=True)
        rate = self.level.blunder_rate
        mixed: NDArray[np.float64] = (1.0 - rate) * softmax + rate * uniform
        return mixed
