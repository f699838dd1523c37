"""How the rules are compiled: one switch, two decorators, a cache that cannot go stale.

Rules are plain Python on NumPy records. Numba compiles them; with the environment variable
`NUMBA_DISABLE_JIT=1` the same functions run as they stand, with the same results bit for bit.
"""

import functools
import hashlib
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
import platformdirs
from numba import types
from numba.core import cgutils, event
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

F = TypeVar("F", bound=Callable[..., Any])
PolicyFunction = Callable[[NDArray[np.uint8], NDArray[np.int8], np.uint64], int]

_CONFIG: Any = numba.config
COMPILED = not _CONFIG.DISABLE_JIT

# Rules and kernels make no arrays, so that none needs to be counted: with counting, which works
# on shared memory, each view of a row would cost as much as a small rule.
_NJIT: Any = functools.partial(numba.njit, _nrt=False)

_CHOOSE = types.int64(types.uint8[::1], types.int8[::1], types.uint64)
_FOLDER_LOCK = threading.RLock()
_ROOT = Path(__file__).resolve().parents[2]


@functools.cache
def sources_hash(*folders: Path) -> str:
    """Hash of every source file in some folders, by name and content.

    Numba's own cache looks only at the file of the outermost function: after an edit or an
    upgrade it would go on playing the old rules. Our cache folders are named by this hash instead.
    """
    digest = hashlib.sha256()
    for folder in folders:
        # A user's own folder may be anything: what lies below it is not looked through.
        files = folder.rglob("*.py") if folder.is_relative_to(_ROOT) else folder.glob("*.py")
        for file in sorted(files):
            digest.update(file.relative_to(folder).as_posix().encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder(function: Callable[..., Any]) -> str:
    """Where a compiled function is kept: it changes with the rules, and with what lies beside it.

    So a player may be spread over the files of its folder.
    """
    root = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("goldgriff")
    own = Path(function.__code__.co_filename).resolve().parent
    folders = [_ROOT / "envs"]
    if not own.is_relative_to(folders[0]):
        folders.append(_ROOT / "agents" if own.is_relative_to(_ROOT) else own)
    return str(Path(root) / f"rules-{sources_hash(*folders)}")


class _Announcer(event.Listener):
    """Says once in a process that kernels are being compiled: without it, that looks like a hang.

    Kernels that are loaded from the cache are not compiled and not announced.
    """

    def __init__(self) -> None:
        self.kernels: set[Callable[..., Any]] = set()
        self.told = False

    def on_start(self, event: Any) -> None:
        if not self.told and event.data["dispatcher"].py_func in self.kernels:
            self.told = True
            print(
                "goldgriff: compiling the rules, once for each version (10 to 20 seconds)",
                file=sys.stderr,
            )

    def on_end(self, event: Any) -> None:
        pass


_ANNOUNCER = _Announcer()
cast(Any, event).register("numba:compile", _ANNOUNCER)


def rule(function: F) -> F:
    """Compile a function of the rules; kernels take it in, so it needs no cache of its own.

    Python cannot call it, and is told so (TypeError), but for `NUMBA_DISABLE_JIT=1`.
    Whole numbers of every width come in as int64 (uint64, the words of chance, as they are): one
    compiled form of a rule serves all who call it, which saves a third of the compiling.
    """
    return _compile_rule(function, inline=False)


def hot(function: F) -> F:
    """Like `rule`, for what most decisions go through: it is put in wherever it is called.

    A call takes a few nanoseconds. In the process that compiles it takes more: there each rule
    begins a page of memory, and beginnings of pages share few places of the processor's cache.
    """
    return _compile_rule(function, inline=True)


def _compile_rule(function: F, *, inline: bool) -> F:
    if not COMPILED:
        return function
    # Without the wrappers by which Python and C would call it, a sixth less is to be compiled.
    bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    # `forceinline`, left out, would be the caller's.
    compiled = _NJIT(function, forceinline=inline, **bare)
    find = compiled.get_call_template

    def find_widened(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return find(tuple(map(_widened, args)), {name: _widened(kws[name]) for name in kws})

    def keep(form: Any) -> None:
        compiled.overloads[tuple(form.signature.args)] = form  # for kernels, not for Python

    def refuse(*_args: Any, **_kws: Any) -> None:
        raise TypeError(f"{function.__name__} is a rule: kernels can call it, Python cannot")

    compiled.get_call_template = find_widened
    compiled.add_overload, compiled._compile_for_args = keep, refuse
    return cast(F, compiled)


def _widened(kind: Any) -> Any:
    """The type in which a rule takes an argument."""
    kind = cast(Any, types).unliteral(kind)
    narrow = isinstance(kind, types.Integer) and kind != types.uint64
    return types.int64 if narrow else kind


def uncompiled(function: F) -> F:
    """The function that a rule was made from: Python can call it if it calls no other rule."""
    return cast(F, cast(Any, function).py_func) if COMPILED else function


def wrapping(function: F) -> F:
    """Like `rule`, for arithmetic that is meant to wrap around at 64 bits."""
    if COMPILED:
        return rule(function)
    return np.errstate(over="ignore")(function)


def kernel(function: F) -> F:
    """Compile a function that Python calls: cached on disk, free of the interpreter lock."""
    _ANNOUNCER.kernels.add(function)
    return _cached(lambda cache: _NJIT(cache=cache, nogil=True, no_cfunc_wrapper=True), function)


@functools.cache
def compile_policy(function: PolicyFunction) -> Any:
    """Compile a player's `policy_function(raw, mask, bits) -> action`, which kernels can be given.

    raw: uint8 (slices.size,). mask: int8 (actions,). bits: a random uint64. All belong to
    one decision, and the action must be legal there. Compiled when it is first asked for.
    """
    return _cached(lambda cache: numba.cfunc(_CHOOSE, cache=cache), function)


def address_of(policy_function: Any) -> Any:
    """Where a `compile_policy` is, for a kernel that finds it there by `policy_at`.

    To be given the chooser itself takes a kernel 10 microseconds.
    """
    return policy_function.address if COMPILED else policy_function


def _policy_at(_: Any, address: Any) -> Any:
    """What `policy_at` is compiled to: a function of which only the address is known."""
    llvm: Any = cgutils
    kind = cast(Any, types).FunctionType(_CHOOSE)
    if not isinstance(address, types.Integer):
        return None  # a clear typing error, as for any wrong argument

    def generate(context: Any, builder: Any, _: Any, args: Any) -> Any:
        policy_function = llvm.create_struct_proxy(kind)(context, builder)
        policy_function.c_addr = builder.inttoptr(args[0], llvm.voidptr_t)
        policy_function.py_addr = policy_function.jit_addr = llvm.get_null_value(llvm.voidptr_t)
        return policy_function._getvalue()

    return kind(address), generate


def _policy_at_plainly(address: Any) -> Any:
    """The `compile_policy` whose address that is, by `address_of`; inside a kernel."""
    return address


policy_at = cast(Any, intrinsic)(_policy_at) if COMPILED else _policy_at_plainly


def _cached(compiler: Callable[[bool], Any], function: F) -> F:
    """Compile with our cache, or without one where there is no folder that can be written to."""
    if not COMPILED:
        return function
    with _FOLDER_LOCK:  # the setting is the whole process's
        given, _CONFIG.CACHE_DIR = _CONFIG.CACHE_DIR, cache_folder(function)
        try:
            return cast(F, compiler(True)(function))
        except RuntimeError:  # compile anew in every process
            return cast(F, compiler(False)(function))
        finally:
            _CONFIG.CACHE_DIR = given


_PLAIN: dict[str, dict[np.dtype[Any], Callable[..., Any]]] = {}


def dispatched(stub: F) -> F:
    """Turn a stub into a function that goes to the rules of the game whose record it is given.

    `implement` adds a game. So the kernels are written once for every game.
    """
    if COMPILED:
        return stub
    table = _PLAIN.setdefault(stub.__name__, {})

    @functools.wraps(stub)
    def policy_function(state: Any, *args: Any) -> Any:
        return table[state.dtype](state, *args)

    return cast(F, policy_function)


def implement(stub: Callable[..., Any], dtype: np.dtype[Any], function: Callable[..., Any]) -> None:
    """Make `function` what `stub` does for records of `dtype`."""
    if not COMPILED:
        _PLAIN[stub.__name__][np.dtype((np.record, dtype))] = function
        return
    record = numba.from_dtype(dtype)
    source = uncompiled(function)

    def policy_function(state: Any, *_: Any) -> Any:
        return source if state == record else None

    overload(stub, strict=False)(policy_function)
