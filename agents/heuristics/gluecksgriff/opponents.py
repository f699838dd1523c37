"""Opponent model of the scripted agents of Glücksgriff: the others' hands, calls and bluffs.

Tips: "Set a threshold for the call", "Watch what is taken openly" (docs/rules/gluecksgriff.md).
"""

import numpy as np

from ....envs.engine.compile import device
from ....envs.gluecksgriff.observation import Place
from ....envs.gluecksgriff.rules import FEW_POINTS, MAX_PLAYERS, NUM_CARDS, POINTS, VALUES, Card
from ..observed import NONE, Raw

# How often, in percent, somebody with so many cards (row 1 for one card, ..., the last for more)
# came down to the caller's points (column 0 to 6) in their last turn. Counted over 50,000 calls in
# games of 2 and of 4 agents that called as soon as they could and declined last turns.
RISK = np.array(
    [
        [100, 100, 100, 100, 100, 100, 100],
        [10, 25, 40, 48, 59, 69, 77],
        [3, 6, 13, 21, 27, 37, 46],
        [1, 3, 5, 10, 14, 22, 28],
        [0, 1, 3, 5, 7, 11, 16],
        [0, 1, 1, 2, 4, 6, 9],
        [0, 0, 1, 1, 2, 3, 5],
        [0, 0, 0, 0, 0, 1, 2],
    ],
    np.int32,
)
LAST_TURN = 3  # points that a hand keeps through its last turn, beside UNSEEN for each card
UNSEEN = 2  # points left of a card that nobody has seen: people keep low ones
COPIES = 4  # copies of each card in the box, but for the one Magic Hand


@device
def call_percent(raw: Raw) -> int:
    """Return the chance, in percent, that a call is right, by the sizes of the others' hands."""
    points = min(int(raw[Place.HAND_POINTS]), FEW_POINTS - 1)
    chance = 100
    for steps in range(1, MAX_PLAYERS):
        size = min(int(raw[Place.HAND_SIZES + steps]), len(RISK) - 1)
        if size > 0:
            chance = chance * (100 - int(RISK[size, points])) // 100
    return chance


@device
def known_cards(raw: Raw, steps: int) -> int:
    """Return the number of cards known of the hand some steps clockwise."""
    cards = 0
    for card in range(NUM_CARDS):
        cards += int(raw[Place.KNOWN + (steps - 1) * NUM_CARDS + card])
    return cards


@device
def are_hands_known(raw: Raw, most: int) -> bool:
    """Return whether every card of the others is known, and nobody holds more than `most`."""
    for steps in range(1, MAX_PLAYERS):
        size = int(raw[Place.HAND_SIZES + steps])
        if size > most or known_cards(raw, steps) < size:
            return False
    return True


@device
def least_expected_points(raw: Raw) -> int:
    """Return the points that the best of the others is expected to keep, by its known cards."""
    least = 1000
    for steps in range(1, MAX_PLAYERS):
        if raw[Place.HAND_SIZES + steps] == 0:
            continue
        points = LAST_TURN + UNSEEN * (int(raw[Place.HAND_SIZES + steps]) - known_cards(raw, steps))
        for card in range(Card.BLANK):
            points += int(POINTS[card]) * int(raw[Place.KNOWN + (steps - 1) * NUM_CARDS + card])
        least = min(least, points)
    return least


@device
def mean_unseen_points(raw: Raw) -> int:
    """Return the mean points of the unseen cards of the box."""
    points, cards = 0, 0
    for card in range(Card.BLANK):
        left = COPIES if card < Card.MAGIC_HAND else 1
        left -= int(raw[Place.HAND + card]) + int(raw[Place.DISCARD + card])
        for steps in range(1, MAX_PLAYERS):
            left -= int(raw[Place.KNOWN + (steps - 1) * NUM_CARDS + card])
        if left > 0:
            points += left * int(POINTS[card])
            cards += left
    return points // max(cards, 1)


@device
def honesty_percent(raw: Raw, steps: int) -> int:
    """Return the chance, in percent, that a random hand of that size holds no lower card.

    Lower than the open card of the player some steps clockwise; 0 if it is known to hold one.
    """
    opened = NONE
    for card in range(Card.BLANK):
        if raw[Place.OPEN + steps * NUM_CARDS + card]:
            opened = int(POINTS[card])
    chance = 100
    for card in range(Card.BLANK):
        if POINTS[card] < opened and raw[Place.KNOWN + (steps - 1) * NUM_CARDS + card] > 0:
            return 0
    for _ in range(int(raw[Place.HAND_SIZES + steps])):
        chance = chance * (VALUES - min(opened, VALUES - 1)) // VALUES
    return chance
