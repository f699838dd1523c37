"""Information-set Monte Carlo tree search, single-observer, in one compiled loop.

Source: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", IEEE
Transactions on Computational Intelligence and AI in Games 4 (2), 2012.

One iteration deals a world that the searching seat cannot tell from the true one, goes down the
tree by what is legal in that world, adds a node and plays the round out with a scripted player.
A node is the sequence of moves that leads to it. A move that is legal in few worlds is compared
with its siblings only for the times that it was legal (`available`).
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import PolicyFunction, device, kernel
from ...envs.engine.determinization import CardWeights
from ...envs.engine.kernels import write_mask
from ...envs.engine.protocol import Masks, RawObservations, States, apply, observe, sample_state
from ...envs.engine.rewards import win_share
from ...envs.engine.rng import derive

NO_NODE = -1
ROOT = 0
AT_FAULT = "the player that plays worlds out chose an illegal action"
MAX_DEPTH = 256  # moves down the tree; deeper, a world is played out


class Tree(NamedTuple):
    """Nodes by number, ROOT first. All int32 (nodes,) but `worth`, float64 (nodes, seats).

    child, sibling: a node's first child, and the next one of the same parent; NO_NODE after the
    last. action: the move that leads here. visits: iterations that came through. available:
    iterations in which the move was legal when its parent was visited. worth: sum, over the
    visits, of what came of it for each seat. used: int64 (1,), how many nodes there are.
    """

    child: NDArray[np.int32]
    sibling: NDArray[np.int32]
    action: NDArray[np.int32]
    visits: NDArray[np.int32]
    available: NDArray[np.int32]
    worth: NDArray[np.float64]
    used: NDArray[np.int64]


class SearchSettings(NamedTuple):
    """How a search weighs what it finds.

    explore: weight of what was tried little. trust: share of the prior that the adviser's action
    gets, or that goes by the hunch. patience: points that make a seat e times as likely to win,
    while the game goes on.
    """

    explore: float
    trust: float
    patience: float


class SearchBuffers(NamedTuple):
    """What an iteration writes to: one world, what its mover sees, and the way down the tree.

    hunch: the prior of the decision that is searched, float64 (actions,), as another player would
    have it; all zero for none.
    """

    hunch: NDArray[np.float64]
    world: States
    raw: RawObservations
    masks: Masks
    children: NDArray[np.int64]
    path: NDArray[np.int64]
    outcome: NDArray[np.float64]


def new_tree(nodes: int, seats: int) -> Tree:
    """A tree with a root and room for so many nodes more: one for each iteration, at the most."""
    nodes += 1
    tree = Tree(
        child=np.zeros(nodes, np.int32),
        sibling=np.zeros(nodes, np.int32),
        action=np.zeros(nodes, np.int32),
        visits=np.zeros(nodes, np.int32),
        available=np.zeros(nodes, np.int32),
        worth=np.zeros((nodes, seats)),
        used=np.ones(1, np.int64),
    )
    tree.child[ROOT] = NO_NODE
    return tree


def new_buffers(hidden: States, raw: int, actions: int) -> SearchBuffers:
    """Room to search a record in, of a game with so many features and actions."""
    return SearchBuffers(
        hunch=np.zeros(actions),
        world=np.zeros_like(hidden),
        raw=np.zeros((1, raw), np.uint8),
        masks=np.zeros((1, actions), np.int8),
        children=np.zeros(actions, np.int64),
        path=np.zeros(MAX_DEPTH, np.int64),
        outcome=np.zeros(int(hidden["num_players"][0])),
    )


@device
def grow(tree: Tree, parent: int, action: int) -> int:
    """Add a child; NO_NODE when the tree is full."""
    node = int(tree.used[0])
    if node == len(tree.action):
        return NO_NODE
    tree.used[0] += 1
    tree.child[node] = NO_NODE
    tree.sibling[node] = tree.child[parent]
    tree.child[parent] = node
    tree.action[node] = action
    tree.visits[node] = 0
    tree.available[node] = 1
    tree.worth[node, :] = 0.0
    return node


@device
def list_children(tree: Tree, node: int, state: Any, children: NDArray[np.int64]) -> None:
    """Write the child of each action, or NO_NODE; count in which of them are legal now."""
    children[:] = NO_NODE
    child = tree.child[node]
    while child != NO_NODE:
        children[tree.action[child]] = child
        if state.legal[tree.action[child]]:
            tree.available[child] += 1
        child = tree.sibling[child]


@device
def select(
    tree: Tree, node: int, state: Any, buffers: SearchBuffers, advised: int, weights: SearchSettings
) -> int:
    """The legal action with the highest upper confidence bound for the mover (PUCT).

    An action not tried yet counts as much as its parent. The prior gives `trust` to the adviser's
    action, or at the root by the hunch where there is one, and the rest to all alike.
    """
    children, guided = buffers.children, node == ROOT and buffers.hunch.sum() > 0
    seat, legal = state.current_player, state.legal
    visits = max(int(tree.visits[node]), 1)
    number = 0
    for action in range(len(legal)):
        number += int(legal[action])
    first_guess = tree.worth[node, seat] / visits
    best, highest = NO_NODE, 0.0
    for action in range(len(legal)):
        if legal[action] == 0:
            continue
        child = children[action]
        tries, probabilities, value = 0, visits, first_guess
        if child != NO_NODE:
            tries, probabilities = int(tree.visits[child]), int(tree.available[child])
            value = tree.worth[child, seat] / max(tries, 1)
        prior = (1.0 - weights.trust) / number
        if guided:
            prior += weights.trust * buffers.hunch[action]
        elif action == advised:
            prior += weights.trust
        bound = value + weights.explore * prior * math.sqrt(float(probabilities)) / (1 + tries)
        if best == NO_NODE or bound > highest:
            best, highest = action, bound
    return best


@device
def advise(
    state: Any, buffers: SearchBuffers, bits: np.uint64, policy_function: PolicyFunction
) -> int:
    """What the scripted player would do."""
    observe(state, state.current_player, buffers.raw[0])
    write_mask(state, state.current_player, buffers.masks[0])
    return int(policy_function(buffers.raw[0], buffers.masks[0], bits))


@device
def play_advised(
    state: Any, buffers: SearchBuffers, bits: np.uint64, policy_function: PolicyFunction
) -> bool:
    """Let the scripted player decide once; False, and nothing is played, when that is illegal."""
    action = advise(state, buffers, bits, policy_function)
    if action < 0 or action >= len(state.legal) or state.legal[action] == 0:
        return False
    apply(state, action)
    return True


@device
def judge(state: Any, patience: float, outcome: Any) -> None:
    """What a position between two rounds is worth to each seat, summing to 1.

    When the game is over, its share of the win. Before, the share that its total promises: each
    `patience` points less make it e times as likely to win.
    """
    total = 0.0
    for seat in range(state.num_players):
        if state.over == 1:
            outcome[seat] = win_share(state.scores[: state.num_players], seat)
        else:
            outcome[seat] = math.exp((state.scores[0] - state.scores[seat]) / (2.0 * patience))
        total += outcome[seat]
    for seat in range(state.num_players):
        outcome[seat] /= total


@device
def descend(
    tree: Tree,
    buffers: SearchBuffers,
    bits: np.uint64,
    weights: SearchSettings,
    policy_function: PolicyFunction,
) -> int:
    """Go down the tree in a world and add a node; returns the length of the way."""
    state, node, depth = buffers.world[0], ROOT, 1
    this_round = state.round_index
    buffers.path[0] = ROOT
    while state.over == 0 and state.round_index == this_round and depth < len(buffers.path):
        list_children(tree, node, state, buffers.children)
        advised = advise(state, buffers, derive(bits, depth), policy_function)
        action = select(tree, node, state, buffers, advised, weights)
        node = int(buffers.children[action])
        new = node == NO_NODE
        if new:
            node = grow(tree, int(buffers.path[depth - 1]), action)
        if node == NO_NODE:
            return depth
        apply(state, action)
        buffers.path[depth] = node
        depth += 1
        if new:
            return depth
    return depth


@device
def play_on(
    buffers: SearchBuffers, this_round: int, bits: np.uint64, policy_function: PolicyFunction
) -> bool:
    """Play a world's round out with the scripted player; False when its choice is illegal."""
    state, step = buffers.world[0], 0
    while state.over == 0 and state.round_index == this_round:
        step += 1
        if not play_advised(state, buffers, derive(bits, MAX_DEPTH + step), policy_function):
            return False
    return True


@kernel
def search(
    hidden: States,
    seat: int,
    first: int,
    iterations: int,
    bits: np.uint64,
    odds: CardWeights,
    tree: Tree,
    buffers: SearchBuffers,
    weights: SearchSettings,
    policy_function: PolicyFunction,
) -> bool:
    """Run iterations number `first`, first + 1, ... from a record hidden for `seat` to move.

    odds: how worlds are dealt (see `sample_state`). False when the scripted player's choice is illegal:
    the tree is then of no use.
    """
    for number in range(first, first + iterations):
        luck = derive(bits, number)
        buffers.world[0] = hidden[0]
        state = buffers.world[0]
        sample_state(state, seat, luck, odds)
        this_round = state.round_index
        depth = descend(tree, buffers, luck, weights, policy_function)
        if not play_on(buffers, this_round, luck, policy_function):
            return False
        judge(state, weights.patience, buffers.outcome)
        for place in range(depth):
            node = buffers.path[place]
            tree.visits[node] += 1
            for other in range(state.num_players):
                tree.worth[node, other] += buffers.outcome[other]
    return True


@kernel
def count_visits(tree: Tree, visits: NDArray[np.int64]) -> None:
    """Write how often each move at the root was tried, by action."""
    visits[:] = 0
    child = tree.child[ROOT]
    while child != NO_NODE:
        visits[tree.action[child]] = tree.visits[child]
        child = tree.sibling[child]
