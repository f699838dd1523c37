"""Write files whole or not at all."""

import contextlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from .errors import GoldgriffError


class FileError(GoldgriffError):
    """A file or folder that cannot be read or written."""


def make_folder(folder: Path) -> None:
    """Make a folder, with its parents; raise FileError unless it can be written to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise FileError(f"cannot write to folder {folder}: {error.strerror}") from None


def write_whole(path: Path, content: bytes) -> None:
    """Write one file as `write_together` does."""
    write_together({path: content})


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Write several files, all or none.

    They are written under other names first and renamed when all are complete.

    Args:
        contents: Content of each file by path.

    Raises:
        FileError: A file cannot be written, for example on a full disk; the old files are
            unchanged and no other file is left.
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
