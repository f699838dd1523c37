"""Whole games inside the kernel are the games that come about decision by decision."""

from typing import Any

import numpy as np
import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.engine import threads as threads_module
from goldgriff.envs.engine.game import Game
from goldgriff.envs.match import Match
from goldgriff.envs.policy import CompiledPolicy, ObservationBatch, RandomPolicy
from goldgriff.errors import MoveError
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.matches import play_games

from .loops import GAMES, Cheat, Crafty, decision_bits, random_action, short

both_games = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
both_policies = pytest.mark.parametrize("policy", [RandomPolicy(), Crafty()], ids=["any", "crafty"])


def dealt(game: Game, count: int, *, threads: int = 1) -> Batch:
    batch = Batch(game, short(game), count, threads=threads)
    batch.start(derive_seeds(9, count))
    return batch


def by_hand(game: Game, seed: int, policy: CompiledPolicy) -> tuple[Match, int]:
    """One game at one table, each seat with its own luck; the decisions made."""
    match, decision_counts = Match(game, short(game)), [0] * 3
    match.start(seed)
    while not match.over:
        seat = match.current_player
        bits = decision_bits(seed, seat, decision_counts[seat])
        decision_counts[seat] += 1
        if isinstance(policy, RandomPolicy):
            match.act(random_action(match.mask, bits))
        else:
            random_bits = np.array([bits], np.uint64)
            match.act(
                policy.act(ObservationBatch(game, match.raw[None], match.mask[None], random_bits))[
                    0
                ]
            )
    return match, sum(decision_counts)


@both_games
@both_policies
def test_a_game_played_out_is_the_game_played_by_hand(game: Game, policy: CompiledPolicy) -> None:
    batch = dealt(game, 6)
    policy_function = None if isinstance(policy, RandomPolicy) else policy.policy_function
    decisions = batch.play_out(policy_function=policy_function)
    assert batch.over.all()
    for row, seed in enumerate(derive_seeds(9, 6)):
        match, count = by_hand(game, int(seed), policy)
        assert decisions[row] == count
        assert batch.points()[row].tolist() == match.scores
        assert batch.win_shares()[row].tolist() == match.win_shares()
        assert batch.states[row].tobytes() == match.state.tobytes()


@both_games
@both_policies
def test_a_tournaments_games_are_the_same(game: Game, policy: CompiledPolicy) -> None:
    batch = dealt(game, 40)
    decisions = batch.play_out(policy_function=policy.policy_function)
    seating = np.zeros((40, 3), np.int64)
    seeds = derive_seeds(9, 40)
    outcomes = play_games(game, short(game), [Player("it", policy)], seating, seeds)
    assert (batch.points() == outcomes.points).all()
    assert (batch.win_shares() == outcomes.win_shares).all()
    assert decisions.sum() == outcomes.decisions


@both_games
@both_policies
def test_the_number_of_threads_changes_nothing(
    game: Game, policy: CompiledPolicy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads_module, "MIN_DECISIONS", 1)
    monkeypatch.setattr("goldgriff.envs.engine.threads.cores", lambda: 8)
    told = []
    for threads in (1, 2, 3):
        batch = dealt(game, 10, threads=threads)
        decisions = batch.play_out(policy_function=policy.policy_function)
        told.append((decisions.tolist(), batch.states.tobytes()))
    assert told[0] == told[1] == told[2]


@both_games
@both_policies
def test_only_the_rows_named_are_played(game: Game, policy: CompiledPolicy) -> None:
    batch, whole = dealt(game, 5), dealt(game, 5)
    before, every = batch.states.copy(), whole.play_out(policy_function=policy.policy_function)
    decisions = batch.play_out(np.array([3, 1]), policy.policy_function)
    assert decisions.tolist() == every[[3, 1]].tolist()
    assert (batch.states[[0, 2, 4]] == before[[0, 2, 4]]).all()
    assert (batch.states[[1, 3]] == whole.states[[1, 3]]).all()
    assert batch.play_out(np.array([1])).tolist() == [0]  # it is over


def test_games_that_were_not_started_are_refused() -> None:
    batch = Batch(AURUXXX, short(AURUXXX), 3)
    batch.start([4, 5], np.array([0, 1]))
    before = batch.states.copy()
    with pytest.raises(MoveError, match="game 2: start it first"):
        batch.play_out()
    with pytest.raises(MoveError, match="game 2: 'pass' comes before the game has begun"):
        batch.step(np.array([AURUXXX.actions.index("pass")]), np.array([2]))
    assert (batch.states == before).all()


def test_an_illegal_choice_is_caught_and_the_game_stands_still() -> None:
    batch = dealt(AURUXXX, 3)
    before: Any = batch.states.copy()
    with pytest.raises(MoveError, match="game 0: the compiled policy chose an illegal action"):
        batch.play_out(policy_function=Cheat().policy_function)
    with pytest.raises(MoveError, match="game 0: the compiled policy chose an illegal action"):
        batch.play_until_turn([2] * 3, 2, Cheat().policy_function)
    assert (batch.states == before).all()
