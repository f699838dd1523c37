"""Single transitions of a game tree, compiled: chance is chosen by a script, or sampled."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import device, kernel
from ...envs.engine.listing import MAX_EVENTS, MAX_OUTCOMES, outcome_weight
from ...envs.engine.protocol import observe, sample_state, to_information_state
from ...envs.engine.rewards import reward
from ...envs.engine.rng import derive, mix, next_state, pick_legal, scale_bits
from .recall import (
    BEGIN,
    Buffers,
    encode_transition,
    hash_combine,
    log_transition,
    update_infoset_hash,
)
from .walk import play_script, write_outcomes

_TO_UNIT = 2.0**-53  # from 53 random bits to [0, 1)
_11 = np.uint64(11)


class Room(NamedTuple):
    """The arrays that kernels read and write for one transition."""

    outcomes: NDArray[np.uint8]  # of the event of chance that is open
    chances: NDArray[np.float64]  # their probabilities
    rewards: NDArray[np.float64]  # (seats,)
    script: NDArray[np.uint8]  # outcomes of the events of chance


def new_room(seats: int) -> Room:
    """Return room for the transitions of a game."""
    return Room(
        np.zeros(MAX_OUTCOMES, np.uint8),
        np.zeros(MAX_OUTCOMES),
        np.zeros(seats),
        np.zeros(MAX_EVENTS, np.uint8),
    )


@kernel
def play_one(
    before: Any,
    after: Any,
    action: int,
    size: int,
    sampled: bool,
    bits: Any,
    reward_kind: int,
    room: Room,
) -> int:
    """Play an action with the first outcomes of a script.

    Args:
        before: The state before it, (1,).
        after: Written, (1,); not to be used if an event is open: it has `num_outcomes` then.
        action: The action, or BEGIN.
        size: How many outcomes of `room.script` count.
        sampled: Whether chance is sampled after them; then `room.script` is written, too.
        bits: Random bits for that, 64.
        reward_kind: See `rewards.reward`.
        room: `outcomes` and `chances` are written or, if no event is open, `rewards`.

    Returns:
        How many outcomes the script has then.
    """
    size = follow_script(before, after, action, room.script, size, sampled, bits)
    write_outcomes(after[0], room.outcomes, room.chances)
    for seat in range(len(room.rewards)):
        room.rewards[seat] = reward(after[0], seat, reward_kind)
    return size


@device
def follow_script(
    before: Any, after: Any, action: int, script: Any, size: int, sampled: bool, bits: Any
) -> int:
    """Play an action with the first outcomes of a script, and sample more; see `play_one`."""
    while True:
        play_with(before, after, action, script, size)
        if after[0].num_outcomes == 0 or not sampled:
            return size
        bits = next_state(bits)
        script[size] = choose_outcome(after[0], float(mix(bits) >> _11) * _TO_UNIT)
        size += 1


@device
def play_with(before: Any, after: Any, action: int, script: Any, size: int) -> None:
    """Play an action with the first outcomes of a script, and no others."""
    after[0] = before[0]
    state = after[0]
    state.script_size = size
    for event in range(size):
        state.script[event] = script[event]
    play_script(state, action)


@kernel
def probe(first: Any, before: Any, after: Any, script: Any, bits: np.uint64, limit: int) -> float:
    """Return an estimate of the number of nodes of a tree, by one random path through it.

    Knuth: Estimating the efficiency of backtrack programs (Mathematics of Computation, 1975). Every
    node on the path counts as often as there were choices before it; in the mean over many paths
    that is the number of nodes.

    Args:
        first: The state before the deal, (1,).
        before: Working space, a state, (1,).
        after: Likewise.
        script: uint8 (MAX_EVENTS,), working space.
        bits: Random bits.
        limit: Decisions after which the path is given up.

    Returns:
        The estimate; infinity where it is too large for a float or the path has no end.
    """
    ways, nodes, action = 1.0, 0.0, BEGIN
    before[0] = first[0]
    for decision in range(limit):
        size, earlier_ways = 0, ways
        while True:
            play_with(before, after, action, script, size)
            state = after[0]
            if state.num_outcomes == 0:
                break
            bits = derive(bits, decision)
            ways *= state.num_outcomes
            script[size] = state.outcomes[scale_bits(bits, state.num_outcomes)]
            size += 1
        nodes += ways + (earlier_ways if size > 0 else 0.0)
        if state.over == 1:
            return nodes
        legal = 0
        for number in range(len(state.legal)):
            legal += int(state.legal[number])
        ways *= legal
        bits = derive(bits, decision)
        action = pick_legal(state.legal, bits)
        before[0] = state
    return np.inf


@kernel
def roll_out(
    start: Any, before: Any, after: Any, script: Any, reward_kind: int, bits: Any, returns: Any
) -> None:
    """Play a game to its end, at random.

    Args:
        start: Its state, (1,).
        before: Working space, a state, (1,).
        after: Likewise.
        script: uint8 (MAX_EVENTS,), working space.
        reward_kind: See `rewards.reward`.
        bits: Random bits, 64.
        returns: float64 (seats,), added to.
    """
    before[0] = start[0]
    bits = derive(bits, 0)  # the bits themselves may have decided the chance before
    while before[0].over == 0:
        bits = next_state(bits)
        action = pick_legal(before[0].legal, mix(bits))
        bits = next_state(bits)
        follow_script(before, after, action, script, 0, True, mix(bits))
        before[0] = after[0]
        for seat in range(len(returns)):
            returns[seat] += reward(before[0], seat, reward_kind)


@device
def choose_outcome(state: Any, number: float) -> int:
    """Return the outcome of the open event that a number in [0, 1) chooses."""
    total = 0.0
    for place in range(state.num_outcomes):
        total += outcome_weight(state, place)
    left, place = number * total, 0
    while place < state.num_outcomes - 1 and left >= outcome_weight(state, place):
        left -= outcome_weight(state, place)
        place += 1
    return int(state.outcomes[place])


@kernel
def observe_transition(
    before: Any, action: int, after: Any, seat: int, seen: Any, recall: Any, buffers: Buffers
) -> tuple[Any, int]:
    """Write what a transition adds to the information state of a seat.

    Args:
        before: The state before it, (1,).
        action: The action, or BEGIN.
        after: The state after it, (1,).
        seat: The seat.
        seen: What it observed when it decided last.
        recall: Its hash before.
        buffers: See `new_buffers`: `numbers` is written, and `raw` if the seat decides now.

    Returns:
        The new hash, and how many numbers there are.
    """
    log_transition(after[0], buffers)
    recall = update_infoset_hash(before[0], action, after[0], seat, recall, buffers)
    return recall, encode_transition(before[0], action, after[0], seat, seen, buffers)


@kernel
def observe_one(states: Any, seat: int, raw: Any) -> None:
    """Write the observation of a seat."""
    observe(states[0], seat, raw)


@kernel
def resample_one(before: Any, after: Any, seat: int, bits: Any, weights: Any) -> None:
    """Write a state that a seat cannot tell from another, at random."""
    after[0] = before[0]
    to_information_state(after[0], seat)
    sample_state(after[0], seat, bits, weights)


@kernel
def hash_numbers(recall: Any, numbers: Any) -> Any:
    """Return a recall with more numbers in it."""
    for place in range(len(numbers)):
        recall = hash_combine(recall, numbers[place])
    return recall
