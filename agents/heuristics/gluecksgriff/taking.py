"""Which card a player of Glücksgriff takes, and what he does about a Magic Hand."""

from ....envs.engine.compile import device
from ....envs.gluecksgriff.observation import HAND_SIZES, OPEN_CARDS, PLAY_BOTTOM, PLAY_TOP
from ....envs.gluecksgriff.rules import MAX_PLAYERS, NUM_CARDS, VALUES, Action
from .hands import (
    NONE,
    HeuristicWeights,
    Mask,
    StyleSettings,
    View,
    points_of,
    price,
)
from .others import chance_of_honesty

# --- Taking a card -------------------------------------------------------------------------------


@device
def best_card(view: View, mask: Mask, taste: HeuristicWeights) -> int:
    """Take the card that costs least: an open one, one out of a hand, or what may be drawn."""
    best, least = Action.DRAW + 0, taste.draw
    for value in range(VALUES):
        action = way_to(view, mask, value)
        if action != NONE:
            cost = price(view, taste, value)
            if cost < least:
                best, least = action, cost
    return best


@device
def way_to(view: View, mask: Mask, value: int) -> int:
    """An action that takes a card of a value, NONE when there is none."""
    if mask[Action.GRAB + value]:
        return int(Action.GRAB + value)
    if view[PLAY_TOP + value]:
        if mask[Action.TAKE]:
            return Action.TAKE
        if mask[Action.TAKE_HIGH]:
            return Action.TAKE_HIGH
    if view[PLAY_BOTTOM + value] and mask[Action.TAKE_LOW]:
        return Action.TAKE_LOW
    for steps in range(1, MAX_PLAYERS):
        if mask[Action.PICK + steps - 1] and view[OPEN_CARDS + steps * NUM_CARDS + value]:
            return Action.PICK + steps - 1
    return NONE


# --- The Magic Hand, with bluffing ---------------------------------------------------------------


@device
def open_card(view: View, mask: Mask, style: StyleSettings) -> int:
    """Lay the lowest card open, as the rules want it; a bluffer lays the highest while he dares."""
    sign = 1 if 0 < style.bluff <= view[HAND_SIZES] else -1
    best, most = NONE, 0
    for card in range(NUM_CARDS):
        if mask[Action.OPEN + card]:
            worth = sign * points_of(view, card)
            if best == NONE or worth > most:
                best, most = Action.OPEN + card, worth
    return best


@device
def best_challenge(view: View, mask: Mask, style: StyleSettings) -> int:
    """Challenge whoever is least likely to be honest, if that is unlikely enough."""
    best, least = NONE, style.doubt
    for steps in range(1, MAX_PLAYERS):
        if mask[Action.CHALLENGE + steps - 1]:
            chance = chance_of_honesty(view, steps)
            if chance < least:
                best, least = Action.CHALLENGE + steps - 1, chance
    return best
