"""Glücksgriff: cards on the piles and in hands: moving them, and what may be knocked (G5).

"The play" is what lay on top of the discard pile when the turn began; what was laid since lies
above it. Jokers are all cards that stand for any value, also blanks that act as one (G9.7). Rule
ids refer to docs/rules/gluecksgriff.md.
"""

from ..engine.chance import draw_cards, take_from_pile
from ..engine.compile import device
from ..engine.deck import give, turn_over
from ..engine.emit import announce, emit
from ..engine.events import NONE, EventKind
from .rules import NUM_CARDS, VALUES, Card, Effect, JokerKnock
from .state import NO_CARD, Laid, State, Stream

# --- Moving cards -------------------------------------------------------------------------------


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


# --- Looking at cards ---------------------------------------------------------------------------


@device
def is_joker(state: State, card: int) -> bool:
    """Return whether a card stands for any value (G3.2, G9.7)."""
    return bool(
        card == Card.JOKER
        or (card >= Card.BLANK and state.effects[card - Card.BLANK] == Effect.JOKER)
    )


@device
def jokers_in(state: State, seat: int) -> int:
    """Return how many jokers a hand holds, blanks that act as one included."""
    count = int(state.hands[seat, Card.JOKER])
    for blank in range(state.num_blanks):
        if state.effects[blank] == Effect.JOKER:
            count += int(state.hands[seat, Card.BLANK + blank])
    return count


@device(inline=True)
def hand_points(state: State, seat: int) -> int:
    """Return the points of a hand (G8.1)."""
    points = 0
    for card in range(NUM_CARDS):
        points += int(state.hands[seat, card]) * int(state.points[card])
    return points


@device
def play_top(state: State) -> int:
    """Return the index in the discard pile of the top card of the play."""
    return int(state.discard_size - state.laid - 1)


@device
def play_bottom(state: State) -> int:
    """Return the index in the discard pile of the lowest card of the play."""
    return int(state.discard_size - state.laid - state.play_size)


@device
def last_discard(state: State) -> int:
    """Return the card on top of the discard pile, laid cards included."""
    return int(state.discards[state.discard_size - 1])


# --- What may be knocked ------------------------------------------------------------------------


@device
def may_knock(state: State) -> bool:
    """Return whether the cards laid, one or a set, may be knocked on the play (G5.1, G5.3)."""
    if state.play_size == 0 or state.play_run == 1:
        return False
    top = int(state.discards[play_top(state)])
    if top < VALUES:
        return bool(state.value == NO_CARD or state.value == top)
    return bool(is_natural_set(state) and state.value == value_under_joker(state))


@device
def is_natural_set(state: State) -> bool:
    """Return whether trick cards alone have been laid in this turn, of one value."""
    for place in range(state.discard_size - state.laid, state.discard_size):
        if state.discards[place] >= VALUES:
            return False
    return bool(state.laid_kind == Laid.SET)


@device
def value_under_joker(state: State) -> int:
    """Return the value to knock on a set with a joker on top, NO_CARD if there is none (G5.3).

    Only with joker_knock=wide. There must be a play; a joker on its own is no set.
    """
    if state.joker_knock != JokerKnock.WIDE or state.play_run == 1:
        return NO_CARD
    if is_joker(state, int(state.discards[play_top(state)])):
        for place in range(play_bottom(state), play_top(state)):
            if state.discards[place] < VALUES:
                return int(state.discards[place])
    return NO_CARD


@device
def may_knock_extension(state: State) -> bool:
    """Return whether the run has been extended enough to knock: by two cards in all (G5.2).

    With joker_knock=run_end, or wide, by a joker alone (G5.3).
    """
    if state.laid >= 2:
        return True
    at_low = state.laid_kind == Laid.LOW_END
    card = int(state.discards[play_bottom(state)]) if at_low else last_discard(state)
    return bool(state.joker_knock >= JokerKnock.RUN_END and is_joker(state, card))


@device
def may_add_drawn_card(state: State) -> bool:
    """Return whether what was laid is a card, set or run that a drawn card may be added to (G5.4).

    Nothing is added to a joker laid alone or on top of a set; with joker_knock=wide natural cards
    are added to the latter (G5.3).
    """
    if state.laid_kind == Laid.SET and is_joker(state, last_discard(state)):
        return bool(state.joker_knock == JokerKnock.WIDE and state.value != NO_CARD)
    return bool(state.laid_kind == Laid.SET or state.laid_kind == Laid.RUN)
