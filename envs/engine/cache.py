"""The cache of compiled code: files with checksums, in a folder that only its owner may write to.

Compiled code is executed, so a folder that others may have written to is not read. Damaged native
code would crash Python, so each file begins with a checksum. Where the cache cannot be used, code
is compiled again, and one line says why.
"""

import contextlib
import errno
import hashlib
import multiprocessing
import os
import re
import shutil
import stat
import sys
from pathlib import Path

import platformdirs

from ...errors import one_line
from ...files import FileError, write_whole

KEPT = 16  # folders, those written last; one version of the library has two or three
_NAME = re.compile("rules-[0-9a-f]{16}")
_CHECKSUM = hashlib.sha256().digest_size  # bytes at the start of each file
quiet = False  # whether `say_once` says nothing, as in a worker: its main process has said it
_said = set[str]()
NOTICES: dict[str, str] = {}  # by topic: texts in place of the English ones of `say_once`


def cache_root() -> Path:
    """Return the folder that holds all others: `NUMBA_CACHE_DIR`, or one of the user's own."""
    return Path(os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("goldgriff"))


def say_once(topic: str, text: str) -> None:
    """Print a line on standard error, one for each topic, but not in workers."""
    if quiet or topic in _said or multiprocessing.parent_process():
        return
    _said.add(topic)
    with contextlib.suppress(OSError, ValueError):  # standard error may be closed
        print(f"goldgriff: {NOTICES.get(topic, text)}", file=sys.stderr, flush=True)


class CacheFolder:
    """The compiled code of one version of some sources.

    Args:
        root: Holds the folders of all versions, see `cache_root`.
        sources: Hash of the sources, 16 hex digits; the folder is named by it.
    """

    def __init__(self, root: Path, sources: str) -> None:
        self.path = root / f"rules-{sources}"

    def read(self, name: str) -> bytes | None:
        """Return what was written under a name, None where nothing can be trusted."""
        try:
            _check_owner(self.path)
            content = (self.path / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            self._complain(f"cannot be read ({error.strerror})")
            return None
        if content[:_CHECKSUM] != _checksum(name, content[_CHECKSUM:]):
            self._complain(f"is damaged ({name})")
            return None
        return content[_CHECKSUM:]

    def write(self, name: str, content: bytes) -> None:
        """Keep content under a name, where that is possible."""
        try:
            self._make()
            _check_owner(self.path)
            write_whole(self.path / name, _checksum(name, content) + content)
        except OSError as error:
            self._complain(f"cannot be written ({error.strerror})")
        except FileError as error:
            self._complain(f"cannot be written ({str(error).rpartition(': ')[2]})")

    def _make(self) -> None:
        """Make the folder, for the user alone, and remove those of old versions."""
        if self.path.exists():
            return
        self.path.parent.parent.mkdir(parents=True, exist_ok=True)
        self.path.parent.mkdir(mode=0o700, exist_ok=True)
        self.path.mkdir(mode=0o700, exist_ok=True)
        _prune(self.path.parent)

    def _complain(self, fault: str) -> None:
        place = one_line(str(self.path), 80)
        say_once("cache", f"the cache of compiled code {fault}: {place}; compiling anew")


def _checksum(name: str, content: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + content).digest()


def _check_owner(folder: Path) -> None:
    """Raise OSError for a folder that is not the user's own or that others may write to."""
    status = folder.lstat()
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        raise PermissionError(errno.EPERM, "it belongs to another user")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(errno.EPERM, "other users may write there")


def _prune(root: Path) -> None:
    """Remove all folders but those written last."""
    with contextlib.suppress(OSError):
        folders = [path for path in root.iterdir() if _NAME.fullmatch(path.name)]
        folders.sort(key=lambda path: path.lstat().st_mtime, reverse=True)
        for path in folders[KEPT:]:
            shutil.rmtree(path, ignore_errors=True)
