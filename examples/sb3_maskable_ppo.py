"""MaskablePPO of sb3-contrib on many games at once: one learner in each, among random opponents."""

from typing import Any

import common
from sb3_contrib import MaskablePPO

import goldgriff as gg


def main() -> None:
    """Train, and evaluate."""
    args = common.parse(__doc__, timesteps=500_000)
    envs = gg.sb3_vec_env("auruxxx", num_envs=64, num_players=2, player=None, reward="win")
    model = MaskablePPO(
        *("MlpPolicy", envs),
        n_steps=64,
        batch_size=1024,
        n_epochs=4,
        gamma=1.0,
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
