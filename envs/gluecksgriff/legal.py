"""Glücksgriff: which actions are legal. Rule ids refer to docs/rules/gluecksgriff.md.

`piles.py` looks at what has been laid and says what may be knocked.
"""

from ..engine.compile import device
from ..engine.deck import next_seat
from ..engine.state import Bytes
from . import piles
from .rules import (
    BOTH,
    FEW_POINTS,
    FITTING,
    FORCED,
    LAY_RULES,
    MAX_PLAYERS,
    NUM_CARDS,
    VALUES,
    Action,
    Card,
    Effect,
    JokerKnock,
)
from .state import NO_CARD, NOBODY, Laid, Phase, State


@device(inline=True)
def list_legal(state: State) -> None:
    """Write the legal actions of the current player into the state."""
    legal, phase = state.legal, state.phase
    legal[:] = 0
    if state.over == 1:
        return
    if phase == Phase.PLAY:
        list_turns(state)
    elif phase == Phase.LAYING:
        list_additions(state)
    elif phase == Phase.EXTENDING:
        list_extensions(state)
        if piles.may_knock_extension(state):
            legal[Action.KNOCK] = 1
    elif phase == Phase.DRAWN:
        list_late_additions(state)
    elif phase == Phase.SERVED:
        list_answers(state)
    elif phase == Phase.GIVING:
        list_takes(state)
    elif phase == Phase.OPENING:
        for card in range(NUM_CARDS):  # G7.4
            legal[Action.OPEN + card] = state.hands[state.current_player, card] > 0
    else:
        list_prizes(state)


@device(inline=True)
def list_turns(state: State) -> None:
    """List how a turn may begin: there is always a way, since any card can be laid (G2.6)."""
    player, legal = state.current_player, state.legal
    hand = state.hands[player]
    for card in range(NUM_CARDS):
        # G2.1: G3.1, G3.3; every blank as a plain card: G9.4
        legal[Action.LAY + card] = hand[card] > 0
    if hand[Card.HOURGLASS] > 0:
        for steps in range(1, state.num_players):  # G2.3
            if may_be_served(state, steps):
                legal[Action.GIVE_HOURGLASS + steps - 1] = 1
                legal[Action.LAY + Card.HOURGLASS] = 0  # G6.7: plain only with no legal target
    if hand[Card.MAGIC_HAND] > 0 and state.caller == NOBODY:
        legal[Action.PLAY_MAGIC_HAND] = 1
        legal[Action.LAY + Card.MAGIC_HAND] = 0  # G7.7: plain only after a call
    # G2.4, G8.2: one call a round, with few points; G8.5: or, with the option, with any
    if state.caller == NOBODY and (
        state.penalties == 1 or piles.hand_points(state, player) < FEW_POINTS
    ):
        legal[Action.CALL] = 1
    if state.caller != NOBODY and state.last_turn != FORCED:  # G8.2: also after G6.4 and G6.6
        legal[Action.DECLINE] = 1
    list_effects(state)
    list_extensions(state)  # G2.2


@device
def may_be_served(state: State, steps: int) -> bool:
    """Return whether the player some steps clockwise may be made to sit out (G6.2)."""
    target = next_seat(state, state.current_player, steps)
    if state.front[target] != NO_CARD or state.sat_out[target] == 1:
        return False
    # A turn of the target must come; `turns_left` counts the current player's, too.
    return bool(state.caller == NOBODY or steps < state.turns_left)


@device(inline=True)
def list_effects(state: State) -> None:
    """List blanks played for their effect on a chosen player, also after a call (G9.5)."""
    for blank in range(state.num_blanks):
        effect = state.effects[blank]
        if state.hands[state.current_player, Card.BLANK + blank] == 0 or effect <= Effect.JOKER:
            continue
        if effect == Effect.SWAP and state.hand_sizes[state.current_player] == 1:
            continue  # G9.11: a swap empties no hand
        for steps in range(1, state.num_players):
            if effect != Effect.SIT_OUT or may_be_served(state, steps):  # G9.8
                state.legal[Action.EFFECT + blank * (MAX_PLAYERS - 1) + steps - 1] = 1


@device(inline=True)
def list_additions(state: State) -> None:
    """List what may join the cards laid, and how the turn may end (G3, G4, G5)."""
    if state.laid_kind == Laid.SET:
        list_set(state)
        if state.laid == 1:
            list_run(state)
        if piles.may_knock(state):
            state.legal[Action.KNOCK] = 1
    elif state.laid_kind == Laid.RUN:
        list_run(state)
    if state.laid_kind != Laid.RUN or state.laid >= 3:  # G3.1: a run is at least three
        list_takes(state)


@device(inline=True)
def list_set(state: State) -> None:
    """List one more card of the same value (G3.1)."""
    hand = state.hands[state.current_player]
    if state.value == NO_CARD:  # a lone joker
        for value in range(VALUES):
            state.legal[Action.ADD + value] = hand[value] > 0
    elif hand[state.value] > 0:
        state.legal[Action.ADD + state.value] = 1
    if not piles.is_joker(state, piles.last_discard(state)):  # G3.2: never next to each other
        list_jokers(state, Action.ADD + VALUES)


@device(inline=True)
def list_run(state: State) -> None:
    """List the next higher card of a run, if the run can still be made three (G3.1, G3.2)."""
    player, legal = state.current_player, state.legal
    hand, jokers = state.hands[player], piles.jokers_in(state, player)
    joker_on_top = piles.is_joker(state, piles.last_discard(state))
    if state.value == NO_CARD:  # a joker alone: the next card decides what it stands for
        for value in range(1, VALUES):
            if hand[value] > 0 and goes_on(hand, jokers, value + 1):
                legal[Action.RUN + value] = 1
        return
    following = state.value + state.laid
    if following >= VALUES:  # G3.1: runs do not wrap around
        return
    complete = state.laid >= 2  # the next card is the third
    if hand[following] > 0 and (complete or goes_on(hand, jokers, following + 1)):
        legal[Action.RUN + following] = 1
    if joker_on_top or not (complete or goes_on(hand, 0, following + 1)):
        return
    list_jokers(state, Action.RUN + VALUES)


@device
def goes_on(hand: Bytes, jokers: int, value: int) -> bool:
    """Return whether a run can be given one more card, of this value."""
    return bool(value < VALUES and (hand[value] > 0 or jokers > 0))


@device(inline=True)
def list_extensions(state: State) -> None:
    """List how the run on the pile may be extended, low end first, by two cards at least (G5.2)."""
    if state.play_run == 0 or (state.laid > 0 and state.phase != Phase.EXTENDING):
        return
    player = state.current_player
    below_low = state.play_low - state.laid_low - 1
    above_high = state.play_low + state.play_size + state.laid - state.laid_low
    lowest = state.discards[piles.play_bottom(state)]  # where extensions at the low end lie
    low_joker = piles.is_joker(state, int(lowest))
    high_joker = piles.is_joker(state, piles.last_discard(state))
    enough = state.laid >= 1  # the next card is the second, at least
    joker_enough = enough or state.joker_knock >= JokerKnock.RUN_END  # G5.3: or a joker alone
    hand, jokers = state.hands[player], piles.jokers_in(state, player)
    if state.laid_kind != Laid.HIGH_END and below_low >= 0:
        # After one card at the low end another must fit at either end.
        high = ends(hand, jokers, above_high, high_joker)
        if hand[below_low] > 0 and (enough or high or ends(hand, jokers, below_low - 1, False)):
            state.legal[Action.LOW + FITTING] = 1
        left = ends(hand, jokers - 1, above_high, high_joker)
        if not low_joker and (joker_enough or left or ends(hand, jokers - 1, below_low - 1, True)):
            list_jokers(state, Action.LOW + FITTING + 1)
    if above_high < VALUES:
        if hand[above_high] > 0 and (enough or ends(hand, jokers, above_high + 1, False)):
            state.legal[Action.HIGH + FITTING] = 1
        if not high_joker and (joker_enough or ends(hand, jokers - 1, above_high + 1, True)):
            list_jokers(state, Action.HIGH + FITTING + 1)


@device
def ends(hand: Bytes, jokers: int, value: int, beside_joker: bool) -> bool:
    """Return whether a run's end can be given one more card, of this value (G3.2, G5.2)."""
    if value < 0 or value >= VALUES:
        return False
    return bool(hand[value] > 0 or (jokers > 0 and not beside_joker))


@device
def list_jokers(state: State, first: int) -> None:
    """List each joker of the hand; `first` is the action of the joker itself, the blanks follow."""
    hand = state.hands[state.current_player]
    state.legal[first] = hand[Card.JOKER] > 0
    for blank in range(state.num_blanks):
        if hand[Card.BLANK + blank] > 0 and piles.is_joker(state, Card.BLANK + blank):
            state.legal[first + 1 + blank] = 1


@device(inline=True)
def list_takes(state: State) -> None:
    """List which card may be taken: from the face-down pile or off the play (G4)."""
    state.legal[Action.DRAW] = 1
    if state.play_size == 0:
        return
    if may_take(state, piles.play_top(state)):
        state.legal[Action.TAKE_HIGH if state.play_run == 1 else Action.TAKE] = 1
    if state.play_run == 1 and may_take(state, piles.play_bottom(state)):
        state.legal[Action.TAKE_LOW] = 1


@device
def may_take(state: State, place: int) -> bool:
    """Return whether a discard may be taken: no special card (G4.3), none of one's own (G4.4).

    Blanks (G9.3), an hourglass (G6.5) and the Magic Hand, after which nothing can be taken (G4.5),
    are special.
    """
    return bool(state.discards[place] < VALUES and state.layers[place] != state.current_player)


@device
def list_late_additions(state: State) -> None:
    """List whether the card just drawn may be knocked (G5.4), or is kept (G5.5)."""
    state.legal[Action.KEEP] = 1
    card, low = state.drawn, state.value
    joker = piles.is_joker(state, card)
    joker_on_top = piles.is_joker(state, piles.last_discard(state))
    if state.laid_kind == Laid.SET:
        if card == state.value or (joker and not joker_on_top):
            state.legal[Action.KNOCK] = 1
        return
    above = low + state.laid
    lowest = int(state.discards[state.discard_size - state.laid])
    if low > 0 and (card == low - 1 or (joker and not piles.is_joker(state, lowest))):
        state.legal[Action.KNOCK_LOW] = 1
    if above < VALUES and (card == above or (joker and not joker_on_top)):
        state.legal[Action.KNOCK_HIGH] = 1


@device
def list_answers(state: State) -> None:
    """List what a player with an hourglass in front of it may do (G2.5)."""
    state.legal[Action.SIT_OUT] = 1  # G6.3
    if state.must_sit_out[state.current_player] == 1:  # G6.6: it played on last time
        return
    if state.hands[state.current_player, Card.HOURGLASS] > 0:
        state.legal[Action.FEND_OFF] = 1  # G6.4
    if state.penalties == 1:
        state.legal[Action.PLAY_ON] = 1  # G6.6


@device
def list_prizes(state: State) -> None:
    """List what the Magic Hand (G7.2) or a right challenge (G7.5) brings its player."""
    one_card = state.phase == Phase.PRIZE and state.challenge_prize != BOTH
    if one_card or state.phase == Phase.GRABBING:  # G7.5
        for card in range(NUM_CARDS):
            state.legal[Action.GRAB + card] = state.hands[state.challenged, card] > 0
    if state.phase == Phase.GRABBING:
        return
    for steps in range(1, state.num_players):
        other = next_seat(state, state.current_player, steps)
        if state.open[other] != NO_CARD:
            state.legal[Action.PICK + steps - 1] = 1
            if state.bluffing == 1 and state.phase == Phase.MAGIC:  # G7.4
                state.legal[Action.CHALLENGE + steps - 1] = 1
    list_takes(state)


# Rules of actions from each of these on, up to the next.
_RULES = {
    Action.ADD: 301,
    Action.LOW: 502,
    Action.DRAW: 401,
    Action.TAKE_LOW: 402,
    Action.KNOCK: 501,
    Action.KNOCK_LOW: 504,
    Action.KEEP: 505,
    Action.SIT_OUT: 603,
    Action.FEND_OFF: 604,
    Action.PLAY_ON: 606,
    Action.CALL: 802,
    Action.PLAY_MAGIC_HAND: 701,
    Action.GIVE_HOURGLASS: 601,
    Action.PICK: 702,
    Action.CHALLENGE: 704,
    Action.OPEN: 704,
    Action.GRAB: 705,
    Action.EFFECT: 905,
    Action.DECLINE: 802,
}


def rule_of(state: State, action: int) -> int:
    """Return the rule that allows a legal action, from public facts only: 504 for G5.4."""
    if action < Action.ADD:
        return int(LAY_RULES[action])
    if action == Action.KNOCK and state.phase in (Phase.EXTENDING, Phase.DRAWN):
        return 502 if state.phase == Phase.EXTENDING else 504
    return _RULES[max(first for first in _RULES if first <= action)]
