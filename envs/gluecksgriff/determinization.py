"""Glücksgriff as one seat knows it, and whole games that it may be (see envs/engine/determinization.py).

A seat knows its own hand, what lies open, and what `knowledge.py` keeps for it. Of what the others
know it knows what they know of its own hand, where it is aware of that.
"""

import numpy as np

from ..engine.compile import device
from ..engine.deck import next_seat
from ..engine.determinization import (
    CardWeights,
    deal_unseen_cards,
    hide_chance_and_moves,
    mark_seen,
    mark_unseen,
    restart_chance,
)
from ..engine.rng import random_below
from .knowledge import learn_hand
from .legal import list_legal
from .rules import NUM_CARDS, Card
from .state import NO_CARD, NOBODY, Phase, State, Stream


@device
def to_information_state(state: State, seat: int) -> None:
    """Blank everything in a record that a seat cannot know."""
    hide_chance_and_moves(state, seat)
    state.layers[state.discard_size :] = 0
    show_known(state, seat)
    for other in range(state.num_players):
        if other != seat:
            hide_knowledge(state, seat, other)
    if state.current_player != seat:
        state.drawn = NO_CARD  # G5.4: only its player sees it
    mark_all_unseen(state)


@device
def show_known(state: State, seat: int) -> None:
    """Leave in the hands of the others what a seat knows to be there."""
    for steps in range(1, state.num_players):
        other = next_seat(state, seat, steps)
        for card in range(NUM_CARDS):
            state.hands[other, card] = state.known[seat, steps - 1, card]


@device
def mark_all_unseen(state: State) -> None:
    """Let every card that is not seen be one that may be anywhere."""
    mark_unseen(state)
    for other in range(state.num_players):
        if state.front[other] != NO_CARD:
            mark_seen(state, int(state.front[other]))
        if state.open[other] != NO_CARD:
            mark_seen(state, int(state.open[other]))
    if state.magician != NOBODY:
        mark_seen(state, Card.MAGIC_HAND)  # it lies apart


@device
def hide_knowledge(state: State, seat: int, other: int) -> None:
    """Leave of another's knowledge what a seat is aware of: that of its own hand."""
    for steps in range(1, state.num_players):
        about = next_seat(state, other, steps)
        if about != seat or not state.aware[seat] >> other & 1:
            state.known[other, steps - 1, :] = 0


@device
def sample_state(state: State, seat: int, bits: np.uint64, odds: CardWeights) -> None:
    """Make a hidden record a whole game that the seat may be in, at random by a word."""
    restart_chance(state, bits)
    deal_unseen_cards(state, Stream.DEAL, odds)
    while not can_go_on(state):
        show_known(state, seat)
        mark_all_unseen(state)
        deal_unseen_cards(state, Stream.DEAL, odds)
    if state.phase == Phase.DRAWN and state.current_player != seat:
        draw_unseen(state, seat)
    if state.challenged != NOBODY:
        learn_hand(state, state.current_player, state.challenged)  # G7.4: everybody saw him look
    list_legal(state)


@device
def can_go_on(state: State) -> bool:
    """Whether the mover has a move: who has begun a run must be able to complete it (G3.1, G5.2).

    Only such worlds agree with what he laid; the others are dealt anew.
    """
    if state.phase != Phase.LAYING and state.phase != Phase.EXTENDING:
        return True
    list_legal(state)
    moves = 0
    for action in range(len(state.legal)):
        moves += int(state.legal[action])
    return moves > 0


@device
def draw_unseen(state: State, seat: int) -> None:
    """Let any card of the mover's that a seat does not know of be the one just drawn."""
    steps = next_seat(state, state.current_player - seat, state.num_players)
    unknown = int(state.hand_sizes[state.current_player])
    for card in range(NUM_CARDS):
        unknown -= int(np.int64(state.known[seat, steps - 1, card]))
    place, card = random_below(state.streams, Stream.DEAL, unknown), 0
    while place >= unseen_of(state, seat, steps, card):
        place -= unseen_of(state, seat, steps, card)
        card += 1
    state.drawn = card


@device
def unseen_of(state: State, seat: int, steps: int, card: int) -> int:
    """How many cards of a type lie in the mover's hand beside those a seat knows of."""
    held, known = state.hands[state.current_player, card], state.known[seat, steps - 1, card]
    return int(np.int64(held)) - int(np.int64(known))
