"""PPO of skrl on many games at once, against a random opponent.

skrl has no masks, so the observation carries them, and the policy's model takes them out again.
"""

import logging
from typing import Any

import common
import gymnasium
import numpy as np
import torch
from skrl.agents.torch.ppo import PPO
from skrl.envs.wrappers.torch import wrap_env
from skrl.memories.torch import RandomMemory
from skrl.models.torch import CategoricalMixin, DeterministicMixin, Model
from skrl.trainers.torch import SequentialTrainer

import goldgriff as gg

NUM_ENVS, STEPS = 64, 64


class MaskFirst(gymnasium.vector.VectorWrapper):
    """Puts the mask in front of the observation: float32 (num_envs, actions + size)."""

    def __init__(self, envs: gymnasium.vector.VectorEnv[Any, Any, Any]) -> None:
        super().__init__(envs)
        seen, actions = envs.single_observation_space, int(envs.single_action_space.n)
        low = np.concatenate([np.zeros(actions, np.float32), seen.low])
        high = np.concatenate([np.ones(actions, np.float32), seen.high])
        self.single_observation_space = gymnasium.spaces.Box(low, high, dtype=np.float32)

    def reset(self, **options: Any) -> Any:
        """Start a game in every row."""
        observations, infos = self.env.reset(**options)
        return _joined(observations, infos), infos

    def step(self, actions: Any) -> Any:
        """Play a decision in every row."""
        observations, *rest = self.env.step(actions)
        return _joined(observations, rest[-1]), *rest


def _joined(observations: Any, infos: dict[str, Any]) -> Any:
    return np.concatenate([infos["action_mask"].astype(np.float32), observations], axis=1)


class Policy(CategoricalMixin, Model):
    """Logits, far below all others where an action is illegal."""

    def __init__(self, envs: Any) -> None:
        Model.__init__(
            self,
            observation_space=envs.observation_space,
            action_space=envs.action_space,
            device="cpu",
        )
        CategoricalMixin.__init__(self)
        self.actions = int(envs.action_space.n)
        inputs = envs.observation_space.shape[0] - self.actions
        self.layers = common.network(inputs, self.actions)

    def compute(self, inputs: dict[str, Any], _role: str = "") -> Any:
        """Return the logits, (rows, actions)."""
        masks, seen = inputs["observations"].split(
            [self.actions, inputs["observations"].shape[1] - self.actions], dim=1
        )
        return self.layers(seen).masked_fill(masks == 0, common.ILLEGAL_LOGIT), {}


class Value(DeterministicMixin, Model):
    """The value of an observation, mask and all."""

    def __init__(self, envs: Any) -> None:
        Model.__init__(
            self,
            observation_space=envs.observation_space,
            action_space=envs.action_space,
            device="cpu",
        )
        DeterministicMixin.__init__(self)
        self.layers = common.network(envs.observation_space.shape[0], 1)

    def compute(self, inputs: dict[str, Any], _role: str = "") -> Any:
        """Return the values, (rows, 1)."""
        return self.layers(inputs["observations"]), {}


def main() -> None:
    """Train, and evaluate."""
    args = common.parse(__doc__, timesteps=400_000)
    logging.getLogger("skrl").setLevel(logging.ERROR)
    games = gg.make_vec("auruxxx", NUM_ENVS, num_players=2, player=None, reward="win")
    games.reset(seed=args.seed)
    envs = wrap_env(MaskFirst(games), wrapper="gymnasium", verbose=False)
    policy = Policy(envs)
    agent = PPO(
        models={"policy": policy, "value": Value(envs)},
        memory=RandomMemory(memory_size=STEPS, num_envs=NUM_ENVS, device="cpu"),
        observation_space=envs.observation_space,
        action_space=envs.action_space,
        device="cpu",
        cfg={
            "rollouts": STEPS,
            "learning_epochs": 4,
            "mini_batches": 8,
            "learning_rate": 5e-4,
            "discount_factor": 1.0,
            "entropy_loss_scale": 0.01,
            "value_loss_scale": 0.5,
            "experiment": {"write_interval": 0, "checkpoint_interval": 0},
        },
    )
    steps = max(STEPS, args.timesteps // NUM_ENVS)
    cfg = {"timesteps": steps, "headless": True, "disable_progressbar": True}
    trainer = SequentialTrainer(env=envs, agents=agent, cfg=cfg)
    with common.Stopwatch() as watch:
        trainer.train()

    @torch.no_grad()
    def choose(observations: Any, masks: Any) -> Any:
        return common.best_legal(policy.layers(torch.as_tensor(observations)), masks)

    common.report("skrl", choose, steps * NUM_ENVS, watch, args)


if __name__ == "__main__":
    main()
