"""Glücksgriff: moving cards between the pile, the discard pile and the hands.

Rule ids refer to docs/rules/gluecksgriff.md.
"""

from ..engine.chance import draw_cards, take_from_pile
from ..engine.compile import device
from ..engine.deck import give, turn_over
from ..engine.emit import announce, emit
from ..engine.events import NONE, EventKind
from .state import NO_CARD, Laid, State, Stream


@device
def discard(state: State, card: int, layer: int) -> None:
    """Put a card on top of the discard pile; `layer` laid it."""
    insert(state, state.discard_size, card, layer)


@device
def insert(state: State, place: int, card: int, layer: int) -> None:
    """Put a card into the discard pile; what lies above moves up."""
    for upper in range(state.discard_size, place, -1):
        state.discards[upper] = state.discards[upper - 1]
        state.layers[upper] = state.layers[upper - 1]
    state.discards[place] = card
    state.layers[place] = layer
    state.discard_size += 1
    state.discarded[card] += 1


@device
def pull(state: State, place: int) -> int:
    """Take a card out of the discard pile and return it; what lies above moves down."""
    card = int(state.discards[place])
    state.discard_size -= 1
    state.discarded[card] -= 1
    for lower in range(place, state.discard_size):
        state.discards[lower] = state.discards[lower + 1]
        state.layers[lower] = state.layers[lower + 1]
    return card


@device
def set_play(state: State, size: int) -> None:
    """Make the top `size` cards of the discard pile the play, as a single card or a set."""
    state.play_size = size
    state.play_run = 0
    state.play_low = 0


@device
def draw_from_pile(state: State, seat: int, kind: int, kind_of_none: int, rule: int) -> int:
    """Draw one card into a hand and return it, NO_CARD when there is none (G1.4).

    Args:
        state: One game, changed in place.
        seat: Whose hand it is.
        kind: The kind of event that the draw is.
        kind_of_none: The one if there is no card to draw.
        rule: The rule of the draw.
    """
    if not has_card_to_draw(state):
        announce(state, kind_of_none, seat, rule)
        return NO_CARD
    card = take_from_pile(state, Stream.DRAWS + seat)
    give(state, seat, card)
    emit(state, kind, seat, NONE, card, 1, 1 << seat, rule)
    return card


@device
def draw_several(
    state: State, seat: int, count: int, kind_of_none: int, knowers: int, rule: int
) -> None:
    """Draw cards into a hand, as many as there are (G1.4).

    Args:
        state: One game, changed in place.
        seat: Whose hand it is.
        count: How many cards.
        kind_of_none: The kind of event if there is no card to draw.
        knowers: A bit for each seat that sees the cards.
        rule: The rule of the draw.
    """
    left = count
    while left > 0 and has_card_to_draw(state):
        drawn = min(left, int(state.pile_size))
        draw_cards(state, Stream.DRAWS + seat, seat, drawn, EventKind.DRAW, knowers, rule)
        left -= drawn
    if left == count:
        announce(state, kind_of_none, seat, rule)


@device
def has_card_to_draw(state: State) -> bool:
    """Return whether the pile has a card, after it was made anew if it was empty (G1.4)."""
    if state.pile_size == 0:
        turn_over_discards(state)
    return bool(state.pile_size > 0)


@device
def turn_over_discards(state: State) -> None:
    """Make all under the last play the new pile (G1.4).

    While cards are being laid they are the last play, with the run that they extend.
    """
    stays = state.laid
    if state.laid == 0 or (state.laid_kind == Laid.LOW_END or state.laid_kind == Laid.HIGH_END):
        stays += state.play_size
    else:
        set_play(state, 0)
    for place in range(stays):
        state.layers[place] = state.layers[state.discard_size - stays + place]
    turn_over(state, stays, 104)
