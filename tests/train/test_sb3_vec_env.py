"""The public VecEnv: what Stable-Baselines3, sb3-contrib and their wrappers expect of one."""

from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy as evaluate_masked
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.callbacks import EvalCallback
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import (
    DummyVecEnv,
    VecCheckNan,
    VecFrameStack,
    VecMonitor,
    VecNormalize,
)

import goldgriff as gg
from goldgriff.envs.single_agent import SingleAgentEnv
from goldgriff.errors import GoldgriffError, SettingsError

from ..envs.loops import GAMES, SHORT

SMALL: Any = {"num_players": 2, "rounds": 1, "max_decisions": 40}
LEARNER: Any = {"n_steps": 16, "batch_size": 32, "n_epochs": 1, "policy_kwargs": {"net_arch": [8]}}


def random_actions(masks: Any, rng: np.random.Generator) -> Any:
    return np.array([rng.choice(np.flatnonzero(row)) for row in masks])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("history", [0, 4])
def test_it_is_what_a_dummy_vec_env_of_single_environments_is(game: Any, history: int) -> None:
    """With the same seeds: observations, rewards, ends, infos and masks."""
    options = {**SHORT[game.name], "max_decisions": 60, "history": history, "illegal_reward": -3}
    mine = gg.sb3_vec_env(game, 3, seed=5, **options)
    theirs = VecMonitor(DummyVecEnv([lambda: SingleAgentEnv.make(game, **options)] * 3))
    theirs.seed(5)
    assert mine.observation_space == theirs.observation_space
    assert mine.action_space == theirs.action_space
    rng, ends = np.random.default_rng(1), {"illegal": 0, "win_shares": 0}
    told: Any = [mine.reset(), theirs.reset()]
    for _ in range(200):
        for name in ("observation", "history") if history else ("",):
            one, other = (seen[name] if name else seen for seen in told)
            np.testing.assert_array_equal(one, other)
        masks = get_action_masks(mine)
        np.testing.assert_array_equal(masks, get_action_masks(theirs))
        actions = random_actions(masks, rng)
        if rng.random() < 0.02:
            actions[1] = np.flatnonzero(~masks[1])[0]
        stepped: Any = [mine.step(actions), theirs.step(actions)]
        told = [each[0] for each in stepped]
        for one, other in zip(*(each[1:3] for each in stepped), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-6)
        for row in np.flatnonzero(stepped[0][2]):
            one, other = (each[3][row] for each in stepped)
            assert one["TimeLimit.truncated"] == other["TimeLimit.truncated"]
            assert one["episode"]["l"] == other["episode"]["l"]
            assert one["episode"]["r"] == pytest.approx(other["episode"]["r"])
            np.testing.assert_equal(one["terminal_observation"], other["terminal_observation"])
            for name in ends:
                assert np.array_equal(one[name], other[name])
                ends[name] += bool(np.sum(one[name]))
    assert min(ends.values()) > 0


def test_attributes_and_methods_are_those_of_a_vec_env() -> None:
    env = gg.sb3_vec_env("auruxxx", 4, **SMALL)
    assert isinstance(env, VecMonitor)
    assert is_masking_supported(env)
    env.reset()
    masks: Any = env.env_method("action_masks")
    assert masks.shape == (4, len(gg.get_game("auruxxx").actions))
    assert (env.env_method("action_masks", indices=[2, 1]) == masks[[2, 1]]).all()
    assert (env.get_attr("action_masks", 3)[0]() == masks[3]).all()
    assert env.get_attr("render_mode") == [None] * 4
    assert not env.has_attr("no_such_thing")
    with pytest.raises(AttributeError, match="has no method fly, only action_masks"):
        env.env_method("fly")
    assert env.env_is_wrapped(Monitor) == [False] * 4
    assert env.seed(3) == [3, 4, 5, 6]
    told: Any = [env.reset(), env.reset()]
    env.seed(3)
    told.append(env.reset())
    np.testing.assert_array_equal(told[0], told[2])
    assert not np.array_equal(told[0], told[1])
    position = {"hands": [["gold"], ["r5"]], "discard": ["b4"]}
    env.set_options({"position": position})
    env.reset()
    lay = gg.get_game("auruxxx").actions.index("lay gold")
    _, rewards, dones, infos = env.step(np.full(4, lay))
    assert dones.all()
    assert rewards == pytest.approx([0.1] * 4)
    assert infos[0]["scores"].tolist() == [-5, 5]
    env.set_options([{"position": position}, {}, {}, {}])
    with pytest.raises(SettingsError, match="options must be the same for all games"):
        env.reset()
    env.close()


def test_maskable_ppo_is_one_line() -> None:
    """The masks reach it: with `illegal="raise"` an illegal action would raise."""
    options: Any = {**SMALL, "opponents": "random", "illegal": "raise"}
    model = MaskablePPO("MlpPolicy", gg.sb3_vec_env("auruxxx", num_envs=8, **options), **LEARNER)
    evaluated = MaskableEvalCallback(
        gg.sb3_vec_env("auruxxx", 2, **options), eval_freq=16, n_eval_episodes=4, verbose=0
    )
    model.learn(256, callback=evaluated)
    assert np.isfinite(evaluated.last_mean_reward)
    assert len(model.ep_info_buffer or []) > 0  # for rollout/ep_rew_mean
    mean, _ = evaluate_masked(model, gg.sb3_vec_env("auruxxx", 2, **options), n_eval_episodes=4)
    assert abs(float(np.mean(mean))) < 2


def test_a_history_trains_a_multi_input_policy() -> None:
    env = gg.sb3_vec_env("gluecksgriff", 4, num_players=2, max_rounds=1, history=3)
    MaskablePPO("MultiInputPolicy", env, **LEARNER).learn(64)


@pytest.mark.parametrize("algorithm", [PPO, DQN])
def test_algorithms_without_masks_learn_from_losses(algorithm: Any) -> None:
    options = {**SMALL, "illegal_reward": -1}
    env = VecNormalize(VecCheckNan(gg.sb3_vec_env("auruxxx", 4, **options)))
    own = LEARNER if algorithm is PPO else {"learning_starts": 8, "buffer_size": 256}
    model = algorithm("MlpPolicy", env, **own)
    evaluated = VecNormalize(VecCheckNan(gg.sb3_vec_env("auruxxx", 2, **options)), training=False)
    callback = EvalCallback(evaluated, eval_freq=8, n_eval_episodes=2, verbose=0)
    model.learn(128, callback=callback)
    mean, _ = evaluate_policy(model, evaluated, n_eval_episodes=4)
    assert np.isfinite(mean)


def test_wrappers_that_change_observations_get_the_last_ones_too() -> None:
    env = VecFrameStack(gg.sb3_vec_env("auruxxx", 3, **SMALL), 2)
    rng, ended = np.random.default_rng(0), 0
    env.reset()
    while not ended:
        _, _, dones, infos = env.step(random_actions(get_action_masks(env), rng))
        for row in np.flatnonzero(dones):
            last = infos[row]["terminal_observation"]
            assert env.observation_space.shape == last.shape
            assert env.venv.observation_space.contains(last[last.size // 2 :])
            ended += 1


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'"):
        gg.sb3_vec_env("auruxxx", frameskip=1)  # type: ignore[call-overload]
    with pytest.raises(GoldgriffError, match="unknown game 'chess'"):
        gg.sb3_vec_env("chess")  # type: ignore[call-overload]
    with pytest.raises(SettingsError, match=r"seed must be a whole number .*, not 1\.5"):
        gg.sb3_vec_env("auruxxx", seed=1.5)  # type: ignore[call-overload]
