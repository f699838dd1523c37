"""Write files whole or not at all."""

import contextlib
import errno
import fcntl
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from .errors import GoldgriffError, quoted

_SCRATCH = re.compile(r"\..+\.(\d+)\.new(-journal)?")  # names of files that are being written


class FileError(GoldgriffError):
    """A file or folder that cannot be read or written."""


def folder_of(name: str, given: str | Path) -> Path:
    """Return the path that an argument names. Raises FileError when it is none."""
    if not isinstance(given, str | os.PathLike):
        raise FileError(f"{name} must be the path of a folder, not {quoted(given)}")
    return Path(given)


def make_folder(folder: Path) -> None:
    """Make a folder, with its parents; raise FileError unless it can be written to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, ValueError) as error:  # ValueError: a name with a null character
        reason = getattr(error, "strerror", None) or str(error)
        about = "cannot write to folder {path}: {why}"
        raise FileError(about, code="folder-unwritten", path=folder, why=reason) from None


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
        about = "cannot read folder {path}: {why}"
        raise FileError(about, code="folder-unread", path=folder, why=error.strerror) from None
    try:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            about = "another process is at work in {path}"
            raise FileError(about, code="folder-busy", path=folder) from None
        except OSError as error:  # some network folders have no locks
            if error.errno not in (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EBADF):
                raise FileError(f"cannot lock folder {folder}: {error.strerror}") from None
        remove_scratches(folder)
        yield
    finally:
        os.close(number)


def scratch_for(path: Path) -> Path:
    """Return the name under which this process writes a file until it is whole."""
    name = os.fsencode(path.name)[:200]  # of the 255 bytes that a name may have
    return path.with_name(f".{os.fsdecode(name)}.{os.getpid()}.new")


def remove_scratches(folder: Path) -> None:
    """Remove files that a process was writing into a folder, or one in it, when it was killed."""
    with contextlib.suppress(OSError):
        for path in (*folder.glob(".*.new*"), *folder.glob("*/.*.new*")):
            found = _SCRATCH.fullmatch(path.name)
            if found and not _is_running(int(found[1])):
                path.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    """Return whether there is a process of a number, other than this one."""
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


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
    scratches = {path: scratch_for(path) for path in contents}
    path = next(iter(contents))
    try:
        for path, content in contents.items():
            scratches[path].write_bytes(content)
            with scratches[path].open("r+b") as file:
                os.fsync(file.fileno())  # a power cut must not leave the new name to half a file
        for path, scratch in scratches.items():
            scratch.replace(path)
    except OSError as error:
        about = "cannot write {path}: {why}"
        raise FileError(about, code="file-unwritten", path=path, why=error.strerror) from None
    finally:
        for scratch in scratches.values():
            with contextlib.suppress(OSError):
                scratch.unlink(missing_ok=True)


def is_filled(path: Path) -> bool:
    """Return whether there is a file with content. Raises FileError where that cannot be told."""
    try:
        return path.stat().st_size > 0
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        about = "cannot read {path}: {why}"
        raise FileError(about, code="file-unread", path=path, why=reason) from None
