"""Moving cards, the same in every game.

Each card of the deck has its slot, by card type; while the card is not in the pile, TAKEN is
added to it. A draw (`take_from_pile` in sampling.py) picks random slots until it hits the pile,
which has no order: so what a seat draws hardly depends on what the others drew before. The fields
used are num_players, seed, round_index, streams, slots, deck_size, pile_size, hands and hand_sizes;
discards, discard_size and discarded, the discard pile from the bottom up and by card type.
"""

from typing import Any

from .compile import device
from .emit import emit
from .events import NOBODY_KNOWS, NONE, EventKind
from .rng import restart_streams

TAKEN = 128  # card types are below it


def slots_of(copies: list[int], size: int) -> list[int]:
    """Return the slots of a deck with `copies` of each card type, filled up to `size`."""
    cards = [card for card, count in enumerate(copies) for _ in range(count)]
    return cards + [TAKEN] * (size - len(cards))


@device
def gather(state: Any) -> None:
    """Put every card into the pile and start the random streams, for a new round."""
    restart_streams(state.streams, state.seed, state.round_index)
    state.hands[:] = 0
    state.hand_sizes[:] = 0
    state.discard_size = 0
    state.discarded[:] = 0
    state.pile_size = state.deck_size
    for place in range(state.deck_size):
        state.slots[place] %= TAKEN


@device
def put_into_pile(state: Any, card: int) -> None:
    """Put a card back into the pile."""
    place = 0
    while state.slots[place] != card + TAKEN:
        place += 1
    state.slots[place] = card
    state.pile_size += 1


@device
def turn_over(state: Any, stays: int, rule: int) -> None:
    """Put the discard pile into the pile, except for its top `stays` cards; emit it if any move."""
    under = int(state.discard_size) - stays
    if under > 0:
        emit(state, EventKind.SHUFFLE, NONE, NONE, NONE, under, NOBODY_KNOWS, rule)
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
def next_seat(state: Any, seat: int, steps: int) -> int:
    """Return the seat `steps` places clockwise; `seat + steps` is from 0 to 2 * num_players - 1."""
    reached = int(seat + steps)  # a remainder would cost more than all else that is done with it
    return reached - int(state.num_players) if reached >= state.num_players else reached
