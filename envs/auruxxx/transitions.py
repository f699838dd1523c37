"""Auruxxx played: the deal, what each move does, scoring.

Plain Python on the state record, compiled by Numba. Rule ids refer to docs/rules/auruxxx.md;
which moves are legal stands in `legal.py`, which card fits on which in `rules.py`.
"""

from ..engine.compile import device
from ..engine.deck import (
    gather,
    give,
    next_seat,
    put_into_pile,
    remove,
    swap_hands,
    take_from_pile,
    turn_over,
)
from ..engine.rng import random_below, restart_streams
from .knowledge import (
    know_nothing,
    learn_by_swap,
    learn_of_theft,
    part_with,
)
from .legal import list_legal, top_card
from .rules import FIT, NUM_CARDS, NUMBER_OF, POINTS, Action, Card, Fit
from .state import NOBODY, Phase, State, Stream

# --- A1: setting up a round ---------------------------------------------------------------------


@device
def begin(state: State) -> None:
    """Start a whole new game from the settings and the seed in the record."""
    state.over = 0
    state.round_index = 0
    state.scores[:] = 0
    state.figure = NOBODY  # A1.4
    state.capped_rounds = 0
    state.round_ended = 0
    state.round_winner = NOBODY
    state.round_points[:] = 0
    deal(state)


@device
def deal(state: State) -> None:
    """Deal a round; the figure stays where it is (A1.4)."""
    restart_streams(state.streams, state.seed, state.round_index)
    gather(state)
    know_nothing(state)
    state.discarded[:] = 0
    state.crosses[:] = 0
    state.discard_size = 0
    for _ in range(state.hand_size):  # A1.1
        for seat in range(state.num_players):
            give(state, seat, take_from_pile(state, Stream.DEAL))
    turn_up(state)
    state.demand = 0  # A4.4
    state.decisions = 0
    start_turn(state, state.round_index % state.num_players)  # A1.3: seat 0 starts the first round
    list_legal(state)


@device
def turn_up(state: State) -> None:
    """Turn up the first card of the discard pile; it acts on nobody (A1.1, A1.2)."""
    card = take_from_pile(state, Stream.DEAL)
    while card == Card.GOLDEN:  # A1.2: it goes back, another is turned up
        put_into_pile(state, card)
        card = take_from_pile(state, Stream.DEAL)
    discard(state, card)


# --- Moving cards -------------------------------------------------------------------------------


@device
def discard(state: State, card: int) -> None:
    """Put a card on top of the discard pile."""
    state.discards[state.discard_size] = card
    state.discard_size += 1
    state.discarded[card] += 1


@device
def lay_open(state: State, seat: int, card: int) -> None:
    """Put a card of a hand on top of the discard pile."""
    part_with(state, seat, card)
    discard(state, card)


@device
def draw_from_pile(state: State, seat: int) -> None:
    """Draw one card into a hand; nothing when there is none (A1.5)."""
    if state.pile_size == 0:
        turn_over(state, 1)  # A1.5: its top card stays
    if state.pile_size > 0:
        give(state, seat, take_from_pile(state, Stream.DRAWS + seat))


@device
def steal_card(state: State, thief: int, victim: int) -> None:
    """Draw one card, uniformly random, from another hand; from an empty one, nothing (A5.5)."""
    if state.hand_sizes[victim] == 0:
        return
    place = random_below(state.streams, Stream.THEFTS + thief, state.hand_sizes[victim])
    card = 0
    while place >= state.hands[victim, card]:
        place -= int(state.hands[victim, card])
        card += 1
    remove(state, victim, card)
    give(state, thief, card)
    learn_of_theft(state, thief, victim, card)


# --- A2-A6: what a move does --------------------------------------------------------------------


@device(inline=True)
def apply(state: State, action: int) -> None:
    """Play one decision of the player to move; `action` must be legal."""
    state.round_ended = 0
    state.decisions += 1
    seat = state.current_player
    if action == Action.DRAW:
        draw_from_pile(state, seat)
        state.drawn += 1  # A1.5: made, even when there was no card to draw
    elif action == Action.PASS:
        state.crosses[seat] += 1  # A2.1
        start_turn(state, next_seat(state, seat, 1))  # A4.2: a demand moves on
    elif action == Action.TAKE:
        for _ in range(state.demand):  # A4.1; A2.5: these are none of the two draws
            draw_from_pile(state, seat)
        state.demand = 0
        state.phase = Phase.PLAY  # A4.1: then it is his turn, in full
    elif action == Action.END:
        start_turn(state, next_seat(state, seat, 1))  # A2.4
    elif action == Action.LAY + Card.GOLDEN:
        lay_golden_twelves(state)
    elif action >= Action.LAY + Card.BLESSING:
        lay_action_card(state, action)
    else:
        lay_card(state, action - Action.LAY)
    # A8.1: a Golden 12 laid as the very last decision allowed has already ended the round.
    if state.round_ended == 0 and state.decisions >= state.max_decisions:
        state.capped_rounds += 1
        end_round(state, NOBODY, 0)
    list_legal(state)


@device
def start_turn(state: State, seat: int) -> None:
    """Make it a player's turn; a demand comes first (A4.3)."""
    state.current_player = seat
    state.drawn = 0
    state.acted = 0
    state.phase = Phase.DEMAND if state.demand > 0 else Phase.PLAY


@device
def lay_card(state: State, card: int) -> None:
    """Lay a number card, a 50 or a Happy-Man card, first or as more of a multiple (A2.3)."""
    seat, top = state.current_player, top_card(state)
    multiples = state.phase == Phase.MULTIPLE or FIT[top, card] == Fit.MULTIPLES
    lay_open(state, seat, card)  # A3.3: the card laid last is the top
    if NUMBER_OF[card] == 2:
        state.demand += 2  # A4.1: two cards for every 2
    if card >= Card.HAPPY_MAN:
        state.figure = seat  # A5.7: from its owner, if it has one
    # Who could lay more is asked whether he has more of the number or not: else the question
    # would tell the others. That a last card has to stay (A3.11), everybody sees.
    if multiples and state.hand_sizes[seat] > 1:
        state.phase = Phase.MULTIPLE
    else:
        start_turn(state, next_seat(state, seat, 1))  # A2.4: laying ends the turn


@device
def lay_action_card(state: State, action: int) -> None:
    """Lay an action card: it takes effect at once and the turn goes on (A5.1)."""
    seat = state.current_player
    card = Card.SWAP if action >= Action.LAY_SWAP else action - Action.LAY
    lay_open(state, seat, card)
    state.acted = 1  # A5.2: no passing now, and draws go on where they stood
    others = state.num_players - 1
    if card == Card.SWAP:
        # A5.4: crosses and figure stay where they are. A5.6: a hand emptied by this or by a theft
        # does not end the round; its owner draws, passes or takes.
        other = next_seat(state, seat, action - Action.LAY_SWAP + 1)
        swap_hands(state, seat, other)
        learn_by_swap(state, seat, other)
        return
    if card == Card.STEAL:
        others = 1  # A5.5: only the next player
    for steps in range(1, others + 1):  # A5.3: clockwise from the next player
        other = next_seat(state, seat, steps)
        if state.edition == 0:
            steal_card(state, seat, other)
        else:  # A5.8: the Italian book lets the others draw from the pile
            draw_from_pile(state, other)


@device
def lay_golden_twelves(state: State) -> None:
    """Lay all Golden 12s of the hand together: that ends the round and wins it (A6.1, A6.2)."""
    seat = state.current_player
    laid = int(state.hands[seat, Card.GOLDEN])
    for _ in range(laid):
        lay_open(state, seat, Card.GOLDEN)
    end_round(state, seat, laid)


# --- A7: scoring --------------------------------------------------------------------------------


@device
def end_round(state: State, winner: int, golden_laid: int) -> None:
    """Score the round, then deal the next one or end the game."""
    state.round_ended = 1
    state.round_winner = winner
    for seat in range(state.num_players):
        points = hand_points(state, seat) + 5 * state.crosses[seat]  # A7.2
        if seat == winner:
            points -= 5 * golden_laid  # A7.3
        halves = 2 * points
        if seat == state.figure and points > 0:  # A7.4
            halves = points
        state.round_points[seat] = halves
        state.scores[seat] += halves
    state.round_index += 1
    if state.round_index < state.rounds:  # A7.5
        deal(state)
    else:
        state.over = 1
        state.demand = 0  # A4.4


@device
def hand_points(state: State, seat: int) -> int:
    """What the cards left in a hand count (A7.1)."""
    points = 0
    for card in range(NUM_CARDS):
        value = state.golden_value if card == Card.GOLDEN else POINTS[card]
        points += int(state.hands[seat, card]) * int(value)
    return points
