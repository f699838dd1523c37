"""Moving cards, the same in every game: rules on any record with hands and a pile.

Each card of the deck has its slot, by card type; while the card is not in the pile, TAKEN is
added to it. A draw picks a slot at random until it hits the pile, which has no order: so a seat's
luck hardly hangs on what the others drew before. The rules use these fields of a record:
num_players, slots, deck_size, pile_size, hands, hand_sizes and streams; discards, discard_size
and discarded, the discard pile from the bottom up and by card type.
"""

from typing import Any

from goldgriff.envs.engine.compile import rule
from goldgriff.envs.engine.rng import mix, scale_bits, next_state

TAKEN = 128  # card types are below it


def slots_of(copies: list[int], size: int) -> list[int]:
    """The slots of a deck with so many copies of each card type, filled up to `size`."""
    cards = [card for card, count in enumerate(copies) for _ in range(count)]
    return cards + [TAKEN] * (size - len(cards))


@rule
def gather(game: Any) -> None:
    """Put every card of the deck into the pile; hands are empty."""
    game.hands[:] = 0
    game.hand_sizes[:] = 0
    game.pile_size = game.deck_size
    for place in range(game.deck_size):
        game.slots[place] %= TAKEN


@rule
def take_from_pile(game: Any, stream: int) -> int:
    """Take a card at random out of the pile, which must hold one."""
    state = game.streams[stream]
    place, card = 0, TAKEN
    while card >= TAKEN:
        state = next_state(state)
        place = scale_bits(mix(state), game.deck_size)
        card = int(game.slots[place])
    game.streams[stream] = state
    game.slots[place] = card + TAKEN
    game.pile_size -= 1
    return card


@rule
def put_into_pile(game: Any, card: int) -> None:
    """Put a card back into the pile."""
    place = 0
    while game.slots[place] != card + TAKEN:
        place += 1
    game.slots[place] = card
    game.pile_size += 1


@rule
def turn_over(game: Any, stays: int) -> None:
    """Put the discard pile, but for so many cards on top of it, into the pile."""
    under = game.discard_size - stays
    for place in range(under, game.discard_size):
        game.discarded[game.discards[place]] -= 1
    for place in range(game.deck_size):  # now `discarded` counts what goes
        card = int(game.slots[place]) % TAKEN
        if game.slots[place] >= TAKEN and game.discarded[card] > 0:
            game.discarded[card] -= 1
            game.slots[place] = card
    for place in range(stays):
        card = int(game.discards[under + place])
        game.discards[place] = card
        game.discarded[card] += 1
    game.discard_size = stays
    game.pile_size += under


@rule
def give(game: Any, seat: int, card: int) -> None:
    """Put a card into a hand."""
    game.hands[seat, card] += 1
    game.hand_sizes[seat] += 1


@rule
def remove(game: Any, seat: int, card: int) -> None:
    """Take a card out of a hand."""
    game.hands[seat, card] -= 1
    game.hand_sizes[seat] -= 1


@rule
def swap_hands(game: Any, seat: int, other: int) -> None:
    """Swap all cards of two hands."""
    for card in range(game.hands.shape[1]):
        count = game.hands[seat, card]
        game.hands[seat, card] = game.hands[other, card]
        game.hands[other, card] = count
    size = game.hand_sizes[seat]
    game.hand_sizes[seat] = game.hand_sizes[other]
    game.hand_sizes[other] = size


@rule
def next_seat(game: Any, seat: int, steps: int) -> int:
    """The seat some steps clockwise; `seat + steps` is from 0 to twice the players less one."""
    reached = int(seat + steps)  # a remainder would cost more than all else that is done with it
    return reached - int(game.num_players) if reached >= game.num_players else reached
