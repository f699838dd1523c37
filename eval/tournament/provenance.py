"""The origin of results: the library's version, the command, and the machine."""

import json
import os
import platform
import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module, metadata
from typing import Any

from .config import TournamentConfig

OBJECT = "object"  # in place of a fingerprint: of an agent that was given as an object
_PACKAGES = "numpy", "numba", "scipy"


def library_version() -> str:
    """Return the version of this library."""
    version: str = import_module(__name__.partition(".")[0]).__version__
    return version


def canonical_command(config: TournamentConfig, fingerprints: Sequence[str]) -> str | None:
    """Return the command that plays a tournament; None if one of its agents is an object.

    Args:
        config: The tournament.
        fingerprints: Those of its agents; `OBJECT` for an object, which no command can name.
    """
    if OBJECT in fingerprints:
        return None
    defaults = config.game.settings.from_dict({}).to_dict()
    changed = {name: value for name, value in config.rules.items() if value != defaults[name]}
    names = config.agents
    if config.format == "ladder":  # the others are those of the folder
        names = names[: config.challengers]
    words = ["goldgriff", "tournament", config.game.name, "--agents", *names]
    if config.format != "round-robin":
        words += ["--format", config.format]
    words += ["--players", *map(str, config.player_counts)]
    if changed:
        words += ["--rules", *(f"{name}={_as_word(value)}" for name, value in changed.items())]
    words += ["--deals", str(config.deals)]
    if config.until is not None:
        words += ["--until", repr(config.until)]
    return shlex.join([*words, "--seed", str(config.seed)])


def describe_run(command: str | None) -> dict[str, Any]:
    """Return what differs from run to run: the line as typed, date, machine and packages.

    Args:
        command: The line as typed; None where there was none.
    """
    return {
        "command": command,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "version": library_version(),
        "python": platform.python_version(),
        "packages": {name: metadata.version(name) for name in _PACKAGES},
        "system": platform.platform(),
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
    }


def _as_word(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
