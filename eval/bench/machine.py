"""What a benchmark ran on: figures without it cannot be compared."""

import os
import platform
import re
import subprocess
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

from ... import __version__
from ...envs.engine.threads import cores


def machine() -> dict[str, Any]:
    """The machine and the Python, as plain data."""
    return {
        "processor": _processor(),
        "cores": cores(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


def versions(distributions: Iterable[str]) -> dict[str, str | None]:
    """The version of each distribution, None for those not installed; ours with its commit."""
    found: dict[str, str | None] = {"goldgriff": __version__, "goldgriff commit": _commit()}
    for name in distributions:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
    return found


def _processor() -> str:
    """The processor's name; only Linux keeps it in a file."""
    try:
        names = re.findall(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.M)
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def _commit() -> str | None:
    """The commit that is checked out, marked when files differ from it; None for a wheel."""
    folder = Path(__file__).resolve().parents[2]
    if not (folder / ".git").exists():
        return None
    git = ["git", "-C", str(folder)]
    try:
        done = subprocess.run(
            [*git, "describe", "--always", "--dirty"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
