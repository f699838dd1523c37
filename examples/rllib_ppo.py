"""PPO of RLlib, with the module for action masks that comes with Ray, against a random opponent."""

import logging
from typing import Any

import common
import gymnasium
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

import goldgriff  # noqa: F401 (registers the environments)

ROLLOUT, MINIBATCH = 4096, 512


def make_env(_config: dict[str, Any]) -> gymnasium.Env[Any, Any]:
    """Return a game with one learner, whose observations are a dict with RLlib's keys."""
    env = gymnasium.make("goldgriff/Auruxxx-v0", num_players=2, player=None, reward="win")
    return common.MaskInObservation(env, ("observations", "action_mask"))


def main() -> None:
    """Train, and evaluate."""
    args = common.parse(__doc__, timesteps=50_000)
    register_env("auruxxx", make_env)
    ray.init(
        "local",
        num_cpus=1,
        include_dashboard=False,
        log_to_driver=False,
        logging_level=logging.ERROR,
    )
    model = DefaultModelConfig(fcnet_hiddens=common.HIDDEN, fcnet_activation="relu")
    module = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=model)
    rollout = min(ROLLOUT, args.timesteps)
    algorithm = (
        PPOConfig()
        .environment("auruxxx")
        .env_runners(num_env_runners=0, num_envs_per_env_runner=16)
        .rl_module(rl_module_spec=module)
        .training(
            train_batch_size_per_learner=rollout,
            minibatch_size=min(MINIBATCH, rollout),
            num_epochs=6,
            lr=5e-4,
            gamma=1.0,
            entropy_coeff=0.01,
        )
        .debugging(seed=args.seed, log_level="ERROR")
        .build_algo()
    )
    timesteps = 0
    with common.Stopwatch() as watch:
        while timesteps < args.timesteps:
            figures = algorithm.train()["env_runners"]
            timesteps = int(figures["num_env_steps_sampled_lifetime"])
    trained = algorithm.get_module()

    @torch.no_grad()
    def choose(observations: Any, masks: Any) -> Any:
        seen = {
            "observations": torch.as_tensor(observations),
            "action_mask": torch.as_tensor(masks, dtype=torch.float32),
        }
        logits = trained.forward_inference({"obs": seen})["action_dist_inputs"]
        return common.best_legal(logits, masks)

    common.report("ray", choose, timesteps, watch, args)
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
