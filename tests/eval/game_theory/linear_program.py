"""Equilibria of two players by linear programming, on the sequence form.

Koller, Megiddo, von Stengel: Efficient computation of equilibria for extensive two-person games
(Games and Economic Behavior, 1996); solved by HiGHS.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack

from goldgriff.eval.game_theory.cfr import normalize
from goldgriff.eval.game_theory.tree import EMPTY, SequenceForm, Side


def solve_linear_program(tree: SequenceForm) -> list[NDArray[np.float64]]:
    """Return a Nash equilibrium of two players, a strategy for each."""
    assert len(tree.sides) == 2
    return [_solve(tree, seat) for seat in range(2)]


def _solve(tree: SequenceForm, seat: int) -> NDArray[np.float64]:
    """Return the strategy with the highest value against the best response.

    The variables are the player's plan and the dual variables: the opponent's best-response value
    per information set.
    """
    own, other = tree.sides[seat], tree.sides[1 - seat]
    gains = csr_array(
        (-tree.payoffs[:, seat], (tree.sequences[:, 1 - seat], tree.sequences[:, seat])),
        shape=(other.num_sequences, own.num_sequences),
    )
    flow = _flow(other)
    objective = np.zeros(own.num_sequences + flow.shape[0])
    objective[own.num_sequences] = -1.0  # the value before the first action, maximised
    plans = _flow(own)
    sums = np.zeros(plans.shape[0])
    sums[EMPTY] = 1.0
    result = linprog(
        objective,
        A_ub=hstack([gains, flow.T]),
        b_ub=np.zeros(other.num_sequences),
        A_eq=hstack([plans, csr_array((plans.shape[0], flow.shape[0]))]),
        b_eq=sums,
        bounds=[(0, None)] * own.num_sequences + [(None, None)] * flow.shape[0],
        method="highs",
    )
    assert result.success, result.message
    strategy = own.uniform()
    normalize(own.starts, np.maximum(result.x[: own.num_sequences], 0.0), strategy)
    return strategy


def _flow(side: Side) -> csr_array:
    """Return the matrix F: a plan is one where F @ plan is 1 in the first row and 0 in the others.

    Row 0 is the empty sequence; the others say of each information state that its sequences sum to
    the one before it.
    """
    infosets = np.arange(1, len(side.parents) + 1)
    rows = np.concatenate([[0], np.repeat(infosets, np.diff(side.starts)), infosets])
    columns = np.concatenate([np.arange(side.num_sequences), side.parents])
    signs = np.concatenate([np.ones(side.num_sequences), -np.ones(len(infosets))])
    return csr_array((signs, (rows, columns)), shape=(len(infosets) + 1, side.num_sequences))
