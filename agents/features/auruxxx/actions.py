"""Writes the features of legal actions (`action_spec.py`)."""

from typing import Any

import numpy as np

from ....envs.auruxxx.observation import OTHERS, Place
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
from ...heuristics.auruxxx import hands
from ...heuristics.auruxxx.expert import FITS_ON, GOLDEN_TWELVES, action_value
from ...heuristics.observed import Raw
from .action_spec import ACTION_SPEC, WHOLE

Number = Any  # of a feature, signed: what int() makes of one stays unsigned when compiled

BOX = np.array(Settings().card_counts(), np.int64)  # cards of each type in the usual deck

# Where parts begin; each function writes its part in the order of the spec.
SIZES = ACTION_SPEC.start("sizes")
FIGURE = ACTION_SPEC.start("figure")
OWN_HAND = ACTION_SPEC.start("gold")
BASE_ACTION = ACTION_SPEC.start("base_action")
TURN = ACTION_SPEC.start("turn")
SWAP = ACTION_SPEC.start("swap")
SPECIAL = ACTION_SPEC.start("special")
COMMON = ACTION_SPEC.start("common")
THEIRS = ACTION_SPEC.start("theirs")
VALUE = ACTION_SPEC.start("has_value")
CARD = ACTION_SPEC.start("each")
LEFT = ACTION_SPEC.start("left")
FITTING = ACTION_SPEC.start("fitting")
GROUPS = ACTION_SPEC.start("groups")


@kernel
def write_action_features(
    raw: RawObservations, rows: Rows, actions: Rows, base_actions: Rows, numbers: RawObservations
) -> None:
    """Write the features of actions; see `FeatureSpec`.

    Args:
        raw: Observations, uint8 (rows, observation_spec.size).
        rows: Row of each action, int64 (actions,); those of a row follow each other.
        actions: The actions, int64 (actions,).
        base_actions: The base policy's action in each row, int64 (rows,).
        numbers: Written, uint8 (actions, ACTION_SPEC.size).
    """
    for k in range(len(rows)):
        seen, out = raw[rows[k]], numbers[k]
        if k > 0 and rows[k] == rows[k - 1]:
            for place in range(BASE_ACTION):
                out[place] = numbers[k - 1, place]
        else:
            write_situation(seen, out)
        out[BASE_ACTION:] = 0
        write_action(seen, actions[k], base_actions[rows[k]], out)


@device
def cut(number: Number) -> Number:
    """Clip a number to the range of a feature."""
    return min(max(number, 0), 255)


@device
def write_situation(raw: Raw, out: RawObservations) -> None:
    """Write what all actions of a decision share."""
    out[:BASE_ACTION] = 0
    mine, players = np.int64(raw[Place.SCORES]), 2
    for more in range(OTHERS):
        out[more] = raw[Place.PLAYERS + more]
        if raw[Place.PLAYERS + more]:
            players += more
    for seat in range(players):
        size, place = np.int64(raw[Place.HAND_SIZES + seat]), SIZES + seat
        out[place] = size
        out[place + MAX_PLAYERS] = size == 1
        out[place + 2 * MAX_PLAYERS] = size == 2
        out[place + 3 * MAX_PLAYERS] = WHOLE // (size + 1)
        out[place + 4 * MAX_PLAYERS] = raw[Place.CROSSES + seat]
        out[FIGURE + seat] = raw[Place.FIGURE + seat]
        if seat > 0:
            place = SIZES + 5 * MAX_PLAYERS + seat - 1
            out[place] = cut(mine - np.int64(raw[Place.SCORES + seat]))
            out[place + OTHERS] = cut(np.int64(raw[Place.SCORES + seat]) - mine)
            out[place + 2 * OTHERS] = raw[Place.KNOWN + seat - 1]
            out[place + 3 * OTHERS] = raw[Place.KNOWN_GOLD + seat - 1]
    at = FIGURE + MAX_PLAYERS
    out[at] = raw[Place.ROUNDS_LEFT]
    out[at + 1] = raw[Place.ROUNDS_LEFT] == 0
    out[at + 2] = raw[Place.PILE]
    for phase in range(len(PHASES)):
        out[at + 3 + phase] = raw[Place.PHASE + phase]
    at += 3 + len(PHASES)
    out[at] = raw[Place.DRAWN]
    out[at + 1] = raw[Place.ACTED]
    out[at + 2] = raw[Place.DEMAND]
    write_own_hand(raw, out[OWN_HAND:])


@device
def write_own_hand(raw: Raw, out: RawObservations) -> None:
    """Write counts and points of the own hand."""
    gold: Number = np.int64(raw[Place.HAND + Card.GOLDEN])
    out[0] = gold
    out[1] = gold > 0
    out[2] = cut(GOLDEN_TWELVES - gold)
    points: Number = 0
    twos: Number = 0
    zeros: Number = 0
    for card in range(NUM_CARDS):
        if card != Card.GOLDEN:
            points += np.int64(raw[Place.HAND + card]) * int(POINTS[card])
        if NUMBER_OF[card] == 2:
            twos += np.int64(raw[Place.HAND + card])
        if NUMBER_OF[card] == 0:
            zeros += np.int64(raw[Place.HAND + card])
    out[3] = cut(points)
    out[4] = twos
    out[5] = zeros
    for card in range(Card.BLESSING, NUM_CARDS):
        out[6 + card - Card.BLESSING] = raw[Place.HAND + card]


@device
def write_action(raw: Raw, action: int, base_action: int, out: RawObservations) -> None:
    """Write what distinguishes the action from the others."""
    out[BASE_ACTION] = action == base_action
    top, size = hands.top_of(raw), np.int64(raw[Place.HAND_SIZES])
    gold: Number = np.int64(raw[Place.HAND + Card.GOLDEN])
    together: Number = 0
    if action < Action.LAY:
        out[TURN + action] = 1
    elif action >= Action.LAY_SWAP:
        top = Card.SWAP
        out[SWAP + action - Action.LAY_SWAP] = 1
        write_theirs(raw, action - Action.LAY_SWAP + 1, out[THEIRS:])
    elif action >= Action.LAY + Card.GOLDEN:
        top = action - Action.LAY
        out[SPECIAL + top - Card.GOLDEN] = 1
        together = gold if top == Card.GOLDEN else 1
    else:
        card = action - Action.LAY
        out[SPECIAL + 3 if card >= Card.HAPPY_MAN else COMMON] = 1
        together = 1
        if not raw[Place.PHASE + Phase.MULTIPLE]:  # A3.11: one card stays, however many fit
            together = min(np.int64(hands.laid_together(raw, card, top)), size - 1)
        write_card(raw, card, together, out[CARD:])
        top = card
    if raw[Place.PHASE + Phase.PLAY]:
        write_value(raw, action, base_action, out[VALUE:])
    left = size - together
    out[LEFT] = left
    out[LEFT + 1] = left if gold > 0 else 0
    out[LEFT + 2] = gold > 0 and left == gold
    write_follow_up(raw, action, together, top, out[FITTING:])
    write_rest(raw, action, together, out[GROUPS:])


@device
def write_theirs(raw: Raw, steps: int, out: RawObservations) -> None:
    """Write what is known of the hand that a swap brings."""
    size = np.int64(raw[Place.HAND_SIZES + steps])
    out[0] = size
    out[1] = size == 1
    out[2] = size == 2
    out[3] = raw[Place.KNOWN_GOLD + steps - 1]
    out[4] = WHOLE * np.int64(raw[Place.KNOWN + steps - 1]) // (size + 1)


@device
def write_value(raw: Raw, action: int, base_action: int, out: RawObservations) -> None:
    """Write the expert's value of a lay, in the phase in which it values lays."""
    if not has_value(action):
        return
    top, column = hands.top_of(raw), 0 if raw[Place.PLAYERS] == 1 else 1
    value = np.int64(action_value(raw, action, top, column))
    out[0] = 1
    out[1] = cut(value)
    out[2] = cut(-value)
    if has_value(base_action):
        out[3] = cut(np.int64(action_value(raw, base_action, top, column)) - value)


@device
def has_value(action: int) -> bool:
    """Return whether the expert has a value for an action."""
    return action >= Action.LAY and action != Action.LAY + Card.GOLDEN


@device
def write_card(raw: Raw, card: int, together: Number, out: RawObservations) -> None:
    """Write what is laid in a lay of a number card, 50 or Happy-Man card."""
    number = NUMBER_OF[card]
    out[0] = POINTS[card]
    out[1] = number == 2
    out[2] = number == 2 and hands.golden_in(raw) > 0
    out[3] = number == 0
    out[4] = Card.FIFTY <= card < Card.HAPPY_MAN
    out[5] = together
    out[6] = cut(together * int(POINTS[card]))
    out[7] = np.int64(hands.copies_of_number(raw, card)) - 1 if card < Card.HAPPY_MAN else 0
    out[8] = raw[Place.HAND + card] - 1


@device
def write_follow_up(
    raw: Raw, action: int, together: Number, top: int, out: RawObservations
) -> None:
    """Write which own and unseen cards fit on the top that an action leaves."""
    fitting, most, dearest, unseen, opens = 0, 0, 0, 0, 0
    for card in range(Card.GOLDEN):
        seen = np.int64(raw[Place.HAND + card]) + np.int64(raw[Place.DISCARD + card])
        hidden = max(BOX[card] - seen, 0)
        unseen += hidden
        if FIT[top, card] == Fit.NO:
            continue
        opens += hidden
        copies = copies_left(raw, card, action, together)
        if copies > 0:
            fitting += copies
            count = 1
            if card < Card.HAPPY_MAN and FIT[top, card] == Fit.MULTIPLES:
                count = number_left(raw, card, action, together)
            most = max(most, count)
            dearest = max(dearest, count * int(POINTS[card]))
    out[0] = fitting
    out[1] = WHOLE * fitting // (np.int64(raw[Place.HAND_SIZES]) + 1)
    out[2] = fitting == 0
    out[3] = most
    out[4] = cut(dearest)
    out[5] = WHOLE * opens // (unseen + 1)


@device
def write_rest(raw: Raw, action: int, together: Number, out: RawObservations) -> None:
    """Write how easily the cards that an action leaves in the hand can be laid."""
    groups, lonely, flexible, actions = 0, 0, 0, 0
    for number in range(NUMBERS + 1):  # the 50s come after the numbers
        card = Card.FIFTY if number == NUMBERS else number
        count = number_left(raw, card, action, together)
        groups += count > 0
        lonely += count == 1
    for card in range(NUM_CARDS):
        copies = copies_left(raw, card, action, together)
        if Card.HAPPY_MAN <= card < Card.GOLDEN:
            groups += copies
        if card > Card.GOLDEN:
            actions += copies
        if card < Card.GOLDEN and copies > 0:
            flexible += int(FITS_ON[card])
    golden = hands.golden_in(raw) > 0
    out[0] = groups
    out[1] = lonely
    out[2] = cut(flexible // 10)
    out[3] = groups + actions
    out[4] = golden and groups + actions == 1
    out[5] = golden and groups + actions == 0
    out[6] = actions == 0


@device
def copies_left(raw: Raw, card: int, action: int, together: Number) -> Number:
    """Return the own copies of a card type that an action leaves; a multiple takes all."""
    copies = np.int64(raw[Place.HAND + card])
    if action < Action.LAY:
        return copies
    laid = min(action - Action.LAY, Card.SWAP + 0)
    if together > 1 and NUMBER_OF[card] == NUMBER_OF[laid]:
        return 0
    return copies - (1 if card == laid else 0)


@device
def number_left(raw: Raw, card: int, action: int, together: Number) -> Number:
    """Return the own cards of a card's number (or 50s) that an action leaves."""
    step = 1 if card >= Card.FIFTY else NUMBERS  # from a card to that of the next colour
    first = Card.FIFTY if card >= Card.FIFTY else card % NUMBERS
    count = 0
    for colour in range(MAX_COLOURS):
        count += copies_left(raw, first + colour * step, action, together)
    return count
