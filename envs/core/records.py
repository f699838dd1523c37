"""Recorded games: played again, checked and counted, many in one compiled call."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.core.compiled import by_game, kernel
from goldgriff.envs.core.kernels import Games, apply, begin

Counts = NDArray[np.int32]


@by_game
def tally(before: Any, action: int, after: Any, counts: Counts, endings: Counts) -> None:
    """Count what one decision did, given the records before and after it.

    counts: (seats, statistics) of this game, endings: (ways a round can end,); both add up.
    """


@kernel
def replay_all(
    games: Games,
    before: Games,
    actions: NDArray[np.uint8],
    starts: NDArray[np.int64],
    counts: Counts,
    endings: Counts,
) -> int:
    """Play recorded games again and count; returns the place of the first illegal action, or -1.

    games: records with settings and seeds, which end up where the actions lead. before: one
    record to work with. actions: of all games, those of game k from `starts[k]` to
    `starts[k + 1]`. counts: (games, seats, statistics), endings: (games, ways).
    """
    for k in range(len(games)):
        game = games[k]
        begin(game)
        for place in range(starts[k], starts[k + 1]):
            action = int(actions[place])
            if action >= len(game.legal) or game.legal[action] == 0:
                return place
            before[0] = game
            apply(game, action)
            tally(before[0], action, game, counts[k], endings[k])
    return -1
