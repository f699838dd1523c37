"""Auruxxx as one seat knows it, and whole games that it may be (see envs/engine/determinization.py).

A seat knows its own hand, what lies open, and what `knowledge.py` keeps for it. Of what the others
know it knows what they know of its own hand, where it is aware of that.
"""

import numpy as np

from ..engine.compile import device
from ..engine.determinization import (
    CardWeights,
    deal_unseen_cards,
    hide_chance_and_moves,
    mark_unseen,
    restart_chance,
)
from .knowledge import HOLDER, KNOWERS, card_of, knower, mark_of
from .legal import list_legal
from .state import State, Stream


@device
def to_information_state(state: State, seat: int) -> None:
    """Blank everything in a record that a seat cannot know."""
    hide_chance_and_moves(state, seat)
    hide_knowledge(state, seat)
    sort_marks(state)
    for other in range(state.num_players):
        if other != seat:
            state.hands[other, :] = 0
    for slot in range(state.deck_size):
        mark = mark_of(state, slot)
        if mark != 0 and mark & HOLDER != seat:
            state.hands[mark & HOLDER, card_of(state, slot)] += 1
    mark_unseen(state)


@device
def hide_knowledge(state: State, seat: int) -> None:
    """Leave what the seat knows, and of its own hand what it is aware that others know."""
    aware = 0  # of whose knowledge, as bits of a mark on a card of its own
    for other in range(state.num_players):
        for holder in range(state.num_players):
            if other != seat and (holder != seat or not state.aware[seat] >> other & 1):
                state.known_sizes[holder, other] = 0
        if other != seat and state.aware[seat] >> other & 1:
            aware |= knower(state, other, seat)
    for slot in range(state.deck_size):
        mark = mark_of(state, slot)
        if mark == 0:
            continue
        holder = mark & HOLDER
        mark &= HOLDER | (aware if holder == seat else knower(state, seat, holder))
        state.marks[slot] = mark if mark & KNOWERS else 0


@device
def sort_marks(state: State) -> None:
    """Bring the marks of each card type into one order, as which slots they take means nothing.

    The greatest comes first: so the marks of one hand still nest.
    """
    for slot in range(1, state.deck_size):
        place, mark = slot, mark_of(state, slot)
        while place > state.first_slots[card_of(state, slot)] and mark_of(state, place - 1) < mark:
            state.marks[place] = state.marks[place - 1]
            place -= 1
        state.marks[place] = mark


@device
def sample_state(state: State, _seat: int, bits: np.uint64, odds: CardWeights) -> None:
    """Make a hidden record a whole game that the seat may be in, at random by a word."""
    restart_chance(state, bits)
    deal_unseen_cards(state, Stream.DEAL, odds)
    list_legal(state)
