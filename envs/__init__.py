"""The environments: `goldgriff.make("auruxxx_v0")`, or `goldgriff.envs.auruxxx_v0.env()`.

A file `<game>_v<version>.py` here makes the folder `<game>` a game. It is imported at its first
use: by its name in `GAMES`, or as a module.
"""

from importlib import import_module
from typing import Any

from .engine.catalog import VERSIONS

if __name__ != "goldgriff.envs":
    raise ImportError(f"import this package as goldgriff.envs, not as {__name__}")


def __getattr__(name: str) -> Any:
    """Import a game's module: PettingZoo's way to find an environment."""
    if name in {f"{game}_v{version}" for game, version in VERSIONS.items()}:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
