"""Critics: what they see, and what they value."""

import numpy as np
import pytest

from goldgriff.agents.value import (
    KINDS,
    UNKNOWN,
    ValueNetwork,
    ValueTarget,
    critic_inputs,
    critic_spec,
    rounds_to_play,
)
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.engine.game import GAMES, Game
from goldgriff.envs.engine.preview import Previewer, state_spec
from goldgriff.envs.engine.win_chances import win_probabilities
from goldgriff.envs.policy import observation_batch

from .helpers import random_layers

BOTH = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)


def begun(game: Game, players: int, games: int = 3) -> Batch:
    batch = Batch(game, game.settings.from_dict({"num_players": players}), games)
    batch.start(derive_seeds(1, games))
    for _ in range(7):
        _, masks = batch.observe(batch.current_players)
        batch.step(masks.argmax(axis=1))
    return batch


@BOTH
@pytest.mark.parametrize("players", [2, 4])
def test_a_critic_sees_every_hand_and_who_holds_it(game: Game, players: int) -> None:
    batch, spec, seats = begun(game, players), critic_spec(game), game.state.SIZES["seats"]
    kinds = np.arange(3 * seats).reshape(3, seats) % KINDS
    rows, mine = np.array([2, 0]), np.array([1, 0])
    inputs = critic_inputs(game, batch.states, rows, mine, kinds[rows])
    for numbers, row, seat in zip(inputs, rows, mine, strict=True):
        for steps in range(1, seats):
            other = (seat + steps) % players
            summary = numbers[[spec.start(f"{field.name}_{steps}") for field in game.summary_spec]]
            kind = numbers[spec.range(f"kind_{steps}")]
            if steps >= players:
                assert not kind.any()
                assert not summary.any()
                continue
            assert kind.tolist() == np.eye(KINDS)[kinds[row, other]].tolist()
            as_own = critic_inputs(game, batch.states, np.array([row]), np.array([other]), kinds)
            own = as_own[0, [spec.start(field.name) for field in game.summary_spec]]
            np.testing.assert_array_equal(summary, own)


@BOTH
def test_a_critic_sees_the_features_of_the_state_first(game: Game) -> None:
    """Those of whose turn it is are those that action values go by."""
    batch = begun(game, 3)
    seats = batch.current_players.astype(np.int64)
    seen = observation_batch(batch, batch.rows, derive_seeds(1, 3), information_states=True)
    assert seen.information_states is not None
    states, _ = Previewer(game).features(
        seen.information_states, seen.raw, seen.masks, np.full(3, -1)
    )
    inputs = critic_inputs(game, batch.states, batch.rows, seats, np.zeros((3, 3), np.int64))
    np.testing.assert_array_equal(inputs[:, : state_spec(game).size], states)


@BOTH
def test_nobody_known_is_a_kind(game: Game) -> None:
    batch, layers = begun(game, 3), random_layers(1, critic_spec(game).size, 8, 1)
    critic = ValueNetwork(layers, game, ValueTarget(200.0, 11.0))
    seats = np.array([0, 1, 2])
    values = critic.evaluate(batch.states, batch.rows, seats)
    unknown = np.full((3, 3), UNKNOWN)
    np.testing.assert_array_equal(values, critic.evaluate(batch.states, batch.rows, seats, unknown))
    assert (values != critic.evaluate(batch.states, batch.rows, seats, unknown - 1)).any()


def test_chances_by_scores_are_flatter_the_more_rounds_follow() -> None:
    game = GAMES["auruxxx"]
    batch = Batch(game, game.settings.from_dict({"num_players": 2, "rounds": 9}), 3)
    batch.start(derive_seeds(1, 3))
    batch.states["round_index"] = [0, 8, 9]
    batch.states["over"] = [0, 0, 1]
    points = np.tile([0.0, 11.0], (3, 1))
    chances = win_probabilities(points, rounds_to_play(batch.states), 11.0)[:, 0]
    np.testing.assert_allclose(chances, [1 / (1 + np.exp(-1 / 3)), 1 / (1 + np.exp(-1)), 1.0])
