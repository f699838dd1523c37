"""Features of whole states of Auruxxx, all hands open, for critics."""

import numpy as np

from ....envs.auruxxx.observation import OTHERS, Place
from ....envs.auruxxx.rules import (
    FIT,
    MAX_COLOURS,
    MAX_PLAYERS,
    NUM_CARDS,
    NUMBERS,
    POINTS,
    Card,
    Fit,
)
from ....envs.engine.compile import device, kernel
from ....envs.engine.observation import Field, ObservationSpec
from ....envs.engine.protocol import RawObservations
from ...heuristics.auruxxx.expert import FITS_ON
from ...heuristics.auruxxx.hands import top_of
from ...heuristics.observed import Raw
from .action_spec import SITUATION
from .actions import Number, cut, write_situation

HANDS = (
    Field("all_fitting", MAX_PLAYERS, 160, 4, "cards in each hand that fit on the top"),
    Field("all_most", MAX_PLAYERS, 40, 3, "how many of them could go at once"),
    Field("all_dearest", MAX_PLAYERS, 255, 25, "most points that could go at once"),
    Field("all_groups", MAX_PLAYERS, 40, 6, "lays: one a number, one a Happy-Man card"),
    Field("all_lonely", MAX_PLAYERS, 40, 6, "numbers of which there is one card"),
    Field("all_points", MAX_PLAYERS, 255, 60, "points without Golden 12s"),
    Field("all_flexible", MAX_PLAYERS, 255, 42, "on how many tens of tops each card fits, summed"),
    Field("all_actions", MAX_PLAYERS, 40, 1, "action cards"),
    Field("all_happy", MAX_PLAYERS, 40, 1, "Happy-Man cards"),
    Field("all_twos", MAX_PLAYERS, 40, 1, "2s"),
    Field("all_zeros", MAX_PLAYERS, 40, 1, "0s"),
    Field("all_gold", MAX_PLAYERS, 40, 1, "Golden 12s"),
    Field("all_golden", MAX_PLAYERS, 1, 1, "whether there are any"),
    Field("all_lays", MAX_PLAYERS, 40, 6, "groups and action cards, with a Golden 12"),
    Field("all_ready", MAX_PLAYERS, 1, 1, "whether that is none"),
    Field("all_one_lay", MAX_PLAYERS, 1, 1, "whether that is one"),
)
CARDS = (
    Field("cards", NUM_CARDS, 40, 2, "own cards: copies of each card type"),
    Field("top", NUM_CARDS, 1, 1, "top card of the discard pile, one-hot"),
    Field("their_cards", OTHERS * NUM_CARDS, 40, 2, "the others' cards, in turn order"),
)
STATE_SPEC = ObservationSpec(*SITUATION, *HANDS, *CARDS)

_HANDS, _CARDS = STATE_SPEC.start("all_fitting"), STATE_SPEC.start("cards")


@kernel
def write_state_features(
    raw: RawObservations, hands: RawObservations, numbers: RawObservations
) -> None:
    """Write the features of states; see `FeatureSpec`.

    Args:
        raw: What a seat of each sees, uint8 (states, observation_spec.size).
        hands: What the others hold, uint8 (states, others, cards).
        numbers: Written, uint8 (states, STATE_SPEC.size).
    """
    for k in range(len(raw)):
        seen, out = raw[k], numbers[k]
        out[:] = 0
        write_situation(seen, out)
        top = top_of(seen)
        own = seen[Place.HAND : Place.HAND + NUM_CARDS]
        write_hand(own, top, out[_HANDS:])
        for card in range(NUM_CARDS):
            out[_CARDS + card] = own[card]
            out[_CARDS + NUM_CARDS + card] = seen[Place.TOP + card]
        for other in range(hands.shape[1]):
            write_hand(hands[k, other], top, out[_HANDS + other + 1 :])
            for card in range(NUM_CARDS):
                out[_CARDS + (other + 2) * NUM_CARDS + card] = hands[k, other, card]


@device
def write_hand(cards: Raw, top: int, out: RawObservations) -> None:
    """Write the features of a hand, each MAX_PLAYERS places after the one before."""
    write_fitting(cards, top, out)
    write_rest(cards, out[3 * MAX_PLAYERS :])
    write_kinds(cards, out[7 * MAX_PLAYERS :])


@device
def write_fitting(cards: Raw, top: int, out: RawObservations) -> None:
    """Write what fits on the top."""
    fitting: Number = 0
    most: Number = 0
    dearest: Number = 0
    for number in range(NUMBERS + 1):
        count = fitting_of(cards, number, top)
        fitting += count
        most = max(most, count)
        dearest = max(dearest, count * np.int64(POINTS[card_of(number, 0)]))
    for card in range(Card.HAPPY_MAN, Card.GOLDEN):
        if FIT[top, card] != Fit.NO:
            fitting += np.int64(cards[card])
    out[0] = fitting
    out[MAX_PLAYERS] = most
    out[2 * MAX_PLAYERS] = cut(dearest)


@device
def write_rest(cards: Raw, out: RawObservations) -> None:
    """Write how easily the hand can be laid, and its points."""
    lonely: Number = 0
    points: Number = 0
    flexible: Number = 0
    for number in range(NUMBERS + 1):
        lonely += number_in(cards, number) == 1
    for card in range(NUM_CARDS):
        copies: Number = np.int64(cards[card])
        if card < Card.GOLDEN:
            flexible += copies * np.int64(FITS_ON[card])
        if card != Card.GOLDEN:
            points += copies * np.int64(POINTS[card])
    out[0] = groups_in(cards)
    out[MAX_PLAYERS] = lonely
    out[2 * MAX_PLAYERS] = cut(points)
    out[3 * MAX_PLAYERS] = cut(flexible // 10)


@device
def write_kinds(cards: Raw, out: RawObservations) -> None:
    """Write how many cards of some kinds there are, and how near the win is."""
    actions = total_of(cards, Card.BLESSING, NUM_CARDS)
    gold: Number = np.int64(cards[Card.GOLDEN])
    lays = groups_in(cards) + actions if gold > 0 else 0
    out[0] = actions
    out[MAX_PLAYERS] = total_of(cards, Card.HAPPY_MAN, Card.GOLDEN)
    out[2 * MAX_PLAYERS] = number_in(cards, 2)
    out[3 * MAX_PLAYERS] = number_in(cards, 0)
    out[4 * MAX_PLAYERS] = gold
    out[5 * MAX_PLAYERS] = gold > 0
    out[6 * MAX_PLAYERS] = lays
    out[7 * MAX_PLAYERS] = gold > 0 and lays == 0
    out[8 * MAX_PLAYERS] = gold > 0 and lays == 1


@device
def groups_in(cards: Raw) -> Number:
    """Return the lays without action cards and Golden 12s: one a number, one a Happy-Man card."""
    groups = total_of(cards, Card.HAPPY_MAN, Card.GOLDEN)
    for number in range(NUMBERS + 1):
        groups += number_in(cards, number) > 0
    return groups


@device
def total_of(cards: Raw, first: int, last: int) -> Number:
    """Return the cards of the types from `first` up to `last`."""
    total: Number = np.int64(0)
    for card in range(first, last):
        total += np.int64(cards[card])
    return total


@device
def number_in(cards: Raw, number: int) -> Number:
    """Return the cards of a number, or the 50s, which come after the numbers."""
    count: Number = np.int64(0)
    for colour in range(MAX_COLOURS):
        count += np.int64(cards[card_of(number, colour)])
    return count


@device
def fitting_of(cards: Raw, number: int, top: int) -> Number:
    """Return how many cards of a number could go at once: all where they may be laid together."""
    best = Fit.NO + 0
    for colour in range(MAX_COLOURS):
        card = card_of(number, colour)
        if cards[card] > 0:
            best = max(best, int(FIT[top, card]))
    if best == Fit.MULTIPLES:
        return number_in(cards, number)
    return np.int64(best != Fit.NO)


@device
def card_of(number: int, colour: int) -> int:
    """Return the card type of a number; the 50s come after the numbers."""
    return Card.FIFTY + colour if number == NUMBERS else colour * NUMBERS + number
