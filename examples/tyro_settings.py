"""The settings of an algorithm as a command line of one's own, by tyro: a preset and changes to it.

python examples/tyro_settings.py smoke --players 2 3 --learning-rate 0.001
python examples/tyro_settings.py quick --help
"""

from collections.abc import Sequence
from pathlib import Path

import tyro

from goldgriff.train.algorithms import ALGORITHMS
from goldgriff.train.runner import run_training
from goldgriff.train.settings import RunSettings

PPO = ALGORITHMS["ppo"]


def settings_of(arguments: Sequence[str] | None = None) -> RunSettings:
    """Return the settings of a command line; None for that of this process."""
    presets = {name: (f"the preset {name}", PPO.preset(name)) for name in PPO.presets}
    return tyro.extras.overridable_config_cli(presets, args=arguments)


def main() -> None:
    """Train with the settings that were given."""
    print(run_training("auruxxx", "ppo", settings_of(), Path("runs/tyro")).out)


if __name__ == "__main__":
    main()
