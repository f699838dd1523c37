"""The folder of a training run: what its files hold, and whether a run may begin in it or go on."""

import hashlib
import io
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..agents.trust import check_trust
from ..envs.engine.game import Game
from ..errors import GoldgriffError, quoted
from ..files import MAX_JSON, is_filled, read_limited, write_whole
from .algorithms import ALGORITHMS
from .settings import RunSettings

SETTINGS = "settings.json"
STATE = "state.pt"
AGENTS = ("eval_opponent", "teacher", "base_policy", "initial_policy")  # settings: an agent each
_MAX_STATE = 2**36  # bytes; buffers of decisions take most of them
_DIGEST = hashlib.sha256().digest_size


class ResumeError(GoldgriffError):
    """A run that cannot be resumed."""


def is_usable_run_folder(out: Path, stored: dict[str, Any]) -> bool:
    """Return whether a run may begin in a folder, or go on there since it is the same one.

    Args:
        out: The folder.
        stored: Its settings, with its game and algorithm.
    """
    return not is_filled(out / STATE) or _read(out) == json.loads(json.dumps(stored))


def agents_of(settings: Mapping[str, Any]) -> list[str]:
    """Return the names of all agents that a run loads, and of its reward, which may be code too.

    Args:
        settings: As in the file of a run; what is no name there is passed over.
    """
    opponents = settings.get("fixed_opponents")
    names = [*opponents] if isinstance(opponents, list) else []
    names += [settings.get(name) for name in ("reward", *AGENTS)]
    return [name for name in names if name and isinstance(name, str)]


def write_settings(out: Path, stored: dict[str, Any]) -> None:
    """Write the settings of a run, with its game and algorithm."""
    write_whole(out / SETTINGS, (json.dumps(stored, indent=2) + "\n").encode())


def read_settings(game: Game, out: Path, *, trust: bool = False) -> tuple[str, RunSettings]:
    """Return the algorithm and settings of the run in a folder.

    Args:
        game: The game.
        out: The folder.
        trust: Whether what the settings name may be code; a reward is imported here.

    Raises:
        AgentError: They name code that nobody trusts.
        ResumeError: There is no such run.
        SettingsError: Its settings are not those of this version.
    """
    stored = _read(out)
    if stored.pop("game", None) != game.id:
        raise ResumeError(f"the run in {out} is not of {game.id}")
    name = stored.pop("algorithm", None)
    if not isinstance(name, str) or name not in ALGORITHMS:
        raise ResumeError(f"the run in {out} is of algorithm {quoted(name)}, which there is not")
    check_trust(stored, f"the run in {out}", trust=trust)
    return name, ALGORITHMS[name].settings.from_dict(stored)


def _read(out: Path) -> dict[str, Any]:
    """Return what `write_settings` has written. Raises ResumeError where that is not there."""
    try:
        stored = json.loads(read_limited(out / SETTINGS, MAX_JSON))
    except OSError as error:
        raise ResumeError(f"no run to resume in {out}: {SETTINGS}: {error.strerror}") from None
    except (ValueError, RecursionError):
        stored = None
    if not isinstance(stored, dict):
        raise ResumeError(f"no run to resume in {out}: {SETTINGS} is damaged")
    return stored


def write_state(out: Path, content: io.BytesIO) -> None:
    """Write what resuming needs, compressed, followed by its SHA-256.

    Buffers of decisions, most of it, become about seven times smaller in some seconds a gigabyte.
    """
    compressed = zlib.compress(content.getbuffer(), level=1)
    write_whole(out / STATE, compressed + hashlib.sha256(compressed).digest())


def read_state(out: Path) -> bytes:
    """Return what `write_state` was given.

    Raises:
        OSError: There is none, or it cannot be read.
        ResumeError: It is not as it was written.
    """
    content = read_limited(out / STATE, _MAX_STATE)
    if hashlib.sha256(content[:-_DIGEST]).digest() != content[-_DIGEST:]:
        raise ResumeError(f"cannot resume from {out / STATE}: it is damaged")
    return zlib.decompress(content[:-_DIGEST])
