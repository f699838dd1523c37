"""Equilibria of two players by linear programming, on the sequence form.

Koller, Megiddo, von Stengel: Efficient computation of equilibria for extensive two-person games
(Games and Economic Behavior, 1996); solved by HiGHS.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack

from ...errors import GoldgriffError, SettingsError
from .cfr import normalize
from .tree import EMPTY, SequenceForm, Side


def solve_linear_program(tree: SequenceForm) -> list[NDArray[np.float64]]:
    """Return a Nash equilibrium of two players, a strategy for each.

    Raises:
        SettingsError: There are more than two players.
        GoldgriffError: HiGHS finds no solution.
    """
    if len(tree.sides) != 2:
        raise SettingsError(f"a linear program solves games of 2 players, not {len(tree.sides)}")
    return [_solve(tree, seat) for seat in range(2)]


def _solve(tree: SequenceForm, seat: int) -> NDArray[np.float64]:
    """Return the strategy with the highest value against the best response.

    The variables are the player's plan and, for each information state of the opponent, what the
    best response gets from there on, less than nothing being what it costs it.
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
    found = linprog(
        objective,
        A_ub=hstack([gains, flow.T]),
        b_ub=np.zeros(other.num_sequences),
        A_eq=hstack([plans, csr_array((plans.shape[0], flow.shape[0]))]),
        b_eq=sums,
        bounds=[(0, None)] * own.num_sequences + [(None, None)] * flow.shape[0],
        method="highs",
    )
    if not found.success:
        raise GoldgriffError(f"HiGHS found no equilibrium: {found.message}")
    strategy = own.uniform()
    normalize(own.starts, np.maximum(found.x[: own.num_sequences], 0.0), strategy)
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
