"""Opponent card model: which cards that a seat has not seen are held, and which are soon played.

Sampling states as if every unseen card were as likely to be in a hand as in the pile is wrong,
however many states are sampled. What hands are like follows from how they are played: so a compiled
policy plays some games against itself, and the cards that it holds are counted.
"""

from typing import Any

import numpy as np

from ...envs.batch import derive_seeds
from ...envs.engine.compile import PolicyFunction, device, kernel
from ...envs.engine.deck import TAKEN
from ...envs.engine.determinization import FULL_WEIGHT, CardWeights
from ...envs.engine.protocol import Rows, States, begin, to_information_state
from ...envs.engine.rng import derive
from ...errors import AgentError
from .tree import SearchBuffers, play_base_action

GAMES, DECISIONS = 200, 200_000  # to count in, at most
PSEUDO_COUNT = 10  # cards of each type that are counted as being as likely in hands as any
MIN_WEIGHT = 1 / 64  # of the likeliest card's weight, so that cards of other types are found, too


def estimate_card_weights(
    like: States, cards: int, buffers: SearchBuffers, policy_function: PolicyFunction
) -> CardWeights:
    """Return the weights to deal unseen cards by (see `deal_unseen_cards`), uint64 (cards,).

    Args:
        like: A state, (1,), with the settings to be played by.
        cards: Number of card types.
        buffers: Overwritten.
        policy_function: The policy whose cards are counted.

    Raises:
        AgentError: The policy chooses an illegal action.
    """
    held, unseen = np.zeros(cards, np.int64), np.zeros(cards, np.int64)
    states = np.repeat(like, 2)
    if not count_held(states, derive_seeds(0, GAMES), buffers, policy_function, held, unseen):
        raise AgentError(code="base-action")
    shares = (held + PSEUDO_COUNT * held.sum() / unseen.sum()) / (unseen + PSEUDO_COUNT)
    ratios = shares / (1 - shares)
    weights = np.maximum(ratios / ratios.max(), MIN_WEIGHT)
    card_weights: CardWeights = (weights * FULL_WEIGHT).astype(np.uint64)
    return card_weights


@kernel
def count_held(
    states: States,
    seeds: CardWeights,
    buffers: SearchBuffers,
    policy_function: PolicyFunction,
    held: Rows,
    unseen: Rows,
) -> bool:
    """Play games, and count by type the cards that players do not see and those that others hold.

    Args:
        states: (2,), to play in and for the information state of the current player.
        seeds: One for each game, uint64.
        buffers: Overwritten.
        policy_function: Plays for all seats.
        held: Unseen cards in the hands of others, int64 (cards,), added to.
        unseen: All unseen cards, int64 (cards,), added to.

    Returns:
        False when the policy's choice is illegal.
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
            if not play_base_action(state, buffers, derive(seeds[k], step), policy_function):
                return False
    return True


@device
def count(state: Any, information_state: Any, held: Rows, unseen: Rows) -> None:
    """Count the cards of one decision."""
    for other in range(state.num_players):
        if other != state.current_player:
            for card in range(len(held)):
                held[card] += np.int64(state.hands[other, card])
                held[card] -= np.int64(information_state.hands[other, card])
    for slot in range(state.deck_size):
        if information_state.slots[slot] < TAKEN:
            unseen[information_state.slots[slot]] += 1
