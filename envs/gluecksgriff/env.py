"""Glücksgriff as environments: PettingZoo's `env` and `raw_env`, and gymnasium's `solo_env`.

The page about them, with the action and observation tables, is docs/envs/gluecksgriff.md.
"""

from typing import Any

from pettingzoo.utils import OrderEnforcingWrapper

from goldgriff.envs.core.aec import Observation, TableEnv
from goldgriff.envs.core.solo import SoloEnv
from goldgriff.envs.core.vector import SoloVectorEnv
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF


def raw_env(num_players: int = 4, **options: Any) -> TableEnv:
    """Make the AEC environment without PettingZoo's wrapper.

    num_players: 2 to 5. options: `reward` and `render_mode` (see `TableEnv`) and the other
    settings of the game by name (`Settings` in rules.py).

    Raises SettingsError for settings that are unknown, out of range or cannot be dealt.
    """
    return TableEnv.make(GLUECKSGRIFF, num_players=num_players, **options)


def env(num_players: int = 4, **options: Any) -> OrderEnforcingWrapper[str, Observation, int]:
    """Make the AEC environment; the options are those of `raw_env`.

    The wrapper gives clear errors for calls before `reset`. Illegal actions need no wrapper:
    the environment refuses them itself.
    """
    return OrderEnforcingWrapper(raw_env(num_players, **options))


def solo_env(num_players: int = 4, **options: Any) -> SoloEnv:
    """Make the gymnasium environment of one learner; see `SoloEnv` for the options."""
    return SoloEnv.make(GLUECKSGRIFF, num_players=num_players, **options)


def solo_vector_env(num_envs: int = 1, num_players: int = 4, **options: Any) -> SoloVectorEnv:
    """Make many tables of one learner each; see `SoloVectorEnv` for the options."""
    return SoloVectorEnv.make(GLUECKSGRIFF, num_envs, num_players=num_players, **options)
