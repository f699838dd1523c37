"""The parts of Numba without a public API that the engine relies on, in one place.

Run with the Numba versions named in `tests/envs/engine/test_numba_private.py`. The upper bound of
the dependency in pyproject.toml follows from it.
"""

import functools
from collections.abc import Callable
from typing import Any, cast

import numba
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

POLICY_SIGNATURE: Any = types.int64(types.uint8[::1], types.int8[::1], types.uint64)

# The engine's functions make no arrays, so nothing has to be reference-counted. With counting,
# which works on shared memory, each view of a row would cost as much as a small rule.
njit: Any = functools.partial(numba.njit, _nrt=False)


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
    compiled = njit(function, forceinline=inline, **bare)
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


def _widened(kind: Any) -> Any:
    """Return the type in which a device function takes an argument."""
    kind = cast(Any, types).unliteral(kind)
    narrow = isinstance(kind, types.Integer) and kind != types.uint64
    return types.int64 if narrow or isinstance(kind, types.IntEnumMember) else kind


def _policy_at(_: Any, address: Any) -> Any:
    """Compile `policy_at`: a first-class function of which only the address is known."""
    llvm: Any = cgutils
    kind = cast(Any, types).FunctionType(POLICY_SIGNATURE)
    if not isinstance(address, types.Integer):
        return None  # a clear typing error, as for any wrong argument

    def generate(context: Any, builder: Any, _: Any, args: Any) -> Any:
        policy = llvm.create_struct_proxy(kind)(context, builder)
        policy.c_addr = builder.inttoptr(args[0], llvm.voidptr_t)
        policy.py_addr = policy.jit_addr = llvm.get_null_value(llvm.voidptr_t)
        return policy._getvalue()

    return kind(address), generate


policy_from_address: Any = cast(Any, intrinsic)(_policy_at)
