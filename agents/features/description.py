"""How a game's moves are told to networks that weigh them, and whole tables to their critics."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...envs.engine.game import Game
from ...envs.engine.observation import ObservationSpec
from ...envs.engine.protocol import Masks, RawObservations, Rows
from ...errors import AgentError
from .auruxxx.action_spec import ACTION_SPEC
from .auruxxx.actions import write_action_features
from .auruxxx.states import STATE_SPEC, write_state_features


class ActionFeatures(NamedTuple):
    """Some moves of some decisions; those of a decision stand together.

    rows, actions: int64 (moves,), in which decision and which. numbers: uint8 (moves, size).
    """

    rows: Rows
    actions: Rows
    numbers: RawObservations


@dataclass(frozen=True)
class FeatureSpec:
    """The numbers that tell a move or a table, as slices, and the kernels that write them.

    write: `write(raw, rows, actions, advised, numbers)`: the move `actions[k]` in the view
    `rows[k]`, where the adviser's is `advised[rows[k]]`, goes to `numbers[k]`.
    write_tables: `write_tables(raw, hands, numbers)`: the table where a seat sees
    `raw[k]` and the others hold `hands[k]` goes to `numbers[k]`.
    """

    spec: ObservationSpec
    write: Callable[[RawObservations, Rows, Rows, Rows, RawObservations], None]
    state_spec: ObservationSpec
    write_tables: Callable[[RawObservations, RawObservations, RawObservations], None]

    def describe(self, raw: RawObservations, masks: Masks, advised: Rows) -> ActionFeatures:
        """Describe moves, the 1s of masks; advised: the adviser's of each view, int64 (views,)."""
        rows, actions = map(np.ascontiguousarray, masks.nonzero())
        numbers = np.empty((len(rows), self.spec.size), np.uint8)
        self.write(raw, rows, actions, advised, numbers)
        return ActionFeatures(rows, actions, numbers)

    def describe_tables(self, raw: RawObservations, hands: RawObservations) -> RawObservations:
        """Describe tables, uint8 (tables, state_spec.size), for one seat of each.

        raw, hands: what it sees and what the others hold (see `Batch.hidden_hands`).
        """
        numbers = np.empty((len(raw), self.state_spec.size), np.uint8)
        self.write_tables(raw, hands, numbers)
        return numbers


FEATURE_SPECS = {
    "auruxxx": FeatureSpec(ACTION_SPEC, write_action_features, STATE_SPEC, write_state_features)
}


def find_feature_spec(game: Game) -> FeatureSpec:
    """The description of a game's moves. Raises AgentError where there is none."""
    if game.name not in FEATURE_SPECS:
        raise AgentError(
            f"the moves of {game.name} cannot be described to a network; those of "
            f"{', '.join(FEATURE_SPECS)} can"
        )
    return FEATURE_SPECS[game.name]
