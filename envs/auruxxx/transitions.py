"""Auruxxx: what each action does.

Plain Python on the state, compiled by Numba. Rule ids refer to docs/rules/auruxxx.md. `legal.py`
says which actions are legal, `rules.py` which card fits on which, `rounds.py` how turns and rounds
begin and end, `piles.py` how cards move.
"""

from ..engine.compile import device
from ..engine.deck import next_seat
from ..engine.emit import announce, emit, emit_card, is_logged
from ..engine.events import EVERYBODY, NOBODY_KNOWS, NONE, EventKind, Unrecorded
from ..engine.knowledge import swap_hands
from .legal import top_card
from .piles import draw_from_pile, lay_open, steal_card
from .rounds import Ending, end_round, end_turn
from .rules import FIT, FIT_RULE, ITALIAN, NUMBER_OF, Action, Card, Fit
from .state import NOBODY, Phase, State


@device(inline=True)
def play(state: State, action: int) -> None:
    """Play one decision of the current player, up to the scoring of a round.

    Args:
        state: One game, changed in place.
        action: A legal action.
    """
    player = state.current_player
    if action == Action.DRAW:
        draw_from_pile(state, player, 1, EventKind.DRAW, EventKind.DRAW, 202)
        state.drawn += 1  # A1.5: made, even when there was no card to draw
    elif action == Action.PASS:
        pass_on(state)
    elif action == Action.TAKE:
        # A4.1; A2.5: none of the two draws
        demand, kind = int(state.demand), EventKind.TAKE_DEMAND
        draw_from_pile(state, player, demand, kind, kind, 401)
        emit(state, Unrecorded.DEMAND_TAKEN, player, NONE, NONE, demand, NOBODY_KNOWS, 401)
        state.demand = 0
        state.phase = Phase.PLAY  # A4.1: then the player's turn follows, in full
    elif action == Action.END:
        # A2.4; A3.3: nobody is forced to lay more
        announce(state, EventKind.END, player, 303 if state.phase == Phase.MULTIPLE else 204)
        end_turn(state)
    elif action == Action.LAY + Card.GOLDEN:
        lay_golden_twelves(state)
    elif action >= Action.LAY + Card.BLESSING:
        lay_action_card(state, action)
    else:
        lay_card(state, action - Action.LAY)
    # A8.1: a Golden 12 laid as the very last decision allowed has already ended the round.
    if state.round_ended == 0 and state.decisions >= state.max_decisions:
        state.capped_rounds += 1
        end_round(state, NOBODY, 0, Ending.CAP)
    if state.round_ended == 0 and state.phase == Phase.DEMAND:
        following, rule = state.current_player, 402 if action == Action.PASS else 401
        emit(state, Unrecorded.DEMAND, NONE, following, NONE, state.demand, NOBODY_KNOWS, rule)


@device
def pass_on(state: State) -> None:
    """Pass (A2.1); a demand moves on to the next player (A4.2)."""
    player, rule = state.current_player, 402 if state.phase == Phase.DEMAND else 201
    state.crosses[player] += 1  # A2.1
    demand, crosses = int(state.demand), int(state.crosses[player])
    emit(state, EventKind.PASS, player, NONE, NONE, demand, NOBODY_KNOWS, rule)
    emit(state, Unrecorded.CROSS, player, NONE, NONE, crosses, NOBODY_KNOWS, rule)
    end_turn(state)


@device
def lay_card(state: State, card: int) -> None:
    """Lay a number card, a 50 or a Happy-Man card, first or as more of a multiple (A2.3).

    A 2 demands two cards of the next player (A4.1; `cards_per_two`), a Happy-Man card brings the
    figure (A5.7). Then the player may lay more of the number, if it fits by number (A3.3), or the
    turn ends (A2.4).
    """
    player, top = state.current_player, top_card(state)
    multiples = state.phase == Phase.MULTIPLE or FIT[top, card] == Fit.MULTIPLES
    rule = 303 if state.phase == Phase.MULTIPLE else int(FIT_RULE[top, card])
    lay_open(state, player, card)  # A3.3: the card laid last is the top
    emit_card(state, EventKind.LAY, player, NONE, card, rule)
    if NUMBER_OF[card] == 2:
        state.demand += state.cards_per_two  # A4.1: two cards for every 2
    if card >= Card.HAPPY_MAN and state.figure != player:  # A5.7: from its owner, if it has one
        emit(state, EventKind.FIGURE, player, state.figure, NONE, 1, NOBODY_KNOWS, 507)
        state.figure = player
    # The player is asked whether it has more of the number or not: else the question would tell
    # the others. That a last card has to stay (A3.11), everybody sees.
    if multiples and state.hand_sizes[player] > 1:
        state.phase = Phase.MULTIPLE
    else:
        end_turn(state)  # A2.4: laying ends the turn


@device
def lay_action_card(state: State, action: int) -> None:
    """Lay an action card: it takes effect at once and the turn goes on (A5.1).

    A Kartentausch swaps hands with one other player (A5.4). Karte ziehen takes a card from the next
    player (A5.5), Kartensegen from all others (A5.3); by the Italian book they draw instead, and
    with `blessing_draws="all"` the player does, too (A5.8).
    """
    player = state.current_player
    card = Card.SWAP if action >= Action.LAY_SWAP else action - Action.LAY
    lay_open(state, player, card)
    rule = 503 if card == Card.BLESSING else 505 if card == Card.STEAL else 504
    emit_card(state, EventKind.LAY, player, NONE, card, rule)
    state.acted = 1  # A5.2: no passing now, and draws go on where they stood
    others = state.num_players - 1
    if card == Card.SWAP:
        # A5.4: crosses and figure stay where they are. A5.6: a hand emptied by this or by a theft
        # does not end the round; its owner draws, passes or takes.
        other = next_seat(state, player, action - Action.LAY_SWAP + 1)
        if is_logged(state) and state.hands[other, Card.GOLDEN] > state.hands[player, Card.GOLDEN]:
            emit(state, Unrecorded.BETTER_SWAP, player, other, NONE, 1, NOBODY_KNOWS, 504)
        swap_hands(state, player, other, 504)
        return
    if card == Card.STEAL:
        others = 1  # A5.5: only the next player
    for steps in range(1, others + 1):  # A5.3: clockwise from the next player
        other = next_seat(state, player, steps)
        if state.edition == ITALIAN:  # A5.8: the Italian book lets the others draw from the pile
            draw_from_pile(state, other, 1, EventKind.DRAW, Unrecorded.NO_DRAW, 508)
        else:
            steal_card(state, player, other, rule)
    if card == Card.BLESSING and state.blessing_draws == 1:
        # A5.8: last, and none of the two draws (A2.2)
        draw_from_pile(state, player, 1, EventKind.DRAW, Unrecorded.NO_DRAW, 508)


@device
def lay_golden_twelves(state: State) -> None:
    """Lay all Golden 12s of the hand together: that ends the round and wins it (A6.1, A6.2)."""
    player = state.current_player
    laid = int(state.hands[player, Card.GOLDEN])
    for _ in range(laid):
        lay_open(state, player, Card.GOLDEN)
    emit(state, EventKind.LAY, player, NONE, Card.GOLDEN, laid, EVERYBODY, 601)
    end_round(state, player, laid, Ending.GOLDEN)
