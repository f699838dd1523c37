"""Observations declared as named fields: one table for the encoder, the spaces and the docs."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Field:
    """One field of an observation.

    Attributes:
        name: Its name.
        size: How many whole numbers it has.
        high: The highest value of each; an encoder clips what exceeds it. The lowest is 0.
        scale: What each is divided by as float32.
        meaning: What they mean, for people.
    """

    name: str
    size: int
    high: int
    scale: float
    meaning: str


class ObservationSpec:
    """The fields of an observation, in order.

    Attributes:
        size: Numbers in an observation.
        high: uint8 (size,), the highest value of each.
        scale: float32 (size,), what each is multiplied by.
    """

    def __init__(self, *fields: Field) -> None:
        self._fields = {field.name: field for field in fields}
        sizes = np.array([field.size for field in fields], np.int64)
        ends = sizes.cumsum().tolist()
        self._ranges = {
            field.name: slice(end - field.size, end)
            for field, end in zip(fields, ends, strict=True)
        }
        self.size = int(sizes.sum())
        self.high = np.repeat([field.high for field in fields], sizes).astype(np.uint8)
        self.scale = np.repeat([1 / field.scale for field in fields], sizes).astype(np.float32)

    def __iter__(self) -> Iterator[Field]:
        return iter(self._fields.values())

    def start(self, name: str) -> int:
        """Return the place of the first number of a field."""
        return int(self._ranges[name].start)

    def places(self) -> Any:
        """Return an IntEnum with the place of the first number of each field, by its name."""
        starts = {name.upper(): part.start for name, part in self._ranges.items()}
        enumeration: Any = IntEnum  # type checkers know literal members only
        return enumeration("Place", starts)

    def range(self, name: str) -> slice:
        """Return the part of an observation that a field covers, to index its last axis."""
        return self._ranges[name]

    def to_float(self, raw: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return raw observations, (..., size), scaled to float32."""
        return raw * self.scale
