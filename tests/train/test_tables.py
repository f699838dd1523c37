"""Tables: who decides, what it brings everyone, who meets whom."""

import numpy as np
import pytest

from goldgriff.agents.registry import load_agent
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.policy import RandomPolicy
from goldgriff.envs.self_play import LEARNER

from .small import new_tables, random_moves

HAND = AURUXXX.observation_spec.range("hand")


@pytest.mark.parametrize("one_learner", [False, True])
def test_whoever_is_to_move_learns(one_learner: bool) -> None:
    rivals = [load_agent("expert", AURUXXX)]
    tables = new_tables(2, 3, 5, count=10, rivals=rivals, one_learner=one_learner, rounds=1)
    rng, learners = np.random.default_rng(0), set()
    assert [len(group.seating) for group in tables.groups] == [4, 3, 3]
    for _ in range(150):
        seen = [group.seating[np.arange(len(group.seating)), group.batch.current_players]
                for group in tables.groups]  # fmt: skip
        assert (np.concatenate(seen) == LEARNER).all()
        for group in tables.groups:
            learners |= set((group.seating == LEARNER).sum(axis=1).tolist())
        _, masks = tables.observe()
        assert masks.any(axis=1).all()
        tables.step(random_moves(masks, rng))
    assert learners == ({1} if one_learner else {1, 2, 3, 5})


@pytest.mark.parametrize("self_play", [0.0, 1.0])
def test_every_seat_earns_what_the_scores_say(self_play: float) -> None:
    """Points, round by round: how far one stands below the mean of the others."""
    tables = new_tables(3, 4, self_play=self_play, rounds=3)
    rng, totals = np.random.default_rng(0), np.zeros((8, 4))
    finished = 0
    while finished < 12:
        earned, over = tables.step(random_moves(tables.observe()[1], rng))
        totals += earned
        finished += int(over.sum())
        assert sorted(game.table for game in tables.ended) == np.flatnonzero(over).tolist()
        assert (abs(totals[over].sum(axis=1)) < 1e-4).all()
        totals[over] = 0
        for group, rows in zip(tables.groups, (slice(0, 4), slice(4, 8)), strict=True):
            running, seats = ~over[rows], group.seating.shape[1]
            scores = group.batch.points()[running]
            others = (scores.sum(axis=1, keepdims=True) - scores) / (seats - 1)
            assert totals[rows][running, :seats] == pytest.approx((others - scores) / 100, abs=1e-4)
            assert (totals[rows, seats:] == 0).all()


def test_games_are_the_same_for_any_number_of_threads() -> None:
    played = []
    for threads in (1, 3):
        rivals = [load_agent("expert", AURUXXX)]
        tables = new_tables(2, 4, count=11, rivals=rivals, threads=threads, rounds=1)
        rng, told = np.random.default_rng(0), []
        for _ in range(60):
            raw, masks = tables.observe()
            earned, over = tables.step(random_moves(masks, rng))
            told.append([raw, tables.hidden_hands(), earned, over, tables.current_players.copy()])
        played.append(told)
    for one, other in zip(*played, strict=True):
        for mine, theirs in zip(one, other, strict=True):
            np.testing.assert_array_equal(mine, theirs)


def test_a_restored_state_goes_on_as_if_nothing_had_been() -> None:
    tables, again = (new_tables(3, 5, rounds=1) for _ in range(2))
    rng = np.random.default_rng(0)
    for _ in range(40):
        tables.step(random_moves(tables.observe()[1], rng))
    again.restore({name: array.copy() for name, array in tables.state().items()})
    for _ in range(60):
        moves = random_moves(tables.observe()[1], rng)
        mine = (*tables.observe(), *tables.step(moves))
        theirs = (*again.observe(), *again.step(moves))
        for one, other in zip(mine, theirs, strict=True):
            np.testing.assert_array_equal(one, other)


def test_opponents_change_only_between_games() -> None:
    tables = new_tables(count=16, one_learner=True, rounds=1)
    (group,) = tables.groups
    rng, before, met = np.random.default_rng(0), group.seating.copy(), set()
    for step in range(150):
        if step % 10 == 0:
            tables.add(RandomPolicy())
        _, over = tables.step(random_moves(tables.observe()[1], rng))
        assert (group.seating == before)[~over].all()
        before = group.seating.copy()
        seated = set(before.ravel().tolist()) - {LEARNER}
        met |= seated
        assert seated <= set(tables.pool.members)
        assert len(tables.pool.past) <= tables.pool.size
    assert len(met) > 5


def test_a_single_learner_takes_every_seat_in_turn() -> None:
    tables = new_tables(count=1, one_learner=True, rounds=1)
    rng, seats = np.random.default_rng(0), [0]
    while len(seats) < 8:
        _, over = tables.step(random_moves(tables.observe()[1], rng))
        if over[0]:
            seats.append(int(tables.current_players[0]))
    assert seats == [0, 1, 2, 3, 0, 1, 2, 3]


def test_open_hands_are_the_others_own_in_turn_order() -> None:
    tables = new_tables(2, 4)
    rng = np.random.default_rng(0)
    for _ in range(30):
        tables.step(random_moves(tables.observe()[1], rng))
    raw, _ = tables.observe()
    own = [tables.observe_player(seat)[:, HAND] for seat in range(4)]
    np.testing.assert_array_equal(
        raw[:, HAND], np.array(own)[tables.current_players, np.arange(tables.count)]
    )
    for row in range(tables.count):
        players = 2 if row < 4 else 4
        current_player = tables.current_players[row]
        shown = tables.hidden_hands()[row]
        for place in range(3):
            if place < players - 1:
                expected = own[(current_player + 1 + place) % players][row]
                assert expected.any()
            else:
                expected = np.zeros_like(shown[place])
            np.testing.assert_array_equal(shown[place], expected)
        np.testing.assert_array_equal(tables.hidden_hands(int(current_player))[row], shown)
