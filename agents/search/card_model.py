"""What others hold: of the cards that a seat has not seen, some types are kept, others soon played.

A player who deals worlds as if every unseen card were as likely to be in a hand as in the pile is
wrong about that however many he deals. What hands are like follows from how they are played: so a
compiled player plays some games against itself, and the cards that it holds are counted.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldgriff.agents.search.tree import AT_FAULT, SearchBuffers, play_advised
from goldgriff.envs.batch import derive_seeds
from goldgriff.envs.engine.compile import PolicyFunction, kernel, rule
from goldgriff.envs.engine.deck import TAKEN
from goldgriff.envs.engine.determinization import FULL_WEIGHT, CardWeights
from goldgriff.envs.engine.kernels import States, begin, to_information_state
from goldgriff.envs.engine.rng import derive
from goldgriff.errors import AgentError

GAMES, DECISIONS = 200, 200_000  # to count in, at most
DOUBT = 10  # cards of each type that are counted as being as likely in hands as any
LEAST = 1 / 64  # of the likeliest card's odds, so that cards of other types are found, too

Counts = NDArray[np.int64]


def estimate_card_weights(like: States, cards: int, room: SearchBuffers, choose: PolicyFunction) -> CardWeights:
    """The odds to deal unseen cards by (see `deal_unseen`), uint64 (cards,).

    like: a record, (1,), of the settings to be played by. cards: how many types there are. choose:
    the player whose habits are counted.

    Raises AgentError when it chooses illegally.
    """
    held, unseen = np.zeros(cards, np.int64), np.zeros(cards, np.int64)
    games = np.repeat(like, 2)
    if not count_held(games, derive_seeds(0, GAMES), room, choose, held, unseen):
        raise AgentError(AT_FAULT)
    shares = (held + DOUBT * held.sum() / unseen.sum()) / (unseen + DOUBT)
    ratios = shares / (1 - shares)
    odds: CardWeights = (np.maximum(ratios / ratios.max(), LEAST) * FULL_WEIGHT).astype(np.uint64)
    return odds


@kernel
def count_held(
    games: States,
    seeds: NDArray[np.uint64],
    room: SearchBuffers,
    choose: PolicyFunction,
    held: Counts,
    unseen: Counts,
) -> bool:
    """Play games, and count by type what each mover does not see and what of it others hold.

    games: (2,), to play in and to hide in. False when the player's choice is illegal.
    """
    game, counted = games[0], 0
    for k in range(len(seeds)):
        game.seed = seeds[k]
        begin(game)
        step = 0
        while game.over == 0 and counted < DECISIONS:
            counted += 1
            games[1] = games[0]
            to_information_state(games[1], game.mover)
            count(game, games[1], held, unseen)
            step += 1
            if not play_advised(game, room, derive(seeds[k], step), choose):
                return False
    return True


@rule
def count(game: Any, hidden: Any, held: Counts, unseen: Counts) -> None:
    """Count the cards of one position, `hidden` being what its mover knows of it."""
    for other in range(game.num_players):
        if other != game.mover:
            for card in range(len(held)):
                held[card] += np.int64(game.hands[other, card])
                held[card] -= np.int64(hidden.hands[other, card])
    for slot in range(game.deck_size):
        if hidden.slots[slot] < TAKEN:
            unseen[hidden.slots[slot]] += 1
