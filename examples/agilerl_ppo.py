"""PPO of AgileRL on many games at once, against a random opponent; masks come from the infos."""

from typing import Any

import common
from agilerl.algorithms import PPO
from agilerl.rollouts.on_policy import collect_rollouts

import goldgriff as gg

NUM_ENVS, STEPS = 64, 64


def main() -> None:
    """Train, and evaluate."""
    args = common.parse(__doc__, timesteps=120_000)
    envs = gg.make_vec("auruxxx", NUM_ENVS, num_players=2, player=None, reward="win")
    envs.reset(seed=args.seed)
    agent = PPO(
        *(envs.single_observation_space, envs.single_action_space),
        net_config={
            "encoder_config": {"hidden_size": common.HIDDEN},
            "head_config": {"hidden_size": [64]},
        },
        num_envs=NUM_ENVS,
        learn_step=NUM_ENVS * STEPS,
        batch_size=512,
        lr=5e-4,
        gamma=1.0,
        use_rollout_buffer=True,
    )
    timesteps, last = 0, ()
    with common.Stopwatch() as watch:
        while timesteps < args.timesteps:
            names = "last_obs", "last_done", "last_scores", "last_info"
            _, *last = collect_rollouts(agent, envs, **dict(zip(names, last, strict=False)))
            agent.learn()
            timesteps += NUM_ENVS * STEPS

    def choose(observations: Any, masks: Any) -> Any:
        return agent.get_action(observations, action_mask=masks)[0]  # a sample

    common.report("agilerl", choose, timesteps, watch, args)


if __name__ == "__main__":
    main()
