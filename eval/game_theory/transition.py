"""Single transitions of a game tree, compiled: chance is chosen by a script, or sampled."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import device, kernel
from ...envs.engine.game import Game
from ...envs.engine.listing import MAX_EVENTS, MAX_OUTCOMES, outcome_weight
from ...envs.engine.protocol import observe, sample_state, to_information_state
from ...envs.engine.rewards import reward
from ...envs.engine.rng import derive, mix, next_state, pick_legal
from ...envs.engine.settings import GameSettings
from .recall import (
    Buffers,
    encode_transition,
    hash_combine,
    log_transition,
    new_buffers,
    update_infoset_hash,
)
from .walk import play_script, write_outcomes

_TO_UNIT = 2.0**-53  # from 53 random bits to [0, 1)
_11 = np.uint64(11)


class Room(NamedTuple):
    """What kernels write of one transition."""

    outcomes: NDArray[np.uint8]  # of the event of chance that is open
    chances: NDArray[np.float64]  # their probabilities
    rewards: NDArray[np.float64]  # (seats,)
    script: NDArray[np.uint8]  # outcomes that were sampled
    seen: NDArray[np.uint8]  # (seats, observation_spec.size), observations of the last decisions
    recalls: NDArray[np.uint64]  # (seats,)
    numbers: NDArray[np.int64]  # (seats, most), added to information states
    counts: NDArray[np.int64]  # (seats,), of these numbers


def new_room(game: Game, settings: GameSettings) -> Room:
    """Return room for the transitions of a game."""
    seats, numbers = settings.num_players, len(new_buffers(game, settings).numbers)
    return Room(
        np.zeros(MAX_OUTCOMES, np.uint8),
        np.zeros(MAX_OUTCOMES),
        np.zeros(seats),
        np.zeros(MAX_EVENTS, np.uint8),
        np.zeros((seats, game.observation_spec.size), np.uint8),
        np.zeros(seats, np.uint64),
        np.zeros((seats, numbers), np.int64),
        np.zeros(seats, np.int64),
    )


@kernel
def play_one(
    before: Any, after: Any, action: int, script: Any, reward_kind: int, room: Room
) -> int:
    """Play an action with the outcomes of a script.

    Args:
        before: The state before it, (1,).
        after: Written, (1,); not to be used if an event is open.
        action: The action, or BEGIN.
        script: uint8 (events,).
        reward_kind: See `rewards.reward`.
        room: `outcomes` and `chances` are written or, if no event is open, `rewards`.

    Returns:
        How many outcomes there are; 0 where no event is open.
    """
    after[0] = before[0]
    state = after[0]
    load_script(state, script)
    play_script(state, action)
    write_outcomes(state, room.outcomes, room.chances)
    if state.num_outcomes == 0:
        write_rewards(state, reward_kind, room.rewards)
    return int(state.num_outcomes)


@kernel
def sample_one(
    before: Any, after: Any, action: int, size: int, reward_kind: int, bits: Any, room: Room
) -> int:
    """Play an action with the first `size` outcomes of a script; chance is sampled after them.

    Args:
        before: The state before it, (1,).
        after: Written, (1,).
        action: The action, or BEGIN.
        size: How many outcomes are in `room.script` already.
        reward_kind: See `rewards.reward`.
        bits: Random bits, 64.
        room: `script` and `rewards` are written.

    Returns:
        How many outcomes there are in all.
    """
    size = sample_script(before, 0, after, 0, action, room.script, size, bits)
    write_rewards(after[0], reward_kind, room.rewards)
    return size


@device
def sample_script(
    before: Any, row: int, after: Any, place: int, action: int, script: Any, size: int, bits: Any
) -> int:
    """Play an action of `before[row]` into `after[place]`; see `sample_one`."""
    while True:
        after[place] = before[row]
        state = after[place]
        load_script(state, script[:size])
        play_script(state, action)
        if state.num_outcomes == 0:
            return size
        bits = next_state(bits)
        script[size] = choose_outcome(state, float(mix(bits) >> _11) * _TO_UNIT)
        size += 1


@kernel
def roll_out(states: Any, script: Any, reward_kind: int, bits: Any, returns: Any) -> None:
    """Play a game to its end, at random.

    Args:
        states: Its state and room for another, (2,).
        script: uint8 (MAX_EVENTS,), working space.
        reward_kind: See `rewards.reward`.
        bits: Random bits, 64.
        returns: float64 (seats,), added to.
    """
    row, bits = 0, derive(bits, 0)  # the bits themselves may have decided the chance before
    while states[row].over == 0:
        bits = next_state(bits)
        action = pick_legal(states[row].legal, mix(bits))
        bits = next_state(bits)
        sample_script(states, row, states, 1 - row, action, script, 0, mix(bits))
        row = 1 - row
        for seat in range(len(returns)):
            returns[seat] += reward(states[row], seat, reward_kind)


@device
def load_script(state: Any, script: Any) -> None:
    """Put a script into a state."""
    state.script_size = len(script)
    for place in range(len(script)):
        state.script[place] = script[place]


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


@device
def write_rewards(state: Any, reward_kind: int, rewards: Any) -> None:
    """Write the rewards of all seats for the last decision."""
    for seat in range(state.num_players):
        rewards[seat] = reward(state, seat, reward_kind)


@kernel
def observe_transition(before: Any, action: int, after: Any, room: Room, buffers: Buffers) -> None:
    """Write what a transition adds to the information states of all seats.

    Args:
        before: The state before it, (1,).
        action: The action, or BEGIN.
        after: The state after it, (1,).
        room: `seen` and `recalls` are brought up to date, `numbers` and `counts` written.
        buffers: See `new_buffers`.
    """
    log_transition(after[0], buffers)
    for seat in range(len(room.counts)):
        recall = room.recalls[seat]
        room.recalls[seat] = update_infoset_hash(before[0], action, after[0], seat, recall, buffers)
        count = encode_transition(before[0], action, after[0], seat, room.seen[seat], buffers)
        room.counts[seat] = count
        for place in range(count):
            room.numbers[seat, place] = buffers.numbers[place]
        if after[0].over == 0 and after[0].current_player == seat:
            for place in range(len(buffers.raw)):
                room.seen[seat, place] = buffers.raw[place]


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
