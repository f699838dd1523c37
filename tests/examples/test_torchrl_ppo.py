"""TorchRL on our environments, and the example's fast one."""

import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import pytest
import torch
from torchrl.envs import (
    ActionMask,
    GymEnv,
    GymWrapper,
    PettingZooWrapper,
    TransformedEnv,
    check_env_specs,
)

import goldgriff as gg

from .clients import ROOT, run_example

pytestmark = pytest.mark.filterwarnings("ignore")  # of TorchRL and tensordict


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The example as a module, which imports `common` beside it."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    yield __import__("torchrl_ppo")
    for name in ("torchrl_ppo", "common"):
        sys.modules.pop(name)


def test_it_trains_a_policy_that_plays_legal_moves() -> None:
    outcome = run_example("torchrl_ppo")
    assert outcome.timesteps >= 512
    assert (outcome.games, outcome.forfeits) == (4, 0)


def test_the_fast_environment_meets_its_specs(example: Any) -> None:
    env = example.CardGames("auruxxx", 8, num_players=2, reward="win", rounds=1)
    check_env_specs(TransformedEnv(env, ActionMask()))


def test_the_fast_environment_plays_the_games_of_the_vector_environment(example: Any) -> None:
    """The root of a step after an end shows the next game, the end itself the last observation."""
    options: dict[str, Any] = {"num_players": 2, "reward": "win", "rounds": 1}
    env = TransformedEnv(example.CardGames("auruxxx", 16, **options), ActionMask())
    env.set_seed(7)
    torch.manual_seed(7)  # actions are drawn from torch's numbers
    rollout = env.rollout(200, break_when_any_done=False)
    games = gg.make_vec("auruxxx", 16, **options)
    observations, infos = games.reset(seed=7)
    ended = 0
    for step in range(200):
        then, row = rollout["next"][:, step], rollout[:, step]
        assert torch.equal(row["observation"], torch.from_numpy(observations))
        assert torch.equal(row["action_mask"], torch.from_numpy(infos["action_mask"]).bool())
        observations, rewards, terminated, truncated, infos = games.step(row["action"].numpy())
        assert torch.equal(then["reward"][:, 0], torch.from_numpy(rewards))
        assert torch.equal(then["terminated"][:, 0], torch.from_numpy(terminated))
        assert torch.equal(then["truncated"][:, 0], torch.from_numpy(truncated))
        over = terminated | truncated
        if over.any():
            final = torch.from_numpy(infos["final_obs"][over])
            assert torch.equal(then["observation"][torch.from_numpy(over)], final)
        ended += int(over.sum())
    assert ended > 1


def _gym_env() -> Any:
    return GymEnv("goldgriff/Auruxxx-v0", num_players=2)


def _gym_wrapper() -> Any:
    return GymWrapper(gymnasium.make("goldgriff/Auruxxx-v0", num_players=3))


def _vector_wrapper() -> Any:
    return GymWrapper(gg.make_vec("auruxxx", 3, num_players=2))


def _pettingzoo_wrapper() -> Any:
    return PettingZooWrapper(gg.make("auruxxx", num_players=3), use_mask=True)


@pytest.mark.parametrize("make", [_gym_env, _gym_wrapper, _vector_wrapper, _pettingzoo_wrapper])
def test_its_own_wrappers_take_our_environments(make: Callable[[], Any]) -> None:
    check_env_specs(make())
