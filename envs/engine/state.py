"""Fixed-size records declared as classes: the fields once, for NumPy, Numba and type checkers."""

from typing import Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

from .compile import COMPILED

CACHE_LINE = 64  # bytes of a cache line


class CardGameState:
    """Base of the state records: each field is declared as `name: Annotated[type, dtype, shape]`.

    The shape is left out for a single number. The class tells type checkers what a rule may do
    with a record; the record itself is an element of a structured array, handled by reference,
    so a rule that assigns to a field changes the game in place.
    """


_DTYPES: dict[type[CardGameState], np.dtype[Any]] = {}


def state_dtype(record: type[CardGameState]) -> np.dtype[Any]:
    """The structured dtype that a record class declares, its fields aligned, without gaps.

    Copies would leave the bytes of a gap to chance; without one, equal records have equal bytes.
    Whole cache lines are filled up, which makes large batches up to a tenth faster. It is one
    object for each class: another one, if equal, a kernel would compare with it field by field at
    every call, which takes longer than a decision.
    """
    if record not in _DTYPES:
        _DTYPES[record] = _make_dtype(record)
    return _DTYPES[record]


def _make_dtype(record: type[CardGameState]) -> np.dtype[Any]:
    hints = get_type_hints(record, include_extras=True)
    fields: list[tuple[Any, ...]] = [(name, *hint.__metadata__) for name, hint in hints.items()]
    fields.sort(key=lambda entry: -np.dtype(entry[1]).alignment)
    used = sum(np.dtype([entry]).itemsize for entry in fields)
    if used % CACHE_LINE:
        fields.append(("_rest", "u1", CACHE_LINE - used % CACHE_LINE))
    return np.dtype(fields, align=True)


def new_states(record: type[CardGameState], count: int) -> NDArray[Any]:
    """An array of `count` zeroed records, shape `(count,)`, ready to be passed to the kernels."""
    records = np.zeros(count, state_dtype(record))
    # Uncompiled code reaches fields as attributes, which only a record array allows.
    return records if COMPILED else records.view(np.recarray)


def state_at(records: NDArray[Any], row: int) -> Any:
    """One record by reference, its fields as attributes, for code that is not compiled."""
    return records.view(np.recarray)[row]
