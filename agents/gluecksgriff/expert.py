"""A scripted player of Glücksgriff: sheds many points at once, knocks, calls in time.

Each rule of thumb names the tip it comes from (docs/rules/gluecksgriff.md, "Strategy"). The
numbers were chosen by duplicate play against variants of itself with 2 and 4 players.
"""

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.core.compiled import kernel, rule
from goldgriff.envs.core.kernels import Features, Masks, Rows
from goldgriff.envs.core.policy import Views
from goldgriff.envs.gluecksgriff.observe import (
    HAND,
    HAND_POINTS,
    HAND_SIZES,
    LAID,
    OPEN_CARDS,
    PHASE,
    PLAY_BOTTOM,
    PLAY_TOP,
    RUN_LOW,
    VALUE,
)
from goldgriff.envs.gluecksgriff.rules import (
    ADD,
    BLANK,
    CALL,
    DRAW,
    FEND_OFF,
    FITTING,
    GIVE_HOURGLASS,
    HIGH,
    JOKER,
    KEEP,
    KNOCK,
    LAY,
    LOW,
    MAX_PLAYERS,
    NUM_CARDS,
    NUM_FILLERS,
    NUM_PARTS,
    OPEN,
    PICK,
    PLAY_HAND,
    POINTS,
    RUN,
    SIT_OUT,
    TAKE,
    TAKE_HIGH,
    TAKE_LOW,
    VALUES,
)
from goldgriff.envs.gluecksgriff.state import (
    DRAWN,
    EXTENDING,
    GIVING,
    LAYING,
    OPENING,
    PLAY,
    SERVED,
)

View = NDArray[np.uint8]  # the features of one decision
Mask = NDArray[np.int8]

NONE = -1  # no action
CALL_AT = 6  # points with which to call
CALL_AT_CLOSE = 1  # the same when somebody is close to empty
CLOSE = 2  # cards in a hand
EXTENSION_WORTH = 16  # points that two cards and a draw saved are worth
KNOCK_WORTH = 8  # points that a card not drawn is worth
HAND_WORTH = 22  # points that playing the Magic Hand is worth
LONE_JOKER_WORTH = 12  # points that laying a joker alone is worth
GOOD_CARD = 3  # points up to which an open card is taken
PAIR_WORTH = 6  # points that holding its like takes off an open card
GOOD_PICK = 7  # points up to which a card laid open before the Magic Hand is taken
JOKER_POINTS = 15


class Expert:
    """Sheds many points at once, knocks when it can, calls in time."""

    def act(self, views: Views) -> Rows:
        """Choose a legal action for each row, int64 (rows,)."""
        actions = np.empty(len(views), np.int64)
        choose_all(views.features, views.masks, actions)
        return actions


@kernel
def choose_all(features: Features, masks: Masks, actions: Rows) -> None:
    """Choose an action for each row."""
    for k in range(len(features)):
        actions[k] = choose(features[k], masks[k])


@rule
def choose(view: View, mask: Mask) -> int:
    """Choose an action for one decision."""
    if view[PHASE + PLAY]:
        return begin_turn(view, mask)
    if view[PHASE + LAYING]:
        return go_on_laying(view, mask)
    if view[PHASE + EXTENDING]:
        more = best_extension(mask)
        return KNOCK if more == NONE else more
    if view[PHASE + DRAWN]:  # Knock early: whatever fits goes
        return first_of(mask, KNOCK, KEEP + 1)
    if view[PHASE + SERVED]:
        return FEND_OFF if mask[FEND_OFF] else SIT_OUT
    if view[PHASE + OPENING]:
        return open_lowest(mask)
    if view[PHASE + GIVING]:
        return best_take(view, mask)
    return best_pick(view, mask)


@rule
def first_of(mask: Mask, start: int, stop: int) -> int:
    """The first legal action from `start` on, before `stop`."""
    for action in range(start, stop):
        if mask[action]:
            return action
    return NONE


# --- Beginning a turn ---------------------------------------------------------------------------


@rule
def begin_turn(view: View, mask: Mask) -> int:
    """Call, or begin with what is worth most."""
    if mask[CALL] and view[HAND_POINTS] <= call_threshold(view):
        return CALL
    best, most = best_extension(mask), 0
    if best != NONE:
        most = EXTENSION_WORTH + KNOCK_WORTH
    if mask[PLAY_HAND] and most < HAND_WORTH:
        best, most = PLAY_HAND, HAND_WORTH
    target = smallest_target(view, mask)
    if target != NONE and most < JOKER_POINTS:
        best, most = target, JOKER_POINTS
    for card in range(NUM_CARDS):
        if mask[LAY + card]:
            worth = worth_of_laying(view, card)
            if best == NONE or worth > most:
                best, most = LAY + card, worth
    return best


@rule
def call_threshold(view: View) -> int:
    """Points with which to call (Caller threshold): fewer when somebody may soon have none."""
    for steps in range(1, MAX_PLAYERS):
        if 0 < view[HAND_SIZES + steps] <= CLOSE:
            return CALL_AT_CLOSE
    return CALL_AT


@rule
def smallest_target(view: View, mask: Mask) -> int:
    """An hourglass for the smallest hand that may be given one (Hourglass)."""
    best, least = NONE, 1000
    for steps in range(1, MAX_PLAYERS):
        action = GIVE_HOURGLASS + steps - 1
        if mask[action] and view[HAND_SIZES + steps] < least:
            best, least = action, int(view[HAND_SIZES + steps])
    return best


@rule
def worth_of_laying(view: View, card: int) -> int:
    """Points that beginning with a card is worth, with all that may be laid along with it."""
    if card >= VALUES:
        worth = LONE_JOKER_WORTH if card == JOKER else int(POINTS[card])
        return worth + (KNOCK_WORTH if card == JOKER and knockable(view, JOKER) else 0)
    if knockable(view, card):  # Knock early
        return set_points(view, card) + KNOCK_WORTH
    return max(set_points(view, card), run_points(view, card))


@rule
def knockable(view: View, card: int) -> bool:
    """Whether a card or a joker can be knocked on what lies on top."""
    for value in range(VALUES):
        if view[RUN_LOW + value]:
            return False
        if view[PLAY_TOP + value]:
            return card in (value, JOKER)
    return False


@rule
def set_points(view: View, value: int) -> int:
    """Points of a set of all own cards of a value, a joker after each."""
    count = int(view[HAND + value])
    return count * value + min(count, int(view[HAND + JOKER])) * JOKER_POINTS


@rule
def run_points(view: View, low: int) -> int:
    """Points of the longest run from a value up (Keep runs); 0 when it is shorter than three."""
    jokers, points, length, beside_joker = int(view[HAND + JOKER]), low, 1, False
    for value in range(low + 1, VALUES):
        third = length >= 2 or (value + 1 < VALUES and view[HAND + value + 1] > 0)
        if view[HAND + value] > 0:
            points += value
            beside_joker = False
        elif jokers > 0 and third and not beside_joker:
            points += JOKER_POINTS
            jokers -= 1
            beside_joker = True
        else:
            break
        length += 1
    return points if length >= 3 else 0


# --- Going on ------------------------------------------------------------------------------------


@rule
def best_extension(mask: Mask) -> int:
    """Extend the run on the pile, with a joker rather than a trick card: it costs more."""
    for end in (LOW, HIGH):
        joker = first_of(mask, end + FITTING + 1, end + FITTING + 1 + NUM_FILLERS)
        if joker != NONE:
            return joker
        if mask[end + FITTING]:
            return int(end + FITTING)
    return NONE


@rule
def go_on_laying(view: View, mask: Mask) -> int:
    """Lay more of the set or run, then knock or take a card."""
    run = first_of(mask, RUN, LOW)
    more = last_addition(mask)
    value = laid_value(view)
    if view[LAID] == 1 and value != NONE and run != NONE:
        joker = min(int(view[HAND + value]) + 1, int(view[HAND + JOKER])) * JOKER_POINTS
        rest_of_set = int(view[HAND + value]) * value + joker
        if mask[KNOCK] or run_points(view, value) - value <= rest_of_set:
            run = NONE
    if value == NONE:  # a joker alone: knocked, or only shed
        run, more = NONE, NONE
    if run != NONE:
        return run
    if more != NONE:
        return more
    return KNOCK if mask[KNOCK] else best_take(view, mask)


@rule
def last_addition(mask: Mask) -> int:
    """One more of the set, a joker first (Jokers cost)."""
    for part in range(NUM_PARTS - 1, -1, -1):
        if mask[ADD + part]:
            return ADD + part
    return NONE


@rule
def laid_value(view: View) -> int:
    """Value of the set or lowest value of the run laid, NONE for a joker alone."""
    for value in range(VALUES):
        if view[VALUE + value]:
            return value
    return NONE


# --- Taking a card -------------------------------------------------------------------------------


@rule
def best_take(view: View, mask: Mask) -> int:
    """Take an open card when it is low, rather with its like in the hand; else draw."""
    best, least = DRAW, GOOD_CARD + 1
    for value in range(VALUES):
        cost = value - (PAIR_WORTH if view[HAND + value] > 0 else 0)
        if cost >= least:
            continue
        if view[PLAY_TOP + value] and (mask[TAKE] or mask[TAKE_HIGH]):
            best, least = (TAKE if mask[TAKE] else TAKE_HIGH), cost
        elif view[PLAY_BOTTOM + value] and mask[TAKE_LOW]:
            best, least = TAKE_LOW, cost
    return best


@rule
def open_lowest(mask: Mask) -> int:
    """Lay the lowest card open, as the rules want it."""
    best = NONE
    for card in range(NUM_CARDS):
        if mask[OPEN + card] and (best == NONE or POINTS[card] < POINTS[best - OPEN]):
            best = OPEN + card
    return best


@rule
def best_pick(view: View, mask: Mask) -> int:
    """Pick the lowest card that was laid open, if it is low."""
    best, least = NONE, GOOD_PICK + 1
    for steps in range(1, MAX_PLAYERS):
        for card in range(BLANK):
            if view[OPEN_CARDS + steps * NUM_CARDS + card] and POINTS[card] < least:
                best, least = PICK + steps - 1, int(POINTS[card])
    return best_take(view, mask) if best == NONE else best
