"""How the moves of a game are told to a network that weighs them one by one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from goldgriff.agents.auruxxx.move_slices import MOVES
from goldgriff.agents.auruxxx.moves import describe
from goldgriff.envs.core.errors import AgentError
from goldgriff.envs.core.game import Game
from goldgriff.envs.core.kernels import Features, Masks, Rows
from goldgriff.envs.core.slices import Slices


class Moves(NamedTuple):
    """Some moves of some decisions; those of a decision stand together.

    rows, actions: int64 (moves,), in which decision and which. numbers: uint8 (moves, size).
    """

    rows: Rows
    actions: Rows
    numbers: Features


@dataclass(frozen=True)
class Description:
    """The numbers that tell a move, as slices, and the kernel that writes them.

    write: `write(features, rows, actions, advised, numbers)`: the move `actions[k]` in the view
    `rows[k]`, where the adviser's is `advised[rows[k]]`, goes to `numbers[k]`.
    """

    slices: Slices
    write: Callable[[Features, Rows, Rows, Rows, Features], None]

    def describe(self, features: Features, masks: Masks, advised: Rows) -> Moves:
        """Describe moves, the 1s of masks; advised: the adviser's of each view, int64 (views,)."""
        rows, actions = map(np.ascontiguousarray, masks.nonzero())
        numbers = np.empty((len(rows), self.slices.size), np.uint8)
        self.write(features, rows, actions, advised, numbers)
        return Moves(rows, actions, numbers)


DESCRIPTIONS = {"auruxxx": Description(MOVES, describe)}


def find_description(game: Game) -> Description:
    """The description of a game's moves. Raises AgentError where there is none."""
    if game.name not in DESCRIPTIONS:
        raise AgentError(
            f"the moves of {game.name} cannot be described to a network; those of "
            f"{', '.join(DESCRIPTIONS)} can"
        )
    return DESCRIPTIONS[game.name]
