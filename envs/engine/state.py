"""Game states: fixed-size records declared as classes, for NumPy, Numba and type checkers alike."""

from collections.abc import Sequence
from typing import Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

from .compile import COMPILED

CACHE_LINE = 64  # bytes


class CardGameState:
    """Base of every game's `State`: the fields that shared code relies on.

    A game declares each field once more as `name: Annotated[type, dtype, shape]`, without the
    shape for a single number. The class is for type checkers; a state itself is an element of a
    structured array, handled by reference, so a function that assigns to a field changes the game
    in place. Points are kept in halves. Bits and lists of seats go by seat.

    Attributes:
        num_players: Seats at the table.
        seed: The seed of all chance in this game.
        streams: Random streams of the current round, uint64.
        current_player: Seat that decides next.
        legal: uint8 (actions,), 1 for each legal action of the current player.
        over: 1 when the game has ended.
        round_index: Rounds that have ended.
        round_ended: 1 if the last decision ended a round.
        round_winner: Seat that won that round, -1 for nobody.
        round_points: Half points of each seat in that round.
        score_sheet: The same by entry, (seats, entries); only in games that name entries.
        scores: Half points of each seat in all rounds that have ended.
        capped_rounds: Rounds that the cap on decisions ended.
        decisions: Decisions made in this round.
        slots: Card type of each card in the deck; see `deck.py`.
        deck_size: Cards in the deck.
        pile_size: Cards in the face-down pile.
        hands: Copies of each card type, (seats, card types).
        hand_sizes: Cards in each hand.
        discards: The discard pile from the bottom up.
        discard_size: Cards in it.
        discarded: The discard pile by card type.
        known: Cards that each seat knows in the hands 1, 2, ... seats clockwise, (seats, seats - 1,
            card types); see `knowledge.py`.
        known_sizes: Sums of `known` over card types, (seats, seats), by holder and observer.
        aware: For each seat, a bit for each other seat whose knowledge of its hand it knows.
    """

    num_players: int
    seed: np.uint64
    streams: NDArray[np.uint64]
    current_player: int
    legal: NDArray[np.uint8]
    over: int
    round_index: int
    round_ended: int
    round_winner: int
    round_points: NDArray[Any]
    score_sheet: NDArray[np.int32]
    scores: NDArray[np.int32]
    capped_rounds: int
    decisions: int
    slots: NDArray[np.uint8]
    deck_size: int
    pile_size: int
    hands: NDArray[np.uint8]
    hand_sizes: NDArray[np.int16]
    discards: NDArray[np.uint8]
    discard_size: int
    discarded: NDArray[np.uint8]
    known: NDArray[np.uint8]
    known_sizes: NDArray[np.uint8]
    aware: NDArray[np.uint8]


_DTYPES: dict[type[CardGameState], np.dtype[Any]] = {}


def state_dtype(state: type[CardGameState]) -> np.dtype[Any]:
    """Return the structured dtype that a state class declares: aligned fields without gaps.

    Copies would leave the bytes of a gap undefined; without one, equal states have equal bytes.
    Whole cache lines are filled up, which makes large batches up to a tenth faster. It is one
    object for each class: an equal copy would be compared field by field at every kernel call.
    """
    if state not in _DTYPES:
        hints = get_type_hints(state, include_extras=True)
        fields = [(name, *hints[name].__metadata__) for name in state.__annotations__]
        _DTYPES[state] = aligned_dtype(fields)
    return _DTYPES[state]


def aligned_dtype(
    fields: Sequence[tuple[Any, ...]], *, first: Sequence[tuple[Any, ...]] = ()
) -> np.dtype[Any]:
    """Return a structured dtype of these fields, sorted and filled up; see `state_dtype`.

    Args:
        fields: Name, dtype and perhaps shape of each.
        first: Fields that come before them, as they are.
    """
    fields = [*first, *sorted(fields, key=lambda entry: -np.dtype(entry[1]).alignment)]
    used = sum(np.dtype([entry]).itemsize for entry in fields)
    fields.append(("_rest", "u1", CACHE_LINE - used % CACHE_LINE))
    return np.dtype(fields, align=True)


def fields_of(dtype: np.dtype[Any]) -> list[tuple[Any, ...]]:
    """Return name, dtype and shape of each field of a structured dtype, as it takes them."""
    return [(name, entry[0].base, entry[0].shape) for name, entry in (dtype.fields or {}).items()]


def new_states(state: type[CardGameState], count: int) -> NDArray[Any]:
    """Return an array of `count` zeroed states, ready to be passed to kernels."""
    states = np.zeros(count, state_dtype(state))
    # Uncompiled code reaches fields as attributes, which only a record array allows.
    return states if COMPILED else states.view(np.recarray)


def state_at(states: NDArray[Any], row: int) -> Any:
    """Return one state by reference, its fields as attributes, for code that is not compiled."""
    return states.view(np.recarray)[row]
