"""Memory that this process may have: the machine's, or less in a container or under a limit."""

import os
import resource
from collections.abc import Iterator
from pathlib import Path

# A limit that is not set: of version 1 the largest number of whole pages, of version 2 "max".
_LIMITS = {"": "memory.max", "memory": "memory.limit_in_bytes"}  # by controller


def available_memory(root: Path = Path("/")) -> int:
    """Return the bytes of memory that this process may have in all.

    The least of the machine's memory, the limits of its control groups (Linux, version 1 or 2; a
    container is one) and the limit on its address space (`ulimit -v`).

    Args:
        root: Where `proc` and `sys` are.
    """
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    limits = [] if soft == resource.RLIM_INFINITY else [soft]
    return min([machine, *limits, *_group_limits(root)])


def _group_limits(root: Path) -> Iterator[int]:
    """Yield the limits of the control groups of this process, and of those around them."""
    for line in _read(root / "proc/self/cgroup").splitlines():
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        for name, file in _LIMITS.items():
            if name not in controllers.split(","):
                continue
            top = root / "sys/fs/cgroup" / name
            # In a container the path may be that of the host, which is not there.
            folder = top / path.lstrip("/")
            for place in (folder, *folder.parents):
                if place.is_relative_to(top):
                    limit = _read(place / file).strip()
                    if limit.isdecimal():
                        yield int(limit)


def _read(path: Path) -> str:
    """Return the text of a file; "" where there is none to be read."""
    try:
        return path.read_text()
    except (OSError, ValueError):
        return ""
