"""What Numba has no words for: memory asked ahead of time, copied in one go, shared by threads."""

from typing import Any, cast

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .compile import COMPILED, device
from .state import CACHE_LINE

_LLVM: Any = cgutils
PREFETCHED = 1472  # bytes of a state; knowledge, the last field, is rarely needed beyond it
LOOKAHEAD = 2  # rows; by then a record has come even from main memory


@device
def prefetch_next(states: Any, rows: Any, k: int) -> None:
    """While row k is played, have the record of a row that follows it brought into the cache.

    A step would mostly wait for it.
    """
    if k + LOOKAHEAD < len(rows):
        prefetch(states, rows[k + LOOKAHEAD])


def _prefetch(_: Any, states: Any, row: Any) -> Any:
    """What `prefetch` is compiled to: one hint to the processor for each cache line of a record."""

    def generate(context: Any, builder: Any, _: Any, args: Any) -> Any:
        array = context.make_array(states)(context, builder, args[0])
        record = _LLVM.get_item_pointer(
            context, builder, states, array, [args[1]], wraparound=False
        )
        start = builder.bitcast(record, _LLVM.voidptr_t)
        ir, flag = _LLVM.ir, _LLVM.int32_t
        kind = ir.FunctionType(ir.VoidType(), [_LLVM.voidptr_t, flag, flag, flag])
        hint = builder.module.declare_intrinsic("llvm.prefetch", [_LLVM.voidptr_t], kind)
        read, keep, data = flag(0), flag(3), flag(1)
        for offset in range(0, min(states.dtype.size, PREFETCHED), CACHE_LINE):
            line = _LLVM.pointer_add(builder, start, offset)
            builder.call(hint, [line, read, keep, data])
        return context.get_dummy_value()

    return types.void(states, row), generate


def _prefetch_nothing(states: Any, row: int) -> None:
    """Uncompiled rules have no such hints to give."""


prefetch = cast(Any, intrinsic)(_prefetch) if COMPILED else _prefetch_nothing


def _memcpy(_: Any, source: Any, target: Any, start: Any) -> Any:
    """What `memcpy` is compiled to: one copy of memory, of a size that mostly is known by then.

    A loop over bytes must take it that each one written may be one that it still has to read,
    which makes it ten times as slow.
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


def _store_release(_: Any, signals: Any, place: Any, number: Any) -> Any:
    """What `store_release` is compiled to: a store that is seen after all that was written before it."""

    def generate(context: Any, builder: Any, _: Any, args: Any) -> Any:
        array = context.make_array(signals)(context, builder, args[0])
        whole = context.cast(builder, args[2], number, types.int64)
        builder.store_atomic(whole, builder.gep(array.data, [args[1]]), "release", 8)
        return context.get_dummy_value()

    return types.void(signals, place, number), generate


def _store_release_plainly(signals: Any, place: int, number: int) -> None:
    """Write one of the signals, int64 (size,), for other threads to see."""
    signals[place] = number


def _load_acquire(_: Any, signals: Any, place: Any) -> Any:
    """What `load_acquire` is compiled to: a load made anew each time, before all that is read after it."""

    def generate(context: Any, builder: Any, _: Any, args: Any) -> Any:
        array = context.make_array(signals)(context, builder, args[0])
        return builder.load_atomic(builder.gep(array.data, [args[1]]), "acquire", 8)

    return types.int64(signals, place), generate


def _load_acquire_plainly(signals: Any, place: int) -> int:
    """Read one of the signals as it is now, whichever thread wrote it."""
    return int(signals[place])


store_release = cast(Any, intrinsic)(_store_release) if COMPILED else _store_release_plainly
load_acquire = cast(Any, intrinsic)(_load_acquire) if COMPILED else _load_acquire_plainly
