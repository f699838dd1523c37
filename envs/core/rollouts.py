"""Whole games inside one compiled call: for search, for statistics, for speed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.core.chance import derive
from goldgriff.envs.core.compiled import Chooser, kernel, rule
from goldgriff.envs.core.kernels import (
    ILLEGAL,
    Features,
    Games,
    Masks,
    Rows,
    apply,
    luck_of,
    observe,
    reward,
    show_mask,
)
from goldgriff.envs.core.picking import pick

Sight = tuple[Features, Masks]  # room for what one player sees: (slices.size,) and (actions,)
Asked = NDArray[np.int64]  # how many decisions were made, by seat
Earned = NDArray[np.float32]


@kernel
def play_out(games: Games, rows: Rows, asked: Asked) -> None:
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


@rule
def play_with(game: Any, asked: Any, sight: Sight, choose: Chooser) -> bool:
    """Let a `chooser` decide once; asked: (seats,).

    False when what it chose is illegal: then nothing is played, and `asked` says so with ILLEGAL.
    """
    features, mask = sight
    seat = game.mover
    observe(game, seat, features)
    show_mask(game, seat, mask)
    word = derive(luck_of(game, seat), asked[seat])
    action = choose(features, mask, word)
    if action < 0 or action >= len(game.legal) or game.legal[action] == 0:
        asked[seat] = ILLEGAL
        return False
    asked[seat] += 1
    apply(game, action)
    return True


@kernel
def play_out_with(games: Games, rows: Rows, asked: Asked, sight: Sight, choose: Chooser) -> None:
    """Like `play_out`, with every decision made by a compiled `chooser`; asked: (rows, seats).

    A game stands still where the choice is illegal (see `play_with`).
    """
    for k in range(len(rows)):
        game = games[rows[k]]
        while game.over == 0 and play_with(game, asked[k], sight, choose):
            pass


@kernel
def play_while(
    games: Games,
    rows: Rows,
    seating: NDArray[np.int64],
    asked: Asked,
    earned: Earned,
    sight: Sight,
    number: int,
    kind: int,
    choose: Chooser,
) -> None:
    """Play some rows on for as long as the mover is player `number` of `seating`.

    What that brings the seats is added to `earned`, in float32 as `Batch.step` pays it. These and
    `asked`, (all games, seats), go by the number of the game. A game stands still where the choice
    is illegal (see `play_with`).
    """
    for k in range(len(rows)):
        row = rows[k]
        game = games[row]
        while game.over == 0 and seating[row, game.mover] == number:
            if not play_with(game, asked[row], sight, choose):
                break
            if game.round_ended == 1:
                for seat in range(game.num_players):
                    earned[row, seat] += np.float32(reward(game, seat, kind))


@kernel
def play_until(
    games: Games,
    rows: Rows,
    seats: Rows,
    asked: Asked,
    earned: Earned,
    sight: Sight,
    turns: int,
    kind: int,
    choose: Chooser,
) -> None:
    """Let a `chooser` play some rows on until one seat of each has been to move `turns` times.

    Its move may be due at once, which counts. What that brings the seat is added to `earned`.
    `seats` and `earned`, (rows,), and `asked`, (rows, seats), belong to `rows`. A game stands still
    where the choice is illegal (see `play_with`).
    """
    for k in range(len(rows)):
        game, seat, turn = games[rows[k]], seats[k], 0
        while game.over == 0:
            if game.mover == seat:
                turn += 1
                if turn == turns:
                    break
            if not play_with(game, asked[k], sight, choose):
                break
            earned[k] += np.float32(reward(game, seat, kind))
