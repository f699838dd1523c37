"""How a game's moves are told to networks that weigh them, and whole tables to their critics."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from goldgriff.agents.auruxxx.move_slices import MOVES
from goldgriff.agents.auruxxx.moves import describe
from goldgriff.agents.auruxxx.positions import POSITION, describe_positions
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
    """The numbers that tell a move or a table, as slices, and the kernels that write them.

    write: `write(features, rows, actions, advised, numbers)`: the move `actions[k]` in the view
    `rows[k]`, where the adviser's is `advised[rows[k]]`, goes to `numbers[k]`.
    write_tables: `write_tables(features, hands, numbers)`: the table where a seat sees
    `features[k]` and the others hold `hands[k]` goes to `numbers[k]`.
    """

    slices: Slices
    write: Callable[[Features, Rows, Rows, Rows, Features], None]
    table_slices: Slices
    write_tables: Callable[[Features, Features, Features], None]

    def describe(self, features: Features, masks: Masks, advised: Rows) -> Moves:
        """Describe moves, the 1s of masks; advised: the adviser's of each view, int64 (views,)."""
        rows, actions = map(np.ascontiguousarray, masks.nonzero())
        numbers = np.empty((len(rows), self.slices.size), np.uint8)
        self.write(features, rows, actions, advised, numbers)
        return Moves(rows, actions, numbers)

    def describe_tables(self, features: Features, hands: Features) -> Features:
        """Describe tables, uint8 (tables, table_slices.size), for one seat of each.

        features, hands: what it sees and what the others hold (see `Batch.open_hands`).
        """
        numbers = np.empty((len(features), self.table_slices.size), np.uint8)
        self.write_tables(features, hands, numbers)
        return numbers


DESCRIPTIONS = {"auruxxx": Description(MOVES, describe, POSITION, describe_positions)}


def find_description(game: Game) -> Description:
    """The description of a game's moves. Raises AgentError where there is none."""
    if game.name not in DESCRIPTIONS:
        raise AgentError(
            f"the moves of {game.name} cannot be described to a network; those of "
            f"{', '.join(DESCRIPTIONS)} can"
        )
    return DESCRIPTIONS[game.name]
