"""Auruxxx: moving cards between the pile, the discard pile and the hands.

Rule ids refer to docs/rules/auruxxx.md.
"""

from ..engine.chance import random_below, take_from_pile
from ..engine.compile import device
from ..engine.deck import give, put_into_pile, remove, turn_over
from ..engine.knowledge import learn_by_last_card, learn_of_theft, part_with
from .rules import Card
from .state import State, Stream


@device
def turn_up(state: State) -> None:
    """Turn up the first card of the discard pile; it acts on nobody (A1.1, A1.2)."""
    card = take_from_pile(state, Stream.DEAL)
    while card == Card.GOLDEN:  # A1.2: it goes back, another is turned up
        put_into_pile(state, card)
        card = take_from_pile(state, Stream.DEAL)
    discard(state, card)


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
    """Draw one card, uniformly random, from another hand; from an empty one, nothing (A5.5).

    Thief and victim know which card it is. The others do, too, if they knew the victim's only card.
    """
    if state.hand_sizes[victim] == 0:
        return
    place = random_below(state, Stream.THEFTS + thief, state.hand_sizes[victim])
    card = 0
    while place >= state.hands[victim, card]:
        place -= int(state.hands[victim, card])
        card += 1
    if state.hand_sizes[victim] == 1:
        learn_by_last_card(state, thief, victim, card)
    remove(state, victim, card)
    give(state, thief, card)
    learn_of_theft(state, thief, victim, card)
