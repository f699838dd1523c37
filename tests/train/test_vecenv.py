"""Self-play as stable-baselines3 sees it: whose transitions they are."""

import numpy as np
import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.train.selfplay import SelfPlayVecEnv

from .small import new_tables, random_moves


def new_env(*players: int, count: int = 8, **rules: int) -> SelfPlayVecEnv:
    env = SelfPlayVecEnv(new_tables(*players, count=count, one_learner=True, **rules))
    env.reset()
    return env


def test_rewards_are_all_that_came_to_the_learner_in_his_game() -> None:
    """Against the scores: the sum over a game is what its points, round by round, are worth."""
    env = new_env(3)
    (group,) = env.tables.groups
    luck, finished, totals = np.random.default_rng(0), 0, np.zeros(8)
    lengths = np.zeros(8, np.int64)
    while finished < 20:
        learners = group.seats.copy()
        moves = random_moves(env.env_method("action_masks"), luck)
        _, rewards, dones, infos = env.step(moves)
        totals += rewards
        lengths += 1
        for row in np.flatnonzero(dones):
            finished += 1
            episode = infos[row]["episode"]
            assert episode["r"] == pytest.approx(totals[row], abs=1e-4)
            assert episode["l"] == lengths[row]
            assert 0 <= episode["win"] <= 1
            assert -3 < totals[row] < 3
        totals[dones], lengths[dones] = 0, 0
        running = np.flatnonzero(~dones)
        assert (learners == group.seats)[running].all()
        scores = group.batch.points()[running]
        own = scores[np.arange(len(running)), learners[running]]
        others = (scores.sum(axis=1) - own) / 2
        assert totals[running] == pytest.approx((others - own) / 100, abs=1e-4)


def test_a_row_shows_its_learners_own_view() -> None:
    env = new_env(4)
    (group,) = env.tables.groups
    luck, observations = np.random.default_rng(0), env.reset()
    for _ in range(50):
        assert (group.batch.movers == group.seats).all()
        features, legal = group.batch.look(group.seats)
        masks = env.env_method("action_masks")
        np.testing.assert_array_equal(observations, AURUXXX.slices.to_float(features))
        np.testing.assert_array_equal(masks, legal.astype(bool))
        observations = np.asarray(env.step(random_moves(masks, luck))[0])


def test_a_capped_game_is_over_and_nothing_of_it_is_estimated() -> None:
    env = new_env(4, count=2, rounds=1, max_decisions=5)
    luck, ended = np.random.default_rng(0), 0
    for _ in range(20):
        _, _, dones, infos = env.step(random_moves(env.env_method("action_masks"), luck))
        for row in np.flatnonzero(dones):
            ended += 1
            assert "TimeLimit.truncated" not in infos[row]
            assert infos[row]["terminal_observation"].shape == (AURUXXX.slices.size,)
    assert ended > 3
