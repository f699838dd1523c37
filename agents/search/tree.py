"""Information-set Monte Carlo tree search, single-observer, in one compiled loop.

Source: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", IEEE
Transactions on Computational Intelligence and AI in Games 4 (2), 2012.

One iteration samples a state from the information state of the searching seat, goes down the tree
by what is legal in that state, adds a node and plays the round out with the base policy. A node is
the sequence of actions that leads to it. An action that is legal in few states is compared with its
siblings only for the times that it was legal (`available`).
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.engine import protocol
from ...envs.engine.compile import PolicyFunction, device, kernel
from ...envs.engine.determinization import CardWeights
from ...envs.engine.game import Game
from ...envs.engine.kernels import write_mask
from ...envs.engine.protocol import Masks, RawObservations, Rows, States
from ...envs.engine.rewards import win_share
from ...envs.engine.rng import derive
from ...envs.engine.win_chances import write_win_probabilities

NO_NODE = -1
ROOT = 0
MAX_DEPTH = 256  # actions down the tree; deeper, the round is played out
SCORE_TEMPERATURE = 40.0  # see `SearchSettings`


class Tree(NamedTuple):
    """Nodes by number, ROOT first: int32 (nodes,) but for `value` and `used`.

    Attributes:
        child: A node's first child, or NO_NODE.
        sibling: The next child of the same parent, or NO_NODE.
        action: The action that leads to the node.
        visits: Iterations that came through.
        available: Iterations in which the action was legal when the parent was visited.
        value: Sum of the outcomes of the visits for each seat, float64 (nodes, seats).
        used: How many nodes there are, int64 (1,).
    """

    child: NDArray[np.int32]
    sibling: NDArray[np.int32]
    action: NDArray[np.int32]
    visits: NDArray[np.int32]
    available: NDArray[np.int32]
    value: NDArray[np.float64]
    used: NDArray[np.int64]


class SearchSettings(NamedTuple):
    """Parameters of the selection rule and of the outcomes.

    Attributes:
        c_puct: Weight of the exploration bonus.
        prior_weight: Share of the prior that goes to the base policy's action, or by the prior
            policy; the rest goes to all legal actions alike.
        score_temperature: Points less that make a seat e times as likely to win, while the game
            goes on.
    """

    c_puct: float = 0.3
    prior_weight: float = 0.5
    score_temperature: float = SCORE_TEMPERATURE


DEFAULTS = SearchSettings()


class SearchBuffers(NamedTuple):
    """What an iteration writes to.

    Attributes:
        prior: The prior policy's probabilities in the searched decision, float64 (actions,); all
            zero for none.
        states: The sampled state, (1,).
        raw: What its current player sees, uint8 (1, observation_spec.size).
        masks: Int8 (1, actions).
        children: Child of each action, int64 (actions,).
        path: Nodes from the root down, int64 (MAX_DEPTH,).
        outcome: What came of it for each seat, float64 (seats,).
    """

    prior: NDArray[np.float64]
    states: States
    raw: RawObservations
    masks: Masks
    children: Rows
    path: Rows
    outcome: NDArray[np.float64]


def new_tree(nodes: int, seats: int) -> Tree:
    """Return a tree with a root and room for `nodes` nodes more."""
    child, sibling, action, visits, available = np.zeros((5, nodes + 1), np.int32)
    value, used = np.zeros((nodes + 1, seats)), np.ones(1, np.int64)
    tree = Tree(child, sibling, action, visits, available, value, used)
    tree.child[ROOT] = NO_NODE
    return tree


def new_buffers(game: Game, information_states: States) -> SearchBuffers:
    """Return buffers to search an information state, (1,), with."""
    actions = len(game.actions)
    return SearchBuffers(
        prior=np.zeros(actions),
        states=np.zeros_like(information_states),
        raw=np.zeros((1, game.observation_spec.size), np.uint8),
        masks=np.zeros((1, actions), np.int8),
        children=np.zeros(actions, np.int64),
        path=np.zeros(MAX_DEPTH, np.int64),
        outcome=np.zeros(int(information_states["num_players"][0])),
    )


@device
def grow(tree: Tree, parent: int, action: int) -> int:
    """Add a child and return it; NO_NODE when the tree is full."""
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
    tree.value[node, :] = 0.0
    return node


@device
def list_children(tree: Tree, node: int, state: Any, children: Rows) -> None:
    """Write the child of each action, or NO_NODE, and count the legal ones as available."""
    children[:] = NO_NODE
    child = tree.child[node]
    while child != NO_NODE:
        children[tree.action[child]] = child
        if state.legal[tree.action[child]]:
            tree.available[child] += 1
        child = tree.sibling[child]


@device
def select(
    tree: Tree,
    node: int,
    state: Any,
    buffers: SearchBuffers,
    base_action: int,
    settings: SearchSettings,
) -> int:
    """Return the legal action with the highest upper confidence bound for the player (PUCT).

    An action not tried yet has the mean value of its parent. At the root the prior policy's
    probabilities, if there are any, take the place of the base action.
    """
    children, has_prior = buffers.children, node == ROOT and buffers.prior.sum() > 0
    seat, legal = state.current_player, state.legal
    visits = max(int(tree.visits[node]), 1)
    number = 0
    for action in range(len(legal)):
        number += int(legal[action])
    parent_value = tree.value[node, seat] / visits
    best, highest = NO_NODE, 0.0
    for action in range(len(legal)):
        if legal[action] == 0:
            continue
        child = children[action]
        tries, available, value = 0, visits, parent_value
        if child != NO_NODE:
            tries, available = int(tree.visits[child]), int(tree.available[child])
            value = tree.value[child, seat] / max(tries, 1)
        prior = (1.0 - settings.prior_weight) / number
        if has_prior:
            prior += settings.prior_weight * buffers.prior[action]
        elif action == base_action:
            prior += settings.prior_weight
        bound = value + settings.c_puct * prior * math.sqrt(float(available)) / (1 + tries)
        if best == NO_NODE or bound > highest:
            best, highest = action, bound
    return best


@device
def choose_base_action(
    state: Any, buffers: SearchBuffers, bits: np.uint64, policy_function: PolicyFunction
) -> int:
    """Return the base policy's action."""
    protocol.observe(state, state.current_player, buffers.raw[0])
    write_mask(state, state.current_player, buffers.masks[0])
    return int(policy_function(buffers.raw[0], buffers.masks[0], bits))


@device
def play_base_action(
    state: Any, buffers: SearchBuffers, bits: np.uint64, policy_function: PolicyFunction
) -> bool:
    """Play the base policy's action; return False, with nothing played, if it is illegal."""
    action = choose_base_action(state, buffers, bits, policy_function)
    if action < 0 or action >= len(state.legal) or state.legal[action] == 0:
        return False
    protocol.apply(state, action)
    return True


@device
def write_outcome(state: Any, score_temperature: float, outcome: Any) -> None:
    """Write what a state between two rounds comes to for each seat, summing to 1.

    When the game is over, the share of the win; before, the probability of the win by the scores.
    """
    scores = state.scores[: state.num_players]  # in halves of points
    if state.over == 0:
        write_win_probabilities(scores, scores[0], 2.0 * score_temperature, outcome)
    else:
        for seat in range(state.num_players):
            outcome[seat] = win_share(scores, seat)
        outcome /= outcome.sum()


@device
def descend(
    tree: Tree,
    buffers: SearchBuffers,
    bits: np.uint64,
    settings: SearchSettings,
    policy_function: PolicyFunction,
) -> int:
    """Go down the tree in the sampled state, add a node and return the length of the path."""
    state, node, depth = buffers.states[0], ROOT, 1
    this_round = state.round_index
    buffers.path[0] = ROOT
    while state.over == 0 and state.round_index == this_round and depth < len(buffers.path):
        list_children(tree, node, state, buffers.children)
        bits_here = derive(bits, depth)
        base_action = choose_base_action(state, buffers, bits_here, policy_function)
        action = select(tree, node, state, buffers, base_action, settings)
        node = int(buffers.children[action])
        new = node == NO_NODE
        if new:
            node = grow(tree, int(buffers.path[depth - 1]), action)
        if node == NO_NODE:
            return depth
        protocol.apply(state, action)
        buffers.path[depth] = node
        depth += 1
        if new:
            return depth
    return depth


@device
def play_round_out(
    buffers: SearchBuffers, this_round: int, bits: np.uint64, policy_function: PolicyFunction
) -> bool:
    """Play the round out with the base policy; return False when its choice is illegal."""
    state, step = buffers.states[0], 0
    while state.over == 0 and state.round_index == this_round:
        step += 1
        if not play_base_action(state, buffers, derive(bits, MAX_DEPTH + step), policy_function):
            return False
    return True


@kernel
def search(
    information_states: States,
    seat: int,
    first: int,
    iterations: int,
    bits: np.uint64,
    card_weights: CardWeights,
    tree: Tree,
    buffers: SearchBuffers,
    settings: SearchSettings,
    policy_function: PolicyFunction,
) -> bool:
    """Run iterations number `first`, `first + 1`, ... on the decision of one seat.

    Args:
        information_states: The game as the seat knows it, (1,).
        seat: The current player.
        first: Number of the first iteration.
        iterations: How many are run.
        bits: All random numbers of iteration n follow from these and n.
        card_weights: Weights by which states are sampled (see `sample_state`).
        tree: Grown in place.
        buffers: Overwritten.
        settings: Parameters of the search.
        policy_function: The base policy.

    Returns:
        False when the base policy's choice is illegal: the tree is then of no use.
    """
    for number in range(first, first + iterations):
        iteration_bits = derive(bits, number)
        buffers.states[0] = information_states[0]
        state = buffers.states[0]
        protocol.sample_state(state, seat, iteration_bits, card_weights)
        this_round = state.round_index
        depth = descend(tree, buffers, iteration_bits, settings, policy_function)
        if not play_round_out(buffers, this_round, iteration_bits, policy_function):
            return False
        write_outcome(state, settings.score_temperature, buffers.outcome)
        for place in range(depth):
            node = buffers.path[place]
            tree.visits[node] += 1
            for other in range(state.num_players):
                tree.value[node, other] += buffers.outcome[other]
    return True


@kernel
def count_visits(tree: Tree, visits: Rows) -> None:
    """Write the number of visits of each action at the root, int64 (actions,)."""
    visits[:] = 0
    child = tree.child[ROOT]
    while child != NO_NODE:
        visits[tree.action[child]] = tree.visits[child]
        child = tree.sibling[child]
