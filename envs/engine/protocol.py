"""The protocol of a game: the compiled functions that every game implements.

Kernels are written once and call these stubs; `dispatched` forwards each call to the
implementation for the type of the state. In envs/<game>/ `begin` is in rounds.py, `list_legal` in
legal.py, `apply` in transitions.py, `observe` in observation.py, `to_information_state` and
`sample_state` in determinization.py, `tally` in statistics.py, `write_events` in events.py; what
seats know is in engine/knowledge.py. `Game` (game.py) registers them.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compile import dispatched
from .determinization import CardWeights
from .events import Log
from .state import CardGameState

States = NDArray[Any]  # states of one game, (games,)
Rows = NDArray[np.int64]  # numbers of games, or a number for each of them
RawObservations = NDArray[np.uint8]  # (..., observation_spec.size)
Masks = NDArray[np.int8]  # (..., actions)
Counts = NDArray[np.int32]


@dispatched
def begin(state: CardGameState) -> None:
    """Start a new game from the settings and the seed in the state."""


@dispatched
def list_legal(state: CardGameState) -> None:
    """Write the legal actions of the current player into the state."""


@dispatched
def apply(state: CardGameState, action: int) -> None:
    """Play one legal decision of the current player."""


@dispatched
def observe(state: CardGameState, seat: int, raw: RawObservations) -> None:
    """Write the observation of a seat into `raw`, (observation_spec.size,)."""


@dispatched
def get_known_cards(state: CardGameState, seat: int, counts: RawObservations) -> None:
    """Write the cards that a seat knows in the others' hands: at least so many of each type.

    Args:
        state: One game.
        seat: The seat that knows.
        counts: Written, (players - 1, card types); row k is the hand k + 1 seats clockwise.
    """


@dispatched
def set_known_cards(state: CardGameState, seat: int, counts: RawObservations) -> None:
    """Let a seat know so many more cards, which must be there; see `get_known_cards`."""


@dispatched
def to_information_state(state: CardGameState, seat: int) -> None:
    """Blank everything that a seat cannot know; `sample_state` takes what is left."""


@dispatched
def sample_state(
    state: CardGameState, seat: int, bits: np.uint64, card_weights: CardWeights
) -> None:
    """Turn a seat's information state into a whole state that it cannot tell from the true one.

    Args:
        state: An information state of `seat`, changed in place.
        seat: The seat whose knowledge is kept.
        bits: Random bits; the same ones give the same state.
        card_weights: How readily cards of each type are dealt to hands, uint64 (card types,), from
            1 to FULL_WEIGHT (see `deal_unseen_cards`). Neither this nor the size is checked.
    """


@dispatched
def tally(
    before: CardGameState, action: int, after: CardGameState, counts: Counts, endings: Counts
) -> None:
    """Add what one decision did to the statistics of its game.

    Args:
        before: The state before the decision.
        action: The decision.
        after: The state after it.
        counts: Added to, (seats, statistics).
        endings: Added to, (ways in which a round can end,).
    """


@dispatched
def write_events(before: CardGameState, action: int, after: CardGameState, log: Log) -> None:
    """Log the public events of one decision, in the order of the rules; see `events.py`.

    It is not asked about a decision that ends a round, unless the game ends with it: `after` would
    be the next round.

    Args:
        before: The state before the decision.
        action: The decision.
        after: The state after it.
        log: Written by `log_event` and its like.
    """


@dispatched
def add_score_sheet(state: CardGameState, sheet: Counts) -> None:
    """Add the score sheet of the round that has just ended to `sheet`, (seats, entries).

    `Game` implements it; see `score_sheet.py`.
    """


FUNCTIONS = (
    begin,
    list_legal,
    apply,
    observe,
    get_known_cards,
    set_known_cards,
    to_information_state,
    sample_state,
    tally,
    write_events,
)
