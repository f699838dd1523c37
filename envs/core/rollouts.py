"""Whole games inside one compiled call: for search, for statistics, for speed."""

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.core.chance import derive
from goldgriff.envs.core.compiled import Chooser, kernel
from goldgriff.envs.core.kernels import (
    Features,
    Games,
    Masks,
    Rows,
    apply,
    luck_of,
    observe,
    pick,
    show_mask,
)


@kernel
def play_out(games: Games, rows: Rows, asked: NDArray[np.int64]) -> None:
    """Play each of some rows at random to its end; count the decisions in `asked` (rows, seats).

    The words are those of `draw_words`, so the games are the ones that a random player plays.
    Place k of `asked` belongs to `rows[k]`.
    """
    for k in range(len(rows)):
        game = games[rows[k]]
        counts = asked[k]
        while game.over == 0:
            seat = game.mover
            word = derive(luck_of(game, seat), counts[seat])
            counts[seat] += 1
            apply(game, pick(game.legal, word))


@kernel
def play_out_with(
    games: Games,
    rows: Rows,
    asked: NDArray[np.int64],
    features: Features,
    masks: Masks,
    choose: Chooser,
) -> None:
    """Like `play_out`, with every decision made by a compiled `chooser`.

    `features` and `masks`, one row for each of `rows`, are room to write to.
    """
    for k in range(len(rows)):
        game = games[rows[k]]
        while game.over == 0:
            seat = game.mover
            observe(game, seat, features[k])
            show_mask(game, seat, masks[k])
            word = derive(luck_of(game, seat), asked[k, seat])
            asked[k, seat] += 1
            apply(game, choose(features[k], masks[k], word))
