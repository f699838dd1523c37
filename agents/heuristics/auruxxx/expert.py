"""The expert: values every lay, theft and swap in points and takes the highest.

It joins the tips of all styles (docs/rules/auruxxx.md, "Strategy"): Steal; Build multiples; Keep
zeros; Hand over a big hand; Keep points low. It saves an action card only as long as another lay
has a higher value. The values were tuned by duplicate play against itself, the styles and its
predecessor: one for two players, where every card given or stolen concerns the only opponent, and
one for more.
"""

import numpy as np

from ....envs.auruxxx.observation import Place
from ....envs.auruxxx.rules import MAX_PLAYERS, NUM_CARDS, NUMBER_OF, POINTS, Action, Card
from ....envs.auruxxx.summary import FITS_ON
from ....envs.engine.compile import device
from ..observed import NONE, Mask, Raw
from . import hands

# Values in points: (with two players, with more).
CARD = (5, 4)  # one card less in the hand, beside its own points
CARD_WITH_GOLDEN = (13, 10)  # the same on the way to win: a Golden 12 is in the hand
FIGURE_TAKEN = (8, 16)  # the figure, which halves the points
TWO = (31, 0)  # every 2 laid: the next player takes two cards
TWO_KEPT = (26, 17)  # a 2 kept for last, since it fits on everything
ZERO_KEPT = (4, 9)  # a 0 kept as harmless ballast
MULTIPLE_KEPT = (3, 8)  # a number not laid alone, for each twin that could go with it
FITTING_KEPT = (5, 4)  # with a Golden 12: a card kept for each 10 number cards it fits on
STEAL_LAID = (14, 19)  # a Karte ziehen laid: its own 25 points less, but not saved for later
BLESSING_LAID = (29, 22)  # a Kartensegen laid
SWAP_LAID = (33, 0)  # a Kartentausch laid
STOLEN = (48, 0)  # a last card drawn by Karte ziehen; of two cards half of it, and so on
BLESSED = (43, 60)  # the same by Kartensegen
SWAPPED = (114, 61)  # the same by Kartentausch
GOLDEN_GIVEN = (31, 33)  # a Golden 12 lost by a Kartentausch
DRAWN = (-5, -60)  # a card from the pile: nothing of a lower value is done
CARD_TAKEN = (25, 17)  # what a card from another hand costs, as far as points go

ORDINARY_FIT = 26  # number cards, of 65, that a usual card fits on
GOLDEN_TWELVES = 5  # in the box; what is in the own hand cannot be stolen


def expert(raw: Raw, mask: Mask, _random_bits: np.uint64) -> int:
    """Choose the lay, theft or swap of the highest value, or draw."""
    action = hands.forced_action(raw, mask)
    if action != NONE:
        return action
    column = 0 if raw[Place.PLAYERS] == 1 else 1
    best, most = hands.draw_or_end(mask), DRAWN[column]
    top = hands.top_of(raw)
    if best >= Action.LAY:  # laying is forced, whatever its value (A2.6, A5.2)
        most = action_value(raw, best, top, column)
    for lay in range(Action.LAY, Action.LAY_SWAP + MAX_PLAYERS - 1):
        if mask[lay]:
            value = action_value(raw, lay, top, column)
            if value > most:
                best, most = lay, value
    return best


@device
def action_value(raw: Raw, action: int, top: int, column: int) -> int:
    """Return the value of a lay, a theft or a swap, `top` being on the discard pile."""
    if action >= Action.LAY_SWAP:
        return swap_value(raw, action - Action.LAY_SWAP + 1, column)
    if action == Action.LAY + Card.STEAL:
        return steal_value(raw, column)
    if action == Action.LAY + Card.BLESSING:
        return blessing_value(raw, column)
    return lay_value(raw, action - Action.LAY, top, column)


@device
def card_value(raw: Raw, column: int) -> int:
    """Return the value of one card less, beside its points."""
    return CARD_WITH_GOLDEN[column] if hands.golden_in(raw) > 0 else CARD[column]


@device
def lay_value(raw: Raw, card: int, top: int, column: int) -> int:
    """Return the value of laying a card on `top`, with all that may be laid along with it."""
    together = hands.laid_together(raw, card, top)
    value = together * (card_value(raw, column) + int(POINTS[card]))
    if hands.golden_in(raw) > 0:
        value -= FITTING_KEPT[column] * (int(FITS_ON[card]) - ORDINARY_FIT) // 10
    if card >= Card.HAPPY_MAN:
        return value + (FIGURE_TAKEN[column] if raw[Place.FIGURE] == 0 else 0)
    if NUMBER_OF[card] == 2:
        value += together * TWO[column]
        if hands.golden_in(raw) > 0:
            value -= TWO_KEPT[column]
    if NUMBER_OF[card] == 0:
        value -= ZERO_KEPT[column]
    if together == 1:  # Build multiples
        value -= MULTIPLE_KEPT[column] * (hands.copies_of_number(raw, card) - 1)
    return value


@device
def follow_up_value(raw: Raw, column: int) -> int:
    """Return the value of the best lay after an action card, on which everything fits."""
    most = 0
    for card in range(Card.GOLDEN):
        if raw[Place.HAND + card] > 0:
            most = max(most, lay_value(raw, card, Card.STEAL, column))
    return most


@device
def draw_value(raw: Raw, steps: int, value: int) -> int:
    """Return the value of drawing from a hand, `value` being that of a last card.

    The more cards the hand has, the less likely is a Golden 12; the same with each in the own hand.
    """
    elsewhere = max(GOLDEN_TWELVES - hands.golden_in(raw), 0)
    return value * elsewhere // (GOLDEN_TWELVES * int(raw[Place.HAND_SIZES + steps]))


@device
def steal_value(raw: Raw, column: int) -> int:
    """Return the value of a Karte ziehen now (Steal)."""
    value = follow_up_value(raw, column) + STEAL_LAID[column]
    if raw[Place.HAND_SIZES + 1] > 0:
        value += draw_value(raw, 1, STOLEN[column])
    return value


@device
def blessing_value(raw: Raw, column: int) -> int:
    """Return the value of a Kartensegen now: a card from each, for better or worse."""
    value = follow_up_value(raw, column) + BLESSING_LAID[column]
    for steps in range(1, MAX_PLAYERS):
        if raw[Place.HAND_SIZES + steps] > 0:
            value += draw_value(raw, steps, BLESSED[column])
            value -= card_value(raw, column) + CARD_TAKEN[column]
    return value


@device
def swap_value(raw: Raw, steps: int, column: int) -> int:
    """Return the value of swapping hands with a player (Steal; Hand over a big hand)."""
    theirs = int(raw[Place.HAND_SIZES + steps])
    value = (int(raw[Place.HAND_SIZES]) - 1 - theirs) * card_value(raw, column)
    for card in range(NUM_CARDS):
        if card != Card.GOLDEN:
            value += int(raw[Place.HAND + card]) * int(POINTS[card])
    value += SWAP_LAID[column] - int(POINTS[Card.SWAP]) - theirs * CARD_TAKEN[column]
    if theirs > 0:
        value += draw_value(raw, steps, SWAPPED[column])
    return value - (GOLDEN_GIVEN[column] if hands.golden_in(raw) > 0 else 0)
