"""The builder: collects cards of one number and drops them together."""

import numpy as np

from ....envs.auruxxx.observation import HAND_SIZES
from ....envs.auruxxx.rules import Action, Card
from ....envs.engine.compile import device
from ....envs.policy import CompiledPolicy
from .hands import (
    NONE,
    Mask,
    View,
    any_action_card,
    best_lay,
    copies_of_number,
    draw_or_end,
    golden_in,
    laid_together,
    settled,
    swap_for_last_card,
    top_of,
)

LARGE = 6  # cards from which it waits for its multiples and lays an action card for them
CARD_WORTH = 6  # points that one card less is worth


class Builder(CompiledPolicy):
    """Tip: Build multiples.

    Lays the largest multiple. With a large hand it lays no card that has a twin alone: it draws,
    or lays an action card, on which any multiple fits.
    """

    def __init__(self) -> None:
        super().__init__(decide)


def decide(view: View, mask: Mask, _random_bits: np.uint64) -> int:
    """Choose an action for one decision."""
    move = settled(view, mask)
    if move != NONE:
        return move
    move = swap_for_last_card(view, mask)
    if move == NONE:
        move = largest_multiple(view, mask)
    if move != NONE:
        return move
    action_card = any_action_card(mask)
    if view[HAND_SIZES] >= LARGE:
        if action_card != NONE and holds_multiple(view):
            return action_card
        if mask[Action.DRAW] and golden_in(view) == 0:
            return Action.DRAW
    lay = best_lay(view, mask, CARD_WORTH, 0)
    if lay != NONE:
        return lay
    return draw_or_end(mask) if action_card == NONE else action_card


@device
def largest_multiple(view: View, mask: Mask) -> int:
    """The card that begins the largest multiple of two cards or more, or NONE."""
    top, best, most = top_of(view), NONE, 1
    for card in range(Card.HAPPY_MAN):
        if mask[Action.LAY + card]:
            together = laid_together(view, card, top)
            if together > most:
                best, most = Action.LAY + card, together
    return best


@device
def holds_multiple(view: View) -> bool:
    """Whether some number is in the hand twice or more."""
    largest = 1
    for card in range(Card.HAPPY_MAN):
        largest = max(largest, copies_of_number(view, card))
    return largest > 1
