"""Whole games inside one compiled call: for search, for statistics, for speed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compile import PolicyFunction, device, dispatched, kernel
from .kernels import (
    ILLEGAL,
    Masks,
    RawObservations,
    Rows,
    States,
    apply,
    begin,
    observe,
    reward,
    seat_seed,
    write_mask,
)
from .rng import derive, pick_legal

Buffers = tuple[
    RawObservations, Masks
]  # room for what one player sees: (slices.size,) and (actions,)
DecisionCounts = NDArray[np.int64]  # how many decisions were made, by seat
Returns = NDArray[np.float32]


@kernel
def play_out(states: States, rows: Rows, decision_counts: DecisionCounts) -> None:
    """Play each of some rows at random to its end; count the decisions in `decision_counts` (rows, seats).

    The words are those of `draw_words`, so the games are the ones that a random player plays.
    Place k of `decision_counts` belongs to `rows[k]`.
    """
    for k in range(len(rows)):
        state = states[rows[k]]
        counts = decision_counts[k]
        while state.over == 0:
            seat = state.current_player
            bits = derive(seat_seed(state, seat), counts[seat])
            counts[seat] += 1
            apply(state, pick_legal(state.legal, bits))


@device
def play_decision(
    state: Any, decision_counts: Any, buffers: Buffers, policy_function: PolicyFunction
) -> bool:
    """Let a `chooser` decide once; decision_counts: (seats,).

    False when what it chose is illegal: then nothing is played, and `decision_counts` says so with ILLEGAL.
    """
    raw, mask = buffers
    seat = state.current_player
    observe(state, seat, raw)
    write_mask(state, seat, mask)
    bits = derive(seat_seed(state, seat), decision_counts[seat])
    action = policy_function(raw, mask, bits)
    if action < 0 or action >= len(state.legal) or state.legal[action] == 0:
        decision_counts[seat] = ILLEGAL
        return False
    decision_counts[seat] += 1
    apply(state, action)
    return True


@kernel
def play_out_policy(
    states: States,
    rows: Rows,
    decision_counts: DecisionCounts,
    buffers: Buffers,
    policy_function: PolicyFunction,
) -> None:
    """Like `play_out`, with every decision made by a compiled `chooser`; decision_counts: (rows, seats).

    A game stands still where the choice is illegal (see `play_decision`).
    """
    for k in range(len(rows)):
        state = states[rows[k]]
        while state.over == 0 and play_decision(
            state, decision_counts[k], buffers, policy_function
        ):
            pass


@kernel
def play_while(
    states: States,
    rows: Rows,
    seating: NDArray[np.int64],
    decision_counts: DecisionCounts,
    returns: Returns,
    buffers: Buffers,
    number: int,
    kind: int,
    policy_function: PolicyFunction,
) -> None:
    """Play some rows on for as long as the mover is player `number` of `seating`.

    What that brings the seats is added to `returns`, in float32 as `Batch.step` pays it. These and
    `decision_counts`, (all games, seats), go by the number of the game. A game stands still where the choice
    is illegal (see `play_decision`).
    """
    for k in range(len(rows)):
        row = rows[k]
        state = states[row]
        while state.over == 0 and seating[row, state.current_player] == number:
            if not play_decision(state, decision_counts[row], buffers, policy_function):
                break
            if state.round_ended == 1:
                for seat in range(state.num_players):
                    returns[row, seat] += np.float32(reward(state, seat, kind))


@kernel
def play_until_turn(
    states: States,
    rows: Rows,
    seats: Rows,
    decision_counts: DecisionCounts,
    returns: Returns,
    buffers: Buffers,
    turns: int,
    kind: int,
    policy_function: PolicyFunction,
) -> None:
    """Let a `chooser` play some rows on until one seat of each has been to move `turns` times.

    Its move may be due at once, which counts. What that brings the seat is added to `returns`.
    `seats` and `returns`, (rows,), and `decision_counts`, (rows, seats), belong to `rows`. A game stands still
    where the choice is illegal (see `play_decision`).
    """
    for k in range(len(rows)):
        state, seat, turn = states[rows[k]], seats[k], 0
        while state.over == 0:
            if state.current_player == seat:
                turn += 1
                if turn == turns:
                    break
            if not play_decision(state, decision_counts[k], buffers, policy_function):
                break
            returns[k] += np.float32(reward(state, seat, kind))


Counts = NDArray[np.int32]


@dispatched
def tally(before: Any, action: int, after: Any, counts: Counts, endings: Counts) -> None:
    """Count what one decision did, given the records before and after it.

    counts: (seats, statistics) of this game, endings: (ways a round can end,); both add up.
    """


@kernel
def replay_each(
    states: States,
    before: States,
    actions: NDArray[np.uint8],
    starts: NDArray[np.int64],
    counts: Counts,
    endings: Counts,
) -> int:
    """Play recorded games again and count; returns the place of the first illegal action, or -1.

    states: records with settings and seeds, which end up where the actions lead. before: one
    record to work with. actions: of all games, those of game k from `starts[k]` to
    `starts[k + 1]`. counts: (games, seats, statistics), endings: (games, ways).
    """
    for k in range(len(states)):
        state = states[k]
        begin(state)
        for place in range(starts[k], starts[k + 1]):
            action = int(actions[place])
            if action >= len(state.legal) or state.legal[action] == 0:
                return place
            before[0] = state
            apply(state, action)
            tally(before[0], action, state, counts[k], endings[k])
    return -1
