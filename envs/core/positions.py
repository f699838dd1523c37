"""Where the cards lie in a position given as plain data, the same in every game.

The rules use the fields of a record that `cards.py` names.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from goldgriff.envs.core.cards import TAKEN
from goldgriff.envs.core.errors import PositionError
from goldgriff.envs.core.plain import Reader


def cards_in(counts: Any, cards: Sequence[str]) -> list[str]:
    """The cards of a hand as names, in the order of the card types; counts: (card types,)."""
    return [name for name, count in zip(cards, counts, strict=True) for _ in range(count)]


def place_cards(
    game: Any,
    read: Reader,
    cards: Sequence[str],
    copies: Sequence[int],
    hands: Sequence[Sequence[int]],
    discards: Sequence[int],
    apart: Sequence[int] = (),
) -> None:
    """Put cards, by type, into the hands and on the discard pile of a record.

    cards, copies: the card types by name, and how many of each the deck holds. hands: by seat.
    discards: the top card last. apart: what lies elsewhere. The face-down pile is the field `pile`;
    left out, it holds every card that lies nowhere else.

    Raises PositionError where cards are more than the deck holds, or with a `pile` not all of it.
    """
    placed = [card for group in (*hands, discards, apart) for card in group]
    there = np.bincount(placed, minlength=len(cards))
    pile = np.array(copies) - there
    whole = read.has("pile")
    if whole:
        pile = np.bincount(read.names("pile", cards), minlength=len(cards))
        there += pile
    for name, count, most in zip(cards, there, copies, strict=True):
        if count > most or (whole and count < most):
            raise PositionError(f"position: {count} times {name}, the deck has {most}")

    game.hands[:] = 0
    game.hand_sizes[:] = 0
    for seat, hand in enumerate(hands):
        game.hands[seat] = np.bincount(hand, minlength=len(cards))
        game.hand_sizes[seat] = len(hand)
    game.pile_size = int(pile.sum())
    kinds = game.slots[: game.deck_size] % TAKEN
    for card, count in enumerate(pile):
        slots = np.flatnonzero(kinds == card)
        game.slots[slots] = card
        game.slots[slots[count:]] += TAKEN
    game.discard_size = len(discards)
    game.discards[: len(discards)] = discards
    game.discarded[:] = np.bincount(discards, minlength=len(cards))
