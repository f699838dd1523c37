"""Memory operations that Numba does not offer: prefetching and block copies."""

from typing import Any, cast

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .compile import COMPILED, device
from .state import CACHE_LINE

_LLVM: Any = cgutils
PREFETCHED = 1472  # bytes of a state; knowledge, the last field, is rarely needed beyond it
LOOKAHEAD = 2  # rows; by then a state has arrived even from main memory


@device
def prefetch_next(states: Any, rows: Any, k: int) -> None:
    """Prefetch the state of a row behind row k, for which a step would mostly wait."""
    if k + LOOKAHEAD < len(rows):
        prefetch(states, rows[k + LOOKAHEAD])


def _prefetch(_: Any, states: Any, row: Any) -> Any:
    """Compile `prefetch`: one hint to the processor for each cache line of a state."""

    def generate(context: Any, builder: Any, _: Any, args: Any) -> Any:
        array = context.make_array(states)(context, builder, args[0])
        record = _LLVM.get_item_pointer(
            context, builder, states, array, [args[1]], wraparound=False
        )
        start = builder.bitcast(record, _LLVM.voidptr_t)
        ir, flag = _LLVM.ir, _LLVM.int32_t
        hint_type = ir.FunctionType(ir.VoidType(), [_LLVM.voidptr_t, flag, flag, flag])
        hint = builder.module.declare_intrinsic("llvm.prefetch", [_LLVM.voidptr_t], hint_type)
        read, keep, data = flag(0), flag(3), flag(1)
        for offset in range(0, min(states.dtype.size, PREFETCHED), CACHE_LINE):
            line = _LLVM.pointer_add(builder, start, offset)
            builder.call(hint, [line, read, keep, data])
        return context.get_dummy_value()

    return types.void(states, row), generate


def _prefetch_nothing(states: Any, row: int) -> None:
    """Do nothing, without compilation."""


prefetch = cast(Any, intrinsic)(_prefetch) if COMPILED else _prefetch_nothing


def _memcpy(_: Any, source: Any, target: Any, start: Any) -> Any:
    """Compile `memcpy`: one block copy, mostly of a size known at compile time.

    A loop over bytes is ten times as slow: each byte written may be one still to be read.
    """

    def generate(context: Any, builder: Any, _: Any, args: Any) -> Any:
        read = context.make_array(source)(context, builder, args[0])
        write = context.make_array(target)(context, builder, args[1])
        first = context.cast(builder, args[2], start, types.intp)
        place = builder.gep(write.data, [first])
        _LLVM.raw_memcpy(builder, place, read.data, read.nitems, 1)
        return context.get_dummy_value()

    return types.void(source, target, start), generate


def _memcpy_plainly(source: Any, target: Any, start: int) -> None:
    """Copy all bytes of one array into another, shape (size,), from place `start` on."""
    target[start : start + source.size] = source.reshape(-1)


memcpy = cast(Any, intrinsic)(_memcpy) if COMPILED else _memcpy_plainly
