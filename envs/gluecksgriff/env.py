"""Glücksgriff as environments: PettingZoo's `env` and `raw_env`, and gymnasium's `single_agent_env`.

The page about them, with the action and observation tables, is docs/envs/gluecksgriff.md.
"""

from typing import Any

from ..aec import CardGameEnv
from ..single_agent import SingleAgentEnv
from ..vector import SingleAgentVectorEnv
from . import GLUECKSGRIFF


def env(num_players: int = 4, **options: Any) -> CardGameEnv:
    """Make the AEC environment.

    Args:
        num_players: 2 to 5.
        options: `reward`, `render_mode` and `knowledge` (see `CardGameEnv`), and the other settings
            of the game by name (see `Settings` in rules.py).

    Raises:
        SettingsError: Settings are unknown, out of range or cannot be dealt.
    """
    return CardGameEnv.make(GLUECKSGRIFF, num_players=num_players, **options)


raw_env = env  # PettingZoo's name for one without wrappers; this one needs none


def single_agent_env(num_players: int = 4, **options: Any) -> SingleAgentEnv:
    """Make the gymnasium environment of one learner; see `SingleAgentEnv` for the options."""
    return SingleAgentEnv.make(GLUECKSGRIFF, num_players=num_players, **options)


def single_agent_vector_env(
    num_envs: int = 1, num_players: int = 4, **options: Any
) -> SingleAgentVectorEnv:
    """Make the vector environment of many learners; see `SingleAgentVectorEnv` for the options."""
    return SingleAgentVectorEnv.make(GLUECKSGRIFF, num_envs, num_players=num_players, **options)
