"""Observations declared as named slices: one table for the encoder, the spaces and the docs."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Field:
    """A run of features: `size` whole numbers in 0 .. `high`, and what they mean.

    An encoder clips what exceeds `high`. As float32 a feature is divided by `scale`.
    """

    name: str
    size: int
    high: int
    scale: float
    meaning: str


class ObservationSpec:
    """The slices of an observation in order; `spec.start("hand")` is where a slice begins."""

    def __init__(self, *spec: Field) -> None:
        self._fields = spec
        sizes = [entry.size for entry in spec]
        self._starts = {entry.name: sum(sizes[:place]) for place, entry in enumerate(spec)}
        self.size = sum(sizes)
        self.high = self._spread([entry.high for entry in spec]).astype(np.uint8)
        self.scale = self._spread([1 / entry.scale for entry in spec]).astype(np.float32)

    def __iter__(self) -> Iterator[Field]:
        return iter(self._fields)

    def start(self, name: str) -> int:
        """Index of the first feature of a slice."""
        return self._starts[name]

    def range(self, name: str) -> slice:
        """The part of an observation that a slice covers, for indexing its last axis."""
        entry = next(entry for entry in self._fields if entry.name == name)
        return slice(self._starts[name], self._starts[name] + entry.size)

    def to_float(self, raw: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Features, shape (..., size), as the float32 observation of the same shape."""
        return raw * self.scale

    def _spread(self, values: list[float]) -> NDArray[np.float64]:
        return np.repeat(np.array(values, np.float64), [entry.size for entry in self._fields])
