"""Chance by the random streams of a state; see `chance.py` for what each function does."""

from typing import Any

from .compile import device
from .deck import TAKEN, give, put_into_pile
from .emit import emit
from .events import NONE
from .rng import mix, next_bits, next_state, scale_bits


@device
def take_from_pile(state: Any, stream: int) -> int:
    """Pick random places of the deck until one holds a card of the pile."""
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
def take_other_than(state: Any, stream: int, refused: int) -> int:
    """Put a refused card back and take another."""
    card = take_from_pile(state, stream)
    while card == refused:
        put_into_pile(state, card)
        card = take_from_pile(state, stream)
    return card


@device
def draw_cards(
    state: Any, stream: int, seat: int, count: int, kind: int, knowers: int, rule: int
) -> None:
    """Draw one card after the other."""
    for _ in range(count):
        card = take_from_pile(state, stream)
        give(state, seat, card)
        emit(state, kind, seat, NONE, card, 1, knowers, rule)


@device
def deal_hands(state: Any, stream: int, count: int) -> None:
    """Deal one card after the other, in turn."""
    for _ in range(count):
        for seat in range(state.num_players):
            give(state, seat, take_from_pile(state, stream))


@device
def pick_from_hand(state: Any, stream: int, seat: int) -> int:
    """Pick a place in the hand, sorted by card type."""
    place = random_below(state, stream, state.hand_sizes[seat])
    card = 0
    while place >= state.hands[seat, card]:
        place -= int(state.hands[seat, card])
        card += 1
    return card


@device
def happens(state: Any, stream: int, percent: int) -> bool:
    """Compare a random number below 100."""
    return percent > 0 and random_below(state, stream, 100) < percent


@device
def random_below(state: Any, stream: int, bound: int) -> int:
    """Return a uniform random number from 0 to bound - 1; `bound` is from 1 to 2**16.

    It is taken from the high bits by multiplication: a slightly different `bound` gives a slightly
    different number, which keeps games with one seed comparable. The bias is below bound / 2**32.
    """
    return scale_bits(next_bits(state.streams, stream), bound)
