"""The parts of Numba without a public API that the engine relies on, in one place.

Run with the Numba versions named in `tests/envs/engine/test_numba_private.py`. The upper bound of
the dependency in pyproject.toml follows from it.
"""

import hashlib
import pickle
import secrets
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import llvmlite
import numba
from numba import types
from numba.core import bytecode, caching, ccallback, cgutils, codegen, compiler
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.extending import intrinsic, overload

from ...cli.stopping import deferred
from .cache import CacheFolder

POLICY_SIGNATURE: Any = types.int64(types.uint8[::1], types.int8[::1], types.uint64)

# Native functions are named with these numbers, which Numba counts from 1 in each process. In a
# cache that several processes have filled, different functions would share a name, and calls go
# astray.
cast(Any, bytecode).FunctionIdentity._unique_ids = iter(partial(secrets.randbits, 64), None)

# LLVM passes native code on by calling back, where an exception that a signal raises would be lost.
_engine = cast(Any, codegen).JitEngine
_engine.finalize_object = deferred()(_engine.finalize_object)

# The engine's functions make no arrays, so nothing has to be reference-counted. With counting,
# which works on shared memory, each view of a row would cost as much as a small rule.
njit: Any = partial(numba.njit, _nrt=False)


class _NoEngine:
    """A stand-in for the engine that holds native code, which device functions do not have."""

    @staticmethod
    def set_env(_name: str, _environment: Any) -> None:
        """Do nothing: `CodeCache` sets it where native code is made."""


class _DeviceLibrary(cast(type[Any], codegen.JITCodeLibrary)):  # type: ignore[misc]
    """The LLVM code of a device function, from which that of kernels is made.

    Numba would optimize it and make native code of it, with everything that it calls, although only
    the native code of kernels is ever called. Without this class the first `make` and `reset` take
    1.6 times as much CPU time in Auruxxx, and twice as much in Glücksgriff.
    """

    codegen = _NoEngine

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """Finish the code and return a null pointer."""
        self._ensure_finalized()
        return 0


class _DeviceCompiler(cast(type[Any], compiler.Compiler)):  # type: ignore[misc]
    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Compile into a `_DeviceLibrary`."""
        self.state.library = _DeviceLibrary(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)


def make_device(function: Callable[..., Any], *, inline: bool) -> Any:
    """Compile a device function that widens its integer arguments to int64.

    Args:
        function: Any function that Numba compiles in nopython mode.
        inline: Whether LLVM copies the body into every caller.

    Returns:
        A dispatcher for other compiled code. Python is refused with a TypeError.
    """
    # Without the wrappers by which Python and C would call it, a sixth less is compiled.
    bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    # `forceinline`, left out, would be the caller's.
    compiled = njit(function, forceinline=inline, pipeline_class=_DeviceCompiler, **bare)
    find = compiled.get_call_template

    def find_widened(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return find(tuple(map(_widened, args)), {name: _widened(kws[name]) for name in kws})

    def keep(form: Any) -> None:
        compiled.overloads[tuple(form.signature.args)] = form  # for kernels, not for Python

    def refuse(*_args: Any, **_kws: Any) -> None:
        raise TypeError(f"{function.__name__} is a device function: only compiled code can call it")

    compiled.get_call_template = find_widened
    compiled.add_overload, compiled._compile_for_args = keep, refuse
    return compiled


def implement_device(stub: Callable[..., Any], record: Any, function: Callable[..., Any]) -> None:
    """Let calls of a stub with a record of this type be calls of a device function."""

    def forward(state: Any, *args: Any) -> Any:
        return function(state, *args)

    def select(state: Any, *_: Any) -> Any:
        return forward if state == record else None

    options: Any = {"_nrt": False, "no_cfunc_wrapper": True, "pipeline_class": _DeviceCompiler}
    overload(stub, strict=False, jit_options=options)(select)


class CodeCache(caching.NullCache):
    """Numba's cache of one function, with one file for each compiled form.

    Numba's own has an index, loads what is damaged and stops where it cannot write.

    Args:
        function: The function.
        folder: Where its code is kept; None to compile it in every process.
        on_compile: Called before it is compiled.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        folder: CacheFolder | None,
        on_compile: Callable[[], None],
    ) -> None:
        self._py_func = function
        self._folder = folder
        self._on_compile = on_compile

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled form for a signature, None where it is to be compiled."""
        target_context.refresh()
        if self._folder:
            content = self._folder.read(self._name(sig, target_context.codegen()))
            if content:
                return cast(Any, CompileResult)._rebuild(target_context, *pickle.loads(content))
        self._on_compile()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled form, unless it holds addresses of this process.

        Where a signal came as LLVM passed the native code on, Numba does not have it; it can be
        called all the same.
        """
        _set_environments(data)
        library = data.library
        if self._folder and not library.has_dynamic_globals and library._compiled_object:
            content: bytes = cast(Any, dumps)(data._reduce())
            self._folder.write(self._name(sig, data.codegen), content)

    def _name(self, sig: Any, codegen: Any) -> str:
        """Return the name of a file, with a hash of all that its content depends on."""
        code = self._py_func.__code__
        place = (code.co_filename, code.co_firstlineno, self._py_func.__qualname__)
        versions = (numba.__version__, llvmlite.__version__, sys.version)
        form = cast(Any, caching.Cache)._index_key(self, sig, codegen)
        key = hashlib.sha256(repr((place, versions, form)).encode())
        return f"{self._py_func.__name__}-{key.hexdigest()[:32]}"


def _set_environments(compiled: Any) -> None:
    """Give native code the environments of all functions in it, without which `print` hangs."""
    compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)  # a policy's
    for environment in compiled._find_referenced_environments():
        compiled.library.codegen.set_env(environment.env_name, environment)


def make_kernel(function: Callable[..., Any], *cached: Any, keeps_lock: bool = False) -> Any:
    """Compile a function that Python calls.

    Args:
        function: Any function that Numba compiles in nopython mode.
        *cached: `folder` and `on_compile` of its `CodeCache`.
        keeps_lock: Whether it runs without releasing the interpreter lock.
    """
    compiled = njit(function, nogil=not keeps_lock, no_cfunc_wrapper=True)
    compiled._cache = CodeCache(function, *cached)
    return compiled


def make_policy(function: Callable[..., Any], *cached: Any) -> Any:
    """Compile a function of POLICY_SIGNATURE at once, so that it has an address.

    Args:
        function: Any function that Numba compiles in nopython mode.
        *cached: `folder` and `on_compile` of its `CodeCache`.
    """
    signature = (POLICY_SIGNATURE.args, POLICY_SIGNATURE.return_type)
    compiled: Any = cast(Any, ccallback).CFunc(function, signature, locals={}, options={})
    compiled._cache = CodeCache(function, *cached)
    compiled.compile()
    return compiled


def _widened(argument: Any) -> Any:
    """Return the type in which a device function takes an argument of a type."""
    plain = cast(Any, types).unliteral(argument)
    narrow = isinstance(plain, types.Integer) and plain != types.uint64
    return types.int64 if narrow or isinstance(plain, types.IntEnumMember) else plain


def _policy_at(_: Any, address: Any) -> Any:
    """Compile `policy_at`: a first-class function of which only the address is known."""
    llvm: Any = cgutils
    function_type = cast(Any, types).FunctionType(POLICY_SIGNATURE)
    if not isinstance(address, types.Integer):
        return None  # a clear typing error, as for any wrong argument

    def generate(context: Any, builder: Any, _: Any, args: Any) -> Any:
        policy = llvm.create_struct_proxy(function_type)(context, builder)
        policy.c_addr = builder.inttoptr(args[0], llvm.voidptr_t)
        policy.py_addr = policy.jit_addr = llvm.get_null_value(llvm.voidptr_t)
        return policy._getvalue()

    return function_type(address), generate


policy_from_address: Any = cast(Any, intrinsic)(_policy_at)
