"""PettingZoo's tutorial for Tianshou 0.5, on Auruxxx: DQN in the second seat, random in the first.

The policies share one replay buffer, in which the decisions of both players follow each other.
"""

import argparse
from typing import Any

import common
import numpy as np
import pettingzoo
import torch
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.env.pettingzoo_env import PettingZooEnv
from tianshou.policy import DQNPolicy, MultiAgentPolicyManager, RandomPolicy
from tianshou.trainer import offpolicy_trainer
from tianshou.utils.net.common import Net

import goldgriff  # noqa: F401 (registers the environments)

NUM_ENVS, BATCH, COLLECT = 10, 64, 10
HIDDEN = [128] * 4  # the tutorial's, as all numbers here and below


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the settings that matter in long games."""
    add = parser.add_argument
    add("--reward", default="win", help="points or win (%(default)s)")
    add("--gamma", type=float, default=0.9, help="discount a decision (%(default)s)")
    add("--n-step", type=int, default=3, help="decisions of a return (%(default)s)")
    add("--lr", type=float, default=1e-4, help="learning rate (%(default)s)")
    add("--buffer-size", type=int, default=20_000, help="decisions replayed (%(default)s)")


def main() -> None:
    """Train as the tutorial does, and evaluate."""
    args = common.parse(__doc__, timesteps=50_000, add=add_options)
    np.random.seed(args.seed)  # noqa: NPY002 (what Tianshou explores with)

    def make_env() -> PettingZooEnv:
        return PettingZooEnv(
            pettingzoo.make("aec", "goldgriff/auruxxx_v0", num_players=2, reward=args.reward)
        )

    env = make_env()
    net = Net(env.observation_space["observation"].shape, env.action_space.n, hidden_sizes=HIDDEN)
    optim = torch.optim.Adam(net.parameters(), lr=args.lr)
    learner = DQNPolicy(net, optim, args.gamma, args.n_step, target_update_freq=320)
    learner.set_eps(0.1)
    policy = MultiAgentPolicyManager([RandomPolicy(), learner], env)
    envs = DummyVectorEnv([make_env] * NUM_ENVS)
    envs.seed(args.seed)
    buffer = VectorReplayBuffer(args.buffer_size, NUM_ENVS)
    collector = Collector(policy, envs, buffer, exploration_noise=True)
    with common.Stopwatch() as watch:
        collector.collect(n_step=BATCH * NUM_ENVS)
        offpolicy_trainer(
            policy,
            collector,
            test_collector=None,
            max_epoch=1,
            step_per_epoch=args.timesteps,
            step_per_collect=COLLECT,
            episode_per_test=0,
            batch_size=BATCH,
            update_per_step=0.1,
            show_progress=False,
            verbose=False,
        )

    @torch.no_grad()
    def choose(observations: Any, masks: Any) -> Any:
        return common.best_legal(net(observations)[0], masks)

    common.report("tianshou", choose, collector.collect_step, watch, args)


if __name__ == "__main__":
    main()
