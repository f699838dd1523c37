"""Chances to win by the scores, rounds to play, and where turns begin."""

import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.compile import kernel
from goldgriff.envs.engine.game import Game
from goldgriff.envs.engine.preview import Previewer, derive_features, state_spec
from goldgriff.envs.engine.protocol import begins_turn, rounds_left
from goldgriff.envs.engine.win_chances import WHOLE, win_probabilities
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match

from ...attacks.settings import random_settings
from ...tables import table_with

GAMES = pytest.mark.parametrize("game", [AURUXXX, GLUECKSGRIFF], ids=lambda game: game.name)
SEEDS = pytest.mark.parametrize("seed", range(6))
ANSWERS = ("take", "play on", "fend off")  # after these a turn may follow


@kernel
def read(states: NDArray[Any], seat: int, derived: NDArray[np.uint8]) -> tuple[int, bool]:
    derive_features(states[0], seat, derived)
    return rounds_left(states[0]), begins_turn(states[0])


def reading(match: Match, seat: int) -> tuple[int, bool, NDArray[np.uint8]]:
    """Rounds to play, whether a turn begins, and what is derived from the true state for a seat."""
    game = match.game
    derived = np.zeros(state_spec(game).size - game.observation_spec.size, np.uint8)
    rounds, begins = read(match._states, seat, derived)
    return rounds, bool(begins), derived


def random_match(game: Game, seed: int) -> Match:
    match = Match(game, random_settings(game, random.Random(seed)))
    match.start(seed)
    return match


@GAMES
@SEEDS
def test_a_turn_begins_once(game: Game, seed: int) -> None:
    """It begins with its first decision, and once more after an answer, with which it began."""
    match, rng = random_match(game, seed), random.Random(seed)
    turn, move = (-1, -1), ""
    for _ in range(400):
        before, turn = turn, (match.state.round_index, match.state.turns)
        assert reading(match, 0)[1] == (turn != before or move in ANSWERS), move
        move = rng.choice(match.legal)
        match.play(move)
        if match.over:
            match.start(seed)
            turn = (-1, -1)


@GAMES
@SEEDS
def test_rounds_are_left_until_the_game_is_over(game: Game, seed: int) -> None:
    match, rng = random_match(game, seed), random.Random(seed)
    settings = match.settings.to_dict()
    cap = settings["rounds"] if game is AURUXXX else settings["max_rounds"]
    for _ in range(3000):
        if match.over:
            break
        rounds = reading(match, 0)[0]
        assert rounds >= 1
        if game is AURUXXX:
            assert rounds == cap - match.state.round_index
        elif cap:
            assert rounds <= cap - match.state.round_index
        match.play(rng.choice(match.legal))
    if match.over:
        assert reading(match, 0)[0] == 0


@pytest.mark.parametrize(
    ("highest", "rounds"), [(0, 7), (4, 7), (5, 6), (84, 2), (85, 1), (100, 1)]
)
def test_rounds_are_estimated_by_the_highest_total(highest: int, rounds: int) -> None:
    table: dict[str, Any] = {"discard": "5", "scores": [0, highest]}
    match = table_with(GLUECKSGRIFF, "1 2", "3 4", settings={"point_limit": 100}, **table)
    assert reading(match, 0)[0] == rounds


@GAMES
@SEEDS
def test_chances_to_win_follow_from_the_scores(game: Game, seed: int) -> None:
    """The features have them for every seat, from the own one on, and also the true state has."""
    match, rng = random_match(game, seed), random.Random(seed)
    place, players = state_spec(game).range("win_chances"), match.settings.num_players
    for _ in range(300):
        seat, known = match.current_player, match.observation_batch(information_states=True)
        states: Any = known.information_states
        features, _ = Previewer(game).features(states, known.raw, known.masks, np.array([-1]))
        rounds, _, derived = reading(match, seat)
        assert features[0, game.observation_spec.size :].tolist() == derived.tolist()
        points = np.roll(np.array(match.scores)[None], -seat, axis=1)
        chances = win_probabilities(points, np.array([rounds]), 11)[0]
        assert features[0, place][:players] == pytest.approx(WHOLE * chances, abs=0.51)
        assert not features[0, place][players:].any()
        match.play(rng.choice(match.legal))
        if match.over:
            winners = np.array(match.scores) == min(match.scores)
            expected = (WHOLE * winners / winners.sum()).round().tolist()
            assert reading(match, 0)[2][-len(match.state.scores) :][:players].tolist() == expected
            match.start(seed)


def test_win_probabilities() -> None:
    points = np.array([[10.0, 20.0, 30.0], [10.0, 20.0, 30.0], [5.0, 5.0, 5.0]])
    probabilities = win_probabilities(points, np.array([1, 4, 2]), 10.0)
    assert probabilities.sum(axis=1) == pytest.approx(1.0)
    ten_less, twenty_less = probabilities[0, :2], probabilities[1, ::2]
    assert ten_less[0] / ten_less[1] == pytest.approx(np.e)  # with a round to go
    assert twenty_less[0] / twenty_less[1] == pytest.approx(np.e)  # with four: as half the points
    assert probabilities[2] == pytest.approx(1 / 3)
    far = win_probabilities(np.array([[0.0, 1e6]]), np.array([1]), 1.0)
    assert far.tolist() == [[1.0, 0.0]]
    over = win_probabilities(np.array([[3.5, 9.0, 3.5, np.inf]]), np.array([0]), 10.0)
    assert over.tolist() == [[0.5, 0.0, 0.5, 0.0]]  # the winners share; nobody sits in the last
