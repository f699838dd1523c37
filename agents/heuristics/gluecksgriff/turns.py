"""A turn of Glücksgriff in any style: whatever lowers the cost of the hand most.

A turn is valued as a whole when it begins: what is laid along with the first card, and whether a
card has to be taken. The tips named are those of docs/rules/gluecksgriff.md, "Strategy".
"""

from ....envs.engine.compile import device
from ....envs.gluecksgriff.observation import Place
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
from ..observed import NONE, Mask, Raw, first_of, place_in
from . import hands, opponents
from .hands import HeuristicWeights, StyleSettings
from .taking import best_card, best_challenge, cheapest_open_card, open_card

LAST_DRAW = 8  # points of a card drawn in a last turn: the mean of the deck
ONLY_POINTS = HeuristicWeights(0, 0, 0, 0, 0, 0, 0, 0, 0)


@device
def choose_action(raw: Raw, mask: Mask, style: StyleSettings) -> int:
    """Return the action for one decision; in a last turn after a call only points count."""
    last_turn = raw[Place.CALLER + MAX_PLAYERS] == 0
    weights = ONLY_POINTS if last_turn else style.weights
    draw = LAST_DRAW if last_turn else style.draw
    if style.counts_cards:
        draw = opponents.mean_unseen_points(raw)
    if raw[Place.PHASE + Phase.PLAY]:
        if mask[Action.CALL] and is_call_due(raw, style):
            return Action.CALL
        if last_turn:
            draw = min(draw, cheapest_open_card(raw))
        return begin_turn(raw, mask, style, weights, draw)
    if style.counts_cards and not last_turn and opponents.are_hands_known(raw, 2):
        draw = -LAST_DRAW  # rounds of taking what the last one has laid would never end
    if raw[Place.PHASE + Phase.LAYING]:
        return continue_turn(raw, mask, weights, draw)
    if raw[Place.PHASE + Phase.EXTENDING]:
        more = best_extension(mask)
        return Action.KNOCK if more == NONE else more
    if raw[Place.PHASE + Phase.DRAWN]:  # Knock early: whatever fits goes
        return first_of(mask, Action.KNOCK, Action.KEEP + 1)
    if raw[Place.PHASE + Phase.SERVED]:
        return Action.FEND_OFF if mask[Action.FEND_OFF] else Action.SIT_OUT
    if raw[Place.PHASE + Phase.OPENING]:
        return open_card(raw, mask, style)
    if raw[Place.PHASE + Phase.MAGIC]:
        challenge = best_challenge(raw, mask, style)
        if challenge != NONE:
            return challenge
    return best_card(raw, mask, weights, draw)


@device
def is_call_due(raw: Raw, style: StyleSettings) -> bool:
    """Return whether to call (Set a threshold for the call).

    Who counts cards, and knows the last card of everybody, calls with the lowest.
    """
    points = int(raw[Place.HAND_POINTS])
    if points > style.call_at:
        return False
    if style.counts_cards and opponents.are_hands_known(raw, 1):
        return opponents.least_expected_points(raw) - opponents.LAST_TURN > points
    if opponents.call_percent(raw) < style.call_percent:
        return False
    if not style.counts_cards:
        return True
    return opponents.least_expected_points(raw) >= points + style.call_margin


# --- Beginning a turn ---------------------------------------------------------------------------


@device
def begin_turn(
    raw: Raw, mask: Mask, style: StyleSettings, weights: HeuristicWeights, draw: int
) -> int:
    """Return the beginning of a turn that saves most cost, less that of a card to be taken.

    A last turn that saves nothing is declined (Decline a last turn that costs points).
    """
    best, most = best_extension(mask), 0
    if best != NONE:
        most = saved_by_extension(raw, weights) + weights.knock
    if mask[Action.PLAY_MAGIC_HAND]:
        value = hands.saved_by_special(raw, weights, Card.MAGIC_HAND) + weights.magic_hand - draw
        if best == NONE or value > most:
            best, most = Action.PLAY_MAGIC_HAND, value
    target = smallest_target(raw, mask)
    if target != NONE:
        value = hands.saved_by_special(raw, weights, Card.HOURGLASS) + weights.hourglass - draw
        if best == NONE or value > most:
            best, most = target, value
    fitting = hands.knocking_value(raw)
    for card in range(NUM_CARDS):
        if mask[Action.LAY + card]:
            value = lay_value(raw, weights, card, fitting, draw)
            if card < VALUES and raw[Place.KNOWN + card]:  # the next player's: Watch what is taken
                value -= style.known_card_cost
            if best == NONE or value > most:
                best, most = Action.LAY + card, value
    return Action.DECLINE if mask[Action.DECLINE] and most <= 0 else best


@device
def lay_value(raw: Raw, weights: HeuristicWeights, card: int, fitting: int, draw: int) -> int:
    """Return the cost saved by beginning with a card, with all that is laid along with it."""
    if card >= VALUES:
        end = weights.knock if card == Card.JOKER and fitting != NONE else -draw
        return hands.saved_by_special(raw, weights, card) + end
    end = weights.knock if card == fitting else -draw
    as_set = saved_by_set(raw, weights, card, 0) + end
    return max(as_set, saved_by_run(raw, weights, card, card) - draw)


@device
def saved_by_set(raw: Raw, weights: HeuristicWeights, value: int, laid: int) -> int:
    """Return the cost saved by laying all own cards of a value, a joker after each of them.

    `laid` cards of the value were laid before.
    """
    count = int(raw[Place.HAND + value])
    jokers = min(count + laid, int(raw[Place.HAND + Card.JOKER]))
    saved_by_jokers = jokers * max(hands.saved_by_joker(weights), 0)
    return hands.saved(raw, weights, value, value, count) + saved_by_jokers


@device
def saved_by_run(raw: Raw, weights: HeuristicWeights, low: int, still: int) -> int:
    """Return the cost saved by laying the longest run from `low` up; -1000 for no run.

    `still` is its lowest card that is still in the hand.
    """
    high, jokers = hands.run_end(raw, low)
    if high < low + 2:
        return -1000
    saved_by_jokers = jokers * hands.saved_by_joker(weights)
    return hands.saved(raw, weights, still, high, 1) + saved_by_jokers + weights.run_laid


@device
def saved_by_extension(raw: Raw, weights: HeuristicWeights) -> int:
    """Return the cost saved by extending the run on the pile at both ends."""
    low = place_in(raw, Place.RUN_LOW, VALUES)
    high = low + int(raw[Place.RUN_SIZE]) - 1
    bottom, top = low, high
    while bottom > 0 and raw[Place.HAND + bottom - 1] > 0:
        bottom -= 1
    while top < VALUES - 1 and raw[Place.HAND + top + 1] > 0:
        top += 1
    gone = 0
    if bottom < low:
        gone += hands.saved(raw, weights, bottom, low - 1, 1)
    if top > high:
        gone += hands.saved(raw, weights, high + 1, top, 1)
    free_ends = int(bottom > 0) + int(top < VALUES - 1)
    used = min(int(raw[Place.HAND + Card.JOKER]), free_ends)
    return gone + used * hands.saved_by_joker(weights)


@device
def smallest_target(raw: Raw, mask: Mask) -> int:
    """Return the hourglass for the smallest hand that may be given one (Save the hourglass)."""
    best, least = NONE, 1000
    for steps in range(1, MAX_PLAYERS):
        action = Action.GIVE_HOURGLASS + steps - 1
        if mask[action] and raw[Place.HAND_SIZES + steps] < least:
            best, least = action, int(raw[Place.HAND_SIZES + steps])
    return best


# --- Going on ------------------------------------------------------------------------------------


@device
def best_extension(mask: Mask) -> int:
    """Return the action that extends the run on the pile, by a joker last; NONE if none does."""
    for end in (Action.LOW, Action.HIGH):
        if mask[end + FITTING]:
            return int(end + FITTING)
        joker = first_of(mask, end + FITTING + 1, end + FITTING + 1 + NUM_JOKERS)
        if joker != NONE:
            return joker
    return NONE


@device
def continue_turn(raw: Raw, mask: Mask, weights: HeuristicWeights, draw: int) -> int:
    """Return the action that lays more of the set or run, else the one that ends the turn."""
    value = place_in(raw, Place.VALUE, VALUES)  # of the set, the lowest of the run
    run, more = first_of(mask, Action.RUN, Action.LOW), last_addition(mask, weights)
    if value == NONE:  # a joker alone: knocked, or only shed
        run, more = NONE, NONE
    elif raw[Place.LAID] == 1 and run != NONE:
        knock = draw + weights.knock if mask[Action.KNOCK] else 0
        as_set = saved_by_set(raw, weights, value, 1) + knock
        if saved_by_run(raw, weights, value, value + 1) <= as_set:
            run = NONE
    if run != NONE:
        return run
    if more != NONE:
        return more
    return Action.KNOCK if mask[Action.KNOCK] else best_card(raw, mask, weights, draw)


@device
def last_addition(mask: Mask, weights: HeuristicWeights) -> int:
    """Return the action that adds to the set, or NONE; a joker first, as a card may go on top."""
    stop = NUM_PARTS if hands.saved_by_joker(weights) > 0 else VALUES
    for addition in range(stop - 1, -1, -1):
        if mask[Action.ADD + addition]:
            return Action.ADD + addition
    return NONE
