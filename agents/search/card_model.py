"""What others hold: of the cards that a seat has not seen, some types are kept, others soon played.

A player who deals worlds as if every unseen card were as likely to be in a hand as in the pile is
wrong about that however many he deals. What hands are like follows from how they are played: so a
compiled player plays some games against itself, and the cards that it holds are counted.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.batch import derive_seeds
from ...envs.engine.compile import PolicyFunction, device, kernel
from ...envs.engine.deck import TAKEN
from ...envs.engine.determinization import FULL_WEIGHT, CardWeights
from ...envs.engine.protocol import States, begin, to_information_state
from ...envs.engine.rng import derive
from ...errors import AgentError
from .tree import AT_FAULT, SearchBuffers, play_advised

GAMES, DECISIONS = 200, 200_000  # to count in, at most
DOUBT = 10  # cards of each type that are counted as being as likely in hands as any
LEAST = 1 / 64  # of the likeliest card's odds, so that cards of other types are found, too

Counts = NDArray[np.int64]


def estimate_card_weights(
    like: States, cards: int, buffers: SearchBuffers, policy_function: PolicyFunction
) -> CardWeights:
    """The odds to deal unseen cards by (see `deal_unseen`), uint64 (cards,).

    like: a record, (1,), of the settings to be played by. cards: how many types there are. choose:
    the player whose habits are counted.

    Raises AgentError when it chooses illegally.
    """
    held, unseen = np.zeros(cards, np.int64), np.zeros(cards, np.int64)
    states = np.repeat(like, 2)
    if not count_held(states, derive_seeds(0, GAMES), buffers, policy_function, held, unseen):
        raise AgentError(AT_FAULT)
    shares = (held + DOUBT * held.sum() / unseen.sum()) / (unseen + DOUBT)
    ratios = shares / (1 - shares)
    odds: CardWeights = (np.maximum(ratios / ratios.max(), LEAST) * FULL_WEIGHT).astype(np.uint64)
    return odds


@kernel
def count_held(
    states: States,
    seeds: NDArray[np.uint64],
    buffers: SearchBuffers,
    policy_function: PolicyFunction,
    held: Counts,
    unseen: Counts,
) -> bool:
    """Play games, and count by type what each mover does not see and what of it others hold.

    states: (2,), to play in and to hide in. False when the player's choice is illegal.
    """
    state, counted = states[0], 0
    for k in range(len(seeds)):
        state.seed = seeds[k]
        begin(state)
        step = 0
        while state.over == 0 and counted < DECISIONS:
            counted += 1
            states[1] = states[0]
            to_information_state(states[1], state.current_player)
            count(state, states[1], held, unseen)
            step += 1
            if not play_advised(state, buffers, derive(seeds[k], step), policy_function):
                return False
    return True


@device
def count(state: Any, hidden: Any, held: Counts, unseen: Counts) -> None:
    """Count the cards of one position, `hidden` being what its mover knows of it."""
    for other in range(state.num_players):
        if other != state.current_player:
            for card in range(len(held)):
                held[card] += np.int64(state.hands[other, card])
                held[card] -= np.int64(hidden.hands[other, card])
    for slot in range(state.deck_size):
        if hidden.slots[slot] < TAKEN:
            unseen[hidden.slots[slot]] += 1
