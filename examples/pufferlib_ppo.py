"""PufferLib's own trainer, PPO, on our games: masks are applied by the policy.

It needs PufferLib's C part: examples/requirements/pufferlib.txt says how to build it.

    python examples/pufferlib_ppo.py --compare
"""

import ast
import configparser
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pufferlib
import pufferlib.vector
import torch
from common import ILLEGAL_LOGIT, Stopwatch, best_legal, network, parse, report
from numpy.typing import NDArray
from pufferlib import pufferl
from pufferlib_env import CardPufferEnv, split

SETTINGS = {  # in place of PufferLib's, which are for its own optimizer and a GPU
    "device": "cpu",
    "optimizer": "adam",
    "learning_rate": 1e-3,
    "adam_beta1": 0.9,
    "adam_eps": 1e-5,
    "bptt_horizon": 64,
    "minibatch_size": 2048,
    "update_epochs": 2,
    "gamma": 1.0,
    "gae_lambda": 0.95,
    "ent_coef": 0.01,
    "vf_coef": 0.5,
    "max_grad_norm": 0.5,
    "env": "auruxxx",
    "use_rnn": False,
}


class MaskedPolicy(torch.nn.Module):
    """Two networks that read a row's observation; the mask leaves the legal actions."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.actions = actions
        self.policy, self.critic = network(size, actions), network(size, 1)

    def forward(
        self,
        rows: torch.Tensor,
        state: Any = None,  # noqa: ARG002 (PufferLib gives it)
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits (rows, actions) and values (rows, 1)."""
        observations, masks = split(rows, self.actions)
        logits = self.policy(observations)
        return torch.where(masks > 0, logits, ILLEGAL_LOGIT), self.critic(observations)

    forward_eval = forward


def train(timesteps: int, seed: int) -> tuple[MaskedPolicy, int]:
    """Train with PufferLib; return the policy, and the decisions it learnt from."""
    options = {"num_games": 256, "num_players": 2, "player": None, "reward": "win"}
    envs = pufferlib.vector.make(
        CardPufferEnv, env_kwargs=options, backend=pufferlib.vector.Serial, num_envs=1
    )
    actions = int(envs.single_action_space.n)
    policy = MaskedPolicy(envs.single_observation_space.shape[0] - actions, actions)
    read = configparser.ConfigParser()
    read.read(Path(pufferlib.__file__).parent / "config" / "default.ini")
    settings = {name: _value(text) for name, text in read["train"].items()} | SETTINGS
    settings |= {"seed": seed, "total_timesteps": timesteps}
    pufferl.ADVANTAGE_CUDA = False  # it takes a CUDA compiler for a GPU
    pufferl.PuffeRL.print_dashboard = lambda *_, **__: None
    trainer = pufferl.PuffeRL(settings, envs, policy)
    try:
        while trainer.global_step < timesteps:
            trainer.evaluate()
            trainer.train()
    finally:
        trainer.utilization.stop()  # a thread, for which the program would wait
    return policy, trainer.global_step


def _value(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def main() -> None:
    """Train, and play against `random`."""
    args = parse(__doc__ or "", 2_000_000)
    warnings.simplefilter("ignore")  # PufferLib makes some warnings errors
    with Stopwatch() as watch:
        policy, decisions = train(args.timesteps, args.seed)

    def choose(observations: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        with torch.no_grad():
            return best_legal(policy.policy(torch.as_tensor(observations)), masks)

    report("pufferlib", choose, decisions, watch, args)


if __name__ == "__main__":
    main()
