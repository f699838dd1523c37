"""What cards are worth to a player of Glücksgriff: a taste, and a hand weighed by it.

Everything is in points. `weight` is what a hand costs its owner: the points in it and a charge for
each card, less what pairs and runs save when they are laid together.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....envs.engine.compile import device
from ....envs.gluecksgriff.observation import HAND, HAND_POINTS, PLAY_TOP, RUN_LOW
from ....envs.gluecksgriff.rules import NUM_CARDS, POINTS, VALUES, Card

View = NDArray[np.uint8]  # the features of one decision
Mask = NDArray[np.int8]

NONE = -1  # no action, no card
JOKER_POINTS = int(POINTS[Card.JOKER])


class HeuristicWeights(NamedTuple):
    """What a style of play holds dear, in points.

    card: that one card less in the hand is worth. pair: that a like of a card saves. run: that
    each card of three or more in a row saves. neighbours: that two in a row save. run_laid: that
    laying a run is worth beyond what it sheds. joker: that a joker kept is worth. draw: that a
    card drawn costs. knock: that a knock is worth beyond the card not drawn. hourglass,
    magic_hand: that playing one is worth beyond the points it sheds.
    """

    card: int
    pair: int
    run: int
    neighbours: int
    run_laid: int
    joker: int
    draw: int
    knock: int
    hourglass: int
    magic_hand: int


class StyleSettings(NamedTuple):
    """How a player plays: a taste for cards, and when to call, to heed and to bluff.

    call_at: points with which to call at most. call_odds: and the least chance, in percent, that
    the call is right. counts: 1 for a card counter, who calls when everybody is expected to keep
    at least `call_margin` points more than himself, and knows what a draw costs on average.
    heed: points that laying what the next player is known to hold costs. bluff: cards from which
    the highest is laid open for the Magic Hand, 0 for never. doubt: percent that make a challenge:
    an honest player's card is less likely than that.
    """

    taste: HeuristicWeights
    call_at: int
    call_odds: int = 0
    counts: int = 0
    call_margin: int = 0
    heed: int = 0
    bluff: int = 0
    doubt: int = 0


@device
def first_of(mask: Mask, start: int, stop: int) -> int:
    """The first legal action from `start` on, before `stop`."""
    for action in range(start, stop):
        if mask[action]:
            return action
    return NONE


@device
def weight(view: View, taste: HeuristicWeights, low: int, high: int, away: int, plus: int) -> int:
    """What the trick cards in the hand cost.

    With `away` of each value from `low` to `high` laid, if so many are there, and one `plus` taken.
    """
    total, streak = 0, 0
    for value in range(VALUES):
        count = int(view[HAND + value]) + (1 if value == plus else 0)
        if low <= value <= high:
            count -= min(count, away)
        if count == 0:
            streak = 0
            continue
        total += count * (value + taste.card) - (count - 1) * taste.pair
        streak += 1
        if streak == 2:
            total -= taste.neighbours
        elif streak == 3:
            total -= 3 * taste.run - taste.neighbours
        elif streak > 3:
            total -= taste.run
    return total


@device
def relief(view: View, taste: HeuristicWeights, low: int, high: int, away: int) -> int:
    """What laying `away` of each value from `low` to `high` takes off the hand's weight."""
    return weight(view, taste, 0, NONE, 0, NONE) - weight(view, taste, low, high, away, NONE)


@device
def price(view: View, taste: HeuristicWeights, value: int) -> int:
    """What one more card of a value adds to the hand's weight."""
    return weight(view, taste, 0, NONE, 0, value) - weight(view, taste, 0, NONE, 0, NONE)


@device
def joker_relief(taste: HeuristicWeights) -> int:
    """What laying a joker takes off the hand's weight."""
    return JOKER_POINTS + taste.card - taste.joker


@device
def special_relief(view: View, taste: HeuristicWeights, card: int) -> int:
    """The same of a special card laid alone."""
    return joker_relief(taste) if card == Card.JOKER else points_of(view, card) + taste.card


@device
def points_of(view: View, card: int) -> int:
    """Points of an own card; those of blanks show only in the hand's, so each counts their mean."""
    if card < Card.BLANK:
        return int(POINTS[card])
    points, blanks = int(view[HAND_POINTS]), 0
    for held in range(NUM_CARDS):
        points -= int(view[HAND + held]) * int(POINTS[held])
        blanks += int(view[HAND + held]) if held >= Card.BLANK else 0
    return points // max(blanks, 1)


@device
def run_end(view: View, low: int) -> tuple[int, int]:
    """Highest value of the longest run from `low` up, and the jokers in it (no two together)."""
    jokers, high, beside_joker = int(view[HAND + Card.JOKER]), low, False
    used = 0
    for value in range(low + 1, VALUES):
        third = high > low or (value + 1 < VALUES and view[HAND + value + 1] > 0)
        if view[HAND + value] > 0:
            beside_joker = False
        elif used < jokers and third and not beside_joker:
            used += 1
            beside_joker = True
        else:
            break
        high = value
    return high, used


@device
def knocking_value(view: View) -> int:
    """The value that can be knocked on what lies on top, NONE when nothing or only a run can."""
    for value in range(VALUES):
        if view[RUN_LOW + value]:
            return NONE
    for value in range(VALUES):
        if view[PLAY_TOP + value]:
            return value
    return NONE
