"""MaskablePPO of sb3-contrib on 16 gymnasium environments, against a random opponent."""

from typing import Any

import common
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import goldgriff  # noqa: F401 (registers the environments)


def main() -> None:
    """Train, and evaluate."""
    args = common.parse(__doc__, timesteps=200_000)
    options = {"num_players": 2, "player": None, "reward": "win"}
    envs = make_vec_env("goldgriff/Auruxxx-v0", 16, seed=args.seed, env_kwargs=options)
    model = MaskablePPO(
        *("MlpPolicy", envs),
        n_steps=256,
        batch_size=512,
        n_epochs=4,
        learning_rate=5e-4,
        gamma=1.0,
        ent_coef=0.01,
        policy_kwargs={"net_arch": common.HIDDEN},
        seed=args.seed,
    )
    with common.Stopwatch() as watch:
        model.learn(args.timesteps)

    def choose(observations: Any, masks: Any) -> Any:
        return model.predict(observations, action_masks=masks, deterministic=True)[0]

    common.report("sb3-contrib", choose, model.num_timesteps, watch, args)


if __name__ == "__main__":
    main()
