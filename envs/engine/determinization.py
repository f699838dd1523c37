"""Hiding what a seat cannot know and dealing it anew, the same in every game.

A hidden record is a game as one seat knows it: in the hands of the others lie only the cards that
it knows to be there, `hand_sizes` says how many there are in all, and the slots that are not TAKEN
are the cards that may be anywhere, in the pile or in those hands. The rules use the fields named
in cards.py and seed, round_index, discards, discard_size, mover and legal.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.engine.compile import rule
from goldgriff.envs.engine.deck import TAKEN
from goldgriff.envs.engine.rng import mix, restart_streams, scale_bits, next_state

CardWeights = NDArray[np.uint64]
FULL_WEIGHT = 1 << 32  # the odds of a card that is always dealt where it comes up

_NO_WORD = np.uint64(0)
_LOW = np.uint64(FULL_WEIGHT - 1)  # the bits of a word that `scale_bits` hardly goes by


def uniform_weights(cards: int) -> CardWeights:
    """Odds of so many card types by which every arrangement is as likely as the other."""
    return np.full(cards, FULL_WEIGHT, np.uint64)


@rule
def hide_chance_and_moves(game: Any, seat: int) -> None:
    """Cover the chance to come, the moves of another seat and what lay on the pile before."""
    game.seed = _NO_WORD
    game.streams[:] = _NO_WORD
    game.discards[game.discard_size :] = 0
    if game.mover != seat:
        game.legal[:] = 0


@rule
def mark_unseen(game: Any) -> None:
    """Let every card be one that may be anywhere, but for those in hands and on the discard pile.

    It does not matter which copy of a card lies where: the first slots of a type count as seen.
    """
    for slot in range(game.deck_size):
        game.slots[slot] %= TAKEN
    for seat in range(game.num_players):
        for card in range(game.hands.shape[1]):
            for _ in range(game.hands[seat, card]):
                mark_seen(game, card)
    for place in range(game.discard_size):
        mark_seen(game, int(game.discards[place]))


@rule
def mark_seen(game: Any, card: int) -> None:
    """Take one card of a type off those that may be anywhere."""
    slot = 0
    while game.slots[slot] != card:
        slot += 1
    game.slots[slot] += TAKEN


@rule
def restart_chance(game: Any, word: np.uint64) -> None:
    """Let all chance, now and later in the game, follow from a word."""
    game.seed = word
    restart_streams(game.streams, word, game.round_index)


@rule
def deal_unseen_cards(game: Any, stream: int, odds: CardWeights) -> None:
    """Fill up the hands of a hidden record at random; what is left is the pile.

    odds: uint64 (card types,), from 1 to SURE: with half the odds of another a card is taken half
    as readily whenever one is drawn.
    """
    for seat in range(game.num_players):
        missing = int(game.hand_sizes[seat])
        for card in range(game.hands.shape[1]):
            missing -= int(np.int64(game.hands[seat, card]))
        for _ in range(missing):
            game.hands[seat, take_weighted(game, stream, odds)] += 1


@rule
def take_weighted(game: Any, stream: int, odds: CardWeights) -> int:
    """Take a card at random out of the pile as `take_from_pile` does, but refuse some by odds."""
    state, card = game.streams[stream], TAKEN
    place = 0
    while card >= TAKEN:
        state = next_state(state)
        word = mix(state)
        place = scale_bits(word, game.deck_size)
        card = int(game.slots[place])
        if card < TAKEN and word & _LOW >= odds[card]:
            card = TAKEN
    game.streams[stream] = state
    game.slots[place] = card + TAKEN
    return card
