"""The scripted styles of Auruxxx, one compiled policy function each.

Each follows a tip or two of docs/rules/auruxxx.md, "Strategy". What they share is in `hands.py`.
"""

import numpy as np

from ....envs.auruxxx.observation import Place
from ....envs.auruxxx.rules import Action, Card
from ....envs.engine.compile import device
from ..observed import NONE, Mask, Raw, first_of
from . import hands

CARD_VALUE = 6  # points that one card less is worth to the hoarder, thief, builder and dealer


# --- Hoarder -------------------------------------------------------------------------------------

HOARDER_FULL = 8  # cards from which it stops to draw what it could do without
HOARDER_ZERO_VALUE = 10  # points for keeping a 0


def hoarder(raw: Raw, mask: Mask, _random_bits: np.uint64) -> int:
    """Choose by the tips Hoard and Keep zeros.

    Without a Golden 12 it makes both its draws before it lays. With one it draws only when it
    has to, and sheds; 0s go last.
    """
    action = hands.forced_action(raw, mask)
    if action == NONE:
        action = hands.swap_for_last_card(raw, mask)
    if action != NONE:
        return action
    full = raw[Place.HAND_SIZES] >= HOARDER_FULL
    if hands.golden_in(raw) == 0 and mask[Action.DRAW] and not full:  # Hoard
        return Action.DRAW
    action = hands.best_lay(raw, mask, CARD_VALUE, HOARDER_ZERO_VALUE)  # Keep zeros
    return hands.action_card_or_draw(mask) if action == NONE else action


# --- Thief ---------------------------------------------------------------------------------------

THIEF_LAST_CARD = 1  # cards in another hand that it waits for


def thief(raw: Raw, mask: Mask, _random_bits: np.uint64) -> int:
    """Choose by the tips Steal and Save action cards.

    It sheds, but lays no action card before somebody holds a single card; then it takes that card,
    by swapping or by drawing. For itself it lays one only with a Golden 12 in the hand and nothing
    else that fits.
    """
    action = hands.forced_action(raw, mask)
    if action == NONE:
        action = hands.swap_for_last_card(raw, mask)  # Steal: by swapping
    if action == NONE:
        action = hands.draw_from_hands(raw, mask, THIEF_LAST_CARD)  # Steal: by drawing
    if action == NONE:
        action = hands.best_lay(raw, mask, CARD_VALUE, 0)
    if action == NONE and hands.golden_in(raw) > 0:  # Save action cards, unless they block the win
        action = hands.any_action_card(mask)
    return hands.draw_or_end(mask) if action == NONE else action


# --- Bluffer -------------------------------------------------------------------------------------

BLUFFER_FEW = 4  # cards up to which it would rather pass than draw or take any
BLUFFER_GAP = 4  # cards more than the smallest other hand from which it swaps
BLUFFER_CARD_VALUE = 40  # points for one card less: two low cards before one high one


def bluffer(raw: Raw, mask: Mask, _random_bits: np.uint64) -> int:
    """Choose by the tip Bluff speed.

    It lays as many cards as it can, swaps into a smaller hand, and passes rather than let a small
    hand grow by drawing or taking. Whoever fears it wastes an action card.
    """
    action = hands.forced_action(raw, mask)
    if action == NONE:
        action = hands.swap_with_smaller(raw, mask, BLUFFER_GAP)
    if action == NONE:
        action = hands.best_lay(raw, mask, BLUFFER_CARD_VALUE, 0)
    if action == NONE:
        action = hands.any_action_card(mask)
    few = 0 < raw[Place.HAND_SIZES] <= BLUFFER_FEW
    if (action == NONE or action == Action.TAKE) and mask[Action.PASS] and few:
        return Action.PASS
    return hands.draw_or_end(mask) if action == NONE else action


# --- Builder -------------------------------------------------------------------------------------

BUILDER_LARGE = 6  # cards from which it waits for its multiples or lays an action card for them


def builder(raw: Raw, mask: Mask, _random_bits: np.uint64) -> int:
    """Choose by the tip Build multiples.

    It lays the largest multiple. With a large hand it lays no card that has a twin alone: it draws,
    or lays an action card, on which any multiple fits.
    """
    action = hands.forced_action(raw, mask)
    if action == NONE:
        action = hands.swap_for_last_card(raw, mask)
    if action == NONE:
        action = largest_multiple(raw, mask)
    if action != NONE:
        return action
    if raw[Place.HAND_SIZES] >= BUILDER_LARGE:
        action = hands.any_action_card(mask)
        if action != NONE and holds_multiple(raw):
            return action
        if mask[Action.DRAW] and hands.golden_in(raw) == 0:
            return Action.DRAW
    action = hands.best_lay(raw, mask, CARD_VALUE, 0)
    return hands.action_card_or_draw(mask) if action == NONE else action


@device
def largest_multiple(raw: Raw, mask: Mask) -> int:
    """Return the action that begins the largest multiple of two cards or more, or NONE."""
    top, best, most = hands.top_of(raw), NONE, 1
    for card in range(Card.HAPPY_MAN):
        if mask[Action.LAY + card]:
            together = hands.laid_together(raw, card, top)
            if together > most:
                best, most = Action.LAY + card, together
    return best


@device
def holds_multiple(raw: Raw) -> bool:
    """Return whether some number is in the hand twice or more."""
    largest = 1
    for card in range(Card.HAPPY_MAN):
        largest = max(largest, hands.copies_of_number(raw, card))
    return largest > 1


# --- Saver ---------------------------------------------------------------------------------------

SAVER_MANY = 4  # cards demanded that cost more than the 5 points of a pass
SAVER_GAP = 2  # cards more than the smallest other hand from which it swaps
SAVER_ZERO_VALUE = 5  # points for keeping a 0: it costs nothing at the end


def saver(raw: Raw, mask: Mask, _random_bits: np.uint64) -> int:
    """Choose by the tips Keep points low and Keep zeros.

    It lays what costs most: action cards at once, for they cost 25, then the highest points. It
    takes the figure when it can, since that halves them, and passes a large demand on.
    """
    if mask[Action.PASS] and raw[Place.DEMAND] >= SAVER_MANY:
        return Action.PASS
    action = hands.forced_action(raw, mask)
    if action == NONE and raw[Place.FIGURE] == 0:
        action = first_of(mask, Action.LAY + Card.HAPPY_MAN, Action.LAY + Card.GOLDEN)
    if action == NONE:
        action = hands.swap_with_smaller(raw, mask, SAVER_GAP)
    if action == NONE:
        action = hands.any_action_card(mask)
    if action == NONE:
        action = hands.best_lay(raw, mask, 0, SAVER_ZERO_VALUE)
    return hands.draw_or_end(mask) if action == NONE else action


# --- Dealer --------------------------------------------------------------------------------------

DEALER_GAP = 6  # cards more than the smallest other hand from which it swaps


def dealer(raw: Raw, mask: Mask, _random_bits: np.uint64) -> int:
    """Choose by the tip Hand over a big hand.

    With a Kartentausch and no Golden 12 it draws all it can, and swaps with the smallest hand
    once its own is much larger. Otherwise it sheds.
    """
    action = hands.forced_action(raw, mask)
    if action == NONE and raw[Place.HAND + Card.SWAP] > 0 and hands.golden_in(raw) == 0:
        action = hands.swap_with_smaller(raw, mask, DEALER_GAP)
        if action == NONE and mask[Action.DRAW]:
            action = Action.DRAW
    if action == NONE:
        action = hands.best_lay(raw, mask, CARD_VALUE, 0)
    return hands.action_card_or_draw(mask) if action == NONE else action
