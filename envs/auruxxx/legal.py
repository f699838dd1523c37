"""Auruxxx: which actions are legal. Rule ids refer to docs/rules/auruxxx.md."""

from ..engine.compile import device
from .rules import FIT, FIT_RULE, NUM_ACTIONS, NUMBER_OF, WEB, Action, Card, Fit
from .state import Phase, State


@device
def top_card(state: State) -> int:
    """Return the card on top of the discard pile."""
    return int(state.discards[state.discard_size - 1])


@device(inline=True)
def list_legal(state: State) -> None:
    """Write the legal actions of the current player into the state."""
    legal = state.legal
    legal[:] = 0
    if state.over == 1:
        return
    if state.phase == Phase.MULTIPLE:
        legal[Action.END] = 1  # A3.3: nobody is forced to lay more
        list_more_of_number(state)
        return
    # A2.1: as the very first thing in a turn. A4.2: instead of taking what is demanded, too.
    # A5.2: not after an action card.
    may_pass = state.crosses[state.current_player] < state.max_passes
    if state.drawn == 0 and state.acted == 0 and may_pass:
        legal[Action.PASS] = 1
    if state.phase == Phase.DEMAND:  # A4.3: take or pass, nothing else
        legal[Action.TAKE] = 1
        return
    list_lays(state)
    if must_lay(state):  # A2.6, A5.2: no draw and no end then
        return
    if state.drawn < state.max_draws:  # A2.2: always allowed, whatever could be laid
        legal[Action.DRAW] = 1
    else:  # A2.4, A5.2: only after two draws may a turn end without laying
        legal[Action.END] = 1


@device
def must_lay(state: State) -> bool:
    """Return whether something has to be laid, because it can be: see `list_lays`.

    The whole hand counts as it is now, action cards and Golden 12s included.
    """
    if state.edition == WEB:
        forced = state.drawn > 0  # A2.6: the first draw is a choice
    else:  # A5.2: after an action card and both draws
        forced = state.after_action == 1 and state.acted == 1 and state.drawn == state.max_draws
    if forced:
        for action in range(Action.LAY, NUM_ACTIONS):
            if state.legal[action] == 1:
                return True
    return False


@device
def list_lays(state: State) -> None:
    """List the cards that may be laid first in a turn, or after an action card (A3)."""
    player, legal = state.current_player, state.legal
    hand, size, top = state.hands[player], state.hand_sizes[player], top_card(state)
    if size > 0 and hand[Card.GOLDEN] == size:  # A6.1: nothing but Golden 12s is left
        legal[Action.LAY + Card.GOLDEN] = 1
    if size < 2:  # A3.11: no other card may be the last one of a hand
        return
    for card in range(Card.GOLDEN):
        if hand[card] > 0 and FIT[top, card] != Fit.NO:
            legal[Action.LAY + card] = 1
    for card in range(Card.BLESSING, Card.SWAP):  # A3.9: action cards fit on everything
        if hand[card] > 0:
            legal[Action.LAY + card] = 1
    if hand[Card.SWAP] > 0:  # A5.4: with one other player of the player's choice
        for other in range(state.num_players - 1):
            legal[Action.LAY_SWAP + other] = 1


@device
def list_more_of_number(state: State) -> None:
    """List the cards that may join the multiple just begun: the same number, any colour (A3.3).

    The player has two cards at least: adding must leave one, too (A3.11).
    """
    hand, number = state.hands[state.current_player], NUMBER_OF[top_card(state)]
    for card in range(Card.HAPPY_MAN):
        if hand[card] > 0 and NUMBER_OF[card] == number:
            state.legal[Action.LAY + card] = 1


def rule_of(state: State, action: int) -> int:
    """Return the rule that allows a legal action, from public facts only: 504 for A5.4."""
    multiple = state.phase == Phase.MULTIPLE
    if action == Action.PASS:
        return 402 if state.phase == Phase.DEMAND else 201
    if action == Action.END:
        return 303 if multiple else 204
    if action < Action.LAY:
        return 202 if action == Action.DRAW else 401
    card = min(action - Action.LAY, int(Card.SWAP))
    if card < Card.GOLDEN:
        top = int(state.discards[state.discard_size - 1])
        return 303 if multiple else int(FIT_RULE[top, card])
    return {Card.GOLDEN: 601, Card.BLESSING: 503, Card.STEAL: 505}.get(Card(card), 504)
