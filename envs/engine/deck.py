"""Moving cards, the same in every game: rules on any record with hands and a pile.

Each card of the deck has its slot, by card type; while the card is not in the pile, TAKEN is
added to it. A draw picks a slot at random until it hits the pile, which has no order: so a seat's
luck hardly hangs on what the others drew before. The rules use these fields of a record:
num_players, slots, deck_size, pile_size, hands, hand_sizes and streams; discards, discard_size
and discarded, the discard pile from the bottom up and by card type.
"""

from typing import Any

from .compile import device
from .rng import mix, next_state, scale_bits

TAKEN = 128  # card types are below it


def slots_of(copies: list[int], size: int) -> list[int]:
    """The slots of a deck with so many copies of each card type, filled up to `size`."""
    cards = [card for card, count in enumerate(copies) for _ in range(count)]
    return cards + [TAKEN] * (size - len(cards))


@device
def gather(state: Any) -> None:
    """Put every card of the deck into the pile; hands are empty."""
    state.hands[:] = 0
    state.hand_sizes[:] = 0
    state.pile_size = state.deck_size
    for place in range(state.deck_size):
        state.slots[place] %= TAKEN


@device
def take_from_pile(state: Any, stream: int) -> int:
    """Take a card at random out of the pile, which must hold one."""
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
def put_into_pile(state: Any, card: int) -> None:
    """Put a card back into the pile."""
    place = 0
    while state.slots[place] != card + TAKEN:
        place += 1
    state.slots[place] = card
    state.pile_size += 1


@device
def turn_over(state: Any, stays: int) -> None:
    """Put the discard pile, but for so many cards on top of it, into the pile."""
    under = state.discard_size - stays
    for place in range(under, state.discard_size):
        state.discarded[state.discards[place]] -= 1
    for place in range(state.deck_size):  # now `discarded` counts what goes
        card = int(state.slots[place]) % TAKEN
        if state.slots[place] >= TAKEN and state.discarded[card] > 0:
            state.discarded[card] -= 1
            state.slots[place] = card
    for place in range(stays):
        card = int(state.discards[under + place])
        state.discards[place] = card
        state.discarded[card] += 1
    state.discard_size = stays
    state.pile_size += under


@device
def give(state: Any, seat: int, card: int) -> None:
    """Put a card into a hand."""
    state.hands[seat, card] += 1
    state.hand_sizes[seat] += 1


@device
def remove(state: Any, seat: int, card: int) -> None:
    """Take a card out of a hand."""
    state.hands[seat, card] -= 1
    state.hand_sizes[seat] -= 1


@device
def swap_hands(state: Any, seat: int, other: int) -> None:
    """Swap all cards of two hands."""
    for card in range(state.hands.shape[1]):
        count = state.hands[seat, card]
        state.hands[seat, card] = state.hands[other, card]
        state.hands[other, card] = count
    size = state.hand_sizes[seat]
    state.hand_sizes[seat] = state.hand_sizes[other]
    state.hand_sizes[other] = size


@device
def next_seat(state: Any, seat: int, steps: int) -> int:
    """The seat some steps clockwise; `seat + steps` is from 0 to twice the players less one."""
    reached = int(seat + steps)  # a remainder would cost more than all else that is done with it
    return reached - int(state.num_players) if reached >= state.num_players else reached
