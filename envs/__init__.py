"""The environments: `goldgriff.make("auruxxx_v0")`, or `goldgriff.envs.auruxxx_v0.env()`.

Importing this package enters them in PettingZoo's registry (`goldgriff/auruxxx_v0`) and, as one
learner against opponents, in gymnasium's (`goldgriff/Auruxxx-v0`).
"""

from typing import Any

if __name__ != "goldgriff.envs":
    raise ImportError(f"import this package as goldgriff.envs, not as {__name__}")

import gymnasium
import pettingzoo

from ..errors import GoldgriffError
from . import auruxxx_v0, gluecksgriff_v0

__all__ = ["auruxxx_v0", "gluecksgriff_v0", "make"]

_AEC = {"auruxxx_v0": auruxxx_v0.env, "gluecksgriff_v0": gluecksgriff_v0.env}

for _id in _AEC:
    _name, _, _version = _id.rpartition("_v")
    pettingzoo.register("aec", f"goldgriff/{_id}", f"goldgriff.envs.{_id}:env")
    gymnasium.register(
        f"goldgriff/{_name.capitalize()}-v{_version}",
        entry_point=f"goldgriff.envs.{_name}.env:single_agent_env",
        vector_entry_point=f"goldgriff.envs.{_name}.env:single_agent_vector_env",
    )


def make(env_id: str, **options: Any) -> Any:
    """Make a PettingZoo environment by its id; the options are those of its `raw_env`.

    Raises GoldgriffError for an id that is not there, SettingsError for options that do not fit.
    """
    if env_id not in _AEC:
        raise GoldgriffError(f"unknown environment {env_id!r}; there are {', '.join(_AEC)}")
    return _AEC[env_id](**options)
