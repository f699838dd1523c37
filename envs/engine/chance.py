"""The three functions through which the rules of every game reach the random generator.

Whatever is random in a game is an outcome of one of them: a card from the pile, a number below a
bound, an event of a given chance. A stream is a number of the game's `Stream`.
"""

from typing import Any

from .compile import device
from .deck import TAKEN
from .rng import mix, next_bits, next_state, scale_bits


@device
def take_from_pile(state: Any, stream: int) -> int:
    """Take a random card out of the pile, which must hold one, and return its type."""
    counter = state.streams[stream]
    place, card = 0, TAKEN
    while card >= TAKEN:
        counter = next_state(counter)
        place = scale_bits(mix(counter), state.deck_size)
        card = int(state.slots[place])
    state.streams[stream] = counter
    state.slots[place] = card + TAKEN
    state.pile_size -= 1
    return card


@device
def random_below(state: Any, stream: int, bound: int) -> int:
    """Return a uniform random number from 0 to bound - 1; `bound` is from 1 to 2**16.

    It is taken from the high bits by multiplication: a slightly different `bound` gives a slightly
    different number, which keeps games with one seed comparable. The bias is below bound / 2**32.
    """
    return scale_bits(next_bits(state.streams, stream), bound)


@device
def happens(state: Any, stream: int, percent: int) -> bool:
    """Return whether an event with a chance of `percent` percent happens."""
    return percent > 0 and random_below(state, stream, 100) < percent
