"""A fake device: torch's `meta`, whose tensors here hold numbers all the same.

As on a real device, tensors of different devices do not mix, and NumPy sees none of them. The
numbers are computed on the CPU.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map_only

DEVICE = torch.device("meta")
_ACROSS = ("aten::_to_copy", "aten::copy_")  # from one device to another
_PICKING = ("aten::index", "aten::index_put_")  # the processor may say from or to which places


class There(Tensor):
    """A tensor on the device."""

    numbers: Tensor
    is_meta = False  # torch expects no numbers of one that is

    @staticmethod
    def __new__(cls, numbers: Tensor) -> "There":
        shape: Any = {"strides": numbers.stride(), "storage_offset": numbers.storage_offset()}
        kind: Any = {"dtype": numbers.dtype, "device": DEVICE}
        there: There = Tensor._make_wrapper_subclass(cls, numbers.shape, **shape, **kind)
        there.numbers = numbers
        return there

    @classmethod
    def __torch_dispatch__(  # type: ignore[override]
        cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        return _run(func, args, kwargs or {})

    def tolist(self) -> Any:
        return self.numbers.tolist()

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.numbers.__reduce_ex__(protocol)  # type: ignore[no-untyped-call]

    def __deepcopy__(self, memo: Any) -> Tensor:
        return There(self.numbers.clone()).requires_grad_(self.requires_grad)


class _Dispatch(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Sees the calls that no tensor of the device takes part in, too."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _run(func, args, kwargs or {})


class _Generator(torch.Generator):
    """A generator of the device."""

    device = DEVICE


_GENERATOR = torch.Generator
_AUTOCAST = torch.autocast
_TENSOR = torch.tensor


def _new_generator(device: Any = "cpu") -> torch.Generator:
    """What `torch.Generator` does."""
    return _Generator() if torch.device(device) == DEVICE else _GENERATOR(device)


def _new_tensor(data: Any, device: Any = "cpu", **more: Any) -> Tensor:
    """What `torch.tensor` does; its own would leave the numbers out."""
    return _TENSOR(data, **more).to(device)


@contextmanager
def fake_device(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let DEVICE be one to learn on."""
    monkeypatch.setattr(torch, "Generator", _new_generator)
    monkeypatch.setattr(torch, "autocast", lambda _, *args, **more: _AUTOCAST("cpu", *args, **more))
    monkeypatch.setattr(torch, "tensor", _new_tensor)
    with _Dispatch():  # type: ignore[no-untyped-call]
        yield


def _run(call: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Make the call with the processor's numbers; the answer is where it would be."""
    _check(call, args, kwargs)
    leaves = tree_leaves((args, kwargs))
    known = {id(part.numbers): part for part in leaves if isinstance(part, There)}
    there = bool(known)
    if kwargs.get("device") is not None:
        there = torch.device(kwargs["device"]) == DEVICE
        kwargs = kwargs | {"device": torch.device("cpu")}
    args, kwargs = tree_map_only(There, lambda part: part.numbers, (args, kwargs))
    answer = call(*args, **kwargs)
    if not there:
        return answer
    return tree_map_only(
        Tensor, lambda part: known[id(part)] if id(part) in known else There(part), answer
    )


def _check(call: Any, args: Any, kwargs: dict[str, Any]) -> None:
    """Raise RuntimeError where a real device would: single numbers alone may be elsewhere."""
    name = call._schema.name
    if name in _PICKING and isinstance(args[0], There):
        args = (args[0], *args[2:])
    tensors = [part for part in tree_leaves((args, kwargs)) if isinstance(part, Tensor)]
    places = {isinstance(part, There) for part in tensors if part.dim()}
    if len(places) > 1 and name not in _ACROSS:
        raise RuntimeError(f"{name} was given tensors of different devices")
