"""PPO of Tianshou 2 against a random opponent; actor and critic get observations with masks."""

from typing import Any

import common
import gymnasium
import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from torch import Tensor, nn

import goldgriff  # noqa: F401 (registers the environments)

NUM_ENVS, ROLLOUT = 16, 4096


def make_env() -> gymnasium.Env[Any, Any]:
    """Return a game with one learner, whose observations are a dict with Tianshou's keys."""
    env = gymnasium.make("goldgriff/Auruxxx-v0", num_players=2, player=None, reward="win")
    return common.MaskInObservation(env, ("obs", "mask"))


class Actor(nn.Module):
    """Returns logits, far below all others where an action is illegal."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.layers = common.network(inputs, actions)

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[Tensor, Any]:  # noqa: ARG002
        """Return logits, (rows, actions), and the state, which is not used."""
        logits = self.layers(torch.as_tensor(obs.obs, dtype=torch.float32))
        legal = torch.as_tensor(obs.mask, dtype=torch.bool)
        return logits.masked_fill(~legal, common.ILLEGAL_LOGIT), state


class Critic(nn.Module):
    """Returns values, which need no mask."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.layers = common.network(inputs, 1)

    def forward(self, obs: Any, **_: Any) -> Tensor:
        """Return values, (rows, 1)."""
        return self.layers(torch.as_tensor(obs.obs, dtype=torch.float32))


def main() -> None:
    """Train, and evaluate."""
    args = common.parse(__doc__, timesteps=80_000)
    env = make_env()
    inputs = env.observation_space["obs"].shape[0]
    envs = DummyVectorEnv([make_env] * NUM_ENVS)
    envs.seed(args.seed)
    actor = Actor(inputs, int(env.action_space.n))
    algorithm = PPO(
        policy=DiscreteActorPolicy(actor=actor, action_space=env.action_space),
        critic=Critic(inputs),
        optim=AdamOptimizerFactory(lr=5e-4),
        gamma=1.0,
    )
    rollout = min(ROLLOUT, args.timesteps)
    collector = Collector(algorithm, envs, VectorReplayBuffer(rollout, NUM_ENVS))
    params = OnPolicyTrainerParams(
        training_collector=collector,
        max_epochs=1,
        epoch_num_steps=args.timesteps,
        collection_step_num_env_steps=rollout,
        update_step_num_repetitions=4,
        batch_size=512,
        verbose=False,
        show_progress=False,
    )
    with common.Stopwatch() as watch:
        algorithm.run_training(params)

    @torch.no_grad()
    def choose(observations: Any, masks: Any) -> Any:
        return common.best_legal(actor.layers(torch.as_tensor(observations)), masks)

    common.report("tianshou", choose, collector.collect_step, watch, args)


if __name__ == "__main__":
    main()
