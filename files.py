"""Files written whole or not at all."""

import contextlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from .errors import GoldgriffError


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
    """Write a file as `write_together` does."""
    write_together({path: content})


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Write new files beside the paths, then, when all are whole, put them in their places.

    When writing fails, for example on a full disk, the old files stay as they were and nothing is
    left behind. Raises FileError.
    """
    scratches = {path: path.with_name(f".{path.name}.{os.getpid()}.new") for path in contents}
    path = next(iter(contents))
    try:
        for path, content in contents.items():
            scratches[path].write_bytes(content)
            with scratches[path].open("r+b") as file:
                os.fsync(file.fileno())  # a power cut must not leave the new name to half a file
        for path, scratch in scratches.items():
            scratch.replace(path)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from None
    finally:
        for scratch in scratches.values():
            with contextlib.suppress(OSError):
                scratch.unlink(missing_ok=True)
