"""Shared parts of the examples: options, a network, evaluation, and speed beside our own loop."""

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import gymnasium
import numpy as np
import torch

import goldgriff as gg

HIDDEN = [128, 128]  # widths of the hidden layers, in the examples and in our own loop
ILLEGAL_LOGIT = -1e9  # finite: infinite ones make the entropy nan in some libraries


def parse(
    about: str,
    timesteps: int,
    add: Callable[[argparse.ArgumentParser], None] = lambda _: None,
) -> argparse.Namespace:
    """Return the options of an example.

    Args:
        about: Its docstring.
        timesteps: Decisions to learn from, by default.
        add: Adds options of its own.
    """
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--timesteps", type=int, default=timesteps, help="decisions to learn from (%(default)s)"
    )
    parser.add_argument(
        "--deals", type=int, default=200, help="of the evaluation, two games each (%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the training (%(default)s)")
    parser.add_argument(
        "--compare", action="store_true", help="also measure how fast goldgriff's own PPO trains"
    )
    add(parser)
    args = parser.parse_args()
    random.seed(args.seed)
    np.random.seed(args.seed)  # noqa: NPY002 (which some libraries draw from)
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    return args


class Stopwatch:
    """Measures the time of `with` blocks, one or several after each other.

    Attributes:
        seconds: Wall-clock time.
        cpu_seconds: Time of this process on all cores.
    """

    def __init__(self) -> None:
        self.seconds = self.cpu_seconds = 0.0

    def __enter__(self) -> "Stopwatch":
        self._began = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds += time.perf_counter() - self._began[0]
        self.cpu_seconds += time.process_time() - self._began[1]


class Trained:
    """A trained policy as an agent for tournaments.

    Args:
        choose: `choose(observations, masks) -> actions` with float32 (rows, size), int8 (rows,
            actions) and whole numbers (rows,).
    """

    def __init__(self, choose: Callable[..., Any]) -> None:
        self.choose = choose

    def act(self, batch: gg.ObservationBatch) -> np.ndarray[Any, Any]:
        """Return an action for each row, int64 (rows,)."""
        return np.asarray(self.choose(batch.scaled, batch.masks), dtype=np.int64)


def report(
    package: str,
    choose: Callable[..., Any],
    timesteps: int,
    watch: Stopwatch,
    args: argparse.Namespace,
) -> None:
    """Print how fast a policy was trained, and what it wins against `random`.

    Args:
        package: The library that trained it.
        choose: The policy; see `Trained`.
        timesteps: Decisions that it learnt from.
        watch: The time of its training.
        args: The options.
    """
    speed = timesteps / watch.cpu_seconds
    print(
        f"{package} {version(package)}: {timesteps:,} decisions in {watch.seconds:.0f} s, "
        f"{speed:,.0f} a second of CPU time"
    )
    agents: dict[str, Any] = {"trained": Trained(choose), "random": "random"}
    result = gg.play_tournament("auruxxx", agents, num_players=2, deals=args.deals)
    trained = result.to_dict()["agents"]["trained"]
    low, high = trained["win_share_ci"]
    print(
        f"win share against random: {trained['win_share']:.1%} ({low:.1%} to {high:.1%}), "
        f"{trained['games']:,} games, {trained['forfeits']} forfeits"
    )
    if args.compare:
        own = own_speed()
        print(f"goldgriff's own PPO: {own:,.0f} a second; this is {speed / own:.4f} times that")


def own_speed(updates: int = 6) -> float:
    """Return how many decisions a second of CPU time goldgriff's own PPO learns from."""
    times: list[tuple[float, float]] = []

    def note(figures: dict[str, float]) -> bool:
        times.append((time.process_time(), figures["timesteps"]))
        return len(times) <= updates

    with tempfile.TemporaryDirectory() as folder:
        gg.train_agent(
            *("auruxxx", "ppo"),
            preset="plain",
            num_players=2,
            hidden=HIDDEN,
            on_update=note,
            out=f"{folder}/run",
        )
    (first, before), (last, after) = times[0], times[-1]
    return (after - before) / (last - first)


class MaskInObservation(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Puts the mask into the observation, for libraries that look for it there.

    The infos are left out: these libraries would store them beside every decision.

    Args:
        env: An environment of one learner.
        names: Keys of the observation and of the mask, int8 (actions,).
    """

    def __init__(self, env: gymnasium.Env[Any, Any], names: tuple[str, str]) -> None:
        super().__init__(env)
        self.names = names
        mask = gymnasium.spaces.Box(0, 1, (int(env.action_space.n),), np.int8)
        spaces = dict(zip(names, (env.observation_space, mask), strict=True))
        self.observation_space = gymnasium.spaces.Dict(spaces)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Start a game."""
        observation, _ = self.env.reset(seed=seed, options=options)
        return self._with_mask(observation), {}

    def step(self, action: Any) -> Any:
        """Play a decision."""
        observation, *rest, _ = self.env.step(action)
        return self._with_mask(observation), *rest, {}

    def _with_mask(self, observation: Any) -> Any:
        mask = self.env.unwrapped.action_masks().astype(np.int8)
        return dict(zip(self.names, (observation, mask), strict=True))


def network(inputs: int, outputs: int) -> torch.nn.Sequential:
    """Return a multilayer perceptron with ReLU and the hidden layers of `HIDDEN`."""
    widths = [inputs, *HIDDEN]
    layers: list[torch.nn.Module] = []
    for before, after in zip(widths, HIDDEN, strict=False):
        layers += [torch.nn.Linear(before, after), torch.nn.ReLU()]
    return torch.nn.Sequential(*layers, torch.nn.Linear(widths[-1], outputs))


def best_legal(logits: torch.Tensor, masks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the legal actions of the largest logits or values, int64 (rows,).

    Args:
        logits: (rows, actions).
        masks: 1 for each legal action, int8 (rows, actions).
    """
    legal = torch.as_tensor(masks, dtype=torch.bool)
    return logits.masked_fill(~legal, -torch.inf).argmax(dim=1).numpy()
