"""Files written whole or not at all."""

import contextlib
import os
import tempfile
from pathlib import Path

from goldgriff.envs.core.errors import GoldgriffError


class FileError(GoldgriffError):
    """A file or folder that cannot be read or written."""


def make_folder(folder: Path) -> None:
    """Make a folder that can be written to. Raises FileError when that is not possible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise FileError(f"cannot write to folder {folder}: {error.strerror}") from None


def write_whole(path: Path, content: bytes) -> None:
    """Write a new file beside `path`, then put it in its place.

    When that fails, for example on a full disk, the old file stays as it was and nothing is left
    behind. Raises FileError.
    """
    scratch = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        scratch.write_bytes(content)
        scratch.replace(path)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from None
    finally:
        with contextlib.suppress(OSError):
            scratch.unlink(missing_ok=True)
