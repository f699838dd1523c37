"""RLlib's check of environments and AgileRL's vector environments, whichever is installed."""

import importlib
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import goldgriff as gg


def check_rllib() -> None:
    """Let RLlib check both games; its random actions are illegal sooner or later, and warn."""
    check = importlib.import_module("ray.rllib.utils.pre_checks.env").check_multiagent_environments
    wrap = importlib.import_module("ray.rllib.env.wrappers.pettingzoo_env").PettingZooEnv
    for game in ("auruxxx", "gluecksgriff"):
        check(wrap(gg.make(gg.get_game(game), num_players=3)))


def check_agilerl() -> None:
    """Let AgileRL make environments, and play a step in each."""
    make: Any = importlib.import_module("agilerl.utils.utils").make_vect_envs
    for name in ("Auruxxx-v0", "Gluecksgriff-v1"):
        envs = make(f"goldgriff/{name}", num_envs=3)
        _, infos = envs.reset(seed=1)
        observations = envs.step(infos["action_mask"].argmax(axis=1))[0]
        assert envs.single_observation_space.contains(observations[0])
        envs.close()


CHECKS: dict[str, tuple[str, Callable[[], None]]] = {
    "RLlib": ("tree", check_rllib),  # `ray` alone has no RLlib
    "AgileRL": ("agilerl", check_agilerl),
}


def main() -> None:
    """Run the checks of the libraries that are there."""
    for library, (needed, check) in CHECKS.items():
        if find_spec(needed):
            check()
            print(f"{library}: passed")
        else:
            print(f"{library}: not installed")


if __name__ == "__main__":
    main()
