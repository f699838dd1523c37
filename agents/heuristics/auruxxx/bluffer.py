"""The speed bluffer: down to a card or two as fast as it can, Golden 12 or not."""

import numpy as np

from ....envs.auruxxx.observation import HAND_SIZES
from ....envs.auruxxx.rules import Action
from ....envs.policy import CompiledPolicy
from .hands import (
    NONE,
    Mask,
    View,
    any_action_card,
    best_lay,
    draw_or_end,
    settled,
    swap_with_smaller,
)

FEW = 4  # cards up to which it would rather pass than draw or take any
GAP = 4  # cards more than the smallest other hand that make a swap worth it
CARD_WORTH = 40  # points that one card less is worth: two low cards before one high one


class Bluffer(CompiledPolicy):
    """Tip: Bluff speed.

    Lays as many cards as it can, swaps into a smaller hand, and passes rather than let a small
    hand grow by drawing or taking. Whoever fears it wastes an action card.
    """

    def __init__(self) -> None:
        super().__init__(decide)


def decide(view: View, mask: Mask, _random_bits: np.uint64) -> int:
    """Choose an action for one decision."""
    move = settled(view, mask)
    if move == NONE:
        move = swap_with_smaller(view, mask, GAP)
    if move == NONE:
        move = best_lay(view, mask, CARD_WORTH, 0)
    if move == NONE:
        move = any_action_card(mask)
    if (move == NONE or move == Action.TAKE) and mask[Action.PASS] and 0 < view[HAND_SIZES] <= FEW:
        return Action.PASS
    return draw_or_end(mask) if move == NONE else move
