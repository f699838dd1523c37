"""The wrappers of PettingZoo and gymnasium, around our environments as they are."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import wrappers
from gymnasium.wrappers import vector
from pettingzoo.utils import wrappers as pettingzoo_wrappers

import goldgriff as gg

SINGLE: list[Callable[[Any], Any]] = [
    wrappers.RecordEpisodeStatistics,
    wrappers.NormalizeObservation,
    wrappers.NormalizeReward,
    wrappers.FlattenObservation,
    lambda env: wrappers.TimeAwareObservation(wrappers.TimeLimit(env, 1000)),
    lambda env: wrappers.FrameStackObservation(env, 3),
    lambda env: wrappers.TimeLimit(env, 1000),
    lambda env: wrappers.TransformReward(env, lambda reward: float(reward) / 10),
    lambda env: wrappers.ClipReward(env, -1, 1),
]
VECTOR: list[Callable[[Any], Any]] = [
    vector.RecordEpisodeStatistics,
    vector.NormalizeObservation,
    vector.NormalizeReward,
    vector.DictInfoToList,
    lambda env: vector.ClipReward(env, -1, 1),
]


@pytest.mark.parametrize("wrap", SINGLE)
def test_an_episode_in_a_wrapper_of_gymnasium(wrap: Callable[[Any], Any]) -> None:
    env = wrap(gymnasium.make("goldgriff/Auruxxx-v0", num_players=2, rounds=1))
    observation, info = env.reset(seed=1)
    env.action_space.seed(1)
    over = False
    while not over:
        observation, _, terminated, truncated, info = env.step(
            env.action_space.sample(info["action_mask"])
        )
        over = terminated or truncated
        assert env.observation_space.contains(observation)
    assert sum(info["win_shares"]) == 1


@pytest.mark.parametrize("wrap", VECTOR)
def test_steps_in_a_vector_wrapper_of_gymnasium(wrap: Callable[[Any], Any]) -> None:
    """NormalizeObservation asks for NEXT_STEP."""
    options: dict[str, Any] = {"num_players": 2, "rounds": 1, "autoreset_mode": "NextStep"}
    games = gg.make_vec("auruxxx", 4, **options)
    env = wrap(games)
    env.reset(seed=1)
    ended = 0
    while not ended:
        _, _, terminated, truncated, _ = env.step(games.action_masks().argmax(axis=1))
        ended = int(terminated.sum() + truncated.sum())


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_the_vectors_of_gymnasium(mode: str) -> None:
    env = gymnasium.make_vec(
        "goldgriff/Auruxxx-v0", 2, mode, num_players=2, rounds=1, illegal="raise"
    )
    _, infos = env.reset(seed=1)
    for _ in range(20):
        _, _, _, _, infos = env.step(np.asarray(infos["action_mask"]).argmax(axis=1))
    env.close()


@pytest.mark.parametrize(
    "wrap",
    [
        pettingzoo_wrappers.BaseWrapper,
        pettingzoo_wrappers.OrderEnforcingWrapper,
        pettingzoo_wrappers.AssertOutOfBoundsWrapper,
        lambda env: pettingzoo_wrappers.TerminateIllegalWrapper(env, illegal_reward=-1),
        pettingzoo_wrappers.CaptureStdoutWrapper,
    ],
)
def test_a_game_in_a_wrapper_of_pettingzoo(wrap: Callable[[Any], Any]) -> None:
    env = wrap(gg.make("auruxxx", num_players=3, rounds=1, render_mode="human"))
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, info = env.last()
        over = terminated or truncated
        space = env.action_space(agent)
        env.step(None if over else int(space.sample(observation["action_mask"])))
        assert not over or sum(info["win_shares"]) == 1
