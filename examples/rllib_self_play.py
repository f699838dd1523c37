"""PPO of RLlib by self-play: each runner plays 1024 games against its own newest policy.

    python examples/rllib_self_play.py --timesteps 2000000 --chart curve.png

The module for action masks comes with Ray. The games have one round: all begin at once, and until
the first of them end, rewards are 0 and PPO would learn from noise. Between two iterations the
policy is measured against `random`, which is the curve: the mean reward of self-play is about 0.
"""

import argparse
import logging
from pathlib import Path
from typing import Any

import common
import gymnasium
import numpy as np
import ray
import torch
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space
from matplotlib.figure import Figure
from numpy.typing import NDArray
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

import goldgriff as gg

GAMES, STEPS = 1024, 32  # of a runner; learner's decisions in each game between two updates
PLAYERS = 2


@torch.no_grad()
def logits_of(module: Any, observations: Any, masks: Any) -> torch.Tensor:
    """Return the masked logits of RLlib's module, float32 (rows, actions)."""
    seen = {
        "observations": torch.as_tensor(observations),
        "action_mask": torch.as_tensor(masks, dtype=torch.float32),
    }
    logits: torch.Tensor = module.forward_inference({"obs": seen})["action_dist_inputs"]
    return logits


class Newest:
    """An opponent that plays by the newest policy of a runner; `random` until there is one."""

    def __init__(self) -> None:
        self.runner: Any = None

    def act(self, batch: gg.ObservationBatch) -> NDArray[np.int64]:
        """Return an action for each row, drawn from the policy."""
        if getattr(self.runner, "module", None) is None:
            return gg.load_agent("random", batch.game).act(batch)
        return np.asarray(sampled(self.runner.module, batch.scaled, batch.masks))


class MaskedGames(VectorEnv[Any, Any, Any]):
    """Many games as RLlib wants them: the mask in the observation, no infos."""

    def __init__(self, games: VectorEnv[Any, Any, Any], opponent: Newest) -> None:
        self.games, self.opponent = games, opponent
        self.num_envs, self.metadata = games.num_envs, games.metadata
        self.single_action_space, self.action_space = games.single_action_space, games.action_space
        mask = gymnasium.spaces.Box(0, 1, (int(self.single_action_space.n),), np.int8)
        self.single_observation_space = gymnasium.spaces.Dict(
            {"observations": games.single_observation_space, "action_mask": mask}
        )
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    def reset(self, **options: Any) -> tuple[Any, dict[str, Any]]:
        """Start all games."""
        observations, infos = self.games.reset(**options)
        return self._with_masks(observations, infos), {}

    def step(self, actions: Any) -> Any:
        """Play a decision in each game."""
        observations, *rest, infos = self.games.step(actions)
        return self._with_masks(observations, infos), *rest, {}

    def _with_masks(self, observations: Any, infos: dict[str, Any]) -> dict[str, Any]:
        return {"observations": observations, "action_mask": infos["action_mask"]}


class SelfPlay(RLlibCallback):
    """Seats the policy of a runner in its games."""

    def on_environment_created(self, *, env_runner: Any, env: Any, **_: Any) -> None:
        """Tell the opponent whose policy it is to play."""
        env.opponent.runner = env_runner


def make_games(config: dict[str, Any]) -> MaskedGames:
    """Return the games of a runner, each with one learner in a random seat."""
    opponent = Newest()
    games = gg.make_vec(
        "auruxxx",
        config["num_envs"],
        num_players=PLAYERS,
        rounds=1,
        player=None,
        reward="win",
        opponents=opponent,
        autoreset_mode="NextStep",
    )
    return MaskedGames(games, opponent)


def build(runners: int, seed: int, games: int) -> Algorithm:
    """Return RLlib's PPO, with so many runners in processes of their own (0: none)."""
    model = DefaultModelConfig(fcnet_hiddens=common.HIDDEN, fcnet_activation="relu")
    module = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=model)
    return (
        PPOConfig()
        .environment("games")
        .env_runners(
            num_env_runners=runners,
            num_envs_per_env_runner=games,
            rollout_fragment_length=STEPS,
            gym_env_vectorize_mode=gymnasium.VectorizeMode.VECTOR_ENTRY_POINT,
        )
        .rl_module(rl_module_spec=module)
        .callbacks(SelfPlay)
        .training(
            train_batch_size_per_learner=games * STEPS * max(runners, 1),
            minibatch_size=min(4096, games * STEPS),
            num_epochs=4,
            lr=5e-4,
            gamma=1.0,
            lambda_=0.95,
            entropy_coeff=0.01,
        )
        .debugging(seed=seed, log_level="ERROR")
        .build_algo()
    )


def sampled(module: Any, observations: Any, masks: Any) -> Any:
    """Return actions drawn from the policy of RLlib's module, int64 (rows,)."""
    logits = logits_of(module, observations, masks)
    return torch.distributions.Categorical(logits=logits).sample().numpy()


def choose_by(module: Any) -> Any:
    """Return a function that plays as RLlib's module does: where one bluffs, actions are drawn."""
    return lambda observations, masks: sampled(module, observations, masks)


def win_share(module: Any, deals: int) -> tuple[float, float, float]:
    """Return the win share against `random` with the ends of its interval."""
    agents: Any = {"rllib": common.Trained(choose_by(module)), "random": "random"}
    result = gg.play_tournament("auruxxx", agents, num_players=PLAYERS, deals=deals)
    found = result.to_dict()["agents"]["rllib"]
    return found["win_share"], *found["win_share_ci"]


def draw(curve: list[tuple[int, float, float, float]], path: Path) -> None:
    """Draw the win share against decisions learnt from."""
    decisions, shares, lows, highs = zip(*curve, strict=True)
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    axes.fill_between(decisions, lows, highs, alpha=0.2)
    axes.plot(decisions, shares)
    axes.set(xlabel="decisions learnt from", ylabel="win share against random", ylim=(0, 1))
    figure.savefig(path, dpi=120)


def main() -> None:
    """Train, and evaluate."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--runners", type=int, default=0, help="processes (%(default)s)")
        parser.add_argument("--games", type=int, default=GAMES, help="of a runner (%(default)s)")
        parser.add_argument("--chart", type=Path, help="file for the curve")

    args = common.parse(__doc__, timesteps=1_000_000, add=add)
    register_env("games", make_games)
    ray.init(
        "local",
        num_cpus=args.runners + 1,
        include_dashboard=False,
        log_to_driver=False,
        logging_level=logging.ERROR,
    )
    algorithm = build(args.runners, args.seed, args.games)
    timesteps, curve, watch = 0, [], common.Stopwatch()
    while timesteps < args.timesteps:
        with watch:
            figures = algorithm.train()["env_runners"]
        timesteps = int(figures["num_env_steps_sampled_lifetime"])
        curve.append((timesteps, *win_share(algorithm.get_module(), 50)))
        print(f"{timesteps:,} decisions: win share against random {curve[-1][1]:.1%}", flush=True)
    if args.chart:
        draw(curve, args.chart)
    common.report("ray", choose_by(algorithm.get_module()), timesteps, watch, args)
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
