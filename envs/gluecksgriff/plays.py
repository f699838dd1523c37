"""Glücksgriff: what lies on the discard pile and in a hand, and what may be knocked (G5).

"The play" is what lay on top of the discard pile when the turn began; what was laid since lies
above it. Jokers are all cards that stand for any value, also blanks that act as one (G9.7). Rule
ids refer to docs/rules/gluecksgriff.md.
"""

from ..engine.compile import device
from .rules import NUM_CARDS, VALUES, Card, Effect, JokerKnock
from .state import NO_CARD, Laid, State

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
