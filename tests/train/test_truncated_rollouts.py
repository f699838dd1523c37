"""Truncated rollouts against games that are played one by one."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from goldgriff.agents.registry import load_agent
from goldgriff.agents.value import VALUE_SCALE, ValueTarget
from goldgriff.envs.batch import Batch
from goldgriff.envs.engine.compile import kernel
from goldgriff.envs.engine.game import GAMES
from goldgriff.envs.engine.protocol import Masks, RawObservations, Rows, begins_turn, rounds_left
from goldgriff.envs.engine.win_chances import win_probabilities
from goldgriff.envs.policy import ObservationBatch, Policy
from goldgriff.envs.self_play import LEARNER, SelfPlayBatch
from goldgriff.train.self_play import SelfPlayEnvs
from goldgriff.train.truncated_rollouts import Standing, roll_out

from .small import new_envs, random_actions

TARGET = ValueTarget(100.0, 10.0)
BONUS, TEMPERATURE = TARGET


@kernel
def rounds_and_turn(states: Any) -> tuple[int, bool]:
    """Return what the game says of the first state: rounds to play, and whether a turn begins."""
    return rounds_left(states[0]), begins_turn(states[0])


def running_games(name: str) -> tuple[SelfPlayEnvs, Policy]:
    """Return games of two and three players with points, and the `expert`, who sits there."""
    game, expert = GAMES[name], load_agent("expert", GAMES[name])
    envs = new_envs(2, 3, count=6, game=game, fixed_opponents=[expert])
    for number in envs.pool.members:
        envs.pool.members[number] = expert
    rng = np.random.default_rng(1)
    while (envs.column("scores").max(axis=1) == 0).any():
        envs.step(random_actions(envs.observe()[1], rng))
    return envs, expert


def last_legal(_: SelfPlayBatch, __: Rows, ___: RawObservations, legal: Masks) -> Rows:
    actions: Rows = legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)
    return actions


class RecordingCritic:
    """Values states by their number, from 1000, in the order in which it was asked."""

    def __init__(self) -> None:
        self.states: list[bytes] = []
        self.seats: list[int] = []

    def __call__(self, games: SelfPlayBatch, rows: Rows, seats: Rows) -> NDArray[np.float32]:
        first = 1000 + len(self.states)
        for batch, own, local in games.parts(rows):
            self.states += [state.tobytes() for state in batch.states[local]]
            self.seats += seats[own].tolist()
        return np.arange(first, first + len(rows), dtype=np.float32)


class PlayedOn(NamedTuple):
    """How a game went on; `turns` counts those of the player who tried the action."""

    game: Batch
    turns: int
    learners: int


def play_on(
    envs: SelfPlayEnvs, env: int, action: int, turns: int, expert: Policy, round_index: int
) -> PlayedOn:
    """Play one copy until the player's turn, or the end of the round."""
    ((batch, _, local),) = envs.parts(np.array([env]))
    game, seating = batch.copy(local), envs.seating[env]
    seat, begun, learners = int(game.current_players[0]), 0, 0
    game.step([action])
    while not game.over[0] and game.states["round_index"][0] == round_index:
        current = int(game.current_players[0])
        begun += int(current == seat and rounds_and_turn(game.states)[1])
        if begun == turns:
            break
        raw, legal = game.observe(game.current_players)
        if seating[current] == LEARNER:
            learners += 1
            game.step(last_legal(envs, local, raw, legal))
        else:
            game.step(expert.act(ObservationBatch(envs.game, raw, legal, np.zeros(1, np.uint64))))
    return PlayedOn(game, begun, learners)


def chances(points: NDArray[np.float64], states: NDArray[Any]) -> NDArray[np.float64]:
    return win_probabilities(points, np.array([rounds_and_turn(states)[0]]), TEMPERATURE)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("turns", [1, 3, 1000])
def test_actions_are_tried_up_to_a_turn_of_the_player(name: str, turns: int) -> None:
    """Only there the critic is asked; a round that ends before is valued by the scores."""
    envs, expert = running_games(name)
    choices = envs.observe()[1] == 1
    seats, rounds = envs.current_players, envs.column("round_index")
    before = [batch.states.tobytes() for batch in envs.batches], envs.seating.copy()
    critic, ended, learners = RecordingCritic(), 0, 0
    values = roll_out(envs, choices, turns, TARGET, last_legal, critic)
    assert [batch.states.tobytes() for batch in envs.batches] == before[0]
    assert (envs.seating == before[1]).all()
    tried = list(zip(*choices.nonzero(), values, strict=True))
    for env, action, value in tried:
        played = play_on(envs, env, action, turns, expert, rounds[env])
        learners += played.learners
        if played.turns == turns:
            asked = int(value) - 1000
            assert critic.states[asked] == played.game.states[0].tobytes()
            assert critic.seats[asked] == seats[env] == played.game.current_players[0]
            continue
        ((batch, _, local),) = envs.parts(np.array([env]))
        had, points = batch.points()[local], played.game.points()
        more = chances(points, played.game.states) - chances(had, batch.states[local])
        won = (BONUS * more - (points - had))[0, seats[env]] / VALUE_SCALE
        assert value == pytest.approx(won, rel=1e-4, abs=1e-4)
        ended += 1
    assert len(critic.states) == len(tried) - ended
    assert (ended == len(tried)) == (turns == 1000)
    assert learners > 8 or turns == 1


@pytest.mark.parametrize("name", GAMES)
def test_the_same_choice_has_the_same_value(name: str) -> None:
    envs, _ = running_games(name)
    choices = envs.observe()[1] == 1
    first, again = (
        roll_out(envs, choices, 1000, TARGET, last_legal, RecordingCritic()) for _ in range(2)
    )
    assert (first == again).all()
    rows, actions = choices.nonzero()
    few = np.zeros_like(choices)
    few[rows[::2], actions[::2]] = True
    alone = roll_out(envs, few, 1000, TARGET, last_legal, RecordingCritic())
    assert (alone == first[::2]).all()
    assert len(set(first.tolist())) > 6


def test_a_round_is_worth_its_points_and_what_it_adds_to_the_chance_to_win() -> None:
    """Two players in the first game, who were equal and of whom the first gets three points."""
    nobody = np.inf
    points = np.array([[9.0, 9.0, nobody], [0.0, 10.0, 20.0]])
    before = Standing(points, np.array([1, 1]), TARGET)
    assert before.chances[0].tolist() == [0.5, 0.5, 0]
    after = Standing(np.array([[12.0, 9.0, nobody]]), np.array([0]), TARGET)
    values = after.since(before, np.array([0]))
    assert values[0] * VALUE_SCALE == pytest.approx([-50 - 3, 50, 0])
    same = Standing(points[::-1].copy(), np.array([1, 1]), TARGET)
    assert (same.since(before, np.array([1, 0])) == 0).all()
