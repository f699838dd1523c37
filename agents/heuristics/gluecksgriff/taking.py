"""Which card a player of Glücksgriff takes, and what he does about a Magic Hand."""

from goldgriff.agents.heuristics.gluecksgriff.hands import (
    NONE,
    HeuristicWeights,
    Mask,
    StyleSettings,
    View,
    points_of,
    price,
)
from goldgriff.agents.heuristics.gluecksgriff.others import chance_of_honesty
from goldgriff.envs.engine.compile import rule
from goldgriff.envs.gluecksgriff.observation import HAND_SIZES, OPEN_CARDS, PLAY_BOTTOM, PLAY_TOP
from goldgriff.envs.gluecksgriff.rules import (
    CHALLENGE,
    DRAW,
    GRAB,
    MAX_PLAYERS,
    NUM_CARDS,
    OPEN,
    PICK,
    TAKE,
    TAKE_HIGH,
    TAKE_LOW,
    VALUES,
)

# --- Taking a card -------------------------------------------------------------------------------


@rule
def best_card(view: View, mask: Mask, taste: HeuristicWeights) -> int:
    """Take the card that costs least: an open one, one out of a hand, or what may be drawn."""
    best, least = DRAW, taste.draw
    for value in range(VALUES):
        action = way_to(view, mask, value)
        if action != NONE:
            cost = price(view, taste, value)
            if cost < least:
                best, least = action, cost
    return best


@rule
def way_to(view: View, mask: Mask, value: int) -> int:
    """An action that takes a card of a value, NONE when there is none."""
    if mask[GRAB + value]:
        return int(GRAB + value)
    if view[PLAY_TOP + value]:
        if mask[TAKE]:
            return TAKE
        if mask[TAKE_HIGH]:
            return TAKE_HIGH
    if view[PLAY_BOTTOM + value] and mask[TAKE_LOW]:
        return TAKE_LOW
    for steps in range(1, MAX_PLAYERS):
        if mask[PICK + steps - 1] and view[OPEN_CARDS + steps * NUM_CARDS + value]:
            return PICK + steps - 1
    return NONE


# --- The Magic Hand, with bluffing ---------------------------------------------------------------


@rule
def open_card(view: View, mask: Mask, style: StyleSettings) -> int:
    """Lay the lowest card open, as the rules want it; a bluffer lays the highest while he dares."""
    sign = 1 if 0 < style.bluff <= view[HAND_SIZES] else -1
    best, most = NONE, 0
    for card in range(NUM_CARDS):
        if mask[OPEN + card]:
            worth = sign * points_of(view, card)
            if best == NONE or worth > most:
                best, most = OPEN + card, worth
    return best


@rule
def best_challenge(view: View, mask: Mask, style: StyleSettings) -> int:
    """Challenge whoever is least likely to be honest, if that is unlikely enough."""
    best, least = NONE, style.doubt
    for steps in range(1, MAX_PLAYERS):
        if mask[CHALLENGE + steps - 1]:
            chance = chance_of_honesty(view, steps)
            if chance < least:
                best, least = CHALLENGE + steps - 1, chance
    return best
