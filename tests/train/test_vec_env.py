"""Self-play as stable-baselines3 sees it: whose transitions they are."""

from typing import Any

import numpy as np
import pytest
import torch

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import derive_seeds
from goldgriff.envs.policy import ObservationBatch
from goldgriff.train.maskable_ppo import MaskableLearner, MaskableSettings
from goldgriff.train.vec_env import SelfPlayVecEnv

from .small import new_envs, random_actions


def new_env(*players: int, count: int = 8, **rules: Any) -> SelfPlayVecEnv:
    env = SelfPlayVecEnv(new_envs(*players, count=count, one_learner=True, **rules), 3)
    env.reset()
    return env


def test_rewards_are_all_that_came_to_the_learner_in_his_game() -> None:
    """Against the scores: the sum over a game is what its points, round by round, are worth."""
    env = new_env(3)
    games = env.games
    (batch,) = games.batches
    rng, finished, totals = np.random.default_rng(0), 0, np.zeros(8)
    while finished < 20:
        learners = games.learners.copy()
        moves = random_actions(env.env_method("action_masks"), rng)
        _, rewards, dones, _ = env.step(moves)
        totals += rewards
        finished += int(dones.sum())
        assert (abs(totals[dones]) < 3).all()
        totals[dones] = 0
        running = np.flatnonzero(~dones)
        assert (learners == games.learners)[running].all()
        scores = batch.points()[running]
        own = scores[np.arange(len(running)), learners[running]]
        others = (scores.sum(axis=1) - own) / 2
        assert totals[running] == pytest.approx((others - own) / 100, abs=1e-4)


def test_a_row_shows_its_learners_own_view() -> None:
    env = new_env(4)
    games = env.games
    (batch,) = games.batches
    rng, observations = np.random.default_rng(0), env.reset()
    for _ in range(50):
        assert (batch.current_players == games.learners).all()
        raw, legal = batch.observe(games.learners)
        masks = env.env_method("action_masks")
        np.testing.assert_array_equal(observations, raw)
        np.testing.assert_array_equal(masks, legal.astype(bool))
        observations = np.asarray(env.step(random_actions(masks, rng))[0])


def test_observations_are_in_their_space() -> None:
    env, rng = new_env(4), np.random.default_rng(0)
    for _ in range(60):
        observations, _, _, infos = env.step(random_actions(env.env_method("action_masks"), rng))
        assert env.observation_space.contains(np.asarray(observations)[0])
        ended = [info["terminal_observation"] for info in infos if info]
        assert all(env.observation_space.contains(last) for last in ended)


def test_the_player_judges_as_the_policy_that_learnt() -> None:
    torch.set_float32_matmul_precision("highest")
    settings = MaskableSettings(n_envs=8, n_steps=16, batch_size=64, hidden=[24])
    learner = MaskableLearner(new_envs(4, one_learner=True), settings)
    learner.begin()
    learner.update()
    raw, masks = learner.env.games.observe()
    policy: Any = learner.model.policy
    with torch.no_grad():
        wanted = policy.action_net(policy.extract_features(torch.from_numpy(raw)))
    observations = ObservationBatch(AURUXXX, raw, masks, derive_seeds(1, len(raw)))
    np.testing.assert_allclose(learner.export().logits(observations), wanted, rtol=1e-4, atol=1e-5)


def test_a_capped_game_is_over_and_nothing_of_it_is_estimated() -> None:
    env = new_env(4, count=2, rounds=1, max_decisions=5)
    rng, ended = np.random.default_rng(0), 0
    for _ in range(20):
        _, _, dones, infos = env.step(random_actions(env.env_method("action_masks"), rng))
        for row in np.flatnonzero(dones):
            ended += 1
            assert "TimeLimit.truncated" not in infos[row]
            assert infos[row]["terminal_observation"].shape == (AURUXXX.observation_spec.size,)
    assert ended > 3
