"""Colours under other names: no rule tells them apart, so games can be relabelled."""

from typing import Any

import numpy as np

from ..engine.protocol import Rows
from .observation import DISCARD, HAND, OBSERVATION_SPEC, TOP
from .rules import MAX_COLOURS, NUM_ACTIONS, NUM_CARDS, Action, Card, relabelled_cards


def relabelling(settings: Any, rng: np.random.Generator) -> tuple[Rows, Rows]:
    """Return a random exchange of the names of colours of which the deck has the same cards.

    Returns:
        What each place of an observation becomes, int64 (OBSERVATION_SPEC.size,), and what each
        action becomes, int64 (actions,).
    """
    first, colours = np.array(settings.first_colours()), np.arange(MAX_COLOURS)
    for group in np.unique(first):
        alike = np.flatnonzero(first == group)
        colours[alike] = rng.permutation(alike)
    cards = np.array(relabelled_cards(colours.tolist()))
    places, actions = np.arange(OBSERVATION_SPEC.size), np.arange(NUM_ACTIONS)
    for start in (HAND, TOP, DISCARD):
        places[start : start + NUM_CARDS] = start + cards
    actions[Action.LAY : Action.LAY + Card.GOLDEN] = Action.LAY + cards[: Card.GOLDEN]
    return places, actions
