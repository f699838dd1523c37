"""A hash table for compiled code, and arrays that grow with it."""

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import COMPILED, device, kernel

EMPTY = -1  # in place of an entry

Arrays = TypeVar("Arrays", bound=tuple[Any, ...])


def resized(array: Any, size: int) -> NDArray[Any]:
    """Return a copy of an array that ends after `size` rows; zeros fill it up."""
    copy = np.zeros((size, *array.shape[1:]), array.dtype)
    copy[: len(array)] = array[:size]
    return copy if COMPILED or array.dtype.names is None else copy.view(np.recarray)


def resized_all(arrays: Arrays, *sizes: int) -> Arrays:
    """Return copies of arrays, a NamedTuple, that end after so many rows each."""
    return type(arrays)(*map(resized, arrays, sizes))


class HashTable(NamedTuple):
    """A hash table with open addressing, of entries by the hash of their content."""

    places: NDArray[np.int64]  # (a power of 2,), numbers of entries, or EMPTY
    hashes: NDArray[np.uint64]  # of the entries, (room,)


def new_hash_table(hashes: NDArray[np.uint64], count: int) -> HashTable:
    """Return a table of the first `count` entries, at most half full with all of `hashes`."""
    size = 1 << int(2 * len(hashes)).bit_length()
    table = HashTable(np.full(size, EMPTY, np.int64), hashes)
    fill(table, count)
    return table


@kernel
def fill(table: HashTable, count: int) -> None:
    """Put the first `count` entries into a table."""
    for entry in range(count):
        table.places[find(table, table.hashes[entry])] = entry


@device
def find(table: HashTable, number: np.uint64) -> np.int64:
    """Return the place of the entry with a hash, or where it belongs."""
    last = len(table.places) - 1
    place = np.int64(number & np.uint64(last))
    while table.places[place] != EMPTY and table.hashes[table.places[place]] != number:
        place = (place + 1) & last
    return place
