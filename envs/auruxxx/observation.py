"""What one seat sees of a game of Auruxxx, as named fields of small whole numbers, and knows.

Seats are counted clockwise from the observer, who is number 0. The own hand goes in, what lies open
at the table (the discard pile, the size of every hand, the points, the turn) and, in short, what
the observer knows of the other hands (engine/knowledge.py has that in full). At the end: a game as
one seat knows it, and states that agree with that (engine/determinization.py).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.compile import device
from ..engine.deck import next_seat
from ..engine.determinization import CardWeights, deal_unseen_cards, hide, restart_chance
from ..engine.intrinsics import memcpy
from ..engine.observation import Field, ObservationSpec
from ..engine.protocol import Rows
from .legal import list_legal, top_card
from .rules import MAX_COLOURS, MAX_PLAYERS, NUM_ACTIONS, NUM_CARDS, Action, Card, relabelled_cards
from .state import NOBODY, PHASES, State, Stream

OTHERS = MAX_PLAYERS - 1
SCORE_OFFSET = 64  # a score of -64 points or less is feature 0

OBSERVATION_SPEC = ObservationSpec(
    Field("hand", NUM_CARDS, 40, 2, "own cards: copies of each card type"),
    Field("top", NUM_CARDS, 1, 1, "top card of the discard pile, one-hot"),
    Field("discard", NUM_CARDS, 40, 2, "discard pile: copies of each card type"),
    Field("hand_sizes", MAX_PLAYERS, 160, 12, "cards in each hand"),
    Field("crosses", MAX_PLAYERS, 3, 3, "passes each player used in this round"),
    Field("scores", MAX_PLAYERS, 255, 64, "points before this round: (points + 64) / 2, cut"),
    Field("figure", MAX_PLAYERS + 1, 1, 1, "owner of the figure, one-hot; last: nobody"),
    Field("players", MAX_PLAYERS - 1, 1, 1, "number of players, one-hot from 2"),
    Field("current_player", MAX_PLAYERS, 1, 1, "whose turn it is, one-hot"),
    Field("phase", len(PHASES), 1, 1, "play, demand or multiple, one-hot"),
    Field("drawn", 1, 2, 2, "draws made in this turn"),
    Field("acted", 1, 1, 1, "1 when an action card was laid in this turn"),
    Field("demand", 1, 160, 10, "cards the current player has to take first"),
    Field("pile", 1, 160, 160, "cards in the pile"),
    Field("rounds_left", 1, 100, 3, "rounds to play after this one"),
    Field("known", OTHERS, 160, 12, "cards the observer knows in each other hand"),
    Field("known_gold", OTHERS, 40, 2, "Golden 12s among them"),
)

Place = OBSERVATION_SPEC.places()


@device
def observe(state: State, seat: int, raw: NDArray[np.uint8]) -> None:
    """Write what a seat sees into `raw`, uint8 (OBSERVATION_SPEC.size,)."""
    raw[:] = 0
    memcpy(state.hands[seat], raw, Place.HAND)
    memcpy(state.discarded, raw, Place.DISCARD)
    raw[Place.TOP + top_card(state)] = 1
    for steps in range(state.num_players):
        other = next_seat(state, seat, steps)
        raw[Place.HAND_SIZES + steps] = state.hand_sizes[other]
        raw[Place.CROSSES + steps] = state.crosses[other]
        raw[Place.SCORES + steps] = min(max(state.scores[other] // 4 + SCORE_OFFSET // 2, 0), 255)
        if other == state.figure:
            raw[Place.FIGURE + steps] = 1
        if other == state.current_player:
            raw[Place.CURRENT_PLAYER + steps] = 1
        if steps > 0 and state.known_sizes[other, seat] > 0:
            raw[Place.KNOWN + steps - 1] = state.known_sizes[other, seat]
            raw[Place.KNOWN_GOLD + steps - 1] = state.known[seat, steps - 1, Card.GOLDEN]
    if state.figure == NOBODY:
        raw[Place.FIGURE + MAX_PLAYERS] = 1
    raw[Place.PLAYERS + state.num_players - 2] = 1
    raw[Place.PHASE + state.phase] = 1
    raw[Place.DRAWN] = state.drawn
    raw[Place.ACTED] = state.acted
    raw[Place.DEMAND] = min(state.demand, 160)
    raw[Place.PILE] = state.pile_size
    raw[Place.ROUNDS_LEFT] = max(state.rounds - state.round_index - 1, 0)


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


def relabelling(settings: Any, rng: np.random.Generator) -> tuple[Rows, Rows]:
    """Return a random exchange of the names of colours of which the deck has the same cards.

    No rule tells them apart.

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
    for start in (Place.HAND, Place.TOP, Place.DISCARD):
        places[start : start + NUM_CARDS] = start + cards
    actions[Action.LAY : Action.LAY + Card.GOLDEN] = Action.LAY + cards[: Card.GOLDEN]
    return places, actions
