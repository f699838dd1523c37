"""The thief: keeps its action cards for the moment when somebody is about to win."""

import numpy as np

from ....envs.policy import CompiledPolicy
from .hands import (
    NONE,
    Mask,
    View,
    any_action_card,
    best_lay,
    draw_from_hands,
    draw_or_end,
    golden_in,
    settled,
    swap_for_last_card,
)

LAST_CARD = 1  # cards in another hand that it waits for
CARD_WORTH = 6  # points that one card less is worth


class Thief(CompiledPolicy):
    """Tips: Steal; Save action cards.

    Sheds like anybody, but no action card leaves its hand before somebody holds a single card;
    then it takes that card, by swapping or by drawing. For itself it lays one only with a
    Golden 12 in the hand and nothing else that fits.
    """

    def __init__(self) -> None:
        super().__init__(decide)


def decide(view: View, mask: Mask, _random_bits: np.uint64) -> int:
    """Choose an action for one decision."""
    move = settled(view, mask)
    if move == NONE:
        move = swap_for_last_card(view, mask)  # Steal: by swapping
    if move == NONE:
        move = draw_from_hands(view, mask, LAST_CARD, LAST_CARD)  # Steal: by drawing
    if move == NONE:
        move = best_lay(view, mask, CARD_WORTH, 0)
    if move == NONE and golden_in(view) > 0:  # Save action cards, until they stand in the way
        move = any_action_card(mask)
    return draw_or_end(mask) if move == NONE else move
