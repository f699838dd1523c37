"""Glücksgriff: what the Magic Hand does (G7).

`transitions.play` leads here. Rule ids refer to docs/rules/gluecksgriff.md.
"""

from ..engine.compile import device
from ..engine.deck import next_seat
from ..engine.emit import emit, emit_card
from ..engine.events import NOBODY_KNOWS, NONE, EventKind, Unrecorded
from ..engine.knowledge import look_at_hand, part_with, steal, take_openly
from .piles import discard, draw_from_pile, draw_several, set_play
from .rounds import finish_turn
from .rules import BOTH, NUM_CARDS, OPEN_ORDER, Action, Card
from .state import NO_CARD, NOBODY, Phase, State


@device
def play_magic_hand(state: State) -> None:
    """Play the Magic Hand: every other player lays a card open (G7.1).

    It is the lowest of the hand; with bluffing the player chooses it (G7.4).
    """
    state.magician = state.current_player
    part_with(state, state.current_player, Card.MAGIC_HAND)  # it lies apart until the turn is over
    emit_card(state, EventKind.PLAY, state.magician, NONE, Card.MAGIC_HAND, 701)
    if state.bluffing == 1:
        go_on_opening(state)
        return
    for steps in range(1, state.num_players):
        other = next_seat(state, state.magician, steps)
        if state.hand_sizes[other] > 0:
            lay_open(state, other, lowest_card(state, other), 701)
    state.phase = Phase.MAGIC


@device
def lowest_card(state: State, seat: int) -> int:
    """Return the card of fewest points in a hand (G7.1), NO_CARD for an empty one."""
    lowest = NO_CARD
    for place in range(NUM_CARDS):
        card = int(OPEN_ORDER[place])
        if state.hands[seat, card] > 0 and (
            lowest == NO_CARD or state.points[card] < state.points[lowest]
        ):
            lowest = card
    return lowest


@device
def lay_open(state: State, seat: int, card: int, rule: int) -> None:
    """Lay a card of a hand open in front of its player."""
    part_with(state, seat, card)
    state.open[seat] = card
    emit_card(state, EventKind.OPEN, seat, NONE, card, rule)


@device
def go_on_opening(state: State) -> None:
    """Ask the next player, clockwise, for an open card; then the Magic Hand's player (G7.4)."""
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
    """Play a decision while the Magic Hand is in play.

    A player lays a card open (G7.4). The Magic Hand's player picks an open card (G7.2), challenges
    a player (G7.4), or grabs a card after a right challenge (G7.5).
    """
    player = state.current_player
    if action >= Action.GRAB:  # G7.5
        grab(state, action - Action.GRAB)
        put_magic_hand_away(state)
    elif action >= Action.OPEN:
        lay_open(state, player, action - Action.OPEN, 704)
        go_on_opening(state)
    elif action >= Action.CHALLENGE:
        challenge(state, next_seat(state, player, action - Action.CHALLENGE + 1))
    else:  # G7.2
        target = next_seat(state, player, action - Action.PICK + 1)
        card = int(state.open[target])
        state.open[target] = NO_CARD
        take_openly(state, EventKind.PICK, player, target, card, 702)
        if state.phase == Phase.PRIZE and state.challenge_prize == BOTH:  # G7.5: a second card
            state.phase = Phase.GRABBING
        else:
            put_magic_hand_away(state)


@device
def challenge(state: State, target: int) -> None:
    """Challenge the card that `target` has laid open (G7.4 to G7.6).

    The challenger sees the target's hand. If it holds a card of fewer points than the open one, the
    target fills its hand and the challenger chooses a prize next (G7.5). Otherwise the challenger
    draws two cards, all open cards go back and the turn ends (G7.6).

    Args:
        state: One game, changed in place.
        target: Seat of the challenged player.
    """
    player = state.current_player
    if challenge_is_right(state, target):
        emit(state, EventKind.RIGHT_CHALLENGE, player, target, NONE, 0, NOBODY_KNOWS, 705)
        state.challenged = target
        missing, knowers = state.hand_size - state.hand_sizes[target], 1 << target | 1 << player
        draw_several(state, target, missing, Unrecorded.NO_DRAW, knowers, 705)
        look_at_hand(state, player, target, 705)
        state.phase = Phase.PRIZE
        return
    emit(state, EventKind.WRONG_CHALLENGE, player, target, NONE, 0, NOBODY_KNOWS, 706)
    look_at_hand(state, player, target, 706)
    draw_several(state, player, 2, EventKind.DRAW, 1 << player, 706)  # G7.6
    for steps in range(1, state.num_players):
        other = next_seat(state, player, steps)
        if state.open[other] != NO_CARD:
            card = int(state.open[other])
            take_openly(state, EventKind.TAKE_BACK, other, NONE, card, 706)
            state.open[other] = NO_CARD
    discard(state, Card.MAGIC_HAND, player)
    emit_card(state, EventKind.DISCARD, player, NONE, Card.MAGIC_HAND, 706)
    set_play(state, 1)
    end_magic(state)


@device
def challenge_is_right(state: State, target: int) -> bool:
    """Return whether a player holds a card of fewer points than its open one (G7.5)."""
    lowest = lowest_card(state, target)
    return bool(lowest != NO_CARD and state.points[lowest] < state.points[state.open[target]])


@device
def grab(state: State, card: int) -> None:
    """Take a card out of the challenged hand; the others do not see which (G7.5)."""
    steal(state, state.current_player, state.challenged, card, 705)


@device
def put_magic_hand_away(state: State) -> None:
    """Discard the open cards left and the Magic Hand; then the others draw (G7.3, G7.5)."""
    magician = state.magician
    for steps in range(1, state.num_players):
        other = next_seat(state, magician, steps)
        if state.open[other] != NO_CARD:
            card = int(state.open[other])
            discard(state, card, other)
            emit_card(state, EventKind.DISCARD, other, NONE, card, 703)
            state.open[other] = NO_CARD
    discard(state, Card.MAGIC_HAND, magician)
    emit_card(state, EventKind.DISCARD, magician, NONE, Card.MAGIC_HAND, 703)
    set_play(state, 1)
    for steps in range(1, state.num_players):
        other = next_seat(state, magician, steps)
        draw_from_pile(state, other, EventKind.DRAW, EventKind.DRAW, 703)
    end_magic(state)


@device
def end_magic(state: State) -> None:
    """End the turn of the Magic Hand."""
    state.magician = NOBODY
    state.challenged = NOBODY
    finish_turn(state)
