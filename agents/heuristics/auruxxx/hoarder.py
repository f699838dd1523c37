"""The hoarder: draws and draws until it holds a Golden 12."""

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
    golden_in,
    settled,
    swap_for_last_card,
)

FULL = 8  # cards from which it stops to draw what it could do without
CARD_WORTH = 6  # points that one card less is worth
ZERO_WORTH = 10  # points that keeping a 0 is worth


class Hoarder(CompiledPolicy):
    """Tips: Hoard; Keep zeros.

    Without a Golden 12 it makes both its draws before it lays. With one it draws only when it
    has to, and sheds; 0s go last.
    """

    def __init__(self) -> None:
        super().__init__(decide)


def decide(view: View, mask: Mask, _random_bits: np.uint64) -> int:
    """Choose an action for one decision."""
    move = settled(view, mask)
    if move == NONE:
        move = swap_for_last_card(view, mask)
    if move != NONE:
        return move
    if golden_in(view) == 0 and mask[Action.DRAW] and view[HAND_SIZES] < FULL:  # Hoard
        return Action.DRAW
    lay = best_lay(view, mask, CARD_WORTH, ZERO_WORTH)  # Keep zeros
    if lay != NONE:
        return lay
    action_card = any_action_card(mask)
    return draw_or_end(mask) if action_card == NONE else action_card
