"""Features of actions, for networks that value actions one by one, and of states, for critics."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.game import Game, get_game
from ...envs.engine.observation import ObservationSpec
from ...envs.engine.protocol import Masks, RawObservations, Rows
from ...errors import AgentError


class ActionFeatures(NamedTuple):
    """Features of some actions of some decisions; those of a decision stand together.

    Attributes:
        rows: The decision of each, int64 (actions,).
        actions: The action, int64 (actions,).
        numbers: Its features, uint8 (actions, size).
    """

    rows: Rows
    actions: Rows
    numbers: RawObservations


@dataclass(frozen=True)
class FeatureSpec:
    """The features of a game's actions and states, and the kernels that write them.

    Attributes:
        game: The name of the game, under which it is registered in `FEATURE_SPECS`.
        action_spec: Fields of the features of an action.
        write_actions: `write_actions(raw, rows, actions, base_actions, numbers)` writes to
            `numbers[k]` the features of action `actions[k]` in the observation `rows[k]`, where
            the base policy's action is `base_actions[rows[k]]`.
        state_spec: Fields of the features of a state.
        write_states: `write_states(raw, hands, numbers)` writes to `numbers[k]` the features of the
            state in which a seat sees `raw[k]` and the others hold `hands[k]`.
        rounds_left: Returns the rounds to play, (states,), of states between two rounds.
    """

    game: str
    action_spec: ObservationSpec
    write_actions: Callable[[RawObservations, Rows, Rows, Rows, RawObservations], None]
    state_spec: ObservationSpec
    write_states: Callable[[RawObservations, RawObservations, RawObservations], None]
    rounds_left: Callable[[NDArray[Any]], NDArray[Any]]

    def __reduce__(self) -> tuple[Callable[[str], "FeatureSpec"], tuple[str]]:
        return _feature_spec_of, (self.game,)

    def action_features(
        self, raw: RawObservations, masks: Masks, base_actions: Rows
    ) -> ActionFeatures:
        """Return the features of the actions that are 1 in `masks`.

        Args:
            raw: Observations, uint8 (rows, observation_spec.size).
            masks: Int8 (rows, actions).
            base_actions: The base policy's action in each row, int64 (rows,).
        """
        rows, actions = map(np.ascontiguousarray, masks.nonzero())
        numbers = np.empty((len(rows), self.action_spec.size), np.uint8)
        self.write_actions(raw, rows, actions, base_actions, numbers)
        return ActionFeatures(rows, actions, numbers)

    def state_features(self, raw: RawObservations, hands: RawObservations) -> RawObservations:
        """Return the features of states, uint8 (states, state_spec.size), for one seat of each.

        Args:
            raw: What that seat sees, uint8 (states, observation_spec.size).
            hands: What the others hold (see `Batch.hidden_hands`).
        """
        numbers = np.empty((len(raw), self.state_spec.size), np.uint8)
        self.write_states(raw, hands, numbers)
        return numbers


FEATURE_SPECS: dict[str, FeatureSpec] = {}  # by game; each game's folder adds its own


def _feature_spec_of(name: str) -> FeatureSpec:
    """Return the features of the game of that name, for unpickling."""
    return find_feature_spec(get_game(name))


def find_feature_spec(game: Game) -> FeatureSpec:
    """Return the features of a game's actions and states; raise AgentError if it has none."""
    if game.name not in FEATURE_SPECS:
        raise AgentError(
            f"{game.name} has no features of actions; games that have: {', '.join(FEATURE_SPECS)}"
        )
    return FEATURE_SPECS[game.name]
