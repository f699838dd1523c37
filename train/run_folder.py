"""The folder of a training run: what its files hold, and whether a run may begin in it or go on."""

import hashlib
import io
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..agents.trust import check_trust
from ..envs.engine.game import REPLACED, Game
from ..errors import GoldgriffError, describe_error, quoted
from ..files import is_filled, write_whole
from .algorithms import ALGORITHMS
from .settings import RunSettings

SETTINGS = "settings.json"
STATE = "state.pt"
AGENTS = ("eval_opponent", "teacher", "base_policy", "initial_policy")  # settings: an agent each
_DIGEST = hashlib.sha256().digest_size


class ResumeError(GoldgriffError):
    """A run that cannot be resumed."""


def has_state(out: Path) -> bool:
    """Return whether a folder holds a run that has saved something.

    One that was stopped before that can be begun again: all it may have is an untrained policy.

    Raises:
        FileError: The folder cannot be read.
    """
    if is_filled(out / STATE):
        return True
    names = [path.stem for path in (out / "checkpoints").glob("*.safetensors")]
    return any(name.strip("0") for name in names)


def is_begun(out: Path) -> bool:
    """Return whether there is something of a run to go on with, or no such folder.

    Where a command was stopped before it wrote the settings, there is nothing; it begins anew.

    Raises:
        FileError: The folder cannot be read.
    """
    return is_filled(out / SETTINGS) or has_state(out) or not out.is_dir()


def may_begin(out: Path, stored: dict[str, Any]) -> bool:
    """Return whether a run may begin in a folder, or go on there since it is the same one."""
    if not is_filled(out / SETTINGS):
        return not has_state(out)
    try:
        there = json.loads((out / SETTINGS).read_bytes())
    except (OSError, ValueError):
        return False
    if has_state(out):
        return bool(there == json.loads(json.dumps(stored)))
    return isinstance(there, dict) and {"game", "algorithm"} <= there.keys()


def taken(out: Path) -> ResumeError:
    """Return the error for a folder in which a run cannot begin."""
    return ResumeError(
        f"{out} holds a run; resume it (--resume, in Python resume=True) or choose another folder"
    )


def agents_of(settings: Mapping[str, Any]) -> list[str]:
    """Return the names of all agents that a run loads, and of its reward, which may be code too.

    Args:
        settings: As in the file of a run; what is no name there is passed over.
    """
    opponents = settings.get("fixed_opponents")
    named = [*opponents] if isinstance(opponents, list) else []
    named += [settings.get(name) for name in ("reward", *AGENTS)]
    return [name for name in named if name and isinstance(name, str)]


def to_store(game: Game, algorithm: str, settings: RunSettings) -> dict[str, Any]:
    """Return what the file of a run's settings holds."""
    return {"game": game.id, "algorithm": algorithm, **settings.to_dict()}


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
    if not is_filled(out / SETTINGS):
        raise ResumeError(f"no run to resume in {out}: it holds no {SETTINGS}")
    try:
        stored = json.loads((out / SETTINGS).read_bytes())
    except OSError as error:
        raise ResumeError(f"no run to resume in {out}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise ResumeError(
            f"no run to resume in {out}: {SETTINGS} is damaged: {describe_error(error)}"
        ) from None
    name = stored.pop("game", None) if isinstance(stored, dict) else None
    if name != game.id:
        replaced = REPLACED.get(str(name))
        because = f": {replaced}" if replaced else ""
        raise ResumeError(f"the run in {out} is not of {game.id}{because}")
    name = stored.pop("algorithm", None)
    if not isinstance(name, str) or name not in ALGORITHMS:
        raise ResumeError(f"the run in {out} is of algorithm {quoted(name)}, which there is not")
    check_trust(agents_of(stored), f"the run in {out}", trust=trust)
    return name, ALGORITHMS[name].settings.from_dict(stored)


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
        ResumeError: It is not as it was written, or another version wrote it.
    """
    content = (out / STATE).read_bytes()
    if hashlib.sha256(content[:-_DIGEST]).digest() != content[-_DIGEST:]:
        raise ResumeError(f"cannot resume from {out / STATE}: it is damaged")
    try:
        return zlib.decompress(content[:-_DIGEST])
    except zlib.error:
        raise ResumeError(
            f"cannot resume from {out / STATE}: it was written by another version of the library"
        ) from None
