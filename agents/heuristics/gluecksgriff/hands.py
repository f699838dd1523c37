"""What a hand of Glücksgriff costs, by the weights of a style.

Everything is in points. The cost of a hand is the points in it and a charge for each card, less
what pairs and runs save when they are laid together.
"""

from typing import NamedTuple

from ....envs.engine.compile import device
from ....envs.gluecksgriff.observation import Place
from ....envs.gluecksgriff.rules import NUM_CARDS, POINTS, VALUES, Card
from ..observed import NONE, Raw, place_in

JOKER_POINTS = int(POINTS[Card.JOKER])


class HeuristicWeights(NamedTuple):
    """Values of cards and plays to a style, in points.

    Attributes:
        card: One card less in the hand.
        pair: Saved by another card of the same value.
        run: Saved by each card of three or more in a row.
        neighbours: Saved by two in a row.
        run_laid: Laying a run, beyond what it sheds.
        joker: A joker kept.
        knock: A knock, beyond the card not drawn.
        hourglass: Playing an hourglass, beyond the points it sheds.
        magic_hand: The same of a Magic Hand.
    """

    card: int = 5
    pair: int = 4
    run: int = 2
    neighbours: int = 0
    run_laid: int = 0
    joker: int = 0
    knock: int = 0
    hourglass: int = 6
    magic_hand: int = 8


class StyleSettings(NamedTuple):
    """How a scripted agent plays: its weights, and when it calls, bluffs and challenges.

    Attributes:
        call_at: Most points with which to call.
        weights: Values of cards and plays.
        call_percent: Least chance, in percent, that the call is right.
        draw: Cost of drawing a card.
        counts_cards: 1 for an agent that knows what a draw costs on average and calls when
            everybody is expected to keep at least `call_margin` points more than itself. When it
            knows all hands, of two cards at most, it draws instead of taking.
        call_margin: See `counts_cards`.
        known_card_cost: Cost of laying what the next player is known to hold.
        bluff_from: Cards from which the highest is laid open for the Magic Hand; 0 for never.
        challenge_below: Challenge an open card that an honest player lays less often, in percent.
    """

    call_at: int
    weights: HeuristicWeights = HeuristicWeights()
    call_percent: int = 0
    draw: int = 8
    counts_cards: int = 0
    call_margin: int = 0
    known_card_cost: int = 0
    bluff_from: int = 0
    challenge_below: int = 0


@device
def hand_cost(raw: Raw, weights: HeuristicWeights, low: int, high: int, away: int, new: int) -> int:
    """Return the cost of the trick cards in the hand after some are laid and one is taken.

    Laid are `away` of each value from `low` to `high`, if so many are there; taken is one `new`.
    """
    total, streak = 0, 0
    for value in range(VALUES):
        count = int(raw[Place.HAND + value]) + (1 if value == new else 0)
        if low <= value <= high:
            count -= min(count, away)
        if count == 0:
            streak = 0
            continue
        total += count * (value + weights.card) - (count - 1) * weights.pair
        streak += 1
        if streak == 2:
            total -= weights.neighbours
        elif streak == 3:
            total -= 3 * weights.run - weights.neighbours
        elif streak > 3:
            total -= weights.run
    return total


@device
def saved(raw: Raw, weights: HeuristicWeights, low: int, high: int, away: int) -> int:
    """Return the cost saved by laying `away` of each value from `low` to `high`."""
    cost = hand_cost(raw, weights, 0, NONE, 0, NONE)
    return cost - hand_cost(raw, weights, low, high, away, NONE)


@device
def added_cost(raw: Raw, weights: HeuristicWeights, value: int) -> int:
    """Return the cost added by one more card of a value."""
    return hand_cost(raw, weights, 0, NONE, 0, value) - hand_cost(raw, weights, 0, NONE, 0, NONE)


@device
def saved_by_joker(weights: HeuristicWeights) -> int:
    """Return the cost saved by laying a joker."""
    return JOKER_POINTS + weights.card - weights.joker


@device
def saved_by_special(raw: Raw, weights: HeuristicWeights, card: int) -> int:
    """Return the cost saved by laying a special card alone."""
    return saved_by_joker(weights) if card == Card.JOKER else points_of(raw, card) + weights.card


@device
def points_of(raw: Raw, card: int) -> int:
    """Return the points of an own card; each blank counts the mean of the blanks in the hand."""
    if card < Card.BLANK:
        return int(POINTS[card])
    points, blanks = int(raw[Place.HAND_POINTS]), 0
    for held in range(NUM_CARDS):
        points -= int(raw[Place.HAND + held]) * int(POINTS[held])
        blanks += int(raw[Place.HAND + held]) if held >= Card.BLANK else 0
    return points // max(blanks, 1)


@device
def run_end(raw: Raw, low: int) -> tuple[int, int]:
    """Return the end of the longest run from `low` up, and the jokers in it (no two together)."""
    jokers, high, beside_joker = int(raw[Place.HAND + Card.JOKER]), low, False
    used = 0
    for value in range(low + 1, VALUES):
        third = high > low or (value + 1 < VALUES and raw[Place.HAND + value + 1] > 0)
        if raw[Place.HAND + value] > 0:
            beside_joker = False
        elif used < jokers and third and not beside_joker:
            used += 1
            beside_joker = True
        else:
            break
        high = value
    return high, used


@device
def knocking_value(raw: Raw) -> int:
    """Return the value that can be knocked on the top card, NONE for none or where a run lies."""
    if place_in(raw, Place.RUN_LOW, VALUES) != NONE:
        return NONE
    return place_in(raw, Place.PLAY_TOP, VALUES)
