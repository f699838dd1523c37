"""Whole games inside one compiled call: for search, for statistics, for speed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.engine.compile import PolicyFunction, dispatched, kernel, rule
from goldgriff.envs.engine.kernels import (
    ILLEGAL,
    RawObservations,
    States,
    Masks,
    Rows,
    apply,
    begin,
    seat_seed,
    observe,
    reward,
    write_mask,
)
from goldgriff.envs.engine.rng import derive, pick_legal

Buffers = tuple[RawObservations, Masks]  # room for what one player sees: (slices.size,) and (actions,)
DecisionCounts = NDArray[np.int64]  # how many decisions were made, by seat
Returns = NDArray[np.float32]


@kernel
def play_out(games: States, rows: Rows, asked: DecisionCounts) -> None:
    """Play each of some rows at random to its end; count the decisions in `asked` (rows, seats).

    The words are those of `draw_words`, so the games are the ones that a random player plays.
    Place k of `asked` belongs to `rows[k]`.
    """
    for k in range(len(rows)):
        game = games[rows[k]]
        counts = asked[k]
        while game.over == 0:
            seat = game.mover
            word = derive(seat_seed(game, seat), counts[seat])
            counts[seat] += 1
            apply(game, pick_legal(game.legal, word))


@rule
def play_decision(game: Any, asked: Any, sight: Buffers, choose: PolicyFunction) -> bool:
    """Let a `chooser` decide once; asked: (seats,).

    False when what it chose is illegal: then nothing is played, and `asked` says so with ILLEGAL.
    """
    features, mask = sight
    seat = game.mover
    observe(game, seat, features)
    write_mask(game, seat, mask)
    word = derive(seat_seed(game, seat), asked[seat])
    action = choose(features, mask, word)
    if action < 0 or action >= len(game.legal) or game.legal[action] == 0:
        asked[seat] = ILLEGAL
        return False
    asked[seat] += 1
    apply(game, action)
    return True


@kernel
def play_out_policy(games: States, rows: Rows, asked: DecisionCounts, sight: Buffers, choose: PolicyFunction) -> None:
    """Like `play_out`, with every decision made by a compiled `chooser`; asked: (rows, seats).

    A game stands still where the choice is illegal (see `play_decision`).
    """
    for k in range(len(rows)):
        game = games[rows[k]]
        while game.over == 0 and play_decision(game, asked[k], sight, choose):
            pass


@kernel
def play_while(
    games: States,
    rows: Rows,
    seating: NDArray[np.int64],
    asked: DecisionCounts,
    earned: Returns,
    sight: Buffers,
    number: int,
    kind: int,
    choose: PolicyFunction,
) -> None:
    """Play some rows on for as long as the mover is player `number` of `seating`.

    What that brings the seats is added to `earned`, in float32 as `Batch.step` pays it. These and
    `asked`, (all games, seats), go by the number of the game. A game stands still where the choice
    is illegal (see `play_decision`).
    """
    for k in range(len(rows)):
        row = rows[k]
        game = games[row]
        while game.over == 0 and seating[row, game.mover] == number:
            if not play_decision(game, asked[row], sight, choose):
                break
            if game.round_ended == 1:
                for seat in range(game.num_players):
                    earned[row, seat] += np.float32(reward(game, seat, kind))


@kernel
def play_until(
    games: States,
    rows: Rows,
    seats: Rows,
    asked: DecisionCounts,
    earned: Returns,
    sight: Buffers,
    turns: int,
    kind: int,
    choose: PolicyFunction,
) -> None:
    """Let a `chooser` play some rows on until one seat of each has been to move `turns` times.

    Its move may be due at once, which counts. What that brings the seat is added to `earned`.
    `seats` and `earned`, (rows,), and `asked`, (rows, seats), belong to `rows`. A game stands still
    where the choice is illegal (see `play_decision`).
    """
    for k in range(len(rows)):
        game, seat, turn = games[rows[k]], seats[k], 0
        while game.over == 0:
            if game.mover == seat:
                turn += 1
                if turn == turns:
                    break
            if not play_decision(game, asked[k], sight, choose):
                break
            earned[k] += np.float32(reward(game, seat, kind))


Counts = NDArray[np.int32]


@dispatched
def tally(before: Any, action: int, after: Any, counts: Counts, endings: Counts) -> None:
    """Count what one decision did, given the records before and after it.

    counts: (seats, statistics) of this game, endings: (ways a round can end,); both add up.
    """


@kernel
def replay_each(
    games: States,
    before: States,
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
