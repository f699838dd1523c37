"""Game states: fixed-size records declared as classes, for NumPy, Numba and type checkers alike."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from .compile import COMPILED

CACHE_LINE = 64  # bytes


Bytes = NDArray[np.uint8]
Shorts = NDArray[np.int16]
Numbers = NDArray[np.int32]
Number = Annotated[int, "i4"]


class CardGameState:
    """Base of every game's `State`: the fields that all games have.

    A game declares what else it needs as `name: Annotated[type, dtype, shape]`, without the shape
    for a single number, and says how large the common fields are:
    `class State(CardGameState, seats=MAX_PLAYERS, ...)`. In a shape, these sizes stand by name. The
    class is for type checkers; a state itself is an element of a structured array, handled by
    reference, so a function that assigns to a field changes the game in place. Points are kept in
    halves. Bits and lists of seats go by seat.

    Attributes:
        num_players: Seats at the table.
        seed: The seed of all chance in this game.
        streams: Random streams of the current round.
        current_player: Seat that decides next.
        phase: What it decides, a number of the game's `Phase`.
        legal: 1 for each legal action of the current player.
        over: 1 when the game has ended.
        round_index: Rounds that have ended.
        round_ended: 1 if the last decision ended a round.
        round_winner: Seat that won that round, -1 for nobody.
        round_points: Half points of each seat in that round.
        score_sheet: The same by entry; unused in games that name no entries.
        scores: Half points of each seat in all rounds that have ended.
        capped_rounds: Rounds that the cap on decisions ended.
        decisions: Decisions made in this round.
        slots: Card type of each card in the deck; see `deck.py`.
        deck_size: Cards in the deck.
        pile_size: Cards in the face-down pile.
        hands: Copies of each card type.
        hand_sizes: Cards in each hand.
        discards: The discard pile from the bottom up.
        discard_size: Cards in it.
        discarded: The discard pile by card type.
        known: Cards that each seat knows in the hands 1, 2, ... seats clockwise; see
            `knowledge.py`.
        known_sizes: Sums of `known` over card types, by holder and observer.
        aware: For each seat, a bit for each other seat whose knowledge of its hand it knows.
    """

    SIZES: ClassVar[Mapping[str, int]]

    num_players: Number
    seed: Annotated[np.uint64, "u8"]
    streams: Annotated[NDArray[np.uint64], "u8", "streams"]
    current_player: Number
    phase: Number
    legal: Annotated[Bytes, "u1", "actions"]
    over: Number
    round_index: Number
    round_ended: Number
    round_winner: Number
    round_points: Annotated[Numbers, "i4", "seats"]
    score_sheet: Annotated[Numbers, "i4", "seats", "entries"]
    scores: Annotated[Numbers, "i4", "seats"]
    capped_rounds: Number
    decisions: Number
    slots: Annotated[Bytes, "u1", "deck"]
    deck_size: Number
    pile_size: Number
    hands: Annotated[Bytes, "u1", "seats", "cards"]
    hand_sizes: Annotated[Shorts, "i2", "seats"]
    discards: Annotated[Bytes, "u1", "deck"]
    discard_size: Number
    discarded: Annotated[Bytes, "u1", "cards"]
    aware: Annotated[Bytes, "u1", "seats"]
    known_sizes: Annotated[Bytes, "u1", "seats", "seats"]
    known: Annotated[Bytes, "u1", "seats", "others", "cards"]

    def __init_subclass__(
        cls, *, seats: int, cards: int, deck: int, actions: int, streams: int, entries: int = 0
    ) -> None:
        """Declare how many there are at most, or of each kind."""
        cls.SIZES = {
            "seats": seats,
            "others": seats - 1,
            "cards": cards,
            "deck": deck,
            "actions": actions,
            "streams": streams,
            "entries": max(entries, 1),
        }


_DTYPES: dict[type[CardGameState], np.dtype[Any]] = {}


def state_dtype(state: type[CardGameState]) -> np.dtype[Any]:
    """Return the structured dtype that a state class declares: aligned fields without gaps.

    Copies would leave the bytes of a gap undefined; without one, equal states have equal bytes.
    Whole cache lines are filled up, which makes large batches up to a tenth faster. It is one
    object for each class: an equal copy would be compared field by field at every kernel call.
    """
    if state not in _DTYPES:
        fields = []
        for name, hint in get_type_hints(state, include_extras=True).items():
            if get_origin(hint) is Annotated:
                dtype, *sizes = hint.__metadata__
                fields.append((name, dtype, tuple(state.SIZES.get(size, size) for size in sizes)))
        _DTYPES[state] = aligned_dtype(fields)
    return _DTYPES[state]


def aligned_dtype(
    fields: Sequence[tuple[Any, ...]], *, first: Sequence[tuple[Any, ...]] = ()
) -> np.dtype[Any]:
    """Return a structured dtype of these fields, sorted and filled up; see `state_dtype`.

    Small fields come first, so that what most decisions need lies close together.

    Args:
        fields: Name, dtype and perhaps shape of each.
        first: Fields that come before them, as they are.
    """

    def place(entry: tuple[Any, ...]) -> tuple[int, int]:
        return -np.dtype(entry[1]).alignment, np.dtype([entry]).itemsize

    fields = [*first, *sorted(fields, key=place)]
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
