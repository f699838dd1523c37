"""The dealer: lets its hand grow while it holds a Kartentausch, then gives it away."""

import numpy as np

from ....envs.auruxxx.observation import HAND
from ....envs.auruxxx.rules import Action, Card
from ....envs.policy import CompiledPolicy
from .hands import (
    NONE,
    Mask,
    View,
    any_action_card,
    best_lay,
    draw_or_end,
    golden_in,
    settled,
    swap_with_smaller,
)

GAP = 6  # cards more than the smallest other hand that make a hand worth giving away
CARD_WORTH = 6  # points that one card less is worth


class Dealer(CompiledPolicy):
    """Tip: Hand over a big hand.

    With a Kartentausch and no Golden 12 it draws all it can, and swaps with the smallest hand
    once its own is much larger. Else it sheds.
    """

    def __init__(self) -> None:
        super().__init__(decide)


def decide(view: View, mask: Mask, _random_bits: np.uint64) -> int:
    """Choose an action for one decision."""
    move = settled(view, mask)
    if move != NONE:
        return move
    if view[HAND + Card.SWAP] > 0 and golden_in(view) == 0:
        move = swap_with_smaller(view, mask, GAP)
        if move == NONE and mask[Action.DRAW]:
            move = Action.DRAW
        if move != NONE:
            return move
    lay = best_lay(view, mask, CARD_WORTH, 0)
    if lay != NONE:
        return lay
    action_card = any_action_card(mask)
    return draw_or_end(mask) if action_card == NONE else action_card
