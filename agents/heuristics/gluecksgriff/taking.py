"""Which card a scripted agent of Glücksgriff takes, and what it does about a Magic Hand."""

from ....envs.engine.compile import device
from ....envs.gluecksgriff import observation as obs
from ....envs.gluecksgriff.rules import MAX_PLAYERS, NUM_CARDS, VALUES, Action
from .hands import NONE, HeuristicWeights, Mask, Raw, StyleSettings, added_cost, points_of
from .opponents import honesty_percent

# --- Taking a card -------------------------------------------------------------------------------


@device
def best_card(raw: Raw, mask: Mask, weights: HeuristicWeights, draw: int) -> int:
    """Take the card of the least cost: an open one, one out of a hand, or by drawing."""
    best, least = Action.DRAW + 0, draw
    for value in range(VALUES):
        action = action_for(raw, mask, value)
        if action != NONE:
            cost = added_cost(raw, weights, value)
            if cost < least:
                best, least = action, cost
    return best


@device
def action_for(raw: Raw, mask: Mask, value: int) -> int:
    """Return an action that takes a card of a value, or NONE."""
    if mask[Action.GRAB + value]:
        return int(Action.GRAB + value)
    if raw[obs.PLAY_TOP + value]:
        if mask[Action.TAKE]:
            return Action.TAKE
        if mask[Action.TAKE_HIGH]:
            return Action.TAKE_HIGH
    if raw[obs.PLAY_BOTTOM + value] and mask[Action.TAKE_LOW]:
        return Action.TAKE_LOW
    for steps in range(1, MAX_PLAYERS):
        if mask[Action.PICK + steps - 1] and raw[obs.OPEN_CARDS + steps * NUM_CARDS + value]:
            return Action.PICK + steps - 1
    return NONE


# --- The Magic Hand, with bluffing ---------------------------------------------------------------


@device
def open_card(raw: Raw, mask: Mask, style: StyleSettings) -> int:
    """Lay the lowest card open, as the rules want it; a bluffer lays the highest."""
    sign = 1 if 0 < style.bluff_from <= raw[obs.HAND_SIZES] else -1
    best, most = NONE, 0
    for card in range(NUM_CARDS):
        if mask[Action.OPEN + card]:
            points = sign * points_of(raw, card)
            if best == NONE or points > most:
                best, most = Action.OPEN + card, points
    return best


@device
def best_challenge(raw: Raw, mask: Mask, style: StyleSettings) -> int:
    """Challenge whoever is least likely to be honest, if that is unlikely enough."""
    best, least = NONE, style.challenge_below
    for steps in range(1, MAX_PLAYERS):
        if mask[Action.CHALLENGE + steps - 1]:
            chance = honesty_percent(raw, steps)
            if chance < least:
                best, least = Action.CHALLENGE + steps - 1, chance
    return best
