"""What a hand of Auruxxx is worth on the discard pile as it is: what fits, what is left to lay."""

import numpy as np

from ..engine.compile import device
from ..engine.observation import Field, ObservationSpec
from ..engine.protocol import RawObservations
from .legal import top_card
from .rules import FIT, MAX_COLOURS, NUM_CARDS, NUMBERS, POINTS, Card, Fit
from .state import State

SUMMARY_SPEC = ObservationSpec(
    Field("fitting", 1, 160, 4, "cards that fit on the top"),
    Field("most", 1, 40, 3, "how many of them could go at once"),
    Field("dearest", 1, 255, 25, "most points that could go at once"),
    Field("groups", 1, 160, 6, "lays: one a number, one a Happy-Man card"),
    Field("lonely", 1, 40, 6, "numbers of which there is one card"),
    Field("points", 1, 255, 60, "points without Golden 12s"),
    Field("flexible", 1, 255, 42, "on how many tens of tops each card fits, summed"),
    Field("actions", 1, 40, 1, "action cards"),
    Field("twos", 1, 40, 1, "2s"),
    Field("zeros", 1, 40, 1, "0s"),
    Field("golden", 1, 1, 1, "whether there is a Golden 12"),
    Field("lays", 1, 160, 6, "with a Golden 12: groups and action cards"),
    Field("one_lay", 1, 1, 1, "whether that is one"),
    Field("ready", 1, 1, 1, "whether that is none"),
    Field("one_card", 1, 1, 1, "whether there is one card"),
    Field("two_cards", 1, 1, 1, "whether there are two"),
)

Item = SUMMARY_SPEC.places()

FITS_ON = np.array(
    [(FIT[: Card.FIFTY, card] != Fit.NO).sum() for card in range(NUM_CARDS)], np.int64
)


@device
def summarize(state: State, seat: int, numbers: RawObservations) -> None:
    """Write the summary of a hand, uint8 (SUMMARY_SPEC.size,)."""
    hand, top = state.hands[seat], top_card(state)
    fitting, most, dearest, groups, lonely = 0, 0, 0, 0, 0
    points, flexible, twos, zeros, actions = 0, 0, 0, 0, 0
    for number in range(NUMBERS + 1):  # the 50s come after the numbers
        count, together, alone = 0, False, False
        for colour in range(MAX_COLOURS):
            card = Card.FIFTY + colour if number == NUMBERS else colour * NUMBERS + number
            copies = int(hand[card])
            if copies == 0:
                continue
            count += copies
            flexible += copies * int(FITS_ON[card])
            if FIT[top, card] != Fit.NO:
                fitting += copies
                alone = True
                together = together or FIT[top, card] == Fit.MULTIPLES
        if count == 0:
            continue
        each = int(POINTS[Card.FIFTY]) if number == NUMBERS else number
        groups += 1
        lonely += count == 1
        points += count * each
        at_once = count if together else int(alone)
        most = max(most, at_once)
        dearest = max(dearest, at_once * each)
        if number == 2:
            twos = count
        elif number == 0:
            zeros = count
    for card in range(Card.HAPPY_MAN, Card.GOLDEN):
        copies = int(hand[card])
        if copies > 0:
            groups += copies
            points += copies * int(POINTS[card])
            flexible += copies * int(FITS_ON[card])
            if FIT[top, card] != Fit.NO:
                fitting += copies
                most = max(most, 1)
                dearest = max(dearest, int(POINTS[card]))
    for card in range(Card.BLESSING, NUM_CARDS):
        actions += int(hand[card])
        points += int(hand[card]) * int(POINTS[card])
    golden = hand[Card.GOLDEN] > 0
    lays = groups + actions
    numbers[Item.FITTING], numbers[Item.MOST] = min(fitting, 160), min(most, 40)
    numbers[Item.DEAREST], numbers[Item.GROUPS] = min(dearest, 255), min(groups, 160)
    numbers[Item.LONELY], numbers[Item.POINTS] = lonely, min(points, 255)
    numbers[Item.FLEXIBLE], numbers[Item.ACTIONS] = min(flexible // 10, 255), min(actions, 40)
    numbers[Item.TWOS], numbers[Item.ZEROS] = min(twos, 40), min(zeros, 40)
    numbers[Item.GOLDEN], numbers[Item.LAYS] = golden, min(lays, 160) if golden else 0
    numbers[Item.ONE_LAY], numbers[Item.READY] = golden and lays == 1, golden and lays == 0
    numbers[Item.ONE_CARD] = state.hand_sizes[seat] == 1
    numbers[Item.TWO_CARDS] = state.hand_sizes[seat] == 2
