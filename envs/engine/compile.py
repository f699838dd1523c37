"""Compilation of the rules: one switch, three decorators, a cache that cannot go stale.

Rules are plain Python on NumPy structured arrays, compiled by Numba. With the environment variable
`NUMBA_DISABLE_JIT=1` the same functions run as plain Python, with equal results bit for bit.
"""

import functools
import hashlib
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from .cache import CacheFolder, cache_root, say_once
from .numba_private import (
    implement_device,
    make_device,
    make_kernel,
    make_policy,
    policy_from_address,
)

F = TypeVar("F", bound=Callable[..., Any])
PolicyFunction = Callable[[NDArray[np.uint8], NDArray[np.int8], np.uint64], int]

_CONFIG: Any = numba.config
COMPILED = not _CONFIG.DISABLE_JIT

_ROOT = Path(__file__).resolve().parents[2]


@functools.cache
def sources_hash(*folders: Path) -> str:
    """Return the hash of every source file in some folders, by name and content.

    Numba's own cache looks only at the file of the outermost function: after an edit or an
    upgrade it would go on playing the old rules. Our cache folders are named by this hash instead.
    """
    digest = hashlib.sha256()
    for folder in folders:
        # A user's own folder may be anything: its subfolders are not read.
        whole = folder.is_relative_to(_ROOT) and folder != _ROOT
        files = folder.rglob("*.py") if whole else folder.glob("*.py")
        for file in sorted(files):
            digest.update(file.relative_to(folder).as_posix().encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder(function: Callable[..., Any]) -> CacheFolder | None:
    """Return the folder in which the compiled form of a function is kept.

    Its name changes with the sources of the rules and with the files beside the function, so an
    agent may be spread over the files of its folder. A function that is in no file, or beside files
    that cannot be read, has none.
    """
    file = Path(function.__code__.co_filename)
    own = file.resolve().parent
    folders = [_ROOT / "envs"]
    inside = own.relative_to(_ROOT).parts if own.is_relative_to(_ROOT) else ()
    if inside[:1] != ("envs",):
        folders.append(_ROOT / inside[0] if inside else own)
    try:
        return _folder_of(cache_root(), sources_hash(*folders)) if file.is_file() else None
    except OSError:
        return None
    except RuntimeError:  # of platformdirs, where the user has no home, as in some containers
        say_once("cache", "no folder to keep compiled code in: set NUMBA_CACHE_DIR; compiling anew")
        return None


_folder_of = functools.cache(CacheFolder)


def _announce() -> None:
    """Say that something is compiled: without it, that looks like a hang."""
    say_once(
        "compiling",
        "compiling the rules that are needed here, for the first time with this version "
        "(up to half a minute on an idle machine)",
    )


@typing.overload
def device(function: F, /) -> F: ...
@typing.overload
def device(*, inline: bool = False, wraps: bool = False) -> Callable[[F], F]: ...
def device(function: Any = None, /, *, inline: bool = False, wraps: bool = False) -> Any:
    """Compile a function that kernels and other device functions call.

    Python cannot call it (TypeError), except with `NUMBA_DISABLE_JIT=1`. Integers of every width
    arrive as int64 (uint64, the random bits, unchanged), so that one compiled form serves all
    callers. That saves a third of the compile time.

    Args:
        function: The function, where the decorator is used without arguments.
        inline: Whether its body is copied into every caller. For functions that most decisions
            go through: a call takes some nanoseconds.
        wraps: Whether its arithmetic is meant to wrap around at 64 bits.

    Returns:
        The compiled function, or a decorator where `function` is left out.
    """
    if function is None:
        return functools.partial(device, inline=inline, wraps=wraps)
    if COMPILED:
        return make_device(function, inline=inline)
    return np.errstate(over="ignore")(function) if wraps else function


def uncompiled(function: F) -> F:
    """Return the Python function behind a device function that calls no other device function."""
    return cast(F, cast(Any, function).py_func) if COMPILED else function


@typing.overload
def kernel(function: F, /) -> F: ...
@typing.overload
def kernel(*, keeps_lock: bool) -> Callable[[F], F]: ...
def kernel(function: Any = None, /, *, keeps_lock: bool = False) -> Any:
    """Compile a function that Python calls; the compiled code is cached on disk.

    Args:
        function: The function, where the decorator is used without arguments.
        keeps_lock: Whether it runs without releasing the interpreter lock. For single decisions:
            to release it and take it again takes a tenth of such a call.

    Returns:
        The compiled function, or a decorator where `function` is left out.
    """
    if function is None:
        return functools.partial(kernel, keeps_lock=keeps_lock)
    if COMPILED:
        return make_kernel(function, cache_folder(function), _announce, keeps_lock=keeps_lock)
    return function


def specialized(function: F, *arguments: Any) -> F:
    """Return a kernel for arguments of the types of these, which it does not check.

    A kernel looks up the types of its arguments at each call; for a single decision that takes
    longer than the decision.

    Args:
        function: The kernel.
        *arguments: Examples of its arguments.
    """
    if not COMPILED:
        return function
    return cast(F, cast(Any, function).compile(tuple(map(numba.typeof, arguments))))


@functools.cache
def compile_policy(function: PolicyFunction) -> Any:
    """Compile an agent's `function(raw, mask, random_bits) -> action` for use in kernels.

    Args:
        function: Takes one decision as raw, uint8 (observation_spec.size,), mask, int8
            (actions,), and random_bits, a uint64. It must return an action that is legal there.

    Returns:
        The compiled function; it is compiled when it is first asked for.
    """
    return make_policy(function, cache_folder(function), _announce) if COMPILED else function


def address_of(policy_function: Any) -> Any:
    """Return the address of a compiled policy, for a kernel that reads it with `policy_at`.

    To pass the function itself to a kernel takes 10 microseconds.
    """
    return policy_function.address if COMPILED else policy_function


def _policy_at_plainly(address: Any) -> Any:
    """Return the policy of `address_of`; inside a kernel."""
    return address


policy_at: Any = policy_from_address if COMPILED else _policy_at_plainly


_PLAIN: dict[str, dict[np.dtype[Any], Callable[..., Any]]] = {}


def dispatched(stub: F) -> F:
    """Turn a stub into a function that calls the rules of the game whose state it is given.

    `implement` adds a game, so kernels are written once for all games.
    """
    if COMPILED:
        return stub
    implementations = _PLAIN.setdefault(stub.__name__, {})

    @functools.wraps(stub)
    def call(state: Any, *args: Any) -> Any:
        return implementations[state.dtype](state, *args)

    return cast(F, call)


def implement(stub: Callable[..., Any], dtype: np.dtype[Any], function: Callable[..., Any]) -> None:
    """Register `function` as what `stub` does for states of `dtype`."""
    if not COMPILED:
        _PLAIN[stub.__name__][np.dtype((np.record, dtype))] = function
        return
    implement_device(stub, numba.from_dtype(dtype), function)
