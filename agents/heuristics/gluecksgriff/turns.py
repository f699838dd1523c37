"""A turn of Glücksgriff in any style: whatever takes most weight off the hand.

A turn is weighed as a whole when it begins: what is laid along with the first card, and whether a
card has to be taken. The tips named are those of docs/rules/gluecksgriff.md, "Strategy".
"""

from ....envs.engine.compile import device
from ....envs.gluecksgriff.observation import (
    CALLER,
    HAND,
    HAND_POINTS,
    HAND_SIZES,
    LAID,
    PHASE,
    RUN_LOW,
    RUN_SIZE,
    VALUE,
)
from ....envs.gluecksgriff.rules import (
    FITTING,
    MAX_PLAYERS,
    NUM_CARDS,
    NUM_JOKERS,
    NUM_PARTS,
    VALUES,
    Action,
    Card,
)
from ....envs.gluecksgriff.state import Phase
from .hands import (
    NONE,
    HeuristicWeights,
    Mask,
    StyleSettings,
    View,
    first_of,
    joker_relief,
    knocking_value,
    relief,
    run_end,
    special_relief,
)
from .others import (
    chance_of_call,
    holds,
    least_expected,
    mean_unseen,
)
from .taking import best_card, best_challenge, open_card

LAST_DRAW = 8  # points of a card drawn in a last turn: the mean of the deck


@device
def choose(view: View, mask: Mask, style: StyleSettings) -> int:
    """Choose an action for one decision."""
    taste = taste_now(view, style)
    if view[PHASE + Phase.PLAY]:
        if mask[Action.CALL] and calls(view, style):
            return Action.CALL
        return begin_turn(view, mask, style, taste)
    if view[PHASE + Phase.LAYING]:
        return go_on_laying(view, mask, taste)
    if view[PHASE + Phase.EXTENDING]:
        more = best_extension(mask)
        return Action.KNOCK if more == NONE else more
    if view[PHASE + Phase.DRAWN]:  # Knock early: whatever fits goes
        return first_of(mask, Action.KNOCK, Action.KEEP + 1)
    if view[PHASE + Phase.SERVED]:
        return Action.FEND_OFF if mask[Action.FEND_OFF] else Action.SIT_OUT
    if view[PHASE + Phase.OPENING]:
        return open_card(view, mask, style)
    if view[PHASE + Phase.MAGIC]:
        doubtful = best_challenge(view, mask, style)
        if doubtful != NONE:
            return doubtful
    return best_card(view, mask, taste)


@device
def taste_now(view: View, style: StyleSettings) -> HeuristicWeights:
    """The taste of a style; in a last turn after a call only points count."""
    draw = mean_unseen(view) if style.counts else style.taste.draw
    if view[CALLER + MAX_PLAYERS] == 0:
        return HeuristicWeights(0, 0, 0, 0, 0, 0, draw if style.counts else LAST_DRAW, 0, 0, 0)
    taste = style.taste
    return HeuristicWeights(
        taste.card,
        taste.pair,
        taste.run,
        taste.neighbours,
        taste.run_laid,
        taste.joker,
        draw,
        taste.knock,
        taste.hourglass,
        taste.magic_hand,
    )


@device
def calls(view: View, style: StyleSettings) -> bool:
    """Whether to call (Set a threshold for the call)."""
    points = int(view[HAND_POINTS])
    if points > style.call_at or chance_of_call(view) < style.call_odds:
        return False
    return not style.counts or least_expected(view) >= points + style.call_margin


# --- Beginning a turn ---------------------------------------------------------------------------


@device
def begin_turn(view: View, mask: Mask, style: StyleSettings, taste: HeuristicWeights) -> int:
    """Begin with what takes most off the hand, the card to be taken counted in."""
    best, most = best_extension(mask), 0
    if best != NONE:
        most = extension_relief(view, taste) + taste.knock
    if mask[Action.PLAY_MAGIC_HAND]:
        worth = special_relief(view, taste, Card.MAGIC_HAND) + taste.magic_hand - taste.draw
        if best == NONE or worth > most:
            best, most = Action.PLAY_MAGIC_HAND, worth
    target = smallest_target(view, mask)
    if target != NONE:
        worth = special_relief(view, taste, Card.HOURGLASS) + taste.hourglass - taste.draw
        if best == NONE or worth > most:
            best, most = target, worth
    fitting = knocking_value(view)
    for card in range(NUM_CARDS):
        if mask[Action.LAY + card]:
            worth = worth_of_laying(view, taste, card, fitting)
            if card < VALUES and holds(view, 1, card):  # Watch what is taken openly
                worth -= style.heed
            if best == NONE or worth > most:
                best, most = Action.LAY + card, worth
    return best


@device
def worth_of_laying(view: View, taste: HeuristicWeights, card: int, fitting: int) -> int:
    """What beginning with a card takes off the hand, with all that is laid along with it."""
    if card >= VALUES:
        end = taste.knock if card == Card.JOKER and fitting != NONE else -taste.draw
        return special_relief(view, taste, card) + end
    end = taste.knock if card == fitting else -taste.draw
    as_set = set_relief(view, taste, card, 0) + end
    return max(as_set, run_relief(view, taste, card, card) - taste.draw)


@device
def set_relief(view: View, taste: HeuristicWeights, value: int, laid: int) -> int:
    """What laying all own cards of a value takes off the hand, a joker after each of them.

    laid: cards of the value laid already.
    """
    count = int(view[HAND + value])
    jokers = min(count + laid, int(view[HAND + Card.JOKER])) if joker_relief(taste) > 0 else 0
    return relief(view, taste, value, value, count) + jokers * joker_relief(taste)


@device
def run_relief(view: View, taste: HeuristicWeights, low: int, still: int) -> int:
    """What laying the longest run from `low` up takes off the hand; far less than 0 for no run.

    still: its lowest card that is still in the hand.
    """
    high, jokers = run_end(view, low)
    if high < low + 2:
        return -1000
    return relief(view, taste, still, high, 1) + jokers * joker_relief(taste) + taste.run_laid


@device
def extension_relief(view: View, taste: HeuristicWeights) -> int:
    """What extending the run on the pile at both ends takes off the hand."""
    low = 0
    while view[RUN_LOW + low] == 0:
        low += 1
    high = low + int(view[RUN_SIZE]) - 1
    bottom, top = low, high
    while bottom > 0 and view[HAND + bottom - 1] > 0:
        bottom -= 1
    while top < VALUES - 1 and view[HAND + top + 1] > 0:
        top += 1
    gone = 0
    if bottom < low:
        gone += relief(view, taste, bottom, low - 1, 1)
    if top > high:
        gone += relief(view, taste, high + 1, top, 1)
    used = min(
        int(view[HAND + Card.JOKER]), (1 if bottom > 0 else 0) + (1 if top < VALUES - 1 else 0)
    )
    return gone + used * joker_relief(taste)


@device
def smallest_target(view: View, mask: Mask) -> int:
    """An hourglass for the smallest hand that may be given one (Save the hourglass)."""
    best, least = NONE, 1000
    for steps in range(1, MAX_PLAYERS):
        action = Action.GIVE_HOURGLASS + steps - 1
        if mask[action] and view[HAND_SIZES + steps] < least:
            best, least = action, int(view[HAND_SIZES + steps])
    return best


# --- Going on ------------------------------------------------------------------------------------


@device
def best_extension(mask: Mask) -> int:
    """Extend the run on the pile, with trick cards as long as they fit, then with a joker."""
    for end in (Action.LOW, Action.HIGH):
        if mask[end + FITTING]:
            return int(end + FITTING)
        joker = first_of(mask, end + FITTING + 1, end + FITTING + 1 + NUM_JOKERS)
        if joker != NONE:
            return joker
    return NONE


@device
def go_on_laying(view: View, mask: Mask, taste: HeuristicWeights) -> int:
    """Lay more of the set or run, then knock or take a card."""
    value = laid_value(view)
    run, more = first_of(mask, Action.RUN, Action.LOW), last_addition(mask, taste)
    if value == NONE:  # a joker alone: knocked, or only shed
        run, more = NONE, NONE
    elif view[LAID] == 1 and run != NONE:
        as_set = set_relief(view, taste, value, 1) + (
            taste.draw + taste.knock if mask[Action.KNOCK] else 0
        )
        if run_relief(view, taste, value, value + 1) <= as_set:
            run = NONE
    if run != NONE:
        return run
    if more != NONE:
        return more
    return Action.KNOCK if mask[Action.KNOCK] else best_card(view, mask, taste)


@device
def last_addition(mask: Mask, taste: HeuristicWeights) -> int:
    """One more of the set, a joker first: another card of the value may go on top."""
    stop = NUM_PARTS if joker_relief(taste) > 0 else VALUES
    for part in range(stop - 1, -1, -1):
        if mask[Action.ADD + part]:
            return Action.ADD + part
    return NONE


@device
def laid_value(view: View) -> int:
    """Value of the set or lowest value of the run laid, NONE for a joker alone."""
    for value in range(VALUES):
        if view[VALUE + value]:
            return value
    return NONE
