"""The protocol of a game: the compiled functions that every game implements.

Kernels are written once and call these stubs; `dispatched` forwards each call to the
implementation for the type of the state. In envs/<game>/ `deal`, `rounds_left` and `begins_turn`
are in rounds.py, `list_legal` in legal.py, `play` in transitions.py, `summarize` in summary.py,
`observe`, `to_information_state` and `sample_state` in observation.py. `Game` (game.py) registers
them. `begin` and `apply`, at the end of this module, are made of them.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compile import device, dispatched
from .determinization import CardWeights
from .state import CardGameState

States = NDArray[Any]  # states of one game, (games,)
Rows = NDArray[np.int64]  # numbers of games, or a number for each of them
RawObservations = NDArray[np.uint8]  # (..., observation_spec.size)
Masks = NDArray[np.int8]  # (..., actions)
Counts = NDArray[np.int32]


@dispatched
def deal(state: CardGameState) -> None:
    """Deal round number `round_index`, from 0, and start its first turn."""


@dispatched
def list_legal(state: CardGameState) -> None:
    """Write the legal actions of the current player into the state."""


@dispatched
def play(state: CardGameState, action: int) -> None:
    """Play one legal decision of the current player, by all rules but those of the next deal.

    A round that ends is scored; its hands stay as they are.
    """


@dispatched
def observe(state: CardGameState, seat: int, raw: RawObservations) -> None:
    """Write the observation of a seat into `raw`, (observation_spec.size,)."""


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
def summarize(state: CardGameState, seat: int, numbers: RawObservations) -> None:
    """Write the summary of a hand, uint8 (summary_spec.size,), from what is known of it.

    In the information state of another seat, that are the cards known to be in it.
    """


@dispatched
def rounds_left(state: CardGameState) -> int:
    """Return how many rounds are to play, the current one included; 0 when the game is over.

    Where the rules do not fix it, this is an estimate.
    """
    raise NotImplementedError


@dispatched
def begins_turn(state: CardGameState) -> bool:
    """Return whether the next decision is the first of a turn of the current player.

    An answer to what another player did, which the rules put before the turn, is a turn of its own.
    """
    raise NotImplementedError


FUNCTIONS = (
    deal,
    list_legal,
    play,
    observe,
    to_information_state,
    sample_state,
    summarize,
    rounds_left,
    begins_turn,
)


@device
def deal_first(state: CardGameState) -> None:
    """Start a new game from the settings and the seed in the state; deal its first round."""
    state.over = 0
    state.round_index = 0
    state.scores[:] = 0
    state.capped_rounds = 0
    state.round_ended = 0
    state.round_winner = -1
    state.round_points[:] = 0
    deal(state)


@device
def begin(state: CardGameState) -> None:
    """Start a new game; list what is legal first."""
    deal_first(state)
    list_legal(state)


@device(inline=True)
def decide(state: CardGameState, action: int) -> None:
    """Play one legal decision, up to the scoring of a round that it ends."""
    state.round_ended = 0
    state.decisions += 1
    play(state, action)


@device
def deal_next(state: CardGameState) -> None:
    """Deal the next round if the last decision ended one and the game goes on."""
    if state.round_ended == 1 and state.over == 0:
        deal(state)


@device(inline=True)
def apply(state: CardGameState, action: int) -> None:
    """Play one legal decision of the current player; list what is legal next."""
    decide(state, action)
    deal_next(state)
    list_legal(state)
