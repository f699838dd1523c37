"""Glücksgriff played: the Magic Hand (G7).

Part of `game.py`, whose `apply` leads here. Rule ids refer to docs/rules/gluecksgriff.md.
"""

from ..engine.compile import device
from ..engine.deck import give, next_seat, remove
from ..engine.knowledge import learn_hand, learn_of_theft, part_with, show
from .piles import discard, draw_from_pile, set_play
from .rounds import finish_turn
from .rules import NUM_CARDS, OPEN_ORDER, Action, Card
from .state import NO_CARD, NOBODY, Phase, State


@device
def play_magic_hand(state: State) -> None:
    """Let every other player lay a card open (G7.1, G7.4)."""
    state.magician = state.current_player
    part_with(state, state.current_player, Card.MAGIC_HAND)  # it lies apart until the turn is over
    if state.bluffing == 1:
        go_on_opening(state)
        return
    for steps in range(1, state.num_players):
        other = next_seat(state, state.magician, steps)
        if state.hand_sizes[other] > 0:
            lay_open(state, other, lowest_card(state, other))
    state.phase = Phase.MAGIC


@device
def lowest_card(state: State, seat: int) -> int:
    """The card of fewest points in a hand (G7.1)."""
    lowest = NO_CARD
    for place in range(NUM_CARDS):
        card = int(OPEN_ORDER[place])
        if state.hands[seat, card] > 0 and (
            lowest == NO_CARD or state.points[card] < state.points[lowest]
        ):
            lowest = card
    return lowest


@device
def lay_open(state: State, seat: int, card: int) -> None:
    """Lay a card of a hand open in front of its player."""
    part_with(state, seat, card)
    state.open[seat] = card


@device
def go_on_opening(state: State) -> None:
    """Ask the next player, clockwise, for his open card; then the Magic Hand's player (G7.4)."""
    for steps in range(1, state.num_players):
        other = next_seat(state, state.magician, steps)
        if state.open[other] == NO_CARD and state.hand_sizes[other] > 0:
            state.current_player = other
            state.phase = Phase.OPENING
            return
    state.current_player = state.magician
    state.phase = Phase.MAGIC


@device
def use_magic_hand(state: State, action: int) -> None:
    """A decision while the Magic Hand is in play."""
    seat = state.current_player
    if action >= Action.GRAB:  # G7.5
        grab(state, action - Action.GRAB)
        put_magic_hand_away(state)
    elif action >= Action.OPEN:
        lay_open(state, seat, action - Action.OPEN)
        go_on_opening(state)
    elif action >= Action.CHALLENGE:
        challenge(state, next_seat(state, seat, action - Action.CHALLENGE + 1))
    else:  # G7.2
        other = next_seat(state, seat, action - Action.PICK + 1)
        card = int(state.open[other])
        state.open[other] = NO_CARD
        give(state, seat, card)
        show(state, seat, card)
        put_magic_hand_away(state)


@device
def challenge(state: State, challenged: int) -> None:
    """Doubt that a player laid his lowest card open; the challenger sees his hand (G7.4)."""
    seat = state.current_player
    lowest = lowest_card(state, challenged)
    if lowest != NO_CARD and state.points[lowest] < state.points[state.open[challenged]]:  # G7.5
        state.challenged = challenged
        while state.hand_sizes[challenged] < state.hand_size:
            if draw_from_pile(state, challenged) == NO_CARD:
                break
        learn_hand(state, seat, challenged)
        state.phase = Phase.PRIZE
        return
    learn_hand(state, seat, challenged)
    draw_from_pile(state, seat)  # G7.6
    draw_from_pile(state, seat)
    for other in range(state.num_players):
        if state.open[other] != NO_CARD:
            give(state, other, int(state.open[other]))
            show(state, other, int(state.open[other]))
            state.open[other] = NO_CARD
    discard(state, Card.MAGIC_HAND, seat)
    set_play(state, 1)
    end_magic(state)


@device
def grab(state: State, card: int) -> None:
    """Take a card out of the deceiver's hand; the others do not see which (G7.5)."""
    seat, challenged = state.current_player, state.challenged
    remove(state, challenged, card)
    give(state, seat, card)
    learn_of_theft(state, seat, challenged, card)


@device
def put_magic_hand_away(state: State) -> None:
    """Open cards left go on the pile, the Magic Hand on top; the others draw (G7.3, G7.5)."""
    magician = state.magician
    for steps in range(1, state.num_players):
        other = next_seat(state, magician, steps)
        if state.open[other] != NO_CARD:
            discard(state, int(state.open[other]), other)
            state.open[other] = NO_CARD
    discard(state, Card.MAGIC_HAND, magician)
    set_play(state, 1)
    for steps in range(1, state.num_players):
        draw_from_pile(state, next_seat(state, magician, steps))
    end_magic(state)


@device
def end_magic(state: State) -> None:
    """End the turn of the Magic Hand."""
    state.magician = NOBODY
    state.challenged = NOBODY
    finish_turn(state)
