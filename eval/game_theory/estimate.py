"""How many histories a game has, estimated from some random ones."""

from typing import Any

import numpy as np

from ...envs.engine.compile import device, kernel
from ...envs.engine.game import Game
from ...envs.engine.listing import new_tree_states
from ...envs.engine.protocol import apply, begin
from ...envs.engine.rng import derive, pick_legal
from ...envs.engine.settings import GameSettings
from .recall import BEGIN
from .walk import MAX_DEPTH

PROBES = 4096  # random histories


def estimate_histories(game: Game, settings: GameSettings, probes: int = PROBES) -> float:
    """Return about how many histories a game has, without going through them.

    Random histories are weighted by the numbers of choices on their way: Knuth, Estimating the
    efficiency of backtrack programs (Mathematics of Computation, 1975). The mean is right, but few
    heavy histories may be missed, and then it is too low. It is infinite if one of them has not
    ended after `MAX_DEPTH` decisions.
    """
    return probe(new_tree_states(game, settings, 3, multisets=True), np.uint64(probes))


@kernel
def probe(states: Any, probes: np.uint64) -> float:
    """Return the mean weight of random histories; see `estimate_histories`.

    Args:
        states: Three; the first one before the deal.
        probes: How many histories.
    """
    total = 0.0
    for number in range(probes):
        bits = derive(np.uint64(number), 0)
        states[1] = states[0]
        weight = play_at_random(states, BEGIN, bits)
        for _ in range(MAX_DEPTH):
            if states[2].over == 1:
                break
            states[1] = states[2]
            bits = derive(bits, 0)
            legal = 0
            for action in range(len(states[1].legal)):
                legal += states[1].legal[action]
            weight *= legal
            weight *= play_at_random(states, pick_legal(states[1].legal, bits), derive(bits, 1))
        total += weight if states[2].over == 1 else np.inf
    return total / probes


@device
def play_at_random(states: Any, action: int, bits: np.uint64) -> float:
    """Play an action from states[1] to states[2] with random outcomes; return how many there are.

    They are as many as there would be if every event had as many as on this way.
    """
    weight, size = 1.0, 0
    while True:
        states[2] = states[1]
        state = states[2]
        state.num_events = state.num_outcomes = state.drawn_in_all = 0
        state.script_size = size
        if action == BEGIN:
            begin(state)
        else:
            apply(state, action)
        if state.num_outcomes == 0:
            return weight
        bits = derive(bits, 0)
        weight *= state.num_outcomes
        states[1].script[size] = state.outcomes[int(bits % np.uint64(state.num_outcomes))]
        size += 1
