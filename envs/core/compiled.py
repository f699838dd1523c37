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
from numba import types
from numba.extending import overload
from numpy.typing import NDArray

F = TypeVar("F", bound=Callable[..., Any])
Chooser = Callable[[NDArray[np.uint8], NDArray[np.int8], np.uint64], int]

_CONFIG: Any = numba.config
COMPILED = not _CONFIG.DISABLE_JIT

# Rules and kernels make no arrays, so that none needs to be counted: with counting, which works
# on shared memory, each view of a row would cost as much as a small rule.
_NJIT: Any = functools.partial(numba.njit, _nrt=False)

_CHOOSE = types.int64(types.uint8[::1], types.int8[::1], types.uint64)
_ROOT = Path(__file__).resolve().parents[2]


@functools.cache
def sources_hash(folder: Path | None = None) -> str:
    """Hash of every source file that a compiled function may contain.

    These are the rules, the players and, for a user's own functions, what lies in their `folder`.
    Numba's own cache looks only at the file of the outermost function: after an edit or an
    upgrade it would go on playing the old rules. Our cache folder is named by this hash instead.
    """
    ours = [*(_ROOT / "envs").rglob("*.py"), *(_ROOT / "agents").rglob("*.py")]
    theirs = [] if folder is None else folder.glob("*.py")
    digest = hashlib.sha256()
    for file in [*sorted(ours), *sorted(theirs)]:
        digest.update(os.path.relpath(file, _ROOT).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder(function: Callable[..., Any]) -> str:
    file = Path(function.__code__.co_filename)
    outside = file.exists() and not file.is_relative_to(_ROOT)
    root = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("goldgriff")
    return str(Path(root) / f"rules-{sources_hash(file.parent if outside else None)}")


def rule(function: F) -> F:
    """Compile a function of the rules; kernels take it in, so it needs no cache of its own."""
    return cast(F, _NJIT(function))


def wrapping(function: F) -> F:
    """Like `rule`, for arithmetic that is meant to wrap around at 64 bits."""
    if COMPILED:
        return rule(function)
    return np.errstate(over="ignore")(function)


def kernel(function: F) -> F:
    """Compile a function that Python calls: cached on disk, free of the interpreter lock."""
    return _cached(lambda cache: _NJIT(cache=cache, nogil=True), function)


@functools.cache
def chooser(function: Chooser) -> Any:
    """Compile a player's `choose(features, mask, word) -> action`, which kernels can be given.

    features: uint8 (slices.size,). mask: int8 (actions,). word: a random uint64. All belong to
    one decision, and the action must be legal there. Compiled when it is first asked for.
    """
    return _cached(lambda cache: numba.cfunc(_CHOOSE, cache=cache), function)


def _cached(compiler: Callable[[bool], Any], function: F) -> F:
    """Compile with our cache, or without one where there is no folder that can be written to."""
    if not COMPILED:
        return function
    given, _CONFIG.CACHE_DIR = _CONFIG.CACHE_DIR, _cache_folder(function)
    try:
        return cast(F, compiler(True)(function))
    except RuntimeError:  # compile anew in every process
        return cast(F, compiler(False)(function))
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
