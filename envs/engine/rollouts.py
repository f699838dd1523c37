"""Compiled loops that play whole games or parts of them: for search, statistics and speed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import protocol
from .compile import PolicyFunction, device, kernel, policy_at
from .emit import Raw
from .events import Unrecorded
from .game import ANY, Game
from .history import decide_logged
from .kernels import ILLEGAL, decision_bits, write_mask
from .protocol import Counts, Masks, RawObservations, Rows, States
from .rewards import reward
from .rng import pick_legal
from .state import CardGameState

Buffers = tuple[RawObservations, Masks]  # working space for one observation: (size,), (actions,)
Returns = NDArray[np.float32]
FOREVER = 2**62  # turns


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
            bits = decision_bits(state, seat, counts[seat])
            counts[seat] += 1
            protocol.apply(state, pick_legal(state.legal, bits))


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
    protocol.observe(state, seat, raw)
    write_mask(state, seat, mask)
    action = policy_function(raw, mask, decision_bits(state, seat, decision_counts[seat]))
    if action < 0 or action >= len(state.legal) or state.legal[action] == 0:
        decision_counts[seat] = ILLEGAL
        return ILLEGAL
    decision_counts[seat] += 1
    protocol.apply(state, action)
    return int(action)


@kernel
def list_opponents(states: States, rows: Rows, count: int, seating: Rows, numbers: Rows) -> int:
    """List the rows in which an opponent is to decide.

    Args:
        states: All games.
        rows: Those looked at; the rows found are written to its beginning, in order.
        count: How many of its rows to look at.
        seating: int64 (games, seats), who sits where; opponents are numbers from 0.
        numbers: Written, the number of the opponent in each row found.

    Returns:
        How many rows were found.
    """
    listed = 0
    for k in range(count):
        row = rows[k]
        number = seating[row, states[row].current_player]
        if states[row].over == 0 and number >= 0:
            rows[listed], numbers[listed] = row, number
            listed += 1
    return listed


@kernel
def play_opponent(
    states: States,
    rows: Rows,
    seating: Rows,
    number: int,
    decision_counts: Rows,
    reward_kind: int,
    returns: Returns,
    log: Rows,
    sheets: Counts,
    buffers: Buffers,
    address: Any,
) -> int:
    """Play some rows on for as long as opponent `number` of the seating decides.

    A game stops where the action is illegal (see `play_decision`).

    Args:
        states: All games.
        rows: Which of them.
        seating: int64 (games, seats), who sits where.
        number: The opponent that `address` stands for.
        decision_counts: Added to, int64 (games, seats).
        reward_kind: See `reward`.
        returns: Added to, float32 (games, seats).
        log: Written, int64 (games, size, 2): from place 1 on seat and action of each decision,
            their number at [row, 0, 0]. A game stops where its log is full. With size 0 there is
            none.
        sheets: Added to, int32 (games, seats, entries of the score sheet), half points.
        buffers: Working space.
        address: Where its compiled policy is, see `address_of`.

    Returns:
        The last row in which the action was illegal, or -1.
    """
    refused, policy_function = -1, policy_at(address)
    for k in range(len(rows)):
        row = rows[k]
        state = states[row]
        while state.over == 0 and seating[row, state.current_player] == number:
            if log.shape[1] > 0 and log[row, 0, 0] + 1 == log.shape[1]:
                break
            seat = state.current_player
            action = play_decision(state, decision_counts[row], buffers, policy_function)
            if action == ILLEGAL:
                refused = row
                break
            if log.shape[1] > 0:
                log[row, 0, 0] += 1
                log[row, log[row, 0, 0], 0] = seat
                log[row, log[row, 0, 0], 1] = action
            if state.round_ended == 1:
                for seat in range(state.num_players):
                    returns[row, seat] += np.float32(reward(state, seat, reward_kind))
                    for entry in range(sheets.shape[2]):
                        sheets[row, seat, entry] += state.score_sheet[seat, entry]
    return refused


@kernel
def play_until_turn(
    states: States,
    rows: Rows,
    seats: Rows,
    turns: int,
    decision_counts: Rows,
    reward_kind: int,
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
        turns: From 1; FOREVER to play the rows to their end.
        decision_counts: Added to, int64 (rows, seats).
        reward_kind: See `reward`.
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
            returns[k] += np.float32(reward(state, seat, reward_kind))


def counted_events(game: Game) -> NDArray[np.int64]:
    """Return what statistics count, int64 (rows, 4): statistic, kind, card, whether summed."""
    rows = [
        (place, event_kind, entry.card, entry.summed)
        for place, entry in enumerate(game.counted.values())
        for event_kind in (entry.kinds if isinstance(entry.kinds, tuple) else (entry.kinds,))
    ]
    return np.array(rows, np.int64).reshape(-1, 4)


@kernel
def replay_each(
    states: States,
    actions: NDArray[np.uint8],
    starts: Rows,
    counted: Rows,
    counts: Counts,
    endings: Counts,
    sheets: Counts,
) -> None:
    """Replay recorded games and add up their statistics and score sheets.

    Args:
        states: Logging states with settings and seeds, which end where the actions lead.
        actions: Those of all games, all legal; game k has `actions[starts[k]:starts[k + 1]]`.
        starts: int64 (games + 1,).
        counted: See `counted_events`.
        counts: Added to, (games, seats, statistics).
        endings: Added to, (games, ways in which a round can end).
        sheets: Added to, (games, seats, entries of the score sheet), half points.
    """
    for k in range(len(states)):
        state = states[k]
        protocol.deal_first(state)
        for place in range(starts[k], starts[k + 1]):
            decide_logged(state, int(actions[place]))
            count_events(state, counted, counts[k], endings[k], sheets[k])
            protocol.deal_next(state)


@device
def count_events(
    state: Any, counted: Rows, counts: Counts, endings: Counts, sheets: Counts
) -> None:
    """Add the events of the last decision of a logging state; see `replay_each`."""
    for row in range(state.logged):
        event = state.log[row]
        event_kind, count = int(event[Raw.KIND]), int(event[Raw.COUNT])
        actor = int(event[Raw.ACTOR])
        card = int(event[Raw.CARD])
        if event_kind == Unrecorded.ROUND_ENDED:
            endings[count] += 1
        elif event_kind == Unrecorded.SCORE:
            sheets[actor, card] += count
        if actor < 0:
            continue
        for place in range(len(counted)):
            same_card = counted[place, 2] == ANY or counted[place, 2] == card
            if counted[place, 1] == event_kind and same_card:
                counts[actor, counted[place, 0]] += count if counted[place, 3] == 1 else 1
