"""What the scripted agents of Auruxxx share: reading an observation, comparing lays and thefts.

Functions that choose return an action, or NONE when nothing fits the purpose. Steps are seats
clockwise from the own one.
"""

from ....envs.auruxxx.observation import Place
from ....envs.auruxxx.rules import FIT, MAX_PLAYERS, NUM_CARDS, NUMBER_OF, POINTS, Action, Card, Fit
from ....envs.auruxxx.state import Phase
from ....envs.engine.compile import device
from ..observed import NONE, Mask, Raw, first_of, place_in


@device
def golden_in(raw: Raw) -> int:
    """Return the number of Golden 12s in the own hand."""
    return int(raw[Place.HAND + Card.GOLDEN])


@device
def holds_only_golden(raw: Raw) -> bool:
    """Return whether the next turn wins the round, if nobody steals before."""
    return bool(
        raw[Place.HAND_SIZES] > 0 and raw[Place.HAND + Card.GOLDEN] == raw[Place.HAND_SIZES]
    )


@device
def top_of(raw: Raw) -> int:
    """Return the top card of the discard pile."""
    return place_in(raw, Place.TOP, NUM_CARDS)


@device
def copies_of_number(raw: Raw, card: int) -> int:
    """Return the own cards of a card's number (or 50s), the card itself counted."""
    copies = 0
    for other in range(Card.HAPPY_MAN):
        if NUMBER_OF[other] == NUMBER_OF[card]:
            copies += int(raw[Place.HAND + other])
    return copies


@device
def laid_together(raw: Raw, card: int, top: int) -> int:
    """Return how many cards go when a card is laid on `top` with all that may join it."""
    if card < Card.HAPPY_MAN and FIT[top, card] == Fit.MULTIPLES:
        return copies_of_number(raw, card)
    return 1


@device
def closest_other(raw: Raw) -> int:
    """Return the steps to the smallest other hand that is not empty; 0 when all are."""
    nearest = 0
    for steps in range(1, MAX_PLAYERS):
        size = int(raw[Place.HAND_SIZES + steps])
        if size > 0 and (nearest == 0 or size < raw[Place.HAND_SIZES + nearest]):
            nearest = steps
    return nearest


@device
def forced_action(raw: Raw, mask: Mask) -> int:
    """Return the action that wins, takes a demand or drops the rest of a multiple, else NONE.

    A demand is passed on only by whoever wins with the next turn.
    """
    if mask[Action.LAY + Card.GOLDEN]:
        return Action.LAY + Card.GOLDEN
    if raw[Place.PHASE + Phase.DEMAND]:
        return Action.PASS if mask[Action.PASS] and holds_only_golden(raw) else Action.TAKE
    if raw[Place.PHASE + Phase.MULTIPLE]:
        lay = first_of(mask, Action.LAY, Action.LAY + Card.HAPPY_MAN)
        return Action.END if lay == NONE else lay
    return NONE


@device
def draw_or_end(mask: Mask) -> int:
    """Return the draw while it is legal, else the end of the turn.

    Where neither is legal, since laying is forced (A2.6, A5.2), return the first lay.
    """
    return Action.DRAW if mask[Action.DRAW] else first_of(mask, Action.END, len(mask))


@device
def best_lay(raw: Raw, mask: Mask, card_value: int, zero_value: int) -> int:
    """Return the lay of a number card, 50 or Happy-Man card that sheds most.

    Args:
        raw: The observation.
        mask: The legal actions.
        card_value: Points for one card less in the hand, beside its own points.
        zero_value: Points for keeping a 0.
    """
    top, best, most = top_of(raw), NONE, 0
    for card in range(Card.GOLDEN):
        if mask[Action.LAY + card]:
            points = int(POINTS[card]) - (zero_value if NUMBER_OF[card] == 0 else 0)
            value = laid_together(raw, card, top) * (card_value + points)
            if best == NONE or value > most:
                best, most = Action.LAY + card, value
    return best


@device
def draw_from_hands(raw: Raw, mask: Mask, most: int) -> int:
    """Return a lay that draws from other hands, once one of them has `most` cards or fewer.

    Karte ziehen draws from the next hand, Kartensegen from all.
    """
    if mask[Action.LAY + Card.STEAL] and 0 < raw[Place.HAND_SIZES + 1] <= most:
        return Action.LAY + Card.STEAL
    nearest = closest_other(raw)
    small = nearest > 0 and raw[Place.HAND_SIZES + nearest] <= most
    if mask[Action.LAY + Card.BLESSING] and small:
        return Action.LAY + Card.BLESSING
    return NONE


@device
def swap_for_last_card(raw: Raw, mask: Mask) -> int:
    """Return the swap with whoever holds one card: it may be the Golden 12 that ends the round."""
    nearest = closest_other(raw)
    if nearest > 0 and raw[Place.HAND_SIZES + nearest] == 1 and mask[Action.LAY_SWAP + nearest - 1]:
        return Action.LAY_SWAP + nearest - 1
    return NONE


@device
def swap_with_smaller(raw: Raw, mask: Mask, gap: int) -> int:
    """Return the swap with the smallest other hand, once the own one has `gap` cards more."""
    nearest = closest_other(raw)
    larger = int(raw[Place.HAND_SIZES]) >= int(raw[Place.HAND_SIZES + nearest]) + gap
    if nearest > 0 and larger and mask[Action.LAY_SWAP + nearest - 1]:
        return Action.LAY_SWAP + nearest - 1
    return NONE


@device
def any_action_card(mask: Mask) -> int:
    """Return the lay of a Karte ziehen, else of a Kartensegen: after it every card fits."""
    if mask[Action.LAY + Card.STEAL]:
        return Action.LAY + Card.STEAL
    return Action.LAY + Card.BLESSING if mask[Action.LAY + Card.BLESSING] else NONE


@device
def action_card_or_draw(mask: Mask) -> int:
    """Return the lay of an action card, else the draw or the end of the turn (`draw_or_end`)."""
    action = any_action_card(mask)
    return draw_or_end(mask) if action == NONE else action
