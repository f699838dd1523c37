"""A scripted player of Auruxxx that follows the booklets' strategy tips.

Each rule of thumb names the tip it comes from (docs/rules/auruxxx.md, "Strategy"). The numbers
were chosen by duplicate play against variants of itself with 2 and 4 players.
"""

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.auruxxx.observe import FIGURE, HAND, HAND_SIZES, PHASE, TOP
from goldgriff.envs.auruxxx.rules import (
    BLESSING,
    DRAW,
    END,
    FIT,
    GOLDEN,
    HAPPY,
    LAY,
    LAY_SWAP,
    MAX_PLAYERS,
    MULTIPLES,
    NUMBER_OF,
    PASS,
    POINTS,
    STEAL,
    TAKE,
)
from goldgriff.envs.auruxxx.state import DEMAND, MULTIPLE
from goldgriff.envs.core.compiled import kernel, rule
from goldgriff.envs.core.kernels import Features, Masks, Rows
from goldgriff.envs.core.policy import Views

View = NDArray[np.uint8]  # the features of one decision
Mask = NDArray[np.int8]

NONE = -1  # no action
CLOSE_TO_STEAL = 3  # cards in the next hand that make it worth drawing one from it
CLOSE_TO_BLESS = 2  # cards in any hand that make it worth drawing one from each
LAST_CARD = 1
BIG_HAND_GAP = 6  # cards more than the smallest hand that make a swap worth it
CARD_WORTH = 6  # points that one card less in the hand is worth
FIGURE_WORTH = 15  # points that the figure is worth
THREAT = 4  # cards in the next hand from which 2s are worth TWO_WORTH points more
TWO_WORTH = 8
ZERO_WORTH = 4  # points that a 0 is worth as harmless ballast


class Expert:
    """Sheds fast, steals the Golden 12 in the last moment, keeps its points low."""

    def act(self, views: Views) -> Rows:
        """Choose a legal action for each row, int64 (rows,)."""
        actions = np.empty(len(views), np.int64)
        choose_all(views.features, views.masks, actions)
        return actions


@kernel
def choose_all(features: Features, masks: Masks, actions: Rows) -> None:
    """Choose an action for each row."""
    for k in range(len(features)):
        actions[k] = choose(features[k], masks[k])


@rule
def choose(view: View, mask: Mask) -> int:
    """Choose an action for one decision."""
    if mask[LAY + GOLDEN]:
        return LAY + GOLDEN
    if view[PHASE + DEMAND]:  # two cards more may hold a Golden 12; a turn lost never does
        return PASS if mask[PASS] and holds_only_golden(view) else TAKE
    if view[PHASE + MULTIPLE]:  # Build multiples: drop all of the number at once
        more = best_lay(view, mask)
        return END if more == NONE else more
    theft = best_theft(view, mask)
    if theft != NONE:
        return theft
    lay = best_lay(view, mask)
    if lay != NONE:
        return lay
    if mask[DRAW]:
        return DRAW
    # Save action cards, but with nothing else to lay they help: anything fits on one.
    if mask[LAY + STEAL]:
        return LAY + STEAL
    return LAY + BLESSING if mask[LAY + BLESSING] else END


@rule
def holds_only_golden(view: View) -> bool:
    """Whether the next turn wins the round, if nobody steals before."""
    return bool(view[HAND_SIZES] > 0 and view[HAND + GOLDEN] == view[HAND_SIZES])


@rule
def best_theft(view: View, mask: Mask) -> int:
    """Choose the action card that may take a Golden 12 from whoever is about to lay one."""
    smallest, whose = 1000, 0
    for steps in range(1, MAX_PLAYERS):
        size = int(view[HAND_SIZES + steps])
        if 0 < size < smallest:
            smallest, whose = size, steps
    if whose == 0:
        return NONE
    if mask[LAY_SWAP + whose - 1]:
        size = int(view[HAND_SIZES]) - 1  # once the swap is laid
        golden = int(view[HAND + GOLDEN])
        nearer = golden == 0 or size - golden > smallest + 1
        # Steal: wait until he holds one card. Hand over a big hand.
        if smallest == LAST_CARD and size >= smallest and nearer:
            return LAY_SWAP + whose - 1
        if size + 1 - smallest >= BIG_HAND_GAP:
            return LAY_SWAP + whose - 1
    if mask[LAY + STEAL] and 0 < view[HAND_SIZES + 1] <= CLOSE_TO_STEAL:
        return LAY + STEAL
    return LAY + BLESSING if mask[LAY + BLESSING] and smallest <= CLOSE_TO_BLESS else NONE


@rule
def best_lay(view: View, mask: Mask) -> int:
    """Choose the number card, 50 or Happy-Man card that sheds most (Keep points low)."""
    top = 0
    while view[TOP + top] == 0:
        top += 1
    best, most = NONE, 0
    for card in range(GOLDEN):
        if mask[LAY + card]:
            worth = worth_of_laying(view, card, top)
            if best == NONE or worth > most:
                best, most = LAY + card, worth
    return best


@rule
def worth_of_laying(view: View, card: int, top: int) -> int:
    """Points that laying a card, with all that may be laid along with it, is worth."""
    together = 1
    if card < HAPPY and FIT[top, card] == MULTIPLES:
        together = 0
        for other in range(HAPPY):
            if NUMBER_OF[other] == NUMBER_OF[card]:
                together += int(view[HAND + other])
    worth = together * (CARD_WORTH + int(POINTS[card]))
    if card >= HAPPY and view[FIGURE] == 0:
        worth += FIGURE_WORTH
    if NUMBER_OF[card] == 2 and view[HAND_SIZES + 1] <= THREAT:
        worth += TWO_WORTH * together
    if NUMBER_OF[card] == 0:  # Keep zeros
        worth -= ZERO_WORTH
    return worth
