"""How the rules are compiled: one switch, two decorators, a cache that cannot go stale.

Rules are plain Python on NumPy records. Numba compiles them; with the environment variable
`NUMBA_DISABLE_JIT=1` the same functions run as they stand, with the same results bit for bit.
"""

import functools
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
import platformdirs
from numba.extending import overload

F = TypeVar("F", bound=Callable[..., Any])

_CONFIG: Any = numba.config
COMPILED = not _CONFIG.DISABLE_JIT

_ENVS = Path(__file__).resolve().parent.parent


@functools.cache
def sources_hash(folder: Path = _ENVS) -> str:
    """Hash of every source file that a kernel written in a folder may contain.

    These are all rules and, outside them, the files beside it. Numba's own cache looks only at
    the file of the outermost function: after an edit or an upgrade it would go on playing the old
    rules. Our cache folder is named by this hash instead.
    """
    digest = hashlib.sha256()
    beside = [] if folder.is_relative_to(_ENVS) else sorted(folder.glob("*.py"))
    for file in [*sorted(_ENVS.rglob("*.py")), *beside]:
        digest.update(os.path.relpath(file, _ENVS).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder(source: str) -> str:
    """Where kernels written in a source file are cached."""
    root = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("goldgriff")
    return str(Path(root) / f"rules-{sources_hash(Path(source).resolve().parent)}")


def rule(function: F) -> F:
    """Compile a function of the rules; kernels take it in, so it needs no cache of its own."""
    return cast(F, numba.njit(function))


def wrapping(function: F) -> F:
    """Like `rule`, for arithmetic that is meant to wrap around at 64 bits."""
    if COMPILED:
        return rule(function)
    return np.errstate(over="ignore")(function)


def kernel(function: F) -> F:
    """Compile a function that Python calls: cached on disk, free of the interpreter lock."""
    if not COMPILED:
        return function
    folder = _cache_folder(cast(Any, function).__code__.co_filename)
    given, _CONFIG.CACHE_DIR = _CONFIG.CACHE_DIR, folder
    try:
        return cast(F, numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:  # no folder that can be written to: compile anew in every process
        return cast(F, numba.njit(nogil=True)(function))
    finally:
        _CONFIG.CACHE_DIR = given


_PLAIN: dict[str, dict[np.dtype[Any], Callable[..., Any]]] = {}


def by_game(stub: F) -> F:
    """Turn a stub into a function that goes to the rules of the game whose record it is given.

    `implement` adds a game. So the kernels are written once for every game.
    """
    if COMPILED:
        return stub
    table = _PLAIN.setdefault(stub.__name__, {})

    @functools.wraps(stub)
    def choose(game: Any, *args: Any) -> Any:
        return table[game.dtype](game, *args)

    return cast(F, choose)


def implement(stub: Callable[..., Any], dtype: np.dtype[Any], function: Callable[..., Any]) -> None:
    """Make `function` what `stub` does for records of `dtype`."""
    if not COMPILED:
        _PLAIN[stub.__name__][np.dtype((np.record, dtype))] = function
        return
    record = numba.from_dtype(dtype)
    source = cast(Any, function).py_func

    def choose(game: Any, *_: Any) -> Any:
        return source if game == record else None

    overload(stub, strict=False)(choose)
