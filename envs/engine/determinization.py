"""Information states and states sampled from them, the same in every game.

In an information state, the hands of the others hold only the cards that the seat knows to be
there, and `hand_sizes` says how many there are in all. The slots that are not TAKEN are the cards
that may be anywhere, in the pile or in those hands. These fields of a state are used: those named
in `deck.py` and `knowledge.py`, current_player and legal.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compile import device
from .deck import TAKEN, next_seat
from .knowledge import hide_knowledge
from .rng import mix, next_state, restart_streams, scale_bits

CardWeights = NDArray[np.uint64]
FULL_WEIGHT = 1 << 32  # the weight of a card that is always dealt where it comes up

_ZERO = np.uint64(0)
_LOW = np.uint64(FULL_WEIGHT - 1)  # the bits that `scale_bits` hardly depends on


def uniform_weights(cards: int) -> CardWeights:
    """Return weights of `cards` card types that make every arrangement equally likely."""
    return np.full(cards, FULL_WEIGHT, np.uint64)


@device
def hide(state: Any, seat: int) -> None:
    """Blank what a seat cannot know: chance to come, and hands, moves and knowledge of others."""
    state.seed = _ZERO
    state.streams[:] = _ZERO
    state.discards[state.discard_size :] = 0
    if state.current_player != seat:
        state.legal[:] = 0
    hide_knowledge(state, seat)
    hide_hands(state, seat)


@device
def hide_hands(state: Any, seat: int) -> None:
    """Leave in the others' hands what `seat` knows to be there; mark all other cards as unseen.

    Unseen is every card but those in these hands and on the discard pile. It does not matter which
    copy of a card lies where: the first slots of a type count as seen. Slots are sorted by type.
    """
    place = 0
    for card in range(state.hands.shape[1]):
        seen = int(state.discarded[card]) + int(state.hands[seat, card])
        for steps in range(1, state.num_players):
            holder = next_seat(state, seat, steps)
            state.hands[holder, card] = state.known[seat, steps - 1, card]
            seen += int(state.hands[holder, card])
        while place < state.deck_size and state.slots[place] % TAKEN == card:
            state.slots[place] = card + TAKEN if seen > 0 else card
            seen -= 1
            place += 1


@device
def mark_seen(state: Any, card: int) -> None:
    """Mark one more card of a type as seen: it is not in the pile or an unknown part of a hand."""
    slot = 0
    while state.slots[slot] != card:
        slot += 1
    state.slots[slot] += TAKEN


@device
def restart_chance(state: Any, bits: np.uint64) -> None:
    """Let all chance, now and later in the game, follow from `bits`."""
    state.seed = bits
    restart_streams(state.streams, bits, state.round_index)


@device
def deal_unseen_cards(state: Any, stream: int, weights: CardWeights) -> None:
    """Fill up the hands of an information state at random; what is left is the pile.

    Args:
        state: An information state, changed in place.
        stream: The random stream to deal from.
        weights: uint64 (card types,), from 1 to FULL_WEIGHT. With half the weight of another, a
            card is taken half as readily whenever one is drawn.
    """
    for seat in range(state.num_players):
        missing = int(state.hand_sizes[seat])
        for card in range(state.hands.shape[1]):
            missing -= int(np.int64(state.hands[seat, card]))
        for _ in range(missing):
            state.hands[seat, take_weighted(state, stream, weights)] += 1


@device
def take_weighted(state: Any, stream: int, weights: CardWeights) -> int:
    """Take a random card out of the pile as `take_from_pile` does, but refuse some by weight."""
    counter, card = state.streams[stream], TAKEN
    place = 0
    while card >= TAKEN:
        counter = next_state(counter)
        bits = mix(counter)
        place = scale_bits(bits, state.deck_size)
        card = int(state.slots[place])
        if card < TAKEN and bits & _LOW >= weights[card]:
            card = TAKEN
    state.streams[stream] = counter
    state.slots[place] = card + TAKEN
    return card
