"""Each part of Numba without a public API that `envs/engine/numba_private.py` relies on.

Run this file and tests/envs/test_golden.py before `TESTED` and the bounds in pyproject.toml allow
another Numba.
"""

import signal
from enum import IntEnum
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.registry import cpu_target

from goldgriff.cli import stopping
from goldgriff.cli.stopping import Stopped, stoppable
from goldgriff.envs.engine.compile import COMPILED, address_of, compile_policy, kernel
from goldgriff.envs.engine.numba_private import (
    implement_device,
    make_device,
    make_kernel,
    make_policy,
    njit,
    policy_from_address,
)

TESTED = ("0.68",)  # with older ones golden games differ

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


class Suit(IntEnum):
    """An enum whose members compiled code takes as numbers."""

    RED = 3


def plus_one(number: Any) -> Any:
    return number + 1


device_plus_one: Any = make_device(plus_one, inline=False)


def test_a_signal_while_llvm_calls_back_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    engine: Any = cpu_target.target_context.codegen()._engine._ee
    keep = engine._object_cache_notify

    def notify(*code: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        keep(*code)

    monkeypatch.setattr(engine, "_object_cache_notify", notify)
    compiled: Any = make_kernel(plus_one, None, lambda: None)
    with stoppable():
        with pytest.raises(Stopped):
            compiled(1)
        monkeypatch.setattr(stopping._state, "number", None)


def test_this_numba_was_tested() -> None:
    minor = ".".join(numba.__version__.split(".")[:2])
    assert minor in TESTED, (
        f"Numba {minor} is not one of the tested versions ({', '.join(TESTED)}): run this file "
        "with it, then add it to TESTED and fit the bound in pyproject.toml"
    )


@pytest.mark.parametrize("inline", [False, True])
def test_integers_of_every_width_share_one_compiled_form(inline: bool) -> None:
    device: Any = make_device(plus_one, inline=inline)

    @njit  # type: ignore[untyped-decorator]
    def call(small: Any, wide: Any, member: Any) -> Any:
        return device(small), device(wide), device(member), device(7)

    assert call(np.uint8(255), np.int64(-1), Suit.RED) == (256, 0, 4, 8)  # nothing wraps around
    assert list(device.overloads) == [(numba.types.int64,)]


def test_random_bits_and_reals_keep_their_types() -> None:
    def same(number: Any) -> Any:
        return number

    device: Any = make_device(same, inline=False)

    @njit  # type: ignore[untyped-decorator]
    def call(bits: Any, real: Any) -> Any:
        return device(bits), device(real)

    assert call(np.uint64(2**64 - 1), np.float32(0.5)) == (2**64 - 1, 0.5)
    assert set(device.overloads) == {(numba.types.uint64,), (numba.types.float32,)}


def test_python_cannot_call_a_device_function() -> None:
    @njit  # type: ignore[untyped-decorator]
    def call(number: Any) -> Any:
        return device_plus_one(number)

    for _ in range(2):  # before and after it is compiled
        with pytest.raises(TypeError, match="plus_one is a device function: only compiled code"):
            device_plus_one(1)
        assert call(1) == 2


def test_a_device_function_has_no_wrappers_for_python_and_c() -> None:
    @njit  # type: ignore[untyped-decorator]
    def call(number: Any) -> Any:
        return device_plus_one(number)

    call(1)
    (form,) = device_plus_one.overloads.values()
    names = [part.name for part in form.library.get_defined_functions()]
    assert any("plus_one" in name for name in names)
    assert not [name for name in names if name.startswith(("_ZN7cpython", "cfunc."))]


def test_device_functions_become_native_in_kernels_only(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What they raise and print comes through all the same."""

    def check(number: int) -> int:
        if number < 0:
            raise ValueError("below zero")
        print("checked", number)
        return number

    def call(number: int) -> int:
        return int(device(number)) + 1

    device: Any = make_device(check, inline=False)
    kernel: Any = make_kernel(call, None, lambda: None)
    assert kernel(1) == 2
    assert capsys.readouterr().out == "checked 1\n"
    with pytest.raises(ValueError, match="below zero"):
        kernel(-1)
    (form,) = device.overloads.values()
    assert form.library.get_pointer_to_function(form.fndesc.mangled_name) == 0
    (outer,) = kernel.overloads.values()
    assert outer.library.get_pointer_to_function(outer.fndesc.mangled_name) != 0


def test_a_policy_may_print_in_a_device_function(capsys: pytest.CaptureFixture[str]) -> None:
    def tell(action: int) -> int:
        print("chosen", action)
        return action

    def first(_raw: Any, _mask: Any, _random_bits: Any) -> int:
        return int(device(0))

    def call(address: Any, raw: Any, mask: Any) -> Any:
        return policy_from_address(address)(raw, mask, np.uint64(0))

    device: Any = make_device(tell, inline=False)
    policy: Any = make_policy(first, None, lambda: None)
    ask: Any = make_kernel(call, None, lambda: None)
    assert ask(policy.address, np.zeros(1, np.uint8), np.ones(1, np.int8)) == 0
    assert capsys.readouterr().out == "chosen 0\n"


def test_a_stub_has_one_form_for_integers_of_every_width() -> None:
    dtype = np.dtype([("base", np.int64)])

    def stub(state: Any, number: Any) -> Any: ...

    def add(state: Any, number: Any) -> Any:
        return state.base + number

    def call(states: Any, small: Any, wide: Any) -> Any:
        return stub(states[0], small) + stub(states[0], wide)

    device: Any = make_device(add, inline=False)
    implement_device(stub, numba.from_dtype(dtype), device)
    kernel: Any = make_kernel(call, None, lambda: None)
    assert kernel(np.full(1, 7, dtype), np.uint8(200), np.int64(-1)) == 7 + 200 + 7 - 1
    assert len(device.overloads) == 1


def test_compiled_code_counts_no_references() -> None:
    def first_of_each(rows: Any) -> int:
        total = 0
        for k in range(len(rows)):
            row = rows[k]  # a view, which counting would retain and release
            total += row[0]
        return total

    counting: Any = numba.njit(first_of_each)
    ours: Any = njit(first_of_each)
    rows = np.ones((3, 2), np.int64)
    assert counting(rows) == ours(rows) == 3
    assert "NRT_decref" in counting.inspect_llvm(counting.signatures[0])
    assert "NRT_" not in ours.inspect_llvm(ours.signatures[0])


def test_a_policy_is_called_by_its_address() -> None:
    def last_legal(raw: Any, mask: Any, _random_bits: Any) -> Any:
        action = -1
        for k in range(len(mask)):
            if mask[k]:
                action = k
        return action + raw[0] * 0

    def lowest_bits(_raw: Any, _mask: Any, random_bits: Any) -> Any:
        return np.int64(random_bits & np.uint64(7))

    def call(address: Any, raw: Any, mask: Any, random_bits: Any) -> Any:
        return policy_from_address(address)(raw, mask, random_bits)

    ask: Any = kernel(call)

    raw, mask = np.zeros(4, np.uint8), np.array([1, 0, 1, 0], np.int8)
    for policy, action in ((last_legal, 2), (lowest_bits, 5)):
        address = address_of(compile_policy(policy))
        assert ask(address, raw, mask, np.uint64(13)) == action
    assert len(ask.signatures) == 1  # one compiled form for all policies


def test_an_address_that_is_no_number_is_a_typing_error() -> None:
    @njit  # type: ignore[untyped-decorator]
    def ask(address: Any) -> Any:
        return policy_from_address(address)

    with pytest.raises(numba.TypingError):
        ask(0.5)
