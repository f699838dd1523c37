"""MaskablePPO of sb3-contrib on 64 games at once, against a random opponent."""

from typing import Any

import common
from sb3_contrib import MaskablePPO

import goldgriff as gg


def main() -> None:
    """Train, and evaluate."""
    args = common.parse(__doc__, timesteps=150_000)
    envs = gg.sb3_vec_env("auruxxx", 64, num_players=2, player=None, reward="win", seed=args.seed)
    model = MaskablePPO(
        *("MlpPolicy", envs),
        n_steps=64,
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
