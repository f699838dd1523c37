"""Auruxxx as environments: PettingZoo's `env` and `raw_env`, and gymnasium's `solo_env`.

The page about them, with the action and observation tables, is docs/envs/auruxxx.md.
"""

from collections.abc import Sequence
from typing import Any

from pettingzoo.utils import OrderEnforcingWrapper

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import Settings
from goldgriff.envs.core.aec import Observation, TableEnv
from goldgriff.envs.core.policy import Policy
from goldgriff.envs.core.solo import SoloEnv


def raw_env(
    num_players: int = 4,
    *,
    reward: str = "points",
    render_mode: str | None = None,
    **settings: Any,
) -> TableEnv:
    """Make the AEC environment without PettingZoo's wrapper.

    num_players: 2 to 6. reward: `points` or `win`. render_mode: None, `ansi` or `human`.
    settings: the other settings of the game by name (`Settings` in rules.py).

    Raises SettingsError for settings that are unknown, out of range or cannot be dealt.
    """
    chosen = Settings.from_dict({"num_players": num_players, **settings})
    return TableEnv(AURUXXX, chosen, reward=reward, render_mode=render_mode)


def env(**options: Any) -> OrderEnforcingWrapper[str, Observation, int]:
    """Make the AEC environment; the options are those of `raw_env`.

    The wrapper gives clear errors for calls before `reset`. Illegal actions need no wrapper:
    the environment refuses them itself.
    """
    return OrderEnforcingWrapper(raw_env(**options))


def solo_env(
    num_players: int = 4,
    *,
    opponents: Policy | Sequence[Policy] | None = None,
    seat: int | None = 0,
    reward: str = "points",
    illegal: str = "raise",
    render_mode: str | None = None,
    **settings: Any,
) -> SoloEnv:
    """Make the gymnasium environment of one learner; see `SoloEnv` for the options."""
    return SoloEnv(
        AURUXXX,
        Settings.from_dict({"num_players": num_players, **settings}),
        opponents=opponents,
        seat=seat,
        reward=reward,
        illegal=illegal,
        render_mode=render_mode,
    )
