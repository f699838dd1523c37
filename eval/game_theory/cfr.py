"""CFR+: strategies whose regret vanishes, an equilibrium for two players.

Tammelin, Burch, Johanson, Bowling: Solving heads-up limit Texas hold'em (IJCAI 2015), on the
sequence form, with alternating updates and plans averaged with the weight t².
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import kernel
from .strategies import gradient, plans_of, respond, write_plan
from .tree import EMPTY, SequenceForm


class Solver:
    """CFR+ on a tree. Its arrays are all its state, so it can be saved and restored.

    Attributes:
        iteration: Iterations so far.
        regrets: float64 (players, longest plan), the positive regrets of all sequences.
        averages: float64 (players, longest plan), plans summed with their weights.
        gains: float64 (players, longest plan), gains of sequences summed likewise; for the gap to a
            coarse correlated equilibrium, with three and more players.
        received: float64 (players,), returns, likewise.
    """

    ARRAYS = ("regrets", "averages", "gains", "received")

    def __init__(self, tree: SequenceForm) -> None:
        self.tree = tree
        self.iteration = 0
        self._plans = plans_of(tree, [side.uniform() for side in tree.sides])
        self.regrets = np.zeros_like(self._plans)
        self.averages = np.zeros_like(self._plans)
        self.gains = np.zeros_like(self._plans)
        self.received = np.zeros(len(tree.sides))

    def run(self, iterations: int) -> None:
        """Do some more iterations."""
        for _ in range(iterations):
            self.iteration += 1
            weight = float(self.iteration**2)
            for seat, side in enumerate(self.tree.sides):
                gains = gradient(self.tree, self._plans, seat)
                update(side.parents, side.starts, gains, self.regrets[seat], self._plans[seat])
                self.averages[seat] += weight * self._plans[seat]
            if len(self.tree.sides) > 2:
                self._record(weight)

    def _record(self, weight: float) -> None:
        for seat, plan in enumerate(self._plans):
            gains = gradient(self.tree, self._plans, seat)
            self.gains[seat] += weight * gains
            self.received[seat] += weight * (plan @ gains)

    def strategies(self) -> list[NDArray[np.float64]]:
        """Return the average strategies, one for each player."""
        strategies = []
        for side, average in zip(self.tree.sides, self.averages, strict=True):
            strategy = side.uniform()
            normalize(side.starts, average, strategy)
            strategies.append(strategy)
        return strategies

    def correlated_gap(self) -> float:
        """Return the distance of all iterations together from a coarse correlated equilibrium.

        It is the most that a player could have gained by one fixed strategy in all iterations.
        """
        weights = sum(t**2 for t in range(1, self.iteration + 1))
        regrets = [
            respond(side, gains).value - received
            for side, gains, received in zip(
                self.tree.sides, self.gains, self.received, strict=True
            )
        ]
        return float(max(regrets) / weights)

    def restore(self, iteration: int, arrays: dict[str, NDArray[np.float64]]) -> None:
        """Go on from a state that was saved: the iteration, and the arrays of `ARRAYS`."""
        self.iteration = iteration
        for name in self.ARRAYS:
            getattr(self, name)[...] = arrays[name]
        for side, regrets, plan in zip(self.tree.sides, self.regrets, self._plans, strict=True):
            strategy = side.uniform()
            normalize(side.starts, regrets, strategy)
            write_plan(side.parents, side.starts, strategy, plan)


@kernel
def update(parents: Any, starts: Any, gains: Any, regrets: Any, plan: Any) -> None:
    """Update the regrets of a player, then its plan by regret matching.

    Args:
        parents: See `Side`.
        starts: See `Side`.
        gains: The gain of each sequence; those of later sequences are added.
        regrets: Updated.
        plan: Written.
    """
    for infoset in range(len(parents) - 1, -1, -1):
        first, end = starts[infoset], starts[infoset + 1]
        total = 0.0
        for sequence in range(first, end):
            total += regrets[sequence]
        value = 0.0
        for sequence in range(first, end):
            share = regrets[sequence] / total if total > 0.0 else 1.0 / (end - first)
            value += share * gains[sequence]
        for sequence in range(first, end):
            regrets[sequence] = max(0.0, regrets[sequence] + gains[sequence] - value)
        gains[parents[infoset]] += value
    plan[EMPTY] = 1.0
    for infoset in range(len(parents)):
        first, end = starts[infoset], starts[infoset + 1]
        total = 0.0
        for sequence in range(first, end):
            total += regrets[sequence]
        for sequence in range(first, end):
            share = regrets[sequence] / total if total > 0.0 else 1.0 / (end - first)
            plan[sequence] = plan[parents[infoset]] * share


@kernel
def normalize(starts: Any, weights: Any, strategy: Any) -> None:
    """Write the strategy that plays by weights; where all are 0 it is left as it is."""
    for infoset in range(len(starts) - 1):
        first, end = starts[infoset], starts[infoset + 1]
        total = 0.0
        for sequence in range(first, end):
            total += weights[sequence]
        if total > 0.0:
            for sequence in range(first, end):
                strategy[sequence] = weights[sequence] / total
