"""Compiled loops that play whole games or parts of them: for search, statistics and speed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compile import PolicyFunction, device, kernel
from .kernels import ILLEGAL, seat_seed, write_mask
from .protocol import Counts, Masks, RawObservations, Rows, States, apply, begin, observe, tally
from .rewards import reward
from .rng import derive, pick_legal
from .state import CardGameState

Buffers = tuple[RawObservations, Masks]  # working space for one observation: (size,), (actions,)
Returns = NDArray[np.float32]


@kernel
def play_out(states: States, rows: Rows, decision_counts: Rows) -> None:
    """Play each of some rows at random to its end.

    The random bits are those of `draw_random_bits`, so these are the games that `RandomPolicy`
    plays.

    Args:
        states: All games.
        rows: Which of them.
        decision_counts: Added to, int64 (rows, seats); place k belongs to `rows[k]`.
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
    state: CardGameState, decision_counts: Any, buffers: Buffers, policy_function: PolicyFunction
) -> int:
    """Let a compiled policy decide once.

    Args:
        state: One game.
        decision_counts: int64 (seats,), added to.
        buffers: Working space.
        policy_function: See `compile_policy`.

    Returns:
        The action; or ILLEGAL, which is also written as the count, when it is illegal: then
        nothing is played.
    """
    raw, mask = buffers
    seat = state.current_player
    observe(state, seat, raw)
    write_mask(state, seat, mask)
    action = policy_function(raw, mask, derive(seat_seed(state, seat), decision_counts[seat]))
    if action < 0 or action >= len(state.legal) or state.legal[action] == 0:
        decision_counts[seat] = ILLEGAL
        return ILLEGAL
    decision_counts[seat] += 1
    apply(state, action)
    return int(action)


@kernel
def play_out_policy(
    states: States,
    rows: Rows,
    decision_counts: Rows,
    buffers: Buffers,
    policy_function: PolicyFunction,
) -> None:
    """Play rows like `play_out`, every decision made by a compiled policy.

    A game stops where the action is illegal (see `play_decision`).
    """
    for k in range(len(rows)):
        state = states[rows[k]]
        action = 0
        while state.over == 0 and action != ILLEGAL:
            action = play_decision(state, decision_counts[k], buffers, policy_function)


@kernel
def play_opponent(
    states: States,
    rows: Rows,
    seating: Rows,
    number: int,
    decision_counts: Rows,
    kind: int,
    returns: Returns,
    log: Rows,
    buffers: Buffers,
    policy_function: PolicyFunction,
) -> None:
    """Play some rows on for as long as opponent `number` of the seating decides.

    A game stops where the action is illegal (see `play_decision`).

    Args:
        states: All games.
        rows: Which of them.
        seating: int64 (games, seats), who sits where.
        number: The opponent that `policy_function` stands for.
        decision_counts: Added to, int64 (games, seats).
        kind: Kind of reward.
        returns: Added to, float32 (games, seats).
        log: Written, int64 (games, size, 2): from place 1 on seat and action of each decision,
            their number at [row, 0, 0]. A game stops where its log is full. With size 0 there is
            none.
        buffers: Working space.
        policy_function: See `compile_policy`.
    """
    for k in range(len(rows)):
        row = rows[k]
        state = states[row]
        while state.over == 0 and seating[row, state.current_player] == number:
            if log.shape[1] > 0 and log[row, 0, 0] + 1 == log.shape[1]:
                break
            seat = state.current_player
            action = play_decision(state, decision_counts[row], buffers, policy_function)
            if action == ILLEGAL:
                break
            if log.shape[1] > 0:
                log[row, 0, 0] += 1
                log[row, log[row, 0, 0], 0] = seat
                log[row, log[row, 0, 0], 1] = action
            if state.round_ended == 1:
                for seat in range(state.num_players):
                    returns[row, seat] += np.float32(reward(state, seat, kind))


@kernel
def play_until_turn(
    states: States,
    rows: Rows,
    seats: Rows,
    turns: int,
    decision_counts: Rows,
    kind: int,
    returns: Returns,
    buffers: Buffers,
    policy_function: PolicyFunction,
) -> None:
    """Let a compiled policy play some rows on until a seat of each has its turn number `turns`.

    The seat may be the current player already, which counts. A game stops where the action is
    illegal (see `play_decision`).

    Args:
        states: All games.
        rows: Which of them.
        seats: A seat for each row.
        turns: From 1.
        decision_counts: Added to, int64 (rows, seats).
        kind: Kind of reward.
        returns: Added to, float32 (rows,), the rewards of `seats`.
        buffers: Working space.
        policy_function: See `compile_policy`.
    """
    for k in range(len(rows)):
        state, seat, turn = states[rows[k]], seats[k], 0
        while state.over == 0:
            if state.current_player == seat:
                turn += 1
                if turn == turns:
                    break
            if play_decision(state, decision_counts[k], buffers, policy_function) == ILLEGAL:
                break
            returns[k] += np.float32(reward(state, seat, kind))


@kernel
def replay_each(
    states: States,
    before: States,
    actions: NDArray[np.uint8],
    starts: Rows,
    counts: Counts,
    endings: Counts,
) -> int:
    """Replay recorded games and add up their statistics.

    Args:
        states: Settings and seeds of the games, which end where the actions lead.
        before: Working space, one state.
        actions: Those of all games; game k has `actions[starts[k]:starts[k + 1]]`.
        starts: int64 (games + 1,).
        counts: Added to, (games, seats, statistics).
        endings: Added to, (games, ways in which a round can end).

    Returns:
        The place of the first illegal action, or -1.
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
