"""What the scripted players of Auruxxx share: reading a view, comparing lays and thefts.

A choice is an action, or NONE when nothing fits the purpose. Steps are seats clockwise from the
own one.
"""

import numpy as np
from numpy.typing import NDArray

from ....envs.auruxxx.observation import HAND, HAND_SIZES, PHASE, TOP
from ....envs.auruxxx.rules import FIT, MAX_PLAYERS, NUMBER_OF, POINTS, Action, Card, Fit
from ....envs.auruxxx.state import Phase
from ....envs.engine.compile import device

View = NDArray[np.uint8]  # the features of one decision
Mask = NDArray[np.int8]  # 1 for each legal action

NONE = -1  # no action
NOBODY_HOLDS = 1000  # the smallest other hand where all are empty


@device
def golden_in(view: View) -> int:
    """Golden 12s in the own hand."""
    return int(view[HAND + Card.GOLDEN])


@device
def holds_only_golden(view: View) -> bool:
    """Whether the next turn wins the round, if nobody steals before."""
    return bool(view[HAND_SIZES] > 0 and view[HAND + Card.GOLDEN] == view[HAND_SIZES])


@device
def top_of(view: View) -> int:
    """Top card of the discard pile."""
    top = 0
    while view[TOP + top] == 0:
        top += 1
    return top


@device
def copies_of_number(view: View, card: int) -> int:
    """Own cards of a card's number (or 50s), the card itself counted."""
    copies = 0
    for other in range(Card.HAPPY_MAN):
        if NUMBER_OF[other] == NUMBER_OF[card]:
            copies += int(view[HAND + other])
    return copies


@device
def laid_together(view: View, card: int, top: int) -> int:
    """How many cards go when a card is laid on `top` with all that may join it."""
    if card < Card.HAPPY_MAN and FIT[top, card] == Fit.MULTIPLES:
        return copies_of_number(view, card)
    return 1


@device
def closest_other(view: View) -> int:
    """Steps to the smallest other hand that is not empty; 0 when all are."""
    whose = 0
    for steps in range(1, MAX_PLAYERS):
        size = int(view[HAND_SIZES + steps])
        if size > 0 and (whose == 0 or size < view[HAND_SIZES + whose]):
            whose = steps
    return whose


@device
def smallest_other(view: View) -> int:
    """Cards in the smallest other hand that is not empty; NOBODY_HOLDS when all are."""
    whose = closest_other(view)
    return NOBODY_HOLDS if whose == 0 else int(view[HAND_SIZES + whose])


@device
def settled(view: View, mask: Mask) -> int:
    """The move that needs no style: win, take a demand, drop the rest of a multiple; else NONE.

    A demand is passed on only by whoever wins with the next turn.
    """
    if mask[Action.LAY + Card.GOLDEN]:
        return Action.LAY + Card.GOLDEN
    if view[PHASE + Phase.DEMAND]:
        return Action.PASS if mask[Action.PASS] and holds_only_golden(view) else Action.TAKE
    if view[PHASE + Phase.MULTIPLE]:
        for card in range(Card.HAPPY_MAN):
            if mask[Action.LAY + card]:
                return Action.LAY + card
        return Action.END
    return NONE


@device
def draw_or_end(mask: Mask) -> int:
    """Draw while it is possible, else end the turn."""
    return Action.DRAW if mask[Action.DRAW] else Action.END


@device
def best_lay(view: View, mask: Mask, card_worth: int, ballast: int) -> int:
    """The number card, 50 or Happy-Man card whose laying sheds most.

    card_worth: points that one card less is worth beside its own points.
    ballast: points that keeping a 0 is worth.
    """
    top, best, most = top_of(view), NONE, 0
    for card in range(Card.GOLDEN):
        if mask[Action.LAY + card]:
            each = int(POINTS[card]) - (ballast if NUMBER_OF[card] == 0 else 0)
            worth = laid_together(view, card, top) * (card_worth + each)
            if best == NONE or worth > most:
                best, most = Action.LAY + card, worth
    return best


@device
def draw_from_hands(view: View, mask: Mask, steal_at: int, bless_at: int) -> int:
    """A card that draws from other hands, once they are small enough for a Golden 12.

    steal_at: cards in the next hand from which Karte ziehen is laid.
    bless_at: cards in any other hand from which Kartensegen is laid.
    """
    if mask[Action.LAY + Card.STEAL] and 0 < view[HAND_SIZES + 1] <= steal_at:
        return Action.LAY + Card.STEAL
    if mask[Action.LAY + Card.BLESSING] and smallest_other(view) <= bless_at:
        return Action.LAY + Card.BLESSING
    return NONE


@device
def swap_for_last_card(view: View, mask: Mask) -> int:
    """A swap with whoever holds a single card: it may be the Golden 12 that ends the round."""
    whose = closest_other(view)
    if whose > 0 and view[HAND_SIZES + whose] == 1 and mask[Action.LAY_SWAP + whose - 1]:
        return Action.LAY_SWAP + whose - 1
    return NONE


@device
def swap_with_smaller(view: View, mask: Mask, gap: int) -> int:
    """A swap with the smallest other hand, once the own one has `gap` cards more; else NONE."""
    whose = closest_other(view)
    larger = int(view[HAND_SIZES]) >= int(view[HAND_SIZES + whose]) + gap
    if whose > 0 and larger and mask[Action.LAY_SWAP + whose - 1]:
        return Action.LAY_SWAP + whose - 1
    return NONE


@device
def any_action_card(mask: Mask) -> int:
    """A Karte ziehen, else a Kartensegen: after it every card fits."""
    if mask[Action.LAY + Card.STEAL]:
        return Action.LAY + Card.STEAL
    return Action.LAY + Card.BLESSING if mask[Action.LAY + Card.BLESSING] else NONE
