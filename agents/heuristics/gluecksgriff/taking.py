"""Which card a scripted agent of Glücksgriff takes, and what it does about a Magic Hand."""

from ....envs.engine.compile import device
from ....envs.gluecksgriff.observation import Place
from ....envs.gluecksgriff.rules import MAX_PLAYERS, NUM_CARDS, VALUES, Action
from ..observed import NONE, Mask, Raw, first_of
from .hands import HeuristicWeights, StyleSettings, added_cost, points_of
from .opponents import honesty_percent

# --- Taking a card -------------------------------------------------------------------------------


@device
def best_card(raw: Raw, mask: Mask, weights: HeuristicWeights, draw: int) -> int:
    """Return the action that takes the card of the least cost: an open one, a grab or a draw."""
    best, least = Action.DRAW + 0, draw
    if not mask[Action.DRAW]:  # the second card of challenge_prize=both (G7.5)
        best, least = first_of(mask, Action.GRAB, Action.EFFECT), 1000
    for value in range(VALUES):
        action = action_for(raw, mask, value)
        if action != NONE:
            cost = added_cost(raw, weights, value)
            if cost < least:
                best, least = action, cost
    return best


@device
def cheapest_open_card(raw: Raw) -> int:
    """Return the points of the lowest card that could be taken off the play; 1000 for none."""
    for value in range(VALUES):
        if raw[Place.PLAY_TOP + value] and not raw[Place.OWN_ENDS]:
            return value
        if raw[Place.PLAY_BOTTOM + value] and not raw[Place.OWN_ENDS + 1]:
            return value
    return 1000


@device
def action_for(raw: Raw, mask: Mask, value: int) -> int:
    """Return an action that takes a card of a value, or NONE."""
    if mask[Action.GRAB + value]:
        return int(Action.GRAB + value)
    if raw[Place.PLAY_TOP + value]:
        if mask[Action.TAKE]:
            return Action.TAKE
        if mask[Action.TAKE_HIGH]:
            return Action.TAKE_HIGH
    if raw[Place.PLAY_BOTTOM + value] and mask[Action.TAKE_LOW]:
        return Action.TAKE_LOW
    for steps in range(1, MAX_PLAYERS):
        if mask[Action.PICK + steps - 1] and raw[Place.OPEN + steps * NUM_CARDS + value]:
            return Action.PICK + steps - 1
    return NONE


# --- The Magic Hand, with bluffing ---------------------------------------------------------------


@device
def open_card(raw: Raw, mask: Mask, style: StyleSettings) -> int:
    """Return the action that lays the lowest card open, or a bluffer's highest one (G7.1)."""
    sign = 1 if 0 < style.bluff_from <= raw[Place.HAND_SIZES] else -1
    best, most = NONE, 0
    for card in range(NUM_CARDS):
        if mask[Action.OPEN + card]:
            points = sign * points_of(raw, card)
            if best == NONE or points > most:
                best, most = Action.OPEN + card, points
    return best


@device
def best_challenge(raw: Raw, mask: Mask, style: StyleSettings) -> int:
    """Return the challenge of the player least likely to be honest, NONE if all are likely."""
    best, least = NONE, style.challenge_below
    for steps in range(1, MAX_PLAYERS):
        if mask[Action.CHALLENGE + steps - 1]:
            chance = honesty_percent(raw, steps)
            if chance < least:
                best, least = Action.CHALLENGE + steps - 1, chance
    return best
