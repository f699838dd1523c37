"""Auruxxx: moving cards between the pile, the discard pile and the hands.

Rule ids refer to docs/rules/auruxxx.md.
"""

from ..engine.chance import draw_cards, pick_from_hand, take_other_than
from ..engine.compile import device
from ..engine.deck import turn_over
from ..engine.emit import announce, emit
from ..engine.events import NOBODY_KNOWS, NONE, Unrecorded
from ..engine.knowledge import learn_by_last_card, part_with, steal
from .rules import Card
from .state import State, Stream


@device
def turn_up(state: State) -> None:
    """Turn up the first card of the discard pile; it acts on nobody (A1.1, A1.2)."""
    # A1.2: a Golden 12 goes back, another card is turned up
    discard(state, take_other_than(state, Stream.DEAL, Card.GOLDEN))


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
def draw_from_pile(
    state: State, seat: int, count: int, kind: int, kind_of_none: int, rule: int
) -> None:
    """Draw cards into a hand, as many as there are (A1.5).

    Args:
        state: One game, changed in place.
        seat: Whose hand it is.
        count: How many cards.
        kind: The kind of event that the draw is.
        kind_of_none: The one if there is no card to draw.
        rule: The rule of the draw.
    """
    left = count
    while left > 0:
        if state.pile_size == 0:
            turn_over(state, 1, 105)  # A1.5: its top card stays
        if state.pile_size == 0:
            break
        drawn = min(left, int(state.pile_size))
        draw_cards(state, Stream.DRAWS + seat, seat, drawn, kind, 1 << seat, rule)
        left -= drawn
    if left == count:
        announce(state, kind_of_none, seat, rule)


@device
def steal_card(state: State, thief: int, victim: int, rule: int) -> None:
    """Draw one card, uniformly random, from another hand; from an empty one, nothing (A5.5).

    Thief and victim know which card it is. The others do, too, if they knew the victim's only card.
    """
    if state.hand_sizes[victim] == 0:
        emit(state, Unrecorded.NO_STEAL, thief, victim, NONE, 0, NOBODY_KNOWS, rule)
        return
    card = pick_from_hand(state, Stream.THEFTS + thief, victim)
    if state.hand_sizes[victim] == 1:
        learn_by_last_card(state, thief, victim, card)
    steal(state, thief, victim, card, rule)
