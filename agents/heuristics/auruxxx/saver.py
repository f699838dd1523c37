"""The point saver: whoever wins the round, its own hand shall cost little."""

import numpy as np

from ....envs.auruxxx.observation import DEMANDED, FIGURE
from ....envs.auruxxx.rules import Action, Card
from ....envs.engine.compile import device
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

MANY = 4  # cards demanded that cost more than the 5 points of a pass
GAP = 2  # cards more than the smallest other hand that make a swap worth it
ZERO_WORTH = 5  # points that keeping a 0 is worth: it costs nothing at the end


class Saver(CompiledPolicy):
    """Tips: Keep points low; Keep zeros.

    Lays what costs most: action cards at once, for they cost 25, then the highest points. Takes
    the figure when it can, since it halves them, and passes a large demand on.
    """

    def __init__(self) -> None:
        super().__init__(decide)


def decide(view: View, mask: Mask, _random_bits: np.uint64) -> int:
    """Choose an action for one decision."""
    if mask[Action.PASS] and view[DEMANDED] >= MANY:
        return Action.PASS
    move = settled(view, mask)
    if move == NONE and view[FIGURE] == 0:
        move = any_happy_man(mask)
    if move == NONE:
        move = swap_with_smaller(view, mask, GAP)
    if move == NONE:
        move = any_action_card(mask)
    if move == NONE:
        move = best_lay(view, mask, 0, ZERO_WORTH)
    return draw_or_end(mask) if move == NONE else move


@device
def any_happy_man(mask: Mask) -> int:
    """A Happy-Man card, which brings the figure; else NONE."""
    for card in range(Card.HAPPY_MAN, Card.GOLDEN):
        if mask[Action.LAY + card]:
            return Action.LAY + card
    return NONE
