"""The expert: weighs every lay, theft and swap against each other, in points.

It joins the tips of all styles (docs/rules/auruxxx.md, "Strategy"). The worths were tuned by
duplicate play against itself, the styles and its predecessor: one value for two players, where
every card given or stolen concerns the only rival, and one for more.
"""

import numpy as np

from ....envs.auruxxx.observation import FIGURE, HAND, HAND_SIZES, PLAYERS
from ....envs.auruxxx.rules import (
    FIT,
    MAX_PLAYERS,
    NUM_CARDS,
    NUMBER_OF,
    POINTS,
    Action,
    Card,
    Fit,
)
from ....envs.engine.compile import device
from ....envs.policy import CompiledPolicy
from .hands import (
    NONE,
    Mask,
    View,
    copies_of_number,
    draw_or_end,
    golden_in,
    laid_together,
    settled,
    top_of,
)

# What something is worth, in points: (with two players, with more).
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
DRAWN = (-5, -60)  # a card from the pile: what is worth less than this is not done
CARD_TAKEN = (25, 17)  # what a card from another hand costs, as far as points go

ORDINARY_FIT = 26  # number cards, of 65, that a usual card fits on
GOLDEN_TWELVES = 5  # in the box; what is in the own hand cannot be stolen

FITS_ON = np.array(
    [(FIT[: Card.FIFTY, card] != Fit.NO).sum() for card in range(NUM_CARDS)], np.int64
)


class Expert(CompiledPolicy):
    """Tips: Steal; Build multiples; Keep zeros; Hand over a big hand; Keep points low.

    It saves an action card only as long as another lay is worth more.
    """

    def __init__(self) -> None:
        super().__init__(decide)


def decide(view: View, mask: Mask, _random_bits: np.uint64) -> int:
    """Choose an action for one decision."""
    move = settled(view, mask)
    if move != NONE:
        return move
    many = 0 if view[PLAYERS] == 1 else 1  # the column of the worths
    best, most = draw_or_end(mask), DRAWN[many]
    top = top_of(view)
    for action in range(Action.LAY, Action.LAY_SWAP + MAX_PLAYERS - 1):
        if mask[action]:
            worth = worth_of(view, action, top, many)
            if worth > most:
                best, most = action, worth
    return best


@device
def worth_of(view: View, action: int, top: int, many: int) -> int:
    """Worth of a lay, a theft or a swap, `top` being on the discard pile."""
    if action >= Action.LAY_SWAP:
        return worth_of_swapping(view, action - Action.LAY_SWAP + 1, many)
    if action == Action.LAY + Card.STEAL:
        return worth_of_stealing(view, many)
    if action == Action.LAY + Card.BLESSING:
        return worth_of_blessing(view, many)
    return worth_of_laying(view, action - Action.LAY, top, many)


@device
def card_worth(view: View, many: int) -> int:
    """What one card less is worth now, beside its points."""
    return CARD_WITH_GOLDEN[many] if golden_in(view) > 0 else CARD[many]


@device
def worth_of_laying(view: View, card: int, top: int, many: int) -> int:
    """Worth of laying a card on `top`, with all that may be laid along with it."""
    together = laid_together(view, card, top)
    worth = together * (card_worth(view, many) + int(POINTS[card]))
    if golden_in(view) > 0:
        worth -= FITTING_KEPT[many] * (int(FITS_ON[card]) - ORDINARY_FIT) // 10
    if card >= Card.HAPPY_MAN:
        return worth + (FIGURE_TAKEN[many] if view[FIGURE] == 0 else 0)
    if NUMBER_OF[card] == 2:
        worth += together * TWO[many]
        if golden_in(view) > 0:
            worth -= TWO_KEPT[many]
    if NUMBER_OF[card] == 0:
        worth -= ZERO_KEPT[many]
    if together == 1:  # Build multiples
        worth -= MULTIPLE_KEPT[many] * (copies_of_number(view, card) - 1)
    return worth


@device
def best_on_action_card(view: View, many: int) -> int:
    """Worth of the best lay that an action card makes room for: everything fits on it."""
    most = 0
    for card in range(Card.GOLDEN):
        if view[HAND + card] > 0:
            most = max(most, worth_of_laying(view, card, Card.STEAL, many))
    return most


@device
def last_card(view: View, steps: int, worth: int) -> int:
    """What drawing from a hand is worth, if its last card were worth `worth` and no own Golden 12.

    The more cards a hand has, the less likely is a Golden 12; and so with each in the own hand.
    """
    elsewhere = max(GOLDEN_TWELVES - golden_in(view), 0)
    return worth * elsewhere // (GOLDEN_TWELVES * int(view[HAND_SIZES + steps]))


@device
def worth_of_stealing(view: View, many: int) -> int:
    """Worth of a Karte ziehen now (Steal)."""
    worth = best_on_action_card(view, many) + STEAL_LAID[many]
    if view[HAND_SIZES + 1] > 0:
        worth += last_card(view, 1, STOLEN[many])
    return worth


@device
def worth_of_blessing(view: View, many: int) -> int:
    """Worth of a Kartensegen now: a card from each, for better or worse."""
    worth = best_on_action_card(view, many) + BLESSING_LAID[many]
    for steps in range(1, MAX_PLAYERS):
        if view[HAND_SIZES + steps] > 0:
            worth += last_card(view, steps, BLESSED[many])
            worth -= card_worth(view, many) + CARD_TAKEN[many]
    return worth


@device
def worth_of_swapping(view: View, steps: int, many: int) -> int:
    """Worth of swapping hands with a player (Steal; Hand over a big hand)."""
    theirs = int(view[HAND_SIZES + steps])
    worth = (int(view[HAND_SIZES]) - 1 - theirs) * card_worth(view, many)
    for card in range(NUM_CARDS):
        if card != Card.GOLDEN:
            worth += int(view[HAND + card]) * int(POINTS[card])
    worth += SWAP_LAID[many] - int(POINTS[Card.SWAP]) - theirs * CARD_TAKEN[many]
    if theirs > 0:
        worth += last_card(view, steps, SWAPPED[many])
    return worth - (GOLDEN_GIVEN[many] if golden_in(view) > 0 else 0)
