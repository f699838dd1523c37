"""Glücksgriff as one seat knows it, and states that agree with that (engine/determinization.py).

A seat knows its own hand, what lies open, and what engine/knowledge.py keeps for it.
"""

import numpy as np

from ..engine.compile import device
from ..engine.determinization import (
    CardWeights,
    deal_unseen_cards,
    hide,
    hide_hands,
    mark_seen,
    restart_chance,
)
from ..engine.knowledge import learn_hand, row_of
from ..engine.sampling import random_below
from .legal import list_legal
from .rules import NUM_CARDS, Card
from .state import NO_CARD, NOBODY, Phase, State, Stream


@device
def to_information_state(state: State, seat: int) -> None:
    """Blank everything in a state that a seat cannot know."""
    hide(state, seat)
    mark_open_cards_seen(state)
    state.layers[state.discard_size :] = 0
    if state.current_player != seat:
        state.drawn = NO_CARD  # G5.4: only its player sees it


@device
def mark_open_cards_seen(state: State) -> None:
    """Mark the cards that lie open beside the discard pile as seen."""
    for seat in range(state.num_players):
        if state.front[seat] != NO_CARD:
            mark_seen(state, int(state.front[seat]))
        if state.open[seat] != NO_CARD:
            mark_seen(state, int(state.open[seat]))
    if state.magician != NOBODY:
        mark_seen(state, Card.MAGIC_HAND)  # it lies apart


@device
def sample_state(state: State, seat: int, bits: np.uint64, weights: CardWeights) -> None:
    """Complete an information state to a whole state, at random by `bits`."""
    restart_chance(state, bits)
    deal_unseen_cards(state, Stream.DEAL, weights)
    while not can_go_on(state):
        hide_hands(state, seat)
        mark_open_cards_seen(state)
        deal_unseen_cards(state, Stream.DEAL, weights)
    if state.phase == Phase.DRAWN and state.current_player != seat:
        choose_drawn_card(state, seat)
    if state.challenged != NOBODY:
        learn_hand(state, state.current_player, state.challenged)  # G7.4: everybody saw it look
    list_legal(state)


@device
def can_go_on(state: State) -> bool:
    """Return whether a run begun by the current player can be completed (G3.1, G5.2).

    Only such deals agree with what the player laid; the others are dealt anew.
    """
    if state.phase != Phase.LAYING and state.phase != Phase.EXTENDING:
        return True
    list_legal(state)
    return bool(state.legal.any())


@device
def choose_drawn_card(state: State, seat: int) -> None:
    """Let any card of the current player that `seat` does not know of be the one just drawn."""
    player = state.current_player
    row = row_of(state, seat, player)
    unknown = int(state.hand_sizes[player]) - int(state.known_sizes[player, seat])
    place, card = random_below(state, Stream.DEAL, unknown), 0
    while card < NUM_CARDS:
        place -= int(np.int64(state.hands[player, card]) - np.int64(state.known[seat, row, card]))
        if place < 0:
            break
        card += 1
    state.drawn = card
