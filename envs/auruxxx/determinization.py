"""Auruxxx as one seat knows it, and states that agree with that (engine/determinization.py).

A seat knows its own hand, what lies open, and what engine/knowledge.py keeps for it.
"""

import numpy as np

from ..engine.compile import device
from ..engine.determinization import CardWeights, deal_unseen_cards, hide, restart_chance
from .legal import list_legal
from .state import State, Stream


@device
def to_information_state(state: State, seat: int) -> None:
    """Blank everything in a state that a seat cannot know."""
    hide(state, seat)


@device
def sample_state(state: State, _seat: int, bits: np.uint64, weights: CardWeights) -> None:
    """Complete an information state to a whole state, at random by `bits`."""
    restart_chance(state, bits)
    deal_unseen_cards(state, Stream.DEAL, weights)
    list_legal(state)
