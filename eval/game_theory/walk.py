"""Walks through a game tree, compiled: all histories in one depth-first pass, and single moves.

Each decision on the path has a frame: its state, the action that is being played, and the random
events of that transition with their outcomes. All combinations of outcomes are visited, the last
event changing fastest. Frame 0 is the deal.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import device, kernel
from ...envs.engine.listing import MAX_EVENTS, MAX_OUTCOMES, outcome_weight
from ...envs.engine.protocol import apply, begin, observe, sample_state, to_information_state
from ...envs.engine.rewards import reward
from ...envs.engine.rng import derive, mix, next_state, pick_legal, scale_bits
from .information import BEGIN, Buffers, encode_transition, log_transition, update_infoset_hash

CHANCE, TERMINAL = -1, -2  # in place of a player
MAX_DEPTH = 400  # decisions on a path
FULL, TOO_DEEP = -1, -2  # in place of a number of nodes
NONE, NEW = -1, -2  # in place of a node: the root's parent; no outcome has been played yet
_TO_UNIT = 2.0**-53  # from 53 random bits to [0, 1)
_11 = np.uint64(11)


class Frames(NamedTuple):
    """The path, a row for each frame."""

    states: Any  # tree states: where the decision is made
    actions: NDArray[np.int64]  # being played; BEGIN in frame 0
    nodes: NDArray[np.int64]  # of the decision
    parents: NDArray[np.int64]  # of what comes of the action: the decision, a chance node, or NEW
    levels: NDArray[np.int64]  # events in the transition
    recalls: NDArray[np.uint64]  # (frames, seats)
    returns: NDArray[np.float64]  # (frames, seats)
    outcomes: NDArray[np.uint8]  # (frames, levels, choices)
    chances: NDArray[np.float64]  # their probabilities, likewise
    counts: NDArray[np.int64]  # outcomes of each event, (frames, levels)
    places: NDArray[np.int64]  # the one that is played, likewise


class Nodes(NamedTuple):
    """The nodes of a tree in depth-first order: parents come before their children.

    With arrays of length 0 nodes are only counted.
    """

    parents: NDArray[np.int32]  # NONE for the root
    players: NDArray[np.int8]  # a seat, CHANCE or TERMINAL
    actions: NDArray[np.int16]  # by which the node is reached from its parent; -1 from chance
    chances: NDArray[np.float64]  # of reaching it from its parent, where that is a chance node
    recalls: NDArray[np.uint64]  # of the player that decides
    returns: NDArray[np.float64]  # (nodes, seats); of a terminal node


class NodeObservations(NamedTuple):
    """Observations of the players at some nodes; with arrays of length 0 none are written."""

    nodes: NDArray[np.int64]  # which, ascending
    raw: NDArray[np.uint8]  # (nodes, observation_spec.size)
    masks: NDArray[np.int8]  # (nodes, actions)
    states: Any  # tree states, (nodes,), or none of them


def new_frames(states: Any, seats: int) -> Frames:
    """Return frames; `states` are tree states, (depth,), the first one before the deal."""
    depth = len(states)
    actions, nodes, parents, levels = np.zeros((4, depth), np.int64)
    recalls, returns = np.zeros((depth, seats), np.uint64), np.zeros((depth, seats))
    shape = (depth, MAX_EVENTS, MAX_OUTCOMES)  # memory is taken when it is written
    outcomes, chances = np.zeros(shape, np.uint8), np.zeros(shape)
    counts, places = np.zeros((2, *shape[:2]), np.int64)
    by_frame = (states, actions, nodes, parents, levels, recalls, returns)
    return Frames(*by_frame, outcomes, chances, counts, places)


def new_nodes(count: int, seats: int) -> Nodes:
    """Return room for `count` nodes."""
    types = (np.int32, np.int8, np.int16, np.float64, np.uint64)
    return Nodes._make([*(np.zeros(count, dtype) for dtype in types), np.zeros((count, seats))])


@kernel
def walk(
    frames: Frames,
    deals: NDArray[np.float64],
    reward_kind: int,
    limit: int,
    nodes: Nodes,
    observations: NodeObservations,
    buffers: Buffers,
) -> int:
    """Go through all histories of a game.

    Args:
        frames: See `new_frames`.
        deals: float64 (card types,), by the card turned up, how many deals each deal represents: 0
            skips it.
        reward_kind: Whose sum over a history its returns are; see `rewards.reward`.
        limit: The most nodes.
        nodes: Written where it has room.
        observations: Written likewise.
        buffers: See `new_buffers`.

    Returns:
        The number of nodes; FULL when there are more than `limit`, or TOO_DEEP.
    """
    count, depth, written = 0, 0, 0
    frames.nodes[0] = NONE
    start_action(frames, 0, BEGIN)
    while depth >= 0:
        play_transition(frames, depth)
        deals_here = deals[turned_up(frames.states[1])] if depth == 0 else 1.0
        if deals_here == 0.0:
            depth = step_back(frames, depth)
            continue
        new_chance = frames.parents[depth] == NEW and frames.levels[depth] > 0
        if count + 1 + new_chance > limit:
            return FULL
        if frames.parents[depth] == NEW:
            frames.parents[depth] = frames.nodes[depth]
            if new_chance:
                action = frames.actions[depth]
                write_node(nodes, count, frames.nodes[depth], CHANCE, action, 1.0)
                frames.parents[depth] = count
                count += 1
        follow_seats(frames, depth, reward_kind, len(nodes.parents) > 0, buffers)
        after = frames.states[depth + 1]
        write_outcome(frames, depth, deals_here, nodes, count)
        if written < len(observations.nodes) and observations.nodes[written] == count:
            write_observation(after, observations, written)
            written += 1
        frames.nodes[depth + 1] = count
        count += 1
        if after.over == 0:
            depth += 1
            if depth + 1 == MAX_DEPTH:
                return TOO_DEEP
            start_action(frames, depth, next_legal(after, 0))
        else:
            depth = step_back(frames, depth)
    return count


@device
def start_action(frames: Frames, depth: int, action: int) -> None:
    """Begin an action in a frame, with the first outcome of every event."""
    frames.actions[depth] = action
    frames.parents[depth] = NEW
    frames.levels[depth] = 0


@device
def turned_up(state: Any) -> int:
    """Return the card on top of the discard pile."""
    return int(state.discards[state.discard_size - 1])


@device
def play_transition(frames: Frames, depth: int) -> None:
    """Play the action of a frame with its current outcomes, into the next frame.

    New events are added to the frame, with their first outcome.
    """
    while True:
        frames.states[depth + 1] = frames.states[depth]
        state, level = frames.states[depth + 1], frames.levels[depth]
        state.script_size = level
        for event in range(level):
            state.script[event] = frames.outcomes[depth, event, frames.places[depth, event]]
        play_script(state, frames.actions[depth])
        if state.num_outcomes == 0:
            break
        write_outcomes(state, frames.outcomes[depth, level], frames.chances[depth, level])
        frames.counts[depth, level] = state.num_outcomes
        frames.places[depth, level] = 0
        frames.levels[depth] += 1


@device
def play_script(state: Any, action: int) -> None:
    """Play an action, or BEGIN, with the outcomes in the script of the state."""
    state.num_events = state.num_outcomes = state.drawn_in_all = state.logged = 0
    if action == BEGIN:
        begin(state)
    else:
        apply(state, action)


@device
def write_outcomes(state: Any, outcomes: Any, chances: Any) -> None:
    """Write the outcomes of the event that is open, and their probabilities."""
    total = 0.0
    for place in range(state.num_outcomes):
        total += outcome_weight(state, place)
    for place in range(state.num_outcomes):
        outcomes[place] = state.outcomes[place]
        chances[place] = outcome_weight(state, place) / total


@device
def follow_seats(
    frames: Frames, depth: int, reward_kind: int, recalls: bool, buffers: Buffers
) -> None:
    """Add the rewards of a transition to the returns and, if asked for, update the hashes."""
    before, after, action = frames.states[depth], frames.states[depth + 1], frames.actions[depth]
    for seat in range(after.num_players):
        gained = reward(after, seat, reward_kind)
        frames.returns[depth + 1, seat] = frames.returns[depth, seat] + gained
    if recalls and after.over == 0:
        log_transition(after, buffers)
        for seat in range(after.num_players):
            frames.recalls[depth + 1, seat] = update_infoset_hash(
                before, action, after, seat, frames.recalls[depth, seat], buffers
            )


@device
def chance_of(frames: Frames, depth: int) -> float:
    """Return the probability of the outcomes of the transition of a frame."""
    chance = 1.0
    for level in range(frames.levels[depth]):
        chance *= frames.chances[depth, level, frames.places[depth, level]]
    return chance


@device
def write_outcome(frames: Frames, depth: int, deals_here: float, nodes: Nodes, place: int) -> None:
    """Write the node to which the transition of a frame leads; `deals_here` multiplies its odds."""
    if len(nodes.parents) == 0:
        return
    after = frames.states[depth + 1]
    action = frames.actions[depth] if frames.levels[depth] == 0 else -1
    player = TERMINAL if after.over == 1 else int(after.current_player)
    chance = chance_of(frames, depth) * deals_here
    write_node(nodes, place, frames.parents[depth], player, action, chance)
    if after.over == 1:
        for seat in range(after.num_players):
            nodes.returns[place, seat] = frames.returns[depth + 1, seat]
    else:
        nodes.recalls[place] = frames.recalls[depth + 1, player]


@device
def write_node(
    nodes: Nodes, place: int, parent: int, player: int, action: int, chance: float
) -> None:
    """Write a node, without its recall and returns."""
    if len(nodes.parents) > 0:
        nodes.parents[place] = parent
        nodes.players[place] = player
        nodes.actions[place] = action
        nodes.chances[place] = chance


@device
def write_observation(state: Any, observations: NodeObservations, place: int) -> None:
    """Write what the current player sees."""
    observe(state, state.current_player, observations.raw[place])
    for action in range(observations.masks.shape[1]):
        observations.masks[place, action] = state.legal[action]
    if len(observations.states) > 0:
        observations.states[place] = state


@device
def step_back(frames: Frames, depth: int) -> int:
    """Go on to the next outcomes or action, of the last frame that has any; return it, or -1."""
    while depth >= 0:
        while frames.levels[depth] > 0:
            level = frames.levels[depth] - 1
            frames.places[depth, level] += 1
            if frames.places[depth, level] < frames.counts[depth, level]:
                return depth
            frames.levels[depth] -= 1
        if depth > 0:
            state = frames.states[depth]
            action = next_legal(state, frames.actions[depth] + 1)
            if action < len(state.legal):
                start_action(frames, depth, action)
                return depth
        depth -= 1
    return depth


@device
def next_legal(state: Any, action: int) -> int:
    """Return the first legal action from `action` on, or the number of actions."""
    while action < len(state.legal) and state.legal[action] == 0:
        action += 1
    return action


# --- Single transitions: chance is chosen by a script, or sampled ---------------------------------


@kernel
def play_one(
    before: Any,
    after: Any,
    action: int,
    size: int,
    sampled: bool,
    bits: Any,
    reward_kind: int,
    buffers: Buffers,
) -> int:
    """Play an action with the first outcomes of a script.

    Args:
        before: The state before it, (1,).
        after: Written, (1,); not to be used if an event is open: it has `num_outcomes` then.
        action: The action, or BEGIN.
        size: How many outcomes of `buffers.script` count.
        sampled: Whether chance is sampled after them; then `buffers.script` is written, too.
        bits: Random bits for that, 64.
        reward_kind: See `rewards.reward`.
        buffers: `outcomes` and `chances` are written or, if no event is open, `rewards`.

    Returns:
        How many outcomes the script has then.
    """
    size = follow_script(before, after, action, buffers.script, size, sampled, bits)
    write_outcomes(after[0], buffers.outcomes, buffers.chances)
    for seat in range(len(buffers.rewards)):
        buffers.rewards[seat] = reward(after[0], seat, reward_kind)
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
