"""Write files whole or not at all."""

import contextlib
import errno
import fcntl
import os
import re
import stat
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .errors import GoldgriffError, quoted

MAX_JSON = 2**20  # bytes of a file of settings
_SCRATCH = re.compile(r"\..+\.\d+\.new")  # names of files that are being written


class FileError(GoldgriffError):
    """A file or folder that cannot be read or written."""


def make_folder(folder: Path) -> None:
    """Make a folder, with its parents; raise FileError unless it can be written to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise FileError(code="folder-unwritten", path=folder, why=error.strerror) from None


@contextlib.contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Keep other processes from working in a folder, and remove what a killed one has left there.

    The system ends the claim with the process, however it ends.

    Raises:
        FileError: Another process has claimed the folder, or it cannot be read.
    """
    try:
        number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise FileError(code="folder-unread", path=folder, why=error.strerror) from None
    try:
        with contextlib.suppress(OSError):  # some network folders have no locks
            try:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FileError(code="folder-busy", path=folder) from None
        _remove_scratches(folder)
        yield
    finally:
        os.close(number)


def scratch_for(path: Path) -> Path:
    """Return the name under which this process writes a file until it is whole."""
    name = os.fsencode(path.name)[:200]  # of the 255 bytes that a name may have
    return path.with_name(f".{os.fsdecode(name)}.{os.getpid()}.new")


def _remove_scratches(folder: Path) -> None:
    """Remove what killed processes were writing into a claimed folder, or into one in it."""
    for path in (*folder.glob(".*.new"), *folder.glob("*/.*.new")):
        if _SCRATCH.fullmatch(path.name):
            path.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes) -> None:
    """Write one file as `write_together` does."""
    write_together({path: content})


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Write several files, all or none.

    They are written under other names first and renamed when all are complete. Where a path is a
    link, its target is replaced. A device or a pipe takes its content last, as it is.

    Args:
        contents: Content of each file by path.

    Raises:
        FileError: A file cannot be written, for example on a full disk; the old files are
            unchanged and no other file is left.
    """
    scratches = dict[Path, Path]()
    path = next(iter(contents))
    try:
        streams = [path for path in contents if path.exists() and not path.is_file()]
        for path in [path for path in contents if path not in streams]:
            target = Path(os.path.realpath(path))
            scratch = scratches[target] = scratch_for(target)
            scratch.write_bytes(contents[path])
            with scratch.open("r+b") as file:
                os.fsync(file.fileno())  # a power cut must not leave the new name to half a file
        for path in streams:
            path.write_bytes(contents[path])
        for path, scratch in scratches.items():
            scratch.replace(path)
    except OSError as error:
        raise FileError(code="file-unwritten", path=path, why=error.strerror) from None
    finally:
        for scratch in scratches.values():
            with contextlib.suppress(OSError):
                scratch.unlink(missing_ok=True)


def as_path(value: Any) -> Path:
    """Return a path given as text or as a path. Raises FileError for what cannot be one."""
    with contextlib.suppress(TypeError, UnicodeError):
        if b"\0" not in os.fsencode(value):
            return Path(os.fsdecode(value))
    raise FileError(f"the path of a file or folder is needed, not {quoted(value)}")


def check_file(path: Path, most: int) -> None:
    """Look at a file before it is read whole.

    Args:
        path: The file.
        most: How many bytes it may have.

    Raises:
        OSError: It is not there, is a device or a pipe, which may never end, or is larger.
    """
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file")
    if status.st_size > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes")


def read_limited(path: Path, most: int) -> bytes:
    """Return the content of a file. Raises OSError if it cannot be read, or as `check_file`."""
    check_file(path, most)
    return path.read_bytes()


def is_filled(path: Path) -> bool:
    """Return whether there is a file with content. Raises FileError if it cannot be read."""
    try:
        return path.stat().st_size > 0
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise FileError(code="file-unread", path=path, why=error.strerror) from None
