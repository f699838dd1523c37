"""PettingZoo's tutorial for action masks with Stable-Baselines3, on our games.

The published loop: one environment, a wrapper of PettingZoo's AEC environment that shows the
current player, and MaskablePPO with its default settings, which learns from all seats. Here the
network has the hidden layers of `goldgriff train --algorithm maskable`.
"""

from functools import partial
from typing import Any

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.logger import configure
from threadpoolctl import threadpool_limits

import goldgriff
from goldgriff.envs.engine.game import Game
from goldgriff.train.algorithms import ALGORITHMS
from goldgriff.train.maskable_ppo import shared_trunk

from .measure import Mode, Play

Observation = NDArray[np.float32]


def tutorial_modes(game: Game, preset: str = "quick") -> list[Mode]:
    """Return the tutorial's loop as published, and with the epochs and batches of `maskable`."""
    settings: Any = ALGORITHMS["maskable"].preset(preset)
    recipe = {"n_epochs": settings.n_epochs, "batch_size": settings.batch_size}
    return [
        Mode(
            f"{game.name}-{key}",
            f"MaskablePPO on the AEC environment, {about}; samples",
            partial(_start, game, settings, **given),
            settings.threads,
            "PettingZoo's tutorial",
        )
        for key, about, given in (
            ("tutorial", "as published", {}),
            ("tutorial-batches", "our epochs and batches", recipe),
        )
    ]


class TutorialEnv(gymnasium.Env[Observation, int]):
    """An AEC environment for one learner, which plays for whoever is the current player."""

    def __init__(self, aec: Any) -> None:
        self.aec = aec
        agent = aec.possible_agents[0]
        self.observation_space = aec.observation_space(agent)["observation"]
        self.action_space = aec.action_space(agent)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a new game; return what the first player sees."""
        self.aec.reset(seed=seed, options=options)
        return self.aec.last()[0]["observation"], {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play a decision; return what the next player sees and gets."""
        self.aec.step(action)
        observation, reward, terminated, truncated, info = self.aec.last()
        return observation["observation"], reward, terminated, truncated, info

    def action_masks(self) -> NDArray[np.int8]:
        """Return the mask of the current player, int8 (actions,)."""
        mask: NDArray[np.int8] = self.aec.observe(self.aec.agent_selection)["action_mask"]
        return mask


def _start(game: Game, settings: Any, **recipe: Any) -> Play:
    model = MaskablePPO(
        MaskableActorCriticPolicy,
        TutorialEnv(goldgriff.make(game)),
        policy_kwargs=shared_trunk(settings.hidden),
        seed=settings.seed,
        device="cpu",
        **recipe,
    )
    model.set_logger(configure(None, []))

    def play(updates: int) -> int:
        before = model.num_timesteps
        torch.set_num_threads(settings.threads)
        torch.set_float32_matmul_precision("highest")  # torch's own, as published
        with threadpool_limits(settings.threads):
            model.learn(updates * model.n_steps, reset_num_timesteps=False)
        return model.num_timesteps - before

    return play
