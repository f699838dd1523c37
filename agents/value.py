"""The value of a round for a player: by the scores when it is over, before by a trained critic."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.compile import kernel
from ..envs.engine.deck import next_seat
from ..envs.engine.game import Game
from ..envs.engine.observation import Field, ObservationSpec
from ..envs.engine.preview import derive_features, state_spec
from ..envs.engine.protocol import RawObservations, Rows, States, observe, rounds_left, summarize
from .mlp import MLP, Layer

MIN_BONUS, MAX_BONUS = 0.001, 1000  # range of both fields of a ValueTarget
VALUE_SCALE = 14.0  # points that are a value of 1: about what actions of one decision differ by
KINDS = 12  # of who sits in a seat: 0 the learner and its past, then its opponents, then UNKNOWN
UNKNOWN = KINDS - 1


class ValueTarget(NamedTuple):
    """Combine round points and win probability into one value.

    Attributes:
        win_bonus: What winning the game counts, in points.
        score_temperature: See `win_probabilities` in envs/engine/win_chances.py.
    """

    win_bonus: float
    score_temperature: float

    def values(
        self, win_probabilities: NDArray[np.float64], points: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the bonus times its probability, less the round's points, over VALUE_SCALE."""
        return (self.win_bonus * win_probabilities - points) / VALUE_SCALE


def rounds_to_play(states: States) -> NDArray[np.float64]:
    """Return how many rounds are to play in each game, the current one included, (states,)."""
    rounds = np.empty(len(states))
    _count_rounds(states, rounds)
    return rounds


@kernel
def _count_rounds(states: States, rounds: NDArray[np.float64]) -> None:
    for k in range(len(states)):
        rounds[k] = rounds_left(states[k])


class ValueNetwork:
    """A perceptron that sees all hands and estimates how a round will change its value.

    Attributes:
        layers: Its layers, for inputs by `critic_spec`.
        game: The game.
        value_target: What it was trained to estimate.
    """

    def __init__(self, layers: Sequence[Layer], game: Game, value_target: ValueTarget) -> None:
        self._mlp = MLP(layers)
        self.layers = self._mlp.layers
        self.game, self.value_target = game, value_target

    def evaluate(
        self, states: States, rows: Rows, seats: Rows, kinds: Rows | None = None
    ) -> NDArray[np.float32]:
        """Return by how much the value will change until the round is over, float32 (rows,).

        That is the value target's, of the chance to win at the end of the round less that by the
        scores now, and of the points from now on.

        Args:
            states: Games with all hands.
            rows: Which of them, int64 (rows,).
            seats: To whom, int64 (rows,).
            kinds: See `critic_inputs`; None where nothing is known of the others.
        """
        if kinds is None:
            kinds = np.full((len(rows), self.game.state.SIZES["seats"]), UNKNOWN)
        return self.values(critic_inputs(self.game, states, rows, seats, kinds))

    def values(self, inputs: RawObservations) -> NDArray[np.float32]:
        """Return the same by `critic_inputs`."""
        return self._mlp.forward(inputs, critic_spec(self.game).scale).squeeze(axis=1)


@cache
def critic_spec(game: Game) -> ObservationSpec:
    """Return a critic's inputs: the features of a state for a seat, and what others hold and are.

    The others follow in turn order, `_1` the next player; those that there are not are zeros. Their
    hands are their summaries or, in a game without, the number of each card type.
    """
    cards = Field("cards", len(game.cards), 255, 2, "number of each card type")
    kind = Field("kind", KINDS, 1, 1, "who it is, one-hot")
    other = *(game.summary_spec if game.summary_spec.size else [cards]), kind
    others = range(1, game.state.SIZES["seats"])
    fields = [replace(entry, name=f"{entry.name}_{steps}") for steps in others for entry in other]
    return ObservationSpec(*state_spec(game), *fields)


def critic_inputs(
    game: Game, states: States, rows: Rows, seats: Rows, kinds: Rows
) -> RawObservations:
    """Return a critic's inputs, uint8 (rows, critic_spec.size).

    Args:
        game: The game.
        states: Games with all hands.
        rows: Which of them, int64 (rows,).
        seats: For whom, int64 (rows,).
        kinds: Of who sits in each seat, int64 (rows, seats), below KINDS.
    """
    numbers = np.zeros((len(rows), critic_spec(game).size), np.uint8)
    sizes = game.observation_spec.size, state_spec(game).size, game.summary_spec.size
    cards = 0 if game.summary_spec.size else len(game.cards)
    _write_critic_inputs(states, rows, seats, kinds, *sizes, cards, numbers)
    return numbers


@kernel
def _write_critic_inputs(
    states: States,
    rows: Rows,
    seats: Rows,
    kinds: Rows,
    observed: int,
    own: int,
    summary: int,
    cards: int,
    numbers: RawObservations,
) -> None:
    """Write the inputs of each row; see `critic_inputs`."""
    for k in range(len(rows)):
        state, seat, row = states[rows[k]], seats[k], numbers[k]
        observe(state, seat, row[:observed])
        derive_features(state, seat, row[observed:own])
        place = own
        for steps in range(1, state.num_players):
            other = next_seat(state, seat, steps)
            summarize(state, other, row[place : place + summary])
            place += summary
            for card in range(cards):
                row[place + card] = state.hands[other, card]
            row[place + cards + kinds[k, other]] = 1
            place += cards + KINDS
