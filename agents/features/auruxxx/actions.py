"""A legal move told in numbers, for networks that weigh moves one by one (`move_slices.py`)."""

from typing import Any

import numpy as np

from ....envs.auruxxx.observation import (
    ACTED,
    CROSSES,
    DEMANDED,
    DISCARD,
    DRAWN,
    FIGURE,
    HAND,
    HAND_SIZES,
    KNOWN,
    KNOWN_GOLD,
    OTHERS,
    PHASE,
    PILE,
    PLAYERS,
    ROUNDS_LEFT,
    SCORES,
)
from ....envs.auruxxx.rules import (
    FIT,
    MAX_COLOURS,
    MAX_PLAYERS,
    NUM_CARDS,
    NUMBER_OF,
    NUMBERS,
    POINTS,
    Action,
    Card,
    Fit,
    Settings,
)
from ....envs.auruxxx.state import PHASES, Phase
from ....envs.engine.compile import device, kernel
from ....envs.engine.protocol import RawObservations, Rows
from ...heuristics.auruxxx.expert import FITS_ON, GOLDEN_TWELVES, worth_of
from ...heuristics.auruxxx.hands import (
    View,
    copies_of_number,
    golden_in,
    laid_together,
    top_of,
)
from .action_spec import (
    ADVISED,
    COMMON,
    EACH,
    FITTING,
    GROUPS,
    LEFT,
    OWN,
    SIZES,
    SPECIAL,
    SWAPPED,
    TABLE,
    THEIRS,
    TURN,
    WEIGHED,
    WHOLE,
)

Number = Any  # of a feature, signed: what int() makes of one stays unsigned when compiled

BOX = np.array(Settings().deck(), np.int64)  # cards of each type in the usual deck


@kernel
def write_action_features(
    raw: RawObservations, rows: Rows, actions: Rows, advised: Rows, numbers: RawObservations
) -> None:
    """Describe moves by what is seen, uint8 (views, size), and what the expert would do, (views,).

    Move k is action `actions[k]` in view `rows[k]`; those of a view follow each other. Its numbers
    go to `numbers[k]`, uint8 (moves, MOVES.size).
    """
    for k in range(len(rows)):
        view, out = raw[rows[k]], numbers[k]
        if k > 0 and rows[k] == rows[k - 1]:
            for place in range(ADVISED):
                out[place] = numbers[k - 1, place]
        else:
            describe_situation(view, out)
        out[ADVISED:] = 0
        describe_move(view, actions[k], advised[rows[k]], out)


@device
def cut(number: Number) -> Number:
    """What fits into a feature."""
    return min(max(number, 0), 255)


@device
def describe_situation(view: View, out: RawObservations) -> None:
    """Write what all moves of a decision share."""
    out[:ADVISED] = 0
    mine, players = np.int64(view[SCORES]), 2
    for more in range(OTHERS):
        out[more] = view[PLAYERS + more]
        if view[PLAYERS + more]:
            players += more
    for seat in range(players):
        size, part = np.int64(view[HAND_SIZES + seat]), SIZES + seat
        out[part] = size
        out[part + MAX_PLAYERS] = size == 1
        out[part + 2 * MAX_PLAYERS] = size == 2
        out[part + 3 * MAX_PLAYERS] = WHOLE // (size + 1)
        out[part + 4 * MAX_PLAYERS] = view[CROSSES + seat]
        out[TABLE + seat] = view[FIGURE + seat]
        if seat > 0:
            part = SIZES + 5 * MAX_PLAYERS + seat - 1
            out[part] = cut(mine - np.int64(view[SCORES + seat]))
            out[part + OTHERS] = cut(np.int64(view[SCORES + seat]) - mine)
            out[part + 2 * OTHERS] = view[KNOWN + seat - 1]
            out[part + 3 * OTHERS] = view[KNOWN_GOLD + seat - 1]
    at = TABLE + MAX_PLAYERS
    out[at] = view[ROUNDS_LEFT]
    out[at + 1] = view[ROUNDS_LEFT] == 0
    out[at + 2] = view[PILE]
    for phase in range(len(PHASES)):
        out[at + 3 + phase] = view[PHASE + phase]
    at += 3 + len(PHASES)
    out[at] = view[DRAWN]
    out[at + 1] = view[ACTED]
    out[at + 2] = view[DEMANDED]
    describe_hand(view, out[OWN:])


@device
def describe_hand(view: View, out: RawObservations) -> None:
    """Write what the own hand is like."""
    gold: Number = np.int64(view[HAND + Card.GOLDEN])
    out[0] = gold
    out[1] = gold > 0
    out[2] = cut(GOLDEN_TWELVES - gold)
    points: Number = 0
    twos: Number = 0
    zeros: Number = 0
    for card in range(NUM_CARDS):
        if card != Card.GOLDEN:
            points += np.int64(view[HAND + card]) * int(POINTS[card])
        if NUMBER_OF[card] == 2:
            twos += np.int64(view[HAND + card])
        if NUMBER_OF[card] == 0:
            zeros += np.int64(view[HAND + card])
    out[3] = cut(points)
    out[4] = twos
    out[5] = zeros
    for card in range(Card.BLESSING, NUM_CARDS):
        out[6 + card - Card.BLESSING] = view[HAND + card]


@device
def describe_move(view: View, action: int, advised: int, out: RawObservations) -> None:
    """Write what tells the move from the others."""
    out[ADVISED] = action == advised
    top, size = top_of(view), np.int64(view[HAND_SIZES])
    gold: Number = np.int64(view[HAND + Card.GOLDEN])
    together: Number = 0
    if action < Action.LAY:
        out[TURN + action] = 1
    elif action >= Action.LAY_SWAP:
        top = Card.SWAP
        out[SWAPPED + action - Action.LAY_SWAP] = 1
        describe_theirs(view, action - Action.LAY_SWAP + 1, out[THEIRS:])
    elif action >= Action.LAY + Card.GOLDEN:
        top = action - Action.LAY
        out[SPECIAL + top - Card.GOLDEN] = 1
        together = gold if top == Card.GOLDEN else 1
    else:
        card = action - Action.LAY
        out[SPECIAL + 3 if card >= Card.HAPPY_MAN else COMMON] = 1
        together = 1
        if not view[PHASE + Phase.MULTIPLE]:  # A3.11: one card stays, however many fit
            together = min(np.int64(laid_together(view, card, top)), size - 1)
        describe_card(view, card, together, out[EACH:])
        top = card
    if view[PHASE + Phase.PLAY]:
        describe_worth(view, action, advised, out[WEIGHED:])
    left = size - together
    out[LEFT] = left
    out[LEFT + 1] = left if gold > 0 else 0
    out[LEFT + 2] = gold > 0 and left == gold
    describe_follow_up(view, action, together, top, out[FITTING:])
    describe_rest(view, action, together, out[GROUPS:])


@device
def describe_theirs(view: View, steps: int, out: RawObservations) -> None:
    """Write what is known of the hand that a swap brings."""
    size = np.int64(view[HAND_SIZES + steps])
    out[0] = size
    out[1] = size == 1
    out[2] = size == 2
    out[3] = view[KNOWN_GOLD + steps - 1]
    out[4] = WHOLE * np.int64(view[KNOWN + steps - 1]) // (size + 1)


@device
def describe_worth(view: View, action: int, advised: int, out: RawObservations) -> None:
    """Write the expert's worth of a lay, in the phase in which it weighs them."""
    if not is_weighed(action):
        return
    top, many = top_of(view), 0 if view[PLAYERS] == 1 else 1
    worth = np.int64(worth_of(view, action, top, many))
    out[0] = 1
    out[1] = cut(worth)
    out[2] = cut(-worth)
    if is_weighed(advised):
        out[3] = cut(np.int64(worth_of(view, advised, top, many)) - worth)


@device
def is_weighed(action: int) -> bool:
    """Whether the expert has a worth for an action."""
    return action >= Action.LAY and action != Action.LAY + Card.GOLDEN


@device
def describe_card(view: View, card: int, together: Number, out: RawObservations) -> None:
    """Write what goes with a lay of a number card, 50 or Happy-Man card."""
    number = NUMBER_OF[card]
    out[0] = POINTS[card]
    out[1] = number == 2
    out[2] = number == 2 and golden_in(view) > 0
    out[3] = number == 0
    out[4] = Card.FIFTY <= card < Card.HAPPY_MAN
    out[5] = together
    out[6] = cut(together * int(POINTS[card]))
    out[7] = np.int64(copies_of_number(view, card)) - 1 if card < Card.HAPPY_MAN else 0
    out[8] = view[HAND + card] - 1


@device
def describe_follow_up(
    view: View, action: int, together: Number, top: int, out: RawObservations
) -> None:
    """Write what fits on the top that a move leaves, of the own cards and of the unseen ones."""
    fitting, most, dearest, unseen, opens = 0, 0, 0, 0, 0
    for card in range(Card.GOLDEN):
        hidden = max(BOX[card] - np.int64(view[HAND + card]) - np.int64(view[DISCARD + card]), 0)
        unseen += hidden
        if FIT[top, card] == Fit.NO:
            continue
        opens += hidden
        copies = copies_left(view, card, action, together)
        if copies > 0:
            fitting += copies
            count = 1
            if card < Card.HAPPY_MAN and FIT[top, card] == Fit.MULTIPLES:
                count = number_left(view, card, action, together)
            most = max(most, count)
            dearest = max(dearest, count * int(POINTS[card]))
    out[0] = fitting
    out[1] = WHOLE * fitting // (np.int64(view[HAND_SIZES]) + 1)
    out[2] = fitting == 0
    out[3] = most
    out[4] = cut(dearest)
    out[5] = WHOLE * opens // (unseen + 1)


@device
def describe_rest(view: View, action: int, together: Number, out: RawObservations) -> None:
    """Write how easily what a move leaves in the hand can be laid."""
    groups, lonely, flexible, actions = 0, 0, 0, 0
    for number in range(NUMBERS + 1):  # the 50s come after the numbers
        card = Card.FIFTY if number == NUMBERS else number
        count = number_left(view, card, action, together)
        groups += count > 0
        lonely += count == 1
    for card in range(NUM_CARDS):
        copies = copies_left(view, card, action, together)
        if Card.HAPPY_MAN <= card < Card.GOLDEN:
            groups += copies
        if card > Card.GOLDEN:
            actions += copies
        if card < Card.GOLDEN and copies > 0:
            flexible += int(FITS_ON[card])
    golden = golden_in(view) > 0
    out[0] = groups
    out[1] = lonely
    out[2] = cut(flexible // 10)
    out[3] = groups + actions
    out[4] = golden and groups + actions == 1
    out[5] = golden and groups + actions == 0
    out[6] = actions == 0


@device
def copies_left(view: View, card: int, action: int, together: Number) -> Number:
    """Own copies of a card type that a move leaves; a multiple takes all of its number."""
    copies = np.int64(view[HAND + card])
    if action < Action.LAY:
        return copies
    laid = min(action - Action.LAY, Card.SWAP)
    if together > 1 and NUMBER_OF[card] == NUMBER_OF[laid]:
        return 0
    return copies - (1 if card == laid else 0)


@device
def number_left(view: View, card: int, action: int, together: Number) -> Number:
    """Own cards of a card's number (or 50s) that a move leaves."""
    step = 1 if card >= Card.FIFTY else NUMBERS  # from a card to that of the next colour
    first = Card.FIFTY if card >= Card.FIFTY else card % NUMBERS
    count = 0
    for colour in range(MAX_COLOURS):
        count += copies_left(view, first + colour * step, action, together)
    return count
