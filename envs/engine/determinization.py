"""Hiding what a seat cannot know and dealing it anew, the same in every game.

A hidden record is a game as one seat knows it: in the hands of the others lie only the cards that
it knows to be there, `hand_sizes` says how many there are in all, and the slots that are not TAKEN
are the cards that may be anywhere, in the pile or in those hands. The rules use the fields named
in cards.py and seed, round_index, discards, discard_size, mover and legal.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compile import device
from .deck import TAKEN
from .rng import mix, next_state, restart_streams, scale_bits

CardWeights = NDArray[np.uint64]
FULL_WEIGHT = 1 << 32  # the odds of a card that is always dealt where it comes up

_NO_WORD = np.uint64(0)
_LOW = np.uint64(FULL_WEIGHT - 1)  # the bits of a word that `scale_bits` hardly goes by


def uniform_weights(cards: int) -> CardWeights:
    """Odds of so many card types by which every arrangement is as likely as the other."""
    return np.full(cards, FULL_WEIGHT, np.uint64)


@device
def hide_chance_and_moves(state: Any, seat: int) -> None:
    """Cover the chance to come, the moves of another seat and what lay on the pile before."""
    state.seed = _NO_WORD
    state.streams[:] = _NO_WORD
    state.discards[state.discard_size :] = 0
    if state.current_player != seat:
        state.legal[:] = 0


@device
def mark_unseen(state: Any) -> None:
    """Let every card be one that may be anywhere, but for those in hands and on the discard pile.

    It does not matter which copy of a card lies where: the first slots of a type count as seen.
    """
    for slot in range(state.deck_size):
        state.slots[slot] %= TAKEN
    for seat in range(state.num_players):
        for card in range(state.hands.shape[1]):
            for _ in range(state.hands[seat, card]):
                mark_seen(state, card)
    for place in range(state.discard_size):
        mark_seen(state, int(state.discards[place]))


@device
def mark_seen(state: Any, card: int) -> None:
    """Take one card of a type off those that may be anywhere."""
    slot = 0
    while state.slots[slot] != card:
        slot += 1
    state.slots[slot] += TAKEN


@device
def restart_chance(state: Any, bits: np.uint64) -> None:
    """Let all chance, now and later in the game, follow from a word."""
    state.seed = bits
    restart_streams(state.streams, bits, state.round_index)


@device
def deal_unseen_cards(state: Any, stream: int, odds: CardWeights) -> None:
    """Fill up the hands of a hidden record at random; what is left is the pile.

    odds: uint64 (card types,), from 1 to SURE: with half the odds of another a card is taken half
    as readily whenever one is drawn.
    """
    for seat in range(state.num_players):
        missing = int(state.hand_sizes[seat])
        for card in range(state.hands.shape[1]):
            missing -= int(np.int64(state.hands[seat, card]))
        for _ in range(missing):
            state.hands[seat, take_weighted(state, stream, odds)] += 1


@device
def take_weighted(state: Any, stream: int, odds: CardWeights) -> int:
    """Take a card at random out of the pile as `take_from_pile` does, but refuse some by odds."""
    counter, card = state.streams[stream], TAKEN
    place = 0
    while card >= TAKEN:
        counter = next_state(counter)
        bits = mix(counter)
        place = scale_bits(bits, state.deck_size)
        card = int(state.slots[place])
        if card < TAKEN and bits & _LOW >= odds[card]:
            card = TAKEN
    state.streams[stream] = counter
    state.slots[place] = card + TAKEN
    return card
