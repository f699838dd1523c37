"""The games of a run: who decides, rewards of all seats, who meets whom."""

import numpy as np
import pytest

from goldgriff.agents.registry import load_agent
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.policy import RandomPolicy
from goldgriff.envs.self_play import LEARNER, NOBODY
from goldgriff.errors import MoveError

from .small import new_envs, random_actions

HAND = AURUXXX.observation_spec.range("hand")


@pytest.mark.parametrize("one_learner", [False, True])
def test_whoever_is_to_move_learns(one_learner: bool) -> None:
    opponents = [load_agent("expert", AURUXXX)]
    envs = new_envs(2, 3, 5, count=10, fixed_opponents=opponents, one_learner=one_learner, rounds=1)
    rng, learners = np.random.default_rng(0), set()
    assert [batch.num_games for batch in envs.batches] == [4, 3, 3]
    for _ in range(150):
        assert (envs.seating[np.arange(10), envs.current_players] == LEARNER).all()
        learners |= set((envs.seating == LEARNER).sum(axis=1).tolist())
        _, masks = envs.observe()
        assert masks.any(axis=1).all()
        envs.step(random_actions(masks, rng))
    assert learners == ({1} if one_learner else {1, 2, 3, 5})


@pytest.mark.parametrize("self_play", [0.0, 1.0])
def test_every_seat_earns_what_the_scores_say(self_play: float) -> None:
    """Points, round by round: how far one stands below the mean of the others."""
    envs = new_envs(3, 4, self_play=self_play, rounds=3)
    rng, totals = np.random.default_rng(0), np.zeros((8, 4))
    finished = 0
    while finished < 12:
        earned, over = envs.step(random_actions(envs.observe()[1], rng))
        totals += earned
        finished += int(over.sum())
        assert envs.ended_games.rows.tolist() == np.flatnonzero(over).tolist()
        assert (abs(totals[over].sum(axis=1)) < 1e-4).all()
        totals[over] = envs.pending[over]
        for batch, rows in zip(envs.batches, (slice(0, 4), slice(4, 8)), strict=True):
            running, seats = ~over[rows], batch.settings.num_players
            scores = batch.points()[running]
            others = (scores.sum(axis=1, keepdims=True) - scores) / (seats - 1)
            assert totals[rows][running, :seats] == pytest.approx((others - scores) / 100, abs=1e-4)
            assert (totals[rows, seats:] == 0).all()


def test_an_illegal_action_is_named_by_its_row_in_all_batches_and_changes_none() -> None:
    envs = new_envs(2, 3, count=4)
    before = [batch.states.copy() for batch in envs.batches]
    actions = random_actions(envs.observe()[1], np.random.default_rng(0))
    actions[3] = -1  # a game of the second batch
    with pytest.raises(MoveError, match="game 3: there is no action -1"):
        envs.step(actions)
    with pytest.raises(MoveError, match="actions must be 4 whole numbers, one a row"):
        envs.step(np.zeros(5, np.int64))
    for batch, states in zip(envs.batches, before, strict=True):
        assert (batch.states == states).all()


def test_games_are_the_same_for_any_number_of_threads() -> None:
    played = []
    for threads in (1, 3):
        opponents = [load_agent("expert", AURUXXX)]
        envs = new_envs(2, 4, count=11, fixed_opponents=opponents, threads=threads, rounds=1)
        rng, seen = np.random.default_rng(0), []
        for _ in range(60):
            raw, masks = envs.observe()
            earned, over = envs.step(random_actions(masks, rng))
            seen.append([raw, envs.hidden_hands(), earned, over, envs.current_players])
        played.append(seen)
    for one, other in zip(*played, strict=True):
        for mine, theirs in zip(one, other, strict=True):
            np.testing.assert_array_equal(mine, theirs)


def test_a_restored_state_goes_on_as_if_nothing_had_been() -> None:
    envs, again = (new_envs(3, 5, rounds=1) for _ in range(2))
    rng = np.random.default_rng(0)
    for _ in range(40):
        envs.step(random_actions(envs.observe()[1], rng))
    again.restore({name: array.copy() for name, array in envs.state().items()})
    for _ in range(60):
        moves = random_actions(envs.observe()[1], rng)
        mine = (*envs.observe(), *envs.step(moves))
        theirs = (*again.observe(), *again.step(moves))
        for one, other in zip(mine, theirs, strict=True):
            np.testing.assert_array_equal(one, other)


def test_opponents_change_only_between_games() -> None:
    envs = new_envs(count=16, one_learner=True, rounds=1)
    rng, before, met = np.random.default_rng(0), envs.seating.copy(), set()
    for step in range(150):
        if step % 10 == 0:
            envs.add(RandomPolicy())
        _, over = envs.step(random_actions(envs.observe()[1], rng))
        assert (envs.seating == before)[~over].all()
        before = envs.seating.copy()
        seated = set(before.ravel().tolist()) - {LEARNER}
        met |= seated
        assert seated <= set(envs.pool.members)
        assert len(envs.pool.past) <= envs.pool.size
    assert len(met) > 5


def test_a_single_learner_takes_every_seat_in_turn() -> None:
    envs = new_envs(count=1, one_learner=True, rounds=1)
    rng, seats = np.random.default_rng(0), [0]
    while len(seats) < 8:
        _, over = envs.step(random_actions(envs.observe()[1], rng))
        if over[0]:
            seats.append(int(envs.current_players[0]))
    assert seats == [0, 1, 2, 3, 0, 1, 2, 3]


def test_results_are_those_of_the_games_that_ended() -> None:
    """Also where several opponents sit at a table, in games of several numbers of players."""
    opponents = [load_agent("expert", AURUXXX), RandomPolicy()]
    envs = new_envs(2, 4, count=16, fixed_opponents=opponents, mixed=0.7, rounds=1)
    rng, table = np.random.default_rng(0), np.zeros((3, 3))
    opponents_at_table = set[int]()
    for _ in range(150):
        before = envs.seating.copy()
        _, over = envs.step(random_actions(envs.observe()[1], rng))
        ended = envs.ended_games
        assert (ended.seating == before[over]).all()
        for seating, shares in zip(ended.seating.tolist(), ended.win_shares, strict=True):
            learner = seating.index(LEARNER)
            others = set(seating) - {LEARNER, NOBODY}
            opponents_at_table.add(len(others))
            for number in others:
                theirs = [seat for seat in range(4) if seating[seat] == number]
                kind = envs.pool.kinds_of(np.array(number))
                table[kind] += 1, len(theirs) * shares[learner], shares[theirs].sum()
    assert opponents_at_table == {0, 1, 2}
    results = envs.pool.results()
    assert results[:, 0].tolist() == table[:, 0].tolist()
    assert results[:, 1:] == pytest.approx(table[:, 1:], rel=0.05)


def test_open_hands_are_the_others_own_in_turn_order() -> None:
    envs = new_envs(2, 4)
    rng = np.random.default_rng(0)
    for _ in range(30):
        envs.step(random_actions(envs.observe()[1], rng))
    raw, _ = envs.observe()
    own = [envs.seats_seen(seat)[0][:, HAND] for seat in range(4)]
    np.testing.assert_array_equal(
        raw[:, HAND], np.array(own)[envs.current_players, np.arange(envs.num_games)]
    )
    for row in range(envs.num_games):
        players = 2 if row < 4 else 4
        current_player = envs.current_players[row]
        shown = envs.hidden_hands()[row]
        for place in range(3):
            if place < players - 1:
                expected = own[(current_player + 1 + place) % players][row]
                assert expected.any()
            else:
                expected = np.zeros_like(shown[place])
            np.testing.assert_array_equal(shown[place], expected)
        np.testing.assert_array_equal(envs.seats_seen(int(current_player))[1][row], shown)
