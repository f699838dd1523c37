"""Measure environments in the wrappers of other libraries beside the same environments without.

python -m benchmarks.wrappers
"""

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import vector, wrappers
from pettingzoo.utils import wrappers as aec_wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from torchrl.data import Binary
from torchrl.envs import ActionMask, GymEnv, PettingZooWrapper, TransformedEnv
from torchrl.envs.libs.gym import default_info_dict_reader

import goldgriff as gg
from goldgriff.errors import GoldgriffError
from goldgriff.examples.rlcard_agents import CardEnv

from .measure import Mode, Play, ratio, short
from .modes import RandomPlay, pick, play_aec
from .report import (
    BenchmarkOptions,
    chosen_games,
    measure_modes,
    print_table,
)

NUM_ENVS = 16
IDS = {  # gymnasium's
    "auruxxx": "goldgriff/Auruxxx-v0",
    "gluecksgriff": "goldgriff/Gluecksgriff-v1",
}
Wrapper = Callable[[Any], Any]
AEC: dict[str, Wrapper] = {
    "pettingzoo-order": aec_wrappers.OrderEnforcingWrapper,
    "pettingzoo-bounds": aec_wrappers.AssertOutOfBoundsWrapper,
    "pettingzoo-illegal": partial(aec_wrappers.TerminateIllegalWrapper, illegal_reward=-1),
}
SINGLE: dict[str, Wrapper] = {
    "gymnasium-statistics": wrappers.RecordEpisodeStatistics,
    "gymnasium-normalize": wrappers.NormalizeObservation,
    "gymnasium-flatten": wrappers.FlattenObservation,
    "gymnasium-stack": partial(wrappers.FrameStackObservation, stack_size=4),
}
VECTOR: dict[str, Wrapper] = {
    "vector-statistics": wrappers.vector.RecordEpisodeStatistics,
    "vector-normalize": wrappers.vector.NormalizeObservation,
}


def _parallel(game: str) -> Play:
    env: Any = turn_based_aec_to_parallel(gg.make(gg.get_game(game), 2))

    def play(decisions: int) -> int:
        made = 0
        while made < decisions:
            seen, _ = env.reset()
            while env.agents:
                mover = env.aec_env.agent_selection
                action = pick(seen[mover]["action_mask"], random.random())
                seen, *_ = env.step({mover: action})
                made += 1
        return made

    return play


def _aec(wrapper: Wrapper | None, game: str) -> Play:
    env: Any = gg.make(gg.get_game(game), 2)
    return partial(play_aec, wrapper(env) if wrapper else env)


def _single(wrapper: Wrapper | None, game: str) -> Play:
    env: Any = gymnasium.make(IDS[game], num_players=2)
    if wrapper:
        env = wrapper(env)
    infos = env.reset(seed=1)[1]

    def play(decisions: int) -> int:
        nonlocal infos
        for _ in range(decisions):
            action = pick(infos["action_mask"], random.random())
            _, _, terminated, truncated, infos = env.step(action)
            if terminated or truncated:
                infos = env.reset()[1]
        return decisions

    return play


def _steps(env: Any) -> Play:
    infos, policy = env.reset(seed=1)[1], RandomPlay(NUM_ENVS)

    def play(steps: int) -> int:
        nonlocal infos
        for _ in range(steps):
            infos = env.step(policy.pick(np.stack(infos["action_mask"])))[-1]
        return steps * NUM_ENVS

    return play


def _vector(wrapper: Wrapper | None, game: str) -> Play:
    envs: Any = gg.make_vec(gg.get_game(game), NUM_ENVS, num_players=2, autoreset_mode="NextStep")
    return _steps(wrapper(envs) if wrapper else envs)


def _sync(game: str) -> Play:
    makers = [partial(gymnasium.make, IDS[game], num_players=2)] * NUM_ENVS
    return _steps(vector.SyncVectorEnv(makers))


def _torchrl_aec(game: str) -> Play:
    return partial(_roll_out, PettingZooWrapper(gg.make(gg.get_game(game), 2), use_mask=True))


def _torchrl_single(game: str) -> Play:
    env: Any = GymEnv(IDS[game], num_players=2)
    spec = {"action_mask": Binary(len(gg.get_game(game).actions), dtype=torch.bool)}
    env.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec=spec))
    return partial(_roll_out, TransformedEnv(env, ActionMask()))


def _roll_out(env: Any, decisions: int) -> int:
    return int(env.rollout(decisions, break_when_any_done=False).numel())


def _rlcard(game: str) -> Play:
    env = CardEnv(game, seed=1)

    def play(decisions: int) -> int:
        made = 0
        while made < decisions:
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(random.choice(list(state["legal_actions"])))
                made += 1
        return made

    return play


def modes(game: str) -> list[tuple[Mode, str]]:
    """Return the modes, each with the key of the one without a wrapper."""
    named: dict[str, tuple[Callable[[str], Play], str]] = {
        "aec": (partial(_aec, None), "aec"),
        **{key: (partial(_aec, wrapper), "aec") for key, wrapper in AEC.items()},
        "pettingzoo-parallel": (_parallel, "aec"),
        "torchrl-pettingzoo": (_torchrl_aec, "aec"),
        "rlcard": (_rlcard, "aec"),
        "single": (partial(_single, None), "single"),
        **{key: (partial(_single, wrapper), "single") for key, wrapper in SINGLE.items()},
        "torchrl-gym": (_torchrl_single, "single"),
        "vector": (partial(_vector, None), "vector"),
        **{key: (partial(_vector, wrapper), "vector") for key, wrapper in VECTOR.items()},
        "gymnasium-sync": (_sync, "vector"),
    }
    return [
        (Mode(key, f"random legal actions, two players, {plain}", partial(start, game)), plain)
        for key, (start, plain) in named.items()
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; the exit status is 0, or 1 for bad input."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wrappers", description=__doc__)
    BenchmarkOptions.add_to(parser)
    options = BenchmarkOptions.read(parser.parse_args(arguments))
    if options.training or options.out or options.json:
        parser.error("--training, --out and --json are options of python -m benchmarks only")
    try:
        for game in chosen_games(options):
            compare(options, game.name)
    except GoldgriffError as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 1
    return 0


def compare(options: BenchmarkOptions, game: str) -> None:
    """Measure the modes of a game; print how fast each is beside the one without a wrapper."""
    every = modes(game)
    measured = measure_modes(options, [mode for mode, _ in every])
    by_key = {each.mode.key: each for each in measured}
    ratios = {
        mode.key: (plain, ratio(by_key[mode.key], by_key[plain]))
        for mode, plain in every
        if mode.key != plain and {mode.key, plain} <= {*by_key}
    }
    print_table(
        ("wrapped", "without", "ratio", "quartiles"),
        [(key, plain, short(one.median), str(one)) for key, (plain, one) in ratios.items()],
    )


if __name__ == "__main__":
    sys.exit(main())
